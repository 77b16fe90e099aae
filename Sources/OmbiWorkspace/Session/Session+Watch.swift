import OmbiCore

/// A result that a watch shows: the first of its request, or one that differs from the one before.
public struct WatchedChange: Equatable, Sendable {
    /// The index of the request.
    public var order: Int
    public var result: SessionResult
    /// Nil for the first result.
    public var changes: [String]?
}

/// The end of a watch.
public struct WatchSummary: Equatable, Sendable {
    public var rounds = 0
    public var changes = 0
    /// True where the result came that it waited for.
    public var isReached = false
}

extension Session {
    /// Sends requests again and again, and passes on what changes. Ends at the result that is waited for, when the task is
    /// cancelled, or when nobody listens any more.
    /// - Parameters:
    ///   - interval: from the start of a round to that of the next; a round that takes longer is followed at once.
    ///   - end: all requests of a round have to pass; one that fails is enough.
    ///   - now: the time since some moment.
    ///   - sleep: waits for so long; throws when the task is cancelled.
    ///   - onChange: returns false to end the watch.
    public func watch(
        _ orders: [RunOrder], _ plan: RunPlan = RunPlan(), every interval: Duration, until end: WatchEnd? = nil,
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        onChange: (WatchedChange) -> Bool
    ) async -> WatchSummary {
        var summary = WatchSummary()
        var last: [Int: WatchedResult] = [:]
        while !Task.isCancelled {
            let start = now()
            var goesOn = true
            let tally = await run(orders, plan) { turn, result in
                // A round that was cancelled says nothing about the server.
                if result.ending == .cancelled, Task.isCancelled { return false }
                let new = WatchedResult(result, ignoring: orders[turn.order].request.ignoredPaths)
                let changes = last[turn.order].map { new.changes(since: $0) }
                // Compared with the last one that was passed on, so that what changes little by little is seen.
                if changes?.isEmpty != true {
                    last[turn.order] = new
                    summary.changes += changes == nil ? 0 : 1
                    goesOn = onChange(WatchedChange(order: turn.order, result: result, changes: changes))
                }
                return goesOn
            }
            guard !Task.isCancelled, goesOn else { break }
            summary.rounds += 1
            if let end, end.isReached(passed: tally.failed == 0) {
                summary.isReached = true
                break
            }
            let wait = interval - (now() - start)
            if wait > .zero { do { try await sleep(wait) } catch { break } }
        }
        return summary
    }
}
