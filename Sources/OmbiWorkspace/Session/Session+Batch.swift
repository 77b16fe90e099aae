import Dispatch
import OmbiCore

extension Session {
    /// Sends requests, which are made when their turns come, and keeps only the counts of the results. A request that was
    /// sent first, as another one needs what it captures, has had one of its turns. Cancelling the task cancels the running
    /// requests and starts no more.
    /// - Parameters:
    ///   - onEvent: receives the events of each run before its result, in order on one queue, with its turn and its handle.
    ///   - onResult: receives each result as it arrives, with its turn, on any thread and several at a time; returns false to
    ///     cancel the rest.
    public func run<Orders: RandomAccessCollection & Sendable>(
        _ orders: Orders, _ plan: RunPlan = RunPlan(),
        onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)? = nil,
        onResult: @escaping @Sendable (RunTurn, SessionResult) -> Bool
    ) async -> Tally where Orders.Element == RunOrder, Orders.Index == Int {
        let queue = DispatchQueue(label: "ombi.session.run")
        let batch = SessionBatch(orders, plan)
        // A request goes on where the response before it came in.
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<batch.workers {
                group.addTask(executorPreference: ResponseExecutor.shared) {
                    var pause = Duration.zero
                    while let start = await batch.next(after: pause, { self.begin($0, isWatched: onEvent != nil) }) {
                        pause = plan.delay
                        let (turn, order) = (start.turn, start.order)
                        guard !Task.isCancelled else {
                            self.end(start.run, SessionResult(.cancelled), on: queue)
                            break
                        }
                        let result = await self.runTurn(start, batch, on: queue, onEvent)
                        if let row = batch.end(turn, row: order.row?.number, result) {
                            self.captures.withLock { $0.forget(row: row) }
                            batch.group.forget(row: row)
                        }
                        if !onResult(turn, result) || plan.failsFast && !result.passed { return false }
                    }
                    return true
                }
            }
            for await goesOn in group where !goesOn { group.cancelAll() }
        }
        return batch.tally
    }

    private func runTurn<Orders>(
        _ start: StartedTurn, _ batch: SessionBatch<Orders>, on queue: DispatchQueue,
        _ onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)?
    ) async -> SessionResult {
        let (turn, order, run) = (start.turn, start.order, start.run)
        let repeated = batch.repeatedRequest(turn, of: order)
        return await withTaskCancellationHandler {
            guard let onEvent else {
                return await self.runAndRecord(order, as: run, repeated: repeated, on: queue) { _ in }
            }
            return await withCheckedContinuation { continuation in
                self.start(order, as: run, repeated: repeated, on: queue) { event in
                    onEvent(turn, event, run)
                    if case .ended(let result) = event { continuation.resume(returning: result) }
                }
            }
        } onCancel: {
            run.cancel()
        }
    }
}

/// A turn, and the run that was begun for it.
private struct StartedTurn {
    var turn: RunTurn
    var order: RunOrder
    var run: SessionRun
}

/// The turns of the requests of a batch, taken by as many workers as run at the same time.
private final class SessionBatch<Orders: RandomAccessCollection & Sendable>: Sendable
where Orders.Element == RunOrder, Orders.Index == Int {
    private let orders: Orders
    private let plan: RunPlan
    let group: RunGroup
    private let start = ContinuousClock.now
    private let state: Lock<State>

    private struct State {
        var pacer: RunPacer
        var repetitions: RepeatedRequests
        var rows = OpenRows()
        var tally = Tally()
    }

    init(_ orders: Orders, _ plan: RunPlan) {
        self.orders = orders
        self.plan = plan
        // Those of one row are those of all.
        let row = orders.first?.row?.number
        group = RunGroup(orders.lazy.prefix { $0.row?.number == row }.map(\.request.id))
        state = Lock(State(pacer: RunPacer(plan, count: orders.count), repetitions: RepeatedRequests(plan)))
    }

    /// The number of workers that find something to do.
    var workers: Int {
        guard case .times(let times) = plan.length else { return plan.concurrency }
        return min(plan.concurrency, orders.count * times)
    }

    var tally: Tally { state.withLock { $0.tally } }

    /// Begins the next turn and waits for its start; nil when there is none, or the task is cancelled before.
    /// - Parameters:
    ///   - pause: the time before the earliest start.
    ///   - begin: called before the next turn is taken, which may need what this one captures.
    func next(after pause: Duration, _ begin: (RunOrder) -> SessionRun) async -> StartedTurn? {
        guard !Task.isCancelled else { return nil }
        let time = ContinuousClock.now - start
        let next = state.withLock { state -> StartedTurn? in
            guard let turn = state.pacer.next(at: time + pause) else { return nil }
            var order = orders[turn.order]
            order.group = group
            return StartedTurn(turn: turn, order: order, run: begin(order))
        }
        guard let next else { return nil }
        if next.turn.start > time { try? await Task.sleep(until: start + next.turn.start, clock: .continuous) }
        return next
    }

    func repeatedRequest(_ turn: RunTurn, of order: RunOrder) -> RepeatedRequest? {
        state.withLock { $0.repetitions[turn, of: order] }
    }

    /// Counts a result. Returns the row of data whose last request it was of.
    func end(_ turn: RunTurn, row: Int?, _ result: SessionResult) -> Int? {
        state.withLock { state in
            state.tally.add(result)
            guard let row, case .times(let times) = plan.length else { return nil }
            return state.rows.end(turn.order, of: row, in: orders, times) ? row : nil
        }
    }
}

/// The rows of a file of data with requests that have ended, and others that have not.
private struct OpenRows {
    private var left: [Int: Int] = [:]

    /// Returns true if this was the last end of a request of the row. The requests of a row stand together.
    mutating func end<Orders: RandomAccessCollection>(
        _ index: Int, of row: Int, in orders: Orders, _ times: Int
    ) -> Bool
    where Orders.Element == RunOrder, Orders.Index == Int {
        let count = left[row] ?? Self.count(of: row, around: index, in: orders) * times
        left[row] = count > 1 ? count - 1 : nil
        return count <= 1
    }

    private static func count<Orders: RandomAccessCollection>(of row: Int, around index: Int, in orders: Orders) -> Int
    where Orders.Element == RunOrder, Orders.Index == Int {
        let before = (orders.startIndex..<index).reversed().prefix { orders[$0].row?.number == row }.count
        let behind = (index..<orders.endIndex).prefix { orders[$0].row?.number == row }.count
        return before + behind
    }
}
