import Dispatch
import OmbiCore

extension Session {
    /// Sends requests, and keeps only the counts of the results. Cancelling the task cancels the running requests and
    /// starts no more.
    /// - Parameters:
    ///   - onEvent: receives the events of each run before its result, in order on one queue, with its turn and its handle.
    ///   - onResult: receives each result as it arrives, with its turn; returns false to cancel the rest.
    public func run(
        _ orders: [RunOrder], _ plan: RunPlan = RunPlan(),
        onEvent: (@Sendable (RunTurn, SessionEvent, SessionRun) -> Void)? = nil,
        onResult: (RunTurn, SessionResult) -> Bool
    ) async -> Tally {
        let queue = DispatchQueue(label: "ombi.session.run")
        let start = ContinuousClock.now
        var pacer = RunPacer(plan, count: orders.count)
        var rows = OpenRows(orders)
        var tally = Tally()
        await withTaskGroup(of: (RunTurn, SessionResult)?.self) { group in
            func startNext(after pause: Duration = .zero) {
                guard !Task.isCancelled, !group.isCancelled else { return }
                let time = ContinuousClock.now - start
                guard let turn = pacer.next(at: time + pause) else { return }
                group.addTask {
                    if turn.start > time { try? await Task.sleep(until: start + turn.start, clock: .continuous) }
                    guard !Task.isCancelled else { return nil }
                    let result = await self.result(of: orders[turn.order], on: queue) { event, run in
                        onEvent?(turn, event, run)
                    }
                    return (turn, result)
                }
            }
            for _ in 0..<plan.concurrency { startNext() }
            for await ended in group {
                guard let (turn, result) = ended else { continue }
                tally.add(result)
                if !onResult(turn, result) || plan.failsFast && !result.passed { group.cancelAll() }
                if case .times = plan.length, let row = rows.end(orders[turn.order]) {
                    captures.withLock { $0.forget(row: row) }
                }
                startNext(after: plan.delay)
            }
        }
        return tally
    }

    private func result(
        of order: RunOrder, on queue: DispatchQueue, _ onEvent: @escaping @Sendable (SessionEvent, SessionRun) -> Void
    ) async -> SessionResult {
        let sent = Lock<SessionRun?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let run = SessionRun()
                sent.withLock { $0 = run }
                send(order, as: run, on: queue) { event in
                    onEvent(event, run)
                    if case .ended(let result) = event { continuation.resume(returning: result) }
                }
                if Task.isCancelled { run.cancel() }
            }
        } onCancel: {
            sent.withLock { $0 }?.cancel()
        }
    }
}

/// The rows of a file of data whose requests have not all ended.
private struct OpenRows {
    private var left: [Int: Int] = [:]

    init(_ orders: [RunOrder]) {
        for order in orders { if let row = order.row { left[row.number, default: 0] += 1 } }
    }

    /// Returns the row whose last request this was.
    mutating func end(_ order: RunOrder) -> Int? {
        guard let row = order.row?.number, let count = left[row] else { return nil }
        left[row] = count > 1 ? count - 1 : nil
        return count > 1 ? nil : row
    }
}
