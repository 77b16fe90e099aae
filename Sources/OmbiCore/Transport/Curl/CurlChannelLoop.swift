#if canImport(CCurl)
internal import CCurl
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
            defer { inbox.isRunning = true }
            return !inbox.isRunning
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
            defer { inbox.jobs = [] }
            return inbox.jobs
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
#endif
