#if canImport(CCurl)
import OmbiPlatform

/// The jobs of all loops of a transport, and the queue before them: everything that callers and loops share, behind one
/// lock that is held for a moment only.
final class CurlScheduler: Sendable {
    enum Job: Sendable {
        case start(CurlJob)
        /// It is the turn of a transfer that waited.
        case go(CurlTransferID)
        case cancel(CurlTransferID)
        /// The reader of the response takes pieces again.
        case resume(CurlTransferID)
        /// The reader of the request's body has more.
        case send(CurlTransferID)
    }

    /// An action on a loop, taken outside the lock.
    enum Call: Sendable {
        case summon(loop: Int)
        case wake(CurlMulti)
        /// To see whether the loop has taken its jobs by then: `rounds` is how often it had taken some.
        case watch(loop: Int, rounds: Int)
    }

    /// The changes that a loop reports since its last report.
    struct News {
        var ended: [Ended] = []
        /// Origins at which a response has shown whether requests share a connection.
        var learned: [(slot: ConnectionQueue.Slot, isMultiplexed: Bool)] = []

        struct Ended {
            let id: CurlTransferID
            let turn: ConnectionQueue.Turn
        }

        var isEmpty: Bool { ended.isEmpty && learned.isEmpty }
    }

    fileprivate enum Stage {
        /// No thread has it.
        case free
        /// A thread is on its way.
        case summoned
        case running
    }

    fileprivate struct Loop {
        var jobs: [Job] = []
        var stage = Stage.free
        /// The thread that delivers the last event of a transfer; meanwhile the loop is free.
        var notifier: pthread_t?
        /// The number of times that it has taken jobs.
        var rounds = 0
        /// Somebody looks after a while whether it has.
        var isWatched = false
        /// The multi handle in which the loop sleeps, or is about to.
        var sleepsIn: CurlMulti?
        /// Transfers that it has been given and that have not ended.
        var load = 0
        var slotCount: Int32 = 0
        var freeSlots: [Int32] = []
    }

    fileprivate struct State {
        var queue: ConnectionQueue
        var loops: [Loop]
        /// The loop of each origin whose requests may share a connection.
        var homes: [ConnectionQueue.Slot: Int] = [:]
        var lastNumber: UInt32 = 0
        /// True when the transport is gone: no further requests arrive.
        var isClosed = false
    }

    private let state: Lock<State>

    init(configuration: CurlTransport.Configuration) {
        let queue = ConnectionQueue(
            maximum: configuration.connectionLimit, maximumStreams: configuration.maximumStreamsPerHost)
        let loops = Array(repeating: Loop(), count: configuration.loopCount)
        state = Lock(State(queue: queue, loops: loops))
    }
}

extension CurlScheduler.Loop {
    /// True if the calling thread delivers an event of the loop, and no other thread runs it.
    fileprivate var isToldByCaller: Bool {
        guard stage == .free, let notifier else { return false }
        return pthread_equal(notifier, pthread_self()) != 0
    }
}

extension CurlScheduler.State {
    /// Requests that may share a connection stay with one loop; others go where there is least to do.
    fileprivate mutating func loop(for origin: CurlOrigin, at slot: ConnectionQueue.Slot) -> Int {
        guard loops.count > 1 else { return 0 }
        let leastBusy = loops.indices.min { loops[$0].load < loops[$1].load } ?? 0
        guard origin.mayMultiplex, queue.isMultiplexed(at: slot) != false else { return leastBusy }
        if let home = homes[slot] { return home }
        homes[slot] = leastBusy
        return leastBusy
    }

    fileprivate mutating func newID(in loop: Int) -> CurlTransferID {
        lastNumber &+= 1
        loops[loop].load += 1
        if let slot = loops[loop].freeSlots.popLast() {
            return CurlTransferID(loop: UInt8(loop), slot: slot, number: lastNumber)
        }
        defer { loops[loop].slotCount += 1 }
        return CurlTransferID(loop: UInt8(loop), slot: loops[loop].slotCount, number: lastNumber)
    }

    fileprivate mutating func add(_ job: CurlScheduler.Job, to loop: Int) -> CurlScheduler.Call? {
        loops[loop].jobs.append(job)
        guard loops[loop].isToldByCaller else { return call(loop, isNeeded: true) }
        // The thread comes back to the loop, as a rule soon; if not, another one takes it.
        guard !loops[loop].isWatched else { return nil }
        loops[loop].isWatched = true
        return .watch(loop: loop, rounds: loops[loop].rounds)
    }

    fileprivate mutating func call(_ loop: Int, isNeeded: Bool) -> CurlScheduler.Call? {
        if loops[loop].stage == .free, isNeeded {
            loops[loop].stage = .summoned
            return .summon(loop: loop)
        }
        guard let multi = loops[loop].sleepsIn else { return nil }
        loops[loop].sleepsIn = nil
        return .wake(multi)
    }

    /// Admits the transfers whose turn it is. Returns the work for loops other than `loop`.
    fileprivate mutating func note(_ news: CurlScheduler.News, of loop: Int) -> [CurlScheduler.Call] {
        for ended in news.ended {
            loops[loop].load -= 1
            loops[loop].freeSlots.append(ended.id.slot)
            if ended.turn.isHeld || !queue.withdraw(ended.id, at: ended.turn.slot) { queue.leave(ended.turn.slot) }
        }
        for (slot, isMultiplexed) in news.learned { queue.learn(isMultiplexed: isMultiplexed, at: slot) }
        var calls: [CurlScheduler.Call] = []
        while let next = queue.next() {
            let other = Int(next.loop)
            if other == loop {
                loops[loop].jobs.append(.go(next))
            } else if let call = add(.go(next), to: other) {
                calls.append(call)
            }
        }
        return calls
    }
}

