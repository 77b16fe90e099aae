internal import CCurl
import Dispatch
import Synchronization

/// Drives all transfers of one transport on a queue of its own. It sleeps in `curl_multi_poll` while transfers wait,
/// and gives its thread back when there are none; connections stay open in between.
///
/// Unchecked because everything but `inbox` is touched on `queue` only, where at most one `run` is under way.
final class CurlLoop: @unchecked Sendable {
    enum Job {
        case start(CurlTransfer)
        case cancel(CurlTransfer)
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isRunning = false
        /// The address of the multi handle while there is one to wake up.
        var multi: UInt?
    }

    private let queue = DispatchQueue(label: "ombi.curl")
    private let inbox = Mutex(Inbox())
    private var multi: CurlLibrary.Handle?
    private var library: CurlLibrary?
    private var transfers: [CurlLibrary.Handle: CurlTransfer] = [:]
    private var freeHandles: [CurlLibrary.Handle] = []
    private static let maximumFreeHandles = 64

    deinit {
        guard let library else { return }
        for handle in freeHandles { library.easyCleanup(handle) }
        _ = library.multiCleanup(multi)
    }

    /// Callable from any thread.
    func submit(_ job: Job) {
        let (isRunning, multi) = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isRunning = true }
            return (inbox.isRunning, inbox.multi)
        }
        if !isRunning {
            queue.async { self.run() }
        } else if let multi, case .success(let library) = CurlLibrary.shared {
            _ = library.multiWakeup(CurlLibrary.Handle(bitPattern: multi))
        }
    }

    private func run() {
        do {
            try open()
        } catch {
            return refuseAll(error)
        }
        while let jobs = takeJobs() {
            for job in jobs { perform(job) }
            step()
        }
    }

    /// nil when there is nothing left to do; the thread is then given back.
    private func takeJobs() -> [Job]? {
        inbox.withLock { inbox in
            defer { inbox.jobs = [] }
            if inbox.jobs.isEmpty, transfers.isEmpty {
                inbox.isRunning = false
                return nil
            }
            return inbox.jobs
        }
    }

    private func open() throws(TransportError) {
        guard multi == nil else { return }
        let library = try CurlLibrary.shared.get()
        guard let multi = library.multiInit() else {
            throw TransportError(code: .transportUnavailable, message: "libcurl could not be set up: out of memory")
        }
        self.library = library
        self.multi = multi
        let address = UInt(bitPattern: multi)
        inbox.withLock { $0.multi = address }
    }

    private func refuseAll(_ error: TransportError) {
        while let jobs = takeJobs() {
            for case .start(let transfer) in jobs { transfer.refuse(error) }
        }
    }

    private func perform(_ job: Job) {
        switch job {
        case .start(let transfer): start(transfer)
        case .cancel(let transfer):
            guard let handle = transfer.handle else { return transfer.cancelBeforeStart() }
            remove(handle)
            transfer.cancel()
            recycle(handle)
        }
    }

    private func start(_ transfer: CurlTransfer) {
        guard !transfer.hasEnded, let library else { return }
        guard let pointer = freeHandles.popLast() ?? library.easyInit() else {
            return transfer.refuse(TransportError(code: .unknown, message: "libcurl has no memory for a request"))
        }
        let handle = CurlHandle(library: library, pointer: pointer)
        transfer.begin(on: handle)
        add(transfer, handle)
    }

    private func add(_ transfer: CurlTransfer, _ handle: CurlHandle) {
        transfers[handle.pointer] = transfer
        _ = library?.multiAdd(multi, handle.pointer)
    }

    private func remove(_ handle: CurlHandle) {
        _ = library?.multiRemove(multi, handle.pointer)
        transfers[handle.pointer] = nil
    }

    private func recycle(_ handle: CurlHandle) {
        guard freeHandles.count < Self.maximumFreeHandles else { return handle.library.easyCleanup(handle.pointer) }
        handle.library.easyReset(handle.pointer)
        freeHandles.append(handle.pointer)
    }

    private func step() {
        guard let library, let multi else { return }
        var running: CInt = 0
        _ = library.multiPerform(multi, &running)
        var hasEnded = false
        var left: CInt = 0
        while let message = library.multiInfoRead(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle else { continue }
            let result = omb_message_result(message)
            hasEnded = true
            ended(pointer, result)
        }
        // What has ended may have left room for what waits in the inbox: look there before sleeping.
        if !hasEnded, !transfers.isEmpty { _ = library.multiPoll(multi, nil, 0, 60_000, nil) }
    }

    private func ended(_ pointer: CurlLibrary.Handle, _ result: CURLcode) {
        guard let transfer = transfers[pointer], let handle = transfer.handle else { return }
        remove(handle)
        if transfer.finish(result) {
            recycle(handle)
        } else {
            add(transfer, handle)
        }
    }
}
