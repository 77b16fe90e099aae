#if canImport(CCurl)
internal import CCurl

/// What a loop works with: libcurl's multi handle, the transfers under way, and handles that wait for the next one.
final class CurlWorker {
    private let configuration: CurlTransport.Configuration
    private var library: CurlLibrary?
    private(set) var multi: CurlLibrary.Handle?
    private var pool: CurlPool?
    private var active: [CurlHandle] = []
    private var free: [CurlHandle] = []
    private var ends: [CurlEnd] = []
    private var lastStart = ContinuousClock.now
    private static let maximumFreeHandles = 64

    init(configuration: CurlTransport.Configuration) {
        self.configuration = configuration
    }

    deinit {
        // The loop runs until no transfer is left, so all handles are free.
        free = []
        _ = library?.multiCleanup(multi)
    }

    /// The transfers that have ended since the last time.
    func takeEnded() -> [CurlEnd] {
        guard !ends.isEmpty else { return [] }
        defer { ends = [] }
        return ends
    }

    var isBusy: Bool { !active.isEmpty }

    func perform(_ job: CurlLoop.Job) {
        switch job {
        case .start(let job): start(CurlTransfer(job, configuration: configuration))
        case .cancel(let id):
            guard let handle = active.first(where: { $0.transfer?.id == id }), let transfer = handle.transfer else {
                return
            }
            remove(handle)
            note(transfer.cancel())
            recycle(handle)
        }
    }

    private func note(_ end: CurlEnd?) { if let end { ends.append(end) } }

    private func open() throws(TransportError) -> CurlLibrary {
        if let library { return library }
        let library = try CurlLibrary.shared.get()
        guard let multi = library.multiInit() else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up: out of memory")
        }
        self.library = library
        self.multi = multi
        return library
    }

    /// A server nearby answers a lone request within microseconds. To sleep and to be woken takes as long again, so the
    /// loop looks a few more times first.
    var expectsNewsSoon: Bool { active.count == 1 && ContinuousClock.now - lastStart < .microseconds(60) }

    private func start(_ transfer: CurlTransfer) {
        do throws(TransportError) {
            let handle = try freeHandle()
            handle.transfer = transfer
            lastStart = .now
            do throws(TransportError) {
                try transfer.begin(on: handle)
                add(handle)
            } catch {
                recycle(handle)
                throw error
            }
        } catch {
            note(transfer.refuse(error))
        }
    }

    private func freeHandle() throws(TransportError) -> CurlHandle {
        if let handle = free.popLast() { return handle }
        let library = try open()
        let pool = pool ?? CurlPool(library: library)
        self.pool = pool
        return try CurlHandle(library: library, pool: pool)
    }

    private func add(_ handle: CurlHandle) {
        handle.index = active.count
        active.append(handle)
        _ = library?.multiAdd(multi, handle.pointer)
    }

    /// The last handle takes the place in the list.
    private func remove(_ handle: CurlHandle) {
        _ = library?.multiRemove(multi, handle.pointer)
        guard let last = active.popLast(), last !== handle else { return }
        active[handle.index] = last
        last.index = handle.index
    }

    private func recycle(_ handle: CurlHandle) {
        handle.transfer = nil
        if free.count < Self.maximumFreeHandles { free.append(handle) }
    }

    /// True when there is nothing to do until something comes over the network.
    func step() -> Bool {
        guard let library, let multi else { return false }
        var running: CInt = 0
        _ = library.multiPerform(multi, &running)
        var hasEnded = false
        var left: CInt = 0
        while let message = library.multiInfoRead(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle else { continue }
            hasEnded = true
            if let handle = CurlHandle.of(pointer, library) { ended(handle, omb_message_result(message)) }
        }
        // What has ended may have left room for what waits in the inbox: look there before sleeping.
        return !hasEnded && isBusy
    }

    /// Until something comes over the network, a timer of libcurl fires, or somebody calls `curl_multi_wakeup`.
    func wait() { _ = library?.multiPoll(multi, nil, 0, 60_000, nil) }

    private func ended(_ handle: CurlHandle, _ result: CURLcode) {
        guard let transfer = handle.transfer else { return }
        transfer.leaveConnection(result)
        remove(handle)
        if let end = transfer.finish(result) {
            note(end)
            recycle(handle)
        } else {
            add(handle)
        }
    }
}
#endif
