#if canImport(CCurl)
internal import CCurl
import OmbiPlatform

/// The loops of a transport, each of which drives transfers on one thread at a time.
///
/// A loop without work sleeps in libcurl, with its connections kept open, and gives its thread back when they have been
/// idle for too long. What its transfers need lies in a worker, behind a lock that only the thread takes that has claimed
/// the loop: nobody ever waits for it.
final class CurlLoops: Sendable {
    private let scheduler: CurlScheduler
    private let workers: [Lock<CurlWorker>]
    private let notifier: CurlNotifier
    private let connectionsPerHost: Int

    /// The maximum time that jobs wait for a thread that delivers an event, in microseconds.
    private static let patience: useconds_t = 5000

    init(configuration: CurlTransport.Configuration) {
        let scheduler = CurlScheduler(configuration: configuration)
        self.scheduler = scheduler
        workers = (0..<configuration.loopCount).map { _ in
            Lock(CurlWorker(configuration: configuration, scheduler: scheduler))
        }
        notifier = CurlNotifier(usualThreads: Processors.count)
        connectionsPerHost = configuration.maximumConnectionsPerHost
    }

    func start(
        _ request: TransportRequest, _ onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> (CurlTransferID, CurlPause?) {
        let startedAt = ContinuousClock.now
        let settings = request.settings
        let pause = request.responseDelivery == .pieces ? CurlPause() : nil
        let (id, call) = scheduler.start(
            at: CurlOrigin(request.url, settings),
            limit: settings.value.maximumConnectionsPerHost ?? connectionsPerHost
        ) { id, turn, isMultiplexed in
            CurlJob(
                id: id, request: request, startedAt: startedAt, onEvent: onEvent, pause: pause,
                loops: self, wake: request.bodyStream == nil ? nil : waker(of: id), turn: turn,
                isMultiplexed: isMultiplexed)
        }
        if let call { answer(call) }
        return (id, pause)
    }

    private func waker(of id: CurlTransferID) -> @Sendable () -> Void {
        { [weak self] in self?.submit(.send(id), for: id) }
    }

    func submit(_ job: CurlScheduler.Job, for id: CurlTransferID) {
        if let call = scheduler.submit(job, to: Int(id.loop)) { answer(call) }
    }

    /// Accepts no more requests: the loops end when they are idle.
    func close() { for call in scheduler.close() { answer(call) } }

    private func answer(_ call: CurlScheduler.Call) {
        switch call {
        case .wake(let multi): multi.wakeUp()
        case .summon(let loop): if !CurlThreads.shared.run({ self.run(loop) }) { giveUp(loop) }
        case .watch: _ = CurlThreads.shared.run { self.watch(call) }
        }
    }

    /// On a thread of its own, since a timer of Dispatch may need a file descriptor, and ends the process without one.
    private func watch(_ first: CurlScheduler.Call) {
        var call: CurlScheduler.Call? = first
        while case .watch(let loop, let rounds) = call {
            usleep(Self.patience)
            call = scheduler.look(after: loop, since: rounds)
        }
        if let call { answer(call) }
    }

    /// There is no thread for a loop. On the thread of the caller, as there is no other.
    private func giveUp(_ loop: Int) {
        let (jobs, calls) = scheduler.giveUp(loop)
        for call in calls { answer(call) }
        for job in jobs {
            job.onEvent(.failed(.noThread("could not send a request to \(job.request.url.server)"), TransportMetrics()))
        }
    }
}

// On the thread of a loop.
extension CurlLoops {
    private func run(_ loop: Int) {
        guard scheduler.claim(loop) else { return }
        var news = CurlScheduler.News()
        var orders = CurlScheduler.Orders()
        var ends: [CurlEnd] = []
        scheduler.exchange(loop, &news, &orders)
        while true {
            ends.removeAll(keepingCapacity: true)
            let (isBusy, isOver) = workers[loop].withLock { worker in
                worker.work(orders.jobs)
                let isOver = !worker.hasNews && !rest(worker, loop, isClosed: orders.isClosed)
                news = worker.takeNews()
                worker.takeEnds(&ends)
                return (worker.isBusy, isOver)
            }
            // Before the ends are delivered: a receiver finds the slot of its transfer free.
            scheduler.exchange(loop, &news, &orders)
            for call in orders.calls { answer(call) }
            if isOver, orders.jobs.isEmpty, scheduler.end(loop) { return }
            guard ends.isEmpty || notify(ends, loop, isAlone: !isBusy && orders.jobs.isEmpty) else { return }
        }
    }

    /// Sleeps, if there is nothing to do. False when the connections are not needed any more either.
    private func rest(_ worker: CurlWorker, _ loop: Int, isClosed: Bool) -> Bool {
        let mayComeBack = !isClosed && worker.isOpen && ContinuousClock.now < worker.idleEnd
        guard worker.isBusy || mayComeBack || !notifier.isIdle else {
            worker.shut()
            return false
        }
        guard !worker.expectsNewsSoon, let multi = worker.bed,
            scheduler.maySleep(loop, in: multi, knowsOfClose: isClosed)
        else { return true }
        worker.sleep(min(worker.sleepLimit, notifier.relieve() ?? .longest))
        return true
    }

    /// Tells the last events of transfers. Their receivers take time, and other transfers must not wait for that: with
    /// others under way it happens on another thread. When there are none, it happens here, with the loop free for whoever
    /// comes; that saves switches of threads for a program that sends one request after the other.
    /// - Returns: Whether the loop is still, or again, this thread's.
    private func notify(_ ends: [CurlEnd], _ loop: Int, isAlone: Bool) -> Bool {
        guard ends.count == 1, isAlone, notifier.isIdle, scheduler.release(loop) else {
            notifier.notify(ends)
            return true
        }
        ends[0].notify()
        guard scheduler.reclaim(loop) else { return false }
        // A program that sends one request after the other sends the next one within microseconds; to sleep and to be
        // woken costs more than to look for it that long.
        for _ in 0..<Self.looks where !scheduler.hasJobs(loop) { omb_relax() }
        return true
    }

    /// Some 20 microseconds.
    private static let looks = 200
}

/// The identity of a transfer during its life: its loop, its slot there, and a number that distinguishes it from
/// earlier transfers in that slot.
struct CurlTransferID: Hashable, Sendable {
    let loop: UInt8
    let slot: Int32
    let number: UInt32
}

/// A request to send.
struct CurlJob: Sendable {
    let id: CurlTransferID
    let request: TransportRequest
    let startedAt: ContinuousClock.Instant
    let onEvent: @Sendable (TransportEvent) -> Void
    /// The flag that pauses delivery to a reader of pieces; nil if the response is not delivered in pieces.
    let pause: CurlPause?
    /// The loops that a response returns to which waits for its reader; nil for a channel.
    var loops: CurlLoops?
    /// Resumes a body whose reader had no bytes; nil without a stream.
    let wake: (@Sendable () -> Void)?
    let turn: ConnectionQueue.Turn
    /// True if its origin was known to share connections at the start; nil if unknown.
    let isMultiplexed: Bool?
}

/// The last event of a transfer, and its receiver.
struct CurlEnd: Sendable {
    let event: TransportEvent
    let onEvent: @Sendable (TransportEvent) -> Void

    func notify() { onEvent(event) }
}

/// The pause flag of a response in pieces. The reader's threads set it, the loop checks it before each piece.
final class CurlPause: Sendable {
    private let flag = Lock(false)

    var isOn: Bool { flag.withLock { $0 } }
    func set(_ isOn: Bool) { flag.withLock { $0 = isOn } }
}
#endif
