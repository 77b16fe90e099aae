/// The interval of a watch, and the result at which it ends by itself.
public struct WatchPlan: Equatable, Sendable {
    public var interval: Duration
    public var end: WatchEnd?

    public init(every interval: Duration, until end: WatchEnd? = nil) {
        (self.interval, self.end) = (interval, end)
    }
}

/// The rounds of a watch, for the explorer and for `ombi run --watch`: the time of the next one, and the end. A value
/// without a clock: a time is a duration since any moment, the same for all calls.
public struct WatchRounds: Equatable, Sendable {
    public let plan: WatchPlan
    /// The earliest time of the next round. The interval counts from start to start; a round that takes longer is
    /// followed at once.
    public private(set) var nextAt: Duration
    public private(set) var begun = 0
    public private(set) var ended = 0
    /// True once the result has come that the watch waits for.
    public private(set) var isReached = false

    public init(_ plan: WatchPlan, at time: Duration) { (self.plan, nextAt) = (plan, time) }

    public func isDue(at time: Duration) -> Bool { time >= nextAt }

    public mutating func begin(at time: Duration) {
        begun += 1
        nextAt = time + plan.interval
    }

    /// - Parameter passed: false if one of the requests of the round failed.
    public mutating func end(passed: Bool) {
        ended += 1
        isReached = plan.end?.isReached(passed: passed) ?? false
    }
}
