#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// The thread that drives the byte channels of all transports, and ends with the last of them. Idle channels cost
/// neither a thread nor time: they share one `poll`.
///
/// Other threads post jobs to the inbox. The channels themselves are confined to this thread.
final class CurlChannelLoop: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, TransportError>) -> Void

    struct Opening: Sendable {
        let request: TransportRequest
        let configuration: CurlTransport.Configuration
        let startedAt: ContinuousClock.Instant
        let completion: Completion<TransportMetrics>
    }

    enum Job: Sendable {
        case open(Opening)
        case receive(Completion<Data>)
        case send(Data, Completion<Void>)
        case close
    }

    private struct Inbox {
        var jobs: [(id: Int, job: Job)] = []
        var lastID = 0
        var isRunning = false
        /// The bell that wakes the thread; nil while it neither sleeps nor is about to.
        var bell: CurlChannelBell?
    }

    static let shared = CurlChannelLoop()

    private let inbox = Lock(Inbox())

    /// True if it has neither channels nor a thread.
    var isIdle: Bool { inbox.withLock { !$0.isRunning } }

    func open(
        _ request: TransportRequest, _ configuration: CurlTransport.Configuration,
        _ completion: @escaping Completion<TransportMetrics>
    ) -> any ByteChannel {
        let opening = Opening(
            request: request, configuration: configuration, startedAt: .now, completion: completion)
        let id = inbox.withLock { inbox in
            inbox.lastID += 1
            return inbox.lastID
        }
        submit(.open(opening), id)
        return CurlChannelHandle(loop: self, id: id)
    }

    fileprivate func submit(_ job: Job, _ id: Int) {
        let mustRun = inbox.withLock { inbox in
            inbox.jobs.append((id, job))
            inbox.bell?.ring()
            inbox.bell = nil
            return !exchange(&inbox.isRunning, with: true)
        }
        if mustRun { DispatchQueue(label: "ombi.channels", qos: .userInitiated).async { self.run() } }
    }

    private func run() {
        let worker = CurlChannelWorker(bell: CurlChannelBell())
        while let jobs = takeJobs(isBusy: worker.isBusy) {
            for (id, job) in jobs { worker.perform(job, id) }
            worker.step { self.maySleep(worker) }
        }
        worker.bell?.close()
    }

    /// Returns nil if nothing is left to do; the thread has to end then.
    private func takeJobs(isBusy: Bool) -> [(id: Int, job: Job)]? {
        inbox.withLock { inbox in
            inbox.bell = nil
            if inbox.jobs.isEmpty, !isBusy {
                inbox.isRunning = false
                return nil
            }
            return exchange(&inbox.jobs, with: [])
        }
    }

    /// Prepares to sleep: from here on, a new job rings the bell. Returns false if there are jobs.
    private func maySleep(_ worker: CurlChannelWorker) -> Bool {
        inbox.withLock { inbox in
            guard inbox.jobs.isEmpty else { return false }
            inbox.bell = worker.bell
            return true
        }
    }
}

/// A pipe that wakes a thread from `poll`.
struct CurlChannelBell: Sendable {
    let descriptor: CInt
    private let end: CInt

    /// Returns nil if the system has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (descriptor, end) = (ends[0], ends[1])
    }

    func ring() {
        var byte: UInt8 = 0
        _ = write(end, &byte, 1)
    }

    func silence() {
        var bytes: UInt64 = 0
        while read(descriptor, &bytes, 8) > 0 {}
    }

    func close() {
        for end in [descriptor, end] { _ = closeDescriptor(end) }
    }
}

/// Calls the system's function, which `close()` hides.
private func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }

/// A channel as held by its owner.
private struct CurlChannelHandle: ByteChannel {
    let loop: CurlChannelLoop
    let id: Int

    func receive(_ completion: @escaping @Sendable (Result<Data, TransportError>) -> Void) {
        loop.submit(.receive(completion), id)
    }

    func send(_ bytes: Data, _ completion: @escaping @Sendable (Result<Void, TransportError>) -> Void) {
        loop.submit(.send(bytes, completion), id)
    }

    func close() { loop.submit(.close, id) }
}

/// The channels of a `CurlChannelLoop`, and the wait for their events. Confined to the thread of the loop.
final class CurlChannelWorker {
    let bell: CurlChannelBell?
    private var channels: [Int: CurlChannel] = [:]
    /// The receive buffer of all channels, which copy their bytes from it.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    init(bell: CurlChannelBell?) { self.bell = bell }

    deinit { buffer.deallocate() }

    var isBusy: Bool { !channels.isEmpty }

    func perform(_ job: CurlChannelLoop.Job, _ id: Int) {
        switch job {
        case .open(let opening): open(opening, id)
        case .receive(let completion):
            guard let channel = channels[id] else { return completion(.failure(CurlChannel.closed)) }
            channel.receive(into: buffer, completion)
        case .send(let bytes, let completion):
            guard let channel = channels[id] else { return completion(.failure(CurlChannel.closed)) }
            channel.send(bytes, completion)
        case .close: channels.removeValue(forKey: id)?.close()
        }
    }

    private func open(_ opening: CurlChannelLoop.Opening, _ id: Int) {
        do throws(TransportError) {
            // Without a bell the thread could not be woken.
            guard bell != nil else { throw CurlChannel.noDescriptors }
            channels[id] = try CurlChannel(opening)
        } catch {
            opening.completion(.failure(error))
        }
    }

    /// Waits for the network, a timer of libcurl or the bell, and handles the events.
    /// - Parameter maySleep: Called before the wait; if it returns false, the wait is skipped.
    func step(maySleep: () -> Bool) {
        guard let bell, isBusy else { return }
        var waits = [pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)]
        // Each channel with the range of its descriptors.
        var owners: [(channel: CurlChannel, range: Range<Int>)] = []
        for channel in channels.values {
            let start = waits.count
            channel.addDescriptors(to: &waits)
            owners.append((channel, start..<waits.count))
        }
        let timeout = maySleep() ? pollTimeout : 0
        _ = poll(&waits, nfds_t(waits.count), timeout)
        if waits[0].revents != 0 { bell.silence() }
        for (channel, range) in owners { channel.step(waits[range].filter { $0.revents != 0 }, buffer) }
    }

    /// The timeout in milliseconds; -1 for none.
    private var pollTimeout: CInt {
        guard let deadline = channels.values.lazy.compactMap(\.deadline).min() else { return -1 }
        let nanoseconds = (deadline - .now).nanosecondsClamped
        return CInt(clamping: (nanoseconds + 999_999) / 1_000_000)
    }
}
#endif
