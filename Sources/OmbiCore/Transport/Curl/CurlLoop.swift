#if canImport(CCurl)
internal import CCurl
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Drives all transfers of one transport on one thread at a time, and gives the thread back when there are none.
///
/// Others leave jobs in the inbox, from any thread. What the transfers need lies in `worker`, behind a lock that only
/// `run` takes, and only while it has claimed the loop: so nobody ever waits for that lock.
final class CurlLoop: Sendable {
    enum Job: Sendable {
        case start(CurlJob)
        case cancel(id: Int)
    }

    private enum State {
        case free
        /// A thread is on its way.
        case summoned
        case running
        /// A thread looks for jobs, for some microseconds.
        case watching
    }

    private struct Inbox {
        var jobs: [Job] = []
        var lastID = 0
        var state = State.free
        /// The thread that tells the last event of a transfer, with the loop free.
        var teller: pthread_t?
        /// The address of the multi handle while the loop sleeps in it, or is about to.
        var sleepsIn: UInt?
    }

    private let inbox = Lock(Inbox())
    private let worker: Lock<CurlWorker>

    init(configuration: CurlTransport.Configuration) {
        worker = Lock(CurlWorker(configuration: configuration))
    }

    /// Gives the number by which the transfer can be cancelled.
    func start(_ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void) -> Int {
        let startedAt = ContinuousClock.now
        return submit { id in
            .start(CurlJob(id: id, request: request, startedAt: startedAt, onEvent: onEvent))
        }
    }

    func cancel(id: Int) { _ = submit { _ in .cancel(id: id) } }

    private func submit(_ job: (Int) -> Job) -> Int {
        let isImmediate = Delivery.isImmediate
        let (id, summons, sleepsIn) = inbox.withLock { inbox in
            inbox.lastID += 1
            inbox.jobs.append(job(inbox.lastID))
            // What is delivered by the thread of the loop itself comes back to the loop soon.
            let comesBack = isImmediate && inbox.teller.map { pthread_equal($0, pthread_self()) != 0 } == true
            let summons = inbox.state == .free && !comesBack
            if summons { inbox.state = .summoned }
            defer { inbox.sleepsIn = nil }
            return (inbox.lastID, summons, inbox.sleepsIn)
        }
        if summons {
            // A queue by itself, because it gets a thread by itself. The global ones share as many as there are processors,
            // and loops that sleep would use them up.
            DispatchQueue(label: "ombi.curl", qos: .userInitiated).async { self.run() }
        } else if let sleepsIn, case .success(let library) = CurlLibrary.shared {
            _ = library.multiWakeup(CurlLibrary.Handle(bitPattern: sleepsIn))
        }
        return id
    }

    private func run() {
        guard claim() else { return }
        var isBusy = false
        while let jobs = takeJobs(isBusy: isBusy) {
            let ended = worker.withLock { worker in
                for job in jobs { worker.perform(job) }
                if worker.step(), !worker.expectsNewsSoon { sleep(worker) }
                isBusy = worker.isBusy
                return worker.takeEnded()
            }
            guard tell(ended, isBusy: isBusy) else { return }
        }
    }

    /// Tells the last events of transfers. Their receivers decode, and do what takes time, and other transfers must not
    /// wait for that: with others under way it happens on another thread. When there are none, it happens here, with the
    /// loop free for whoever comes; that saves switches of threads for a program that sends one request after the other.
    /// - Returns: whether the loop is still, or again, this thread's.
    private func tell(_ ended: [CurlEnd], isBusy: Bool) -> Bool {
        guard let last = ended.first else { return true }
        guard ended.count == 1, !isBusy, release() else {
            for end in ended { WorkPool.shared.run { end.tell() } }
            return true
        }
        last.tell()
        return watch()
    }

    /// Whether there is something to do that nobody does.
    private func claim() -> Bool {
        inbox.withLock { inbox in
            guard inbox.state != .running, !inbox.jobs.isEmpty else { return false }
            inbox.state = .running
            return true
        }
    }

    /// Whether the loop could be left to others, because there is nothing to do.
    private func release() -> Bool {
        inbox.withLock { inbox in
            guard inbox.jobs.isEmpty else { return false }
            inbox.state = .free
            inbox.teller = pthread_self()
            return true
        }
    }

    /// Whether a job has come. A program that sends one request after the other sends the next one within microseconds;
    /// to give the thread back and to summon another costs more than to look for it that long.
    private func watch() -> Bool {
        let mayWatch = inbox.withLock { inbox in
            inbox.teller = nil
            guard inbox.state == .free else { return false }
            inbox.state = .watching
            return true
        }
        guard mayWatch else { return claim() }
        for _ in 0..<Self.looks {
            if claim() { return true }
        }
        return inbox.withLock { inbox in
            inbox.state = inbox.jobs.isEmpty ? .free : .running
            return inbox.state == .running
        }
    }

    /// Some 20 microseconds.
    private static let looks = 400

    /// nil when there is nothing left to do; the loop is then free.
    private func takeJobs(isBusy: Bool) -> [Job]? {
        inbox.withLock { inbox in
            inbox.sleepsIn = nil
            if inbox.jobs.isEmpty {
                if !isBusy { inbox.state = .free }
                return isBusy ? [] : nil
            }
            var jobs: [Job] = []
            swap(&jobs, &inbox.jobs)
            return jobs
        }
    }

    private func sleep(_ worker: CurlWorker) {
        guard let multi = worker.multi else { return }
        let maySleep = inbox.withLock { inbox in
            guard inbox.jobs.isEmpty else { return false }
            inbox.sleepsIn = UInt(bitPattern: multi)
            return true
        }
        if maySleep { worker.wait() }
    }
}

/// A request that is to be sent.
struct CurlJob: Sendable {
    let id: Int
    let request: TransportRequest
    let startedAt: ContinuousClock.Instant
    let onEvent: @Sendable (TransportEvent) -> Void
}

/// The last event of a transfer, and who is to get it.
struct CurlEnd: Sendable {
    let event: TransportEvent
    let onEvent: @Sendable (TransportEvent) -> Void

    func tell() { onEvent(event) }
}
#endif
