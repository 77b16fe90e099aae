/// The number of times that the requests of a run are sent, and their pace.
public struct RunPlan: Sendable, Equatable {
    public enum Length: Sendable, Equatable {
        /// Each request so many times, one after the other.
        case times(Int)
        /// All requests in turn, until none is begun any more. Those that run then are finished.
        case duration(Duration)
    }

    /// The numbers of requests that may run at a time.
    public static let concurrencies = 1...1000
    /// The limits of a rate, in requests a second.
    public static let rates = 0.001...1_000_000.0

    public var length: Length
    /// The maximum number of running requests, at least 1.
    public var concurrency: Int
    /// The number of requests that are to begin in a second; nil for no limit. With stages, the rate at their start.
    public var rate: Double?
    /// The stages of the rate, one after the other; empty for one rate.
    public var stages: [RateStage]
    /// The pause between the end of a request and the next one in its place.
    public var delay: Duration
    /// True to cancel everything at the first failure.
    public var failsFast: Bool
    /// True to send requests as fast as the rest of the plan has it, whatever servers say of their limits.
    public var ignoresRateLimits = false

    public init(
        length: Length = .times(1), concurrency: Int = 1, rate: Double? = nil, stages: [RateStage] = [],
        delay: Duration = .zero, failsFast: Bool = false
    ) {
        self.length = length
        self.concurrency = concurrency
        self.rate = rate
        self.stages = stages
        self.delay = delay
        self.failsFast = failsFast
    }

    /// The times at which requests are to begin; nil for as soon as there is a place.
    public var arrivals: ArrivalSchedule? {
        stages.isEmpty ? rate.map { ArrivalSchedule(rate: $0) } : ArrivalSchedule(stages, from: rate ?? 0)
    }

    /// The number of requests that are to begin until the end; nil for a plan without a schedule or without an end.
    public var scheduledCount: Int? {
        guard case .duration(let limit) = length, let arrivals else { return nil }
        return arrivals.count(before: arrivals.end.map { min($0, limit) } ?? limit)
    }
}
