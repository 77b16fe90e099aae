import Dispatch
import OmbiCore

extension Session {
    /// Sends requests, which are made when their turns come, and keeps only the counts of the results. Cancelling the task cancels the running requests and
    /// starts no more.
    /// - Parameters:
    ///   - onEvent: receives the events of each run before its result, in order on one queue, with its turn and its handle.
    ///   - onResult: receives each result as it arrives, with its turn; returns false to cancel the rest.
    public func run<Orders: RandomAccessCollection & Sendable>(
        _ orders: Orders, _ plan: RunPlan = RunPlan(),
        onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)? = nil,
        onResult: (RunTurn, SessionResult) -> Bool
    ) async -> Tally where Orders.Element == RunOrder, Orders.Index == Int {
        let queue = DispatchQueue(label: "ombi.session.run")
        let start = ContinuousClock.now
        var pacer = RunPacer(plan, count: orders.count)
        var rows = OpenRows()
        var repetitions = RepeatedRequests(plan)
        var tally = Tally()
        await withTaskGroup(of: (RunTurn, SessionResult)?.self) { group in
            func startNext(after pause: Duration = .zero) {
                guard !Task.isCancelled, !group.isCancelled else { return }
                let time = ContinuousClock.now - start
                guard let turn = pacer.next(at: time + pause) else { return }
                let order = orders[turn.order]
                let repeated = repetitions[turn, of: order]
                group.addTask {
                    if turn.start > time { try? await Task.sleep(until: start + turn.start, clock: .continuous) }
                    guard !Task.isCancelled else { return nil }
                    return (turn, await self.result(of: order, at: turn, repeated, on: queue, onEvent))
                }
            }
            for _ in 0..<plan.concurrency { startNext() }
            for await ended in group {
                guard let (turn, result) = ended else { continue }
                tally.add(result)
                if !onResult(turn, result) || plan.failsFast && !result.passed { group.cancelAll() }
                if case .times(let times) = plan.length, let row = rows.end(turn.order, in: orders, times) {
                    captures.withLock { $0.forget(row: row) }
                }
                startNext(after: plan.delay)
            }
        }
        return tally
    }

    private func result(
        of order: RunOrder, at turn: RunTurn, _ repeated: RepeatedRequest?, on queue: DispatchQueue,
        _ onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)?
    ) async -> SessionResult {
        let sent = Lock<SessionRun?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let run = SessionRun(isWatched: onEvent != nil)
                sent.withLock { $0 = run }
                send(order, as: run, repeated: repeated, on: queue) { event in
                    onEvent?(turn, event, run)
                    if case .ended(let result) = event { continuation.resume(returning: result) }
                }
                if Task.isCancelled { run.cancel() }
            }
        } onCancel: {
            sent.withLock { $0 }?.cancel()
        }
    }
}

/// The rows of a file of data with requests that have ended, and others that have not.
private struct OpenRows {
    private var left: [Int: Int] = [:]

    /// Returns the row of a request if this was the last end of one there. The requests of a row stand together.
    mutating func end<Orders: RandomAccessCollection>(_ index: Int, in orders: Orders, _ times: Int) -> Int?
    where Orders.Element == RunOrder, Orders.Index == Int {
        guard let row = orders[index].row?.number else { return nil }
        let count = left[row] ?? Self.count(of: row, around: index, in: orders) * times
        left[row] = count > 1 ? count - 1 : nil
        return count > 1 ? nil : row
    }

    private static func count<Orders: RandomAccessCollection>(of row: Int, around index: Int, in orders: Orders) -> Int
    where Orders.Element == RunOrder, Orders.Index == Int {
        let before = (orders.startIndex..<index).reversed().prefix { orders[$0].row?.number == row }.count
        let behind = (index..<orders.endIndex).prefix { orders[$0].row?.number == row }.count
        return before + behind
    }
}
