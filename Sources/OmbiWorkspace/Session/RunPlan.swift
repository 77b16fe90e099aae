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
    /// The maximum number of requests begun in a second; nil for no limit.
    public var rate: Double?
    /// The pause between the end of a request and the next one in its place.
    public var delay: Duration
    /// True to cancel everything at the first failure.
    public var failsFast: Bool
    /// True to send requests as fast as the rest of the plan has it, whatever servers say of their limits.
    public var ignoresRateLimits = false

    public init(
        length: Length = .times(1), concurrency: Int = 1, rate: Double? = nil, delay: Duration = .zero,
        failsFast: Bool = false
    ) {
        self.length = length
        self.concurrency = concurrency
        self.rate = rate
        self.delay = delay
        self.failsFast = failsFast
    }
}
