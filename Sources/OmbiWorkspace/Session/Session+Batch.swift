extension Session {
    /// Sends requests, which are made when their turns come, and keeps only the counts of the results. A request that was
    /// sent first, as another one needs what it captures, has had one of its turns. Cancelling the task cancels the running
    /// requests and starts no more.
    /// - Parameters:
    ///   - orders: requests with rows of data stand together row by row, and are the same for each.
    ///   - onStart: receives each turn when its request is about to be sent, on any thread and several at a time.
    ///   - onHold: receives each turn that has to wait for the limit of its server, before it does.
    ///   - onEvent: receives the events of each run before its result, in order on one queue, with its turn and its handle.
    ///   - onResult: receives each result as it arrives, with its turn, on any thread and several at a time; returns false to
    ///     cancel the rest.
    package func run<Orders: RandomAccessCollection & Sendable>(
        _ orders: Orders, _ plan: RunPlan = RunPlan(),
        onStart: (@Sendable (RunTurn) -> Void)? = nil,
        onHold: (@Sendable (RunTurn) -> Void)? = nil,
        onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)? = nil,
        onResult: @escaping @Sendable (RunTurn, SessionResult) -> Bool
    ) async -> Tally where Orders.Element == RunOrder, Orders.Index == Int {
        let queue = DispatchQueue(label: "ombi.session.run")
        let turns = SessionTurns(orders, plan, sla: overrides.policy.sla)
        // A request goes on where the response before it came in.
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<turns.workers {
                group.addTask(executorPreference: ResponseExecutor.shared) {
                    while let begun = await turns.next({ self.begin($0, isWatched: onEvent != nil) }, onHold) {
                        guard !Task.isCancelled else {
                            self.end(begun.run, SessionResult(.cancelled), on: queue)
                            break
                        }
                        onStart?(begun.turn)
                        let result = await self.runTurn(begun, on: queue, onEvent)
                        let (turn, endsRow) = turns.end(begun.turn, result)
                        if endsRow, let row = begun.order.row?.number {
                            self.captures.withLock { $0.forget(row: row) }
                            turns.group.forget(row: row)
                        }
                        if !onResult(turn, result) || plan.failsFast && !result.passed {
                            turns.stop()
                            return false
                        }
                    }
                    return true
                }
            }
            for await goesOn in group where !goesOn { group.cancelAll() }
        }
        return turns.tally
    }

    private func runTurn(
        _ begun: BegunTurn, on queue: DispatchQueue,
        _ onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)?
    ) async -> SessionResult {
        let (order, run) = (begun.order, begun.run)
        return await withTaskCancellationHandler {
            guard let onEvent else {
                return await self.runAndRecord(order, as: run, repeated: begun.repeated, on: queue) { _ in }
            }
            return await withCheckedContinuation { continuation in
                self.start(order, as: run, repeated: begun.repeated, on: queue) { event in
                    onEvent(begun.turn, event, run)
                    if case .ended(let result) = event { continuation.resume(returning: result) }
                }
            }
        } onCancel: {
            run.cancel()
        }
    }
}

/// A turn, and the run that was begun for it.
private struct BegunTurn: Sendable {
    var turn: RunTurn
    var order: RunOrder
    var run: SessionRun
    /// Nil for a request that is sent once.
    var repeated: RepeatedRequest?
}

