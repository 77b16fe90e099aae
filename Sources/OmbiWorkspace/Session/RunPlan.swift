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

    public var length: Length
    /// The maximum number of running requests, at least 1.
    public var concurrency: Int
    /// The maximum number of requests begun in a second; nil for no limit.
    public var rate: Double?
    /// The pause between the end of a request and the next one in its place.
    public var delay: Duration
    /// True to cancel everything at the first failure.
    public var failsFast: Bool

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

/// The turn of a request in a run.
public struct RunTurn: Sendable, Equatable {
    /// Counted from 0, in the order of the starts.
    public var number: Int
    /// The index of the request.
    public var order: Int
    /// The start, since that of the first one.
    public var start: Duration
}

/// Gives the turns of a run. It reads no clock.
struct RunPacer {
    let plan: RunPlan
    /// The number of requests.
    let count: Int
    private var turns = 0

    init(_ plan: RunPlan, count: Int) {
        self.plan = plan
        self.count = count
    }

    /// Returns the next turn, which starts at a time or later, as the rate has it; nil when there is none.
    mutating func next(at time: Duration) -> RunTurn? {
        let start = plan.rate.map { max(time, .seconds(Double(turns) / $0)) } ?? time
        let order: Int
        switch plan.length {
        case .times(let times):
            guard turns < count * times else { return nil }
            order = turns / times
        case .duration(let limit):
            guard count > 0, start < limit else { return nil }
            order = turns % count
        }
        turns += 1
        return RunTurn(number: turns - 1, order: order, start: start)
    }
}
