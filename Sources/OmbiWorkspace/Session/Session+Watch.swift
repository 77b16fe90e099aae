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
    ///   - onChange: called on any thread; returns false to end the watch.
    public func watch(
        _ orders: [RunOrder], _ plan: RunPlan = RunPlan(), every interval: Duration, until end: WatchEnd? = nil,
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        onChange: @escaping @Sendable (WatchedChange) -> Bool
    ) async -> WatchSummary {
        let watched = Lock(WatchedResults())
        var summary = WatchSummary()
        var rounds = WatchRounds(WatchPlan(every: interval, until: end), at: now())
        while !Task.isCancelled {
            rounds.begin(at: now())
            let tally = await run(orders, plan) { turn, result in
                // A round that was cancelled says nothing about the server.
                if result.ending == .cancelled, Task.isCancelled { return false }
                let new = WatchedResult(result, ignoring: orders[turn.order].request.ignoredPaths)
                let change = watched.withLock { $0.take(result, new, turn.order) }
                if let change, !onChange(change) { watched.withLock { $0.isHeard = false } }
                return watched.withLock { $0.isHeard }
            }
            summary.changes = watched.withLock { $0.changes }
            guard !Task.isCancelled, watched.withLock({ $0.isHeard }) else { break }
            rounds.end(passed: tally.failed == 0)
            (summary.rounds, summary.isReached) = (rounds.ended, rounds.isReached)
            if rounds.isReached { break }
            let time = now()
            if !rounds.isDue(at: time) { do { try await sleep(rounds.nextAt - time) } catch { break } }
        }
        return summary
    }
}

/// The results that a watch passed on.
private struct WatchedResults {
    /// By the index of the request.
    private var last: [Int: WatchedResult] = [:]
    private(set) var changes = 0
    /// False once nobody listens any more.
    var isHeard = true

    /// Takes note of a result that is to be passed on. Nil for one like the last one that was, so that what changes little by little is seen.
    mutating func take(_ result: SessionResult, _ new: WatchedResult, _ order: Int) -> WatchedChange? {
        let differences = last[order].map { new.changes(since: $0) }
        guard differences?.isEmpty != true else { return nil }
        last[order] = new
        changes += differences == nil ? 0 : 1
        return WatchedChange(order: order, result: result, changes: differences)
    }
}