// For callers, from any thread.
extension CurlScheduler {
    /// Chooses a loop for a request, and gives the job to it.
    func start(
        at origin: CurlOrigin, limit: Int,
        _ makeJob: (CurlTransferID, ConnectionQueue.Turn, _ isMultiplexed: Bool?) -> CurlJob
    ) -> (CurlTransferID, Call?) {
        state.withLock { state in
            let slot = state.queue.slot(of: origin)
            let loop = state.loop(for: origin, at: slot)
            let id = state.newID(in: loop)
            let turn = ConnectionQueue.Turn(slot: slot, isHeld: state.queue.enter(id, at: slot, limit: limit))
            let job = makeJob(id, turn, state.queue.isMultiplexed(at: slot))
            return (id, state.add(.start(job), to: loop))
        }
    }

    func submit(_ job: Job, to loop: Int) -> Call? { state.withLock { $0.add(job, to: loop) } }

    /// Somebody has to take the jobs that have waited since `rounds`.
    func look(after loop: Int, since rounds: Int) -> Call? {
        state.withLock { state in
            state.loops[loop].isWatched = false
            guard state.loops[loop].stage == .free, !state.loops[loop].jobs.isEmpty else { return nil }
            guard state.loops[loop].rounds != rounds else { return state.call(loop, isNeeded: true) }
            state.loops[loop].isWatched = true
            return .watch(loop: loop, rounds: state.loops[loop].rounds)
        }
    }

    /// Accepts no more requests: loops end as soon as they are idle.
    func close() -> [Call] {
        state.withLock { state in
            state.isClosed = true
            return state.loops.indices.compactMap { state.call($0, isNeeded: false) }
        }
    }
}

// For the thread of a loop.
extension CurlScheduler {
    /// The next work of a loop.
    struct Orders {
        var jobs: [Job] = []
        /// For other loops, whose transfers it is the turn of now.
        var calls: [Call] = []
        var isClosed = false
    }

    /// Claims the loop for the calling thread. Returns false if it runs already, or has no jobs.
    func claim(_ loop: Int) -> Bool {
        state.withLock { state in
            guard state.loops[loop].stage != .running, !state.loops[loop].jobs.isEmpty else { return false }
            state.loops[loop].stage = .running
            return true
        }
    }

    /// Takes the loop back after a delivery, unless another thread has it by now.
    func reclaim(_ loop: Int) -> Bool {
        state.withLock { state in
            state.loops[loop].notifier = nil
            guard state.loops[loop].stage != .running else { return false }
            state.loops[loop].stage = .running
            return true
        }
    }

    /// Leaves the loop to other threads during a delivery. Returns false if it has work.
    func release(_ loop: Int) -> Bool {
        state.withLock { state in
            guard state.loops[loop].jobs.isEmpty else { return false }
            state.loops[loop].stage = .free
            state.loops[loop].notifier = pthread_self()
            return true
        }
    }

    func hasJobs(_ loop: Int) -> Bool { state.withLock { !$0.loops[loop].jobs.isEmpty } }

    /// Takes note of the news, and replaces the orders by what there is to do now.
    func exchange(_ loop: Int, _ news: inout News, _ orders: inout Orders) {
        let reported = news
        news = News()
        orders.jobs.removeAll(keepingCapacity: true)
        state.withLock { state in
            state.loops[loop].sleepsIn = nil
            state.loops[loop].rounds += 1
            orders.calls = state.note(reported, of: loop)
            orders.isClosed = state.isClosed
            swap(&orders.jobs, &state.loops[loop].jobs)
        }
    }

    /// Gives the loop's thread back. False when there is work.
    func end(_ loop: Int) -> Bool {
        state.withLock { state in
            guard state.loops[loop].jobs.isEmpty else { return false }
            state.loops[loop].stage = .free
            return true
        }
    }

    /// False when there is work. After that, whoever brings some wakes `multi` up.
    func maySleep(_ loop: Int, in multi: CurlMulti, knowsOfClose: Bool) -> Bool {
        state.withLock { state in
            guard state.loops[loop].jobs.isEmpty, state.isClosed == knowsOfClose else { return false }
            state.loops[loop].sleepsIn = multi
            return true
        }
    }

    /// Moves a transfer to another origin. Returns true if it may start at once; otherwise a job starts it later.
    func move(
        _ id: CurlTransferID, from old: ConnectionQueue.Slot, to origin: CurlOrigin, limit: Int
    ) -> ConnectionQueue.Turn {
        state.withLock { state in
            let slot = state.queue.slot(of: origin)
            if slot == old { return .init(slot: slot, isHeld: true) }
            let hasTurn = state.queue.enter(id, at: slot, limit: limit)
            state.queue.leave(old)
            return .init(slot: slot, isHeld: hasTurn)
        }
    }

    /// A transfer for which the system had no descriptor waits for its turn again. False when nobody else is under way
    /// whose end could free one.
    func goBack(_ id: CurlTransferID, at slot: ConnectionQueue.Slot, limit: Int) -> Bool {
        state.withLock { $0.queue.goBack(id, at: slot, limit: limit) }
    }

    /// There is no thread for the loop: the requests that it was to start, and loops whose turn it is now.
    func giveUp(_ loop: Int) -> (jobs: [CurlJob], calls: [Call]) {
        state.withLock { state in
            var jobs: [Job] = []
            swap(&jobs, &state.loops[loop].jobs)
            state.loops[loop].stage = .free
            let starts = jobs.compactMap { if case .start(let job) = $0 { job } else { nil } }
            let ended = starts.map { News.Ended(id: $0.id, turn: $0.turn) }
            return (starts, state.note(News(ended: ended), of: loop))
        }
    }
}
#endif
