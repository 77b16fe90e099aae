internal import CCurl
import Dispatch

/// Drives all transfers of one transport on a queue of its own, and gives its thread back when there are none.
///
/// Others leave jobs in the inbox, from any thread. What the transfers need lies in `worker`, behind a lock that only
/// `run` takes: it runs on the serial queue, so nobody ever waits for that lock.
final class CurlLoop: Sendable {
    enum Job: Sendable {
        case start(CurlJob)
        case cancel(id: Int)
    }

    private struct Inbox {
        var jobs: [Job] = []
        var lastID = 0
        var isRunning = false
        /// The address of the multi handle while the loop sleeps in it, or is about to.
        var sleepsIn: UInt?
    }

    private let queue = DispatchQueue(label: "ombi.curl")
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
        let (id, isRunning, sleepsIn) = inbox.withLock { inbox in
            inbox.lastID += 1
            inbox.jobs.append(job(inbox.lastID))
            defer {
                inbox.isRunning = true
                inbox.sleepsIn = nil
            }
            return (inbox.lastID, inbox.isRunning, inbox.sleepsIn)
        }
        if !isRunning {
            queue.async { self.run() }
        } else if let sleepsIn, case .success(let library) = CurlLibrary.shared {
            _ = library.multiWakeup(CurlLibrary.Handle(bitPattern: sleepsIn))
        }
        return id
    }

    private func run() {
        worker.withLock { worker in
            while let jobs = takeJobs(isBusy: worker.isBusy) {
                for job in jobs { worker.perform(job) }
                if worker.step() { sleep(worker) }
            }
        }
    }

    /// nil when there is nothing left to do; the thread is then given back.
    private func takeJobs(isBusy: Bool) -> [Job]? {
        inbox.withLock { inbox in
            inbox.sleepsIn = nil
            if inbox.jobs.isEmpty {
                if !isBusy { inbox.isRunning = false }
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