/// The requests of a run with their queue, which as many workers ask as requests may run at the same time.
private struct SessionTurns<Orders: RandomAccessCollection & Sendable>: Sendable
where Orders.Element == RunOrder, Orders.Index == Int {
    private struct State {
        var queue: RunQueue
        /// Empty until a server names a limit.
        var pace = RatePace()
    }

    let workers: Int
    let group: RunGroup
    private let orders: Orders
    private let start = ContinuousClock.now
    /// Held for the beginning and for the end of single turns only.
    private let state: Lock<State>
    /// The requests that need no other one, and those that do, as far as a limit has made it matter.
    private let independent = Lock<[ItemID: Bool]>([:])
    /// Held while a turn begins: the next one may need the values it captures.
    private let beginning: Lock<RepeatedRequests>
    /// False for a run that ignores the limits of servers.
    private let heedsLimits: Bool
    /// The SLA that the command line sets.
    private let sla: Duration?
    /// Nil without a schedule.
    private let turnstile: Turnstile?

    init(_ orders: Orders, _ plan: RunPlan, sla: Duration?) {
        self.orders = orders
        self.sla = sla
        heedsLimits = !plan.ignoresRateLimits
        // Every row has the same requests.
        let row = orders.first?.row?.number
        let items = Array(orders.lazy.prefix { $0.row?.number == row }.map(\.request.id))
        let queue = RunQueue(orders.count, plan, rowLength: row == nil ? nil : items.count)
        group = RunGroup(items)
        workers = min(plan.concurrency, queue.waiting)
        state = Lock(State(queue: queue))
        beginning = Lock(RepeatedRequests(plan))
        turnstile = plan.arrivals == nil ? nil : Turnstile()
    }

    var tally: Tally { state.withLock { $0.queue.tally } }

    /// Begins the next turn and waits for its start; nil when there is none, or the task is cancelled before.
    func next(
        _ begin: (RunOrder) -> SessionRun, _ onHold: (@Sendable (RunTurn) -> Void)?
    ) async -> BegunTurn? {
        await turnstile?.enter()
        defer { turnstile?.leave() }
        guard !Task.isCancelled else { return nil }
        let begun = beginning.withLock { repetitions -> (BegunTurn, isLater: Bool)? in
            let now = ContinuousClock.now - start
            guard let turn = reserve(at: now) else { return nil }
            var order = orders[turn.order]
            order.group = group
            let begun = BegunTurn(
                turn: turn, order: order, run: begin(order), repeated: repetitions[turn, of: order])
            return (begun, turn.start > now)
        }
        guard let (turn, isLater) = begun else { return nil }
        guard isLater else { return turn }
        if turn.turn.isHeldBack { onHold?(turn.turn) }
        try? await Task.sleep(until: start + turn.turn.start, clock: .continuous)
        return turn
    }

    /// Lets no more turns begin: the cancellation of the other workers comes to them one after the other.
    func stop() { state.withLock { $0.queue.cancelAll() } }

    private func reserve(at now: Duration) -> RunTurn? {
        state.withLock { state in
            guard !state.pace.isEmpty else { return state.queue.reserve(at: now) }
            guard let turn = reserve(at: now, from: &state.queue, state.pace) else { return nil }
            state.pace.begin(turn, orders[turn.order])
            return turn
        }
    }

    private func reserve(at now: Duration, from queue: inout RunQueue, _ pace: RatePace) -> RunTurn? {
        let waiting = queue.waiting
        return queue.reserve(
            at: now, earliest: { pace.earliest(orders[$0], waiting: waiting, sla: sla) ?? .zero },
            mayPass: { needsNone(orders[$0]) })
    }

    /// Returns true for a request that needs no other one: it may begin before those in front of it.
    private func needsNone(_ order: RunOrder) -> Bool {
        if let known = independent.withLock({ $0[order.request.id] }) { return known }
        let needsNone = order.sentFirst.isEmpty
        independent.withLock { $0[order.request.id] = needsNone }
        return needsNone
    }

    /// Returns the turn with its end, and true for the last one of a row of data.
    func end(_ turn: RunTurn, _ result: SessionResult) -> (turn: RunTurn, endsRow: Bool) {
        var turn = turn
        let now = ContinuousClock.now - start
        turn.end = now
        // The longer part is done before the others have to wait.
        let (passed, limit) = (result.passed, heedsLimits ? result.rateLimit : nil)
        let endsRow = state.withLock { [turn] state -> Bool in
            if limit != nil || !state.pace.isEmpty {
                state.pace.end(turn, orders[turn.order], result, limit, at: now)
            }
            return state.queue.finished(turn, passed: passed, at: now)
        }
        return (turn, endsRow)
    }
}

/// A gate that lets one worker at a time wait for its turn. If all waited, the requests of a load would count as begun
/// minutes before they are sent, and those that need their captures would wait for them.
private final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Lock(State())

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state -> Bool in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if state.waiting.isEmpty { state.isTaken = false }
            return state.waiting.popLast()
        }
        next?.resume()
    }
}

/// A request of a batch that is sent again and again. It is resolved once, and again when a captured value or a secret has
/// changed; each time where a file, the time or a random number was read for it.
final class RepeatedRequest: Sendable {
    /// The values that a request is made from, but for those that cannot change: of captures, and of all secrets of its
    /// environment, which are masked.
    struct Values: Equatable, Sendable {
        var captured: CapturedScope
        /// Nil for a missing secret.
        var secrets: [String?]
    }

    private let known = Lock<(request: SharedRequest, values: Values)?>(nil)
    /// Nil if one is in a file, whose reading may take any time.
    private let secrets: [Secret]?

    init(_ order: RunOrder) {
        let secrets = order.chosenEnvironment?.secrets ?? []
        self.secrets = secrets.contains { $0.source.isInFile } ? nil : secrets
    }

    /// Returns the current values; nil if a request is resolved each time.
    func values(_ captured: CapturedScope, _ reader: @autoclosure () -> SecretReader) -> Values? {
        guard let secrets else { return nil }
        guard !secrets.isEmpty else { return Values(captured: captured, secrets: []) }
        let reader = reader()
        return Values(captured: captured, secrets: secrets.map { try? reader.value(of: $0) })
    }

    /// Returns the request as resolved with these values.
    func request(with values: Values) -> SharedRequest? {
        known.withLock { known in
            guard let known, known.values == values else { return nil }
            return known.request
        }
    }

    func keep(_ request: SharedRequest, with values: Values) {
        guard request.value.isRepeatable else { return }
        known.withLock { $0 = (request, values) }
    }
}

/// The requests of a batch whose turns come several times.
struct RepeatedRequests {
    private let length: RunPlan.Length
    private var known: [Int: RepeatedRequest] = [:]

    init(_ plan: RunPlan) { length = plan.length }

    /// Nil for a request that comes once, and for one with a row of data: there may be a million of those.
    subscript(turn: RunTurn, of order: RunOrder) -> RepeatedRequest? {
        mutating get {
            guard order.row == nil, length != .times(1) else { return nil }
            if let known = known[turn.order] { return known }
            // The turns of a request are in a row, but for those that pass others.
            if case .times = length { known = [:] }
            let new = RepeatedRequest(order)
            known[turn.order] = new
            return new
        }
    }
}
