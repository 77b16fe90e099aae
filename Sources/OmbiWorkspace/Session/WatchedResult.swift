/// The interval of a watch, and the result or the number of rounds at which it ends by itself.
package struct WatchPlan: Equatable, Sendable {
    package var interval: Duration
    package var end: WatchEnd?
    /// The maximum of rounds; nil for any number.
    package var times: Int?

    package init(every interval: Duration, until end: WatchEnd? = nil) {
        (self.interval, self.end) = (interval, end)
    }
}

/// The rounds of a watch, for the explorer and for `ombi run --watch`: the time of the next one, and the end. A value
/// without a clock: a time is a duration since any moment, the same for all calls.
package struct WatchRounds: Equatable, Sendable {
    package let plan: WatchPlan
    /// The earliest time of the next round. The interval counts from start to start; a round that takes longer is
    /// followed at once.
    package private(set) var nextAt: Duration
    package private(set) var begun = 0
    package private(set) var ended = 0
    /// True once the result has come that the watch waits for.
    package private(set) var isReached = false

    /// True once no further round begins.
    package var isOver: Bool { isReached || plan.times.map { ended >= $0 } ?? false }

    package init(_ plan: WatchPlan, at time: Duration) { (self.plan, nextAt) = (plan, time) }

    package func isDue(at time: Duration) -> Bool { time >= nextAt }

    package mutating func begin(at time: Duration) {
        begun += 1
        nextAt = time + plan.interval
    }

    /// - Parameter passed: false if one of the requests of the round failed.
    package mutating func end(passed: Bool) {
        ended += 1
        isReached = plan.end?.isReached(passed: passed) ?? false
    }
}

/// The part of a result that a watch compares with the one before.
package struct WatchedResult: Equatable, Sendable {
    package let passed: Bool
    /// `200 OK`, or the reason why there is no response.
    package let outcome: String
    /// The first reason why it did not pass.
    let failure: String?
    package let duration: Duration
    /// Nil without a response, and for one that is too large to compare.
    let body: Data?
    private let redactor: Redactor
    /// The paths whose values may differ.
    private let ignored: [String]

    /// A larger body is not compared.
    static let maximumBody = 1 << 20
    /// Paths that a change lists.
    private static let maximumPaths = 3
    /// A run counts as slower or faster from twice the time on, if that is more than this.
    private static let minimumDifference = Duration.milliseconds(100)

    /// - Parameter paths: JSONPaths; values there are no change.
    package init(_ result: SessionResult, ignoring paths: [String] = []) {
        ignored = paths
        passed = result.passed
        outcome =
            switch result.ending {
            case .response(let response): response.statusCode.map(StatusCode.words) ?? "no status"
            case .failure: "no response"
            case .cancelled: "cancelled"
            }
        failure = result.failures.first
        duration = result.report?.duration ?? .zero
        body = result.response?.body.flatMap { $0.count <= Self.maximumBody ? $0 : nil }
        redactor = result.redactor
    }

    /// Returns the differences from an earlier result, a sentence each.
    package func changes(since before: WatchedResult) -> [String] {
        var changes: [String] = []
        if outcome != before.outcome { changes.append("\(before.outcome) → \(outcome)") }
        if failure != before.failure {
            if let failure, failure != outcome { changes.append(failure) }
            if failure == nil, outcome == before.outcome { changes.append("passes") }
        }
        if let time = timeChange(since: before) { changes.append(time) }
        if let body = bodyChange(since: before) { changes.append(body) }
        return changes
    }

    private func timeChange(since before: WatchedResult) -> String? {
        let (low, high) = (min(duration, before.duration), max(duration, before.duration))
        guard low > .zero, high >= low * 2, high - low >= Self.minimumDifference else { return nil }
        let word = duration > before.duration ? "slower" : "faster"
        return "\(word): \(before.duration.text) → \(duration.text)"
    }

    /// `$.stock, $.items[0].price and 2 more changed`
    private func bodyChange(since before: WatchedResult) -> String? {
        guard let body, let old = before.body, body != old else { return nil }
        let mayDiffer = ignored.compactMap { try? JSONPath($0) }
        guard let left = try? JSONDocument(checking: Bytes(old)), let right = try? JSONDocument(checking: Bytes(body)),
            let changes = JSONDiff.changes(from: left, to: right, ignoring: mayDiffer, limit: 1000)
        else { return "the body changed" }
        // The order of members and the layout mean nothing.
        guard !changes.isEmpty else { return nil }
        let (oldTree, newTree) = (JSONTree(left, columns: 80), JSONTree(right, columns: 80))
        let paths = changes.prefix(Self.maximumPaths).compactMap { change in
            change.new.map { newTree.shortPath(of: $0) } ?? change.old.map { oldTree.shortPath(of: $0) + " (gone)" }
        }
        let more = changes.count - paths.count
        return redactor.redact(message: paths.joined(separator: ", ")) + (more > 0 ? " and \(more) more" : "")
            + " changed"
    }
}

/// The result at which a watch ends by itself.
package enum WatchEnd: String, Equatable, Sendable, CaseIterable {
    case passes, fails

    /// Returns true for a result, or for all of a round, that ends the watch.
    package func isReached(passed: Bool) -> Bool { passed == (self == .passes) }
}

/// A result that a watch shows: the first of its request, or one that differs from the previous one.
package struct WatchedChange: Equatable, Sendable {
    /// The index of the request.
    package var order: Int
    package var result: SessionResult
    /// Nil for the first result.
    package var changes: [String]?
}

/// The end of a watch.
package struct WatchSummary: Equatable, Sendable {
    package var rounds = 0
    package var changes = 0
    /// True if the awaited result has arrived.
    package var isReached = false
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
    package func watch(
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
    /// False once the receiver has stopped listening.
    var isHeard = true

    /// Records a result to be passed on. nil for one that equals the last reported one, so that gradual changes are
    /// seen.
    mutating func take(_ result: SessionResult, _ new: WatchedResult, _ order: Int) -> WatchedChange? {
        let differences = last[order].map { new.changes(since: $0) }
        guard differences?.isEmpty != true else { return nil }
        last[order] = new
        changes += differences == nil ? 0 : 1
        return WatchedChange(order: order, result: result, changes: differences)
    }
}
