import Dispatch
import OmbiCore

extension Session {
    /// Sends every request `times` times, and keeps only the counts of the results. Cancelling the task cancels the running
    /// requests and starts no more.
    /// - Parameters:
    ///   - concurrency: the maximum number of running requests, at least 1.
    ///   - onResult: receives each result as it arrives, with its index; returns false to cancel the rest.
    public func run(
        _ orders: [RunOrder], times: Int = 1, concurrency: Int = 1, onResult: (Int, SessionResult) -> Bool
    ) async -> Tally {
        let queue = DispatchQueue(label: "ombi.session.run")
        var tally = Tally()
        await withTaskGroup(of: (Int, SessionResult).self) { group in
            var indices = (0..<orders.count * times).makeIterator()
            func startNext() {
                guard !Task.isCancelled, !group.isCancelled, let index = indices.next() else { return }
                group.addTask { (index, await self.result(of: orders[index / times], on: queue)) }
            }
            for _ in 0..<concurrency { startNext() }
            for await (index, result) in group {
                tally.add(result)
                if !onResult(index, result) { group.cancelAll() }
                startNext()
            }
        }
        return tally
    }

    private func result(of order: RunOrder, on queue: DispatchQueue) async -> SessionResult {
        let sent = Lock<SessionRun?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let run = send(order, on: queue) { event in
                    if case .ended(let result) = event { continuation.resume(returning: result) }
                }
                sent.withLock { $0 = run }
                if Task.isCancelled { run.cancel() }
            }
        } onCancel: {
            sent.withLock { $0 }?.cancel()
        }
    }
}
