import Histogram

/// The figures that a threshold is about.
protocol MeasuredRuns {
    var mean: Duration? { get }
    var maximum: Duration? { get }
    var firstTry: Double? { get }
    var eventual: Double? { get }
    var flaky: Double? { get }
    func percentile(_ percent: Double) -> Duration?
}

extension RunStatistics: MeasuredRuns {}

extension HistoryStatistics: MeasuredRuns {
    var mean: Duration? { nil }
    var flaky: Double? { nil }
    var maximum: Duration? { ofRuns?.maximum }

    /// Those that the history knows; nil for others.
    func percentile(_ percent: Double) -> Duration? {
        switch percent {
        case 50: ofRuns?.p50
        case 90: ofRuns?.p90
        case 95: ofRuns?.p95
        case 99: ofRuns?.p99
        default: nil
        }
    }
}

/// A limit for the statistics of a run: `p95<500ms`, `first-try>=99%`.
struct Threshold: Equatable, Sendable {
    enum Measure: Equatable, Sendable {
        /// In percent, above 0 and up to 100.
        case percentile(Double)
        case mean
        case maximum
        case firstTry
        case eventual
        case flaky
    }

    /// The limit, of a time or of a share.
    enum Limit: Equatable, Sendable {
        case duration(Duration)
        case share(Double)
    }

    let text: String
    let measure: Measure
    private let comparison: String
    private let limit: Limit

    /// A text that is no threshold, with the reason.
    struct Failure: Error, Equatable {
        let reason: String
    }

    private static let names = "p50, p95 or another percentile, mean, max, first-try, eventual, flaky"
    // The longer ones first.
    private static let comparisons = ["<=", ">=", "<", ">"]

    init(_ text: String) throws(Failure) {
        self.text = text
        guard let (comparison, range) = Self.comparison(in: text) else {
            throw Failure(
                reason: "write a measure, a comparison (\(Self.comparisons.joined(separator: " "))) and a limit")
        }
        let name = String(text[..<range.lowerBound]).trimmed
        let limit = String(text[range.upperBound...]).trimmed
        guard let measure = Measure(name) else {
            throw Failure(reason: "there is no measure \"\(name)\"; there are \(Self.names)")
        }
        self.measure = measure
        self.comparison = comparison
        switch measure {
        case .percentile, .mean, .maximum:
            guard let duration = DurationText.parse(limit), duration > .zero else {
                throw Failure(reason: "\(limit): \(DurationText.form)")
            }
            self.limit = .duration(duration)
        case .firstTry, .eventual, .flaky:
            guard limit.last == "%", let percent = Double(limit.dropLast()), (0...100).contains(percent) else {
                throw Failure(reason: "\(limit): write a share of the runs, such as 99.5%")
            }
            self.limit = .share(percent / 100)
        }
    }

    private static let namesInHistory = "p50, p90, p95, p99, max, first-try, eventual"

    /// Throws for a measure that the history does not keep.
    func checkHistory() throws(Failure) {
        switch measure {
        case .percentile(let percent) where ![50, 90, 95, 99].contains(percent): break
        case .mean, .flaky: break
        case .percentile, .maximum, .firstTry, .eventual: return
        }
        let name = text.prefix { $0 != "<" && $0 != ">" }.trimmed
        throw Failure(reason: "the history does not have \"\(name)\"; it has \(Self.namesInHistory)")
    }

    private static func comparison(in text: String) -> (String, Range<String.Index>)? {
        guard let start = text.firstIndex(where: { $0 == "<" || $0 == ">" }) else { return nil }
        let found = comparisons.first { text[start...].hasPrefix($0) } ?? "<"
        return (found, start..<text.index(start, offsetBy: found.count))
    }

    /// Returns a sentence where the statistics miss the limit; nothing measured misses it, too.
    func failure(of statistics: some MeasuredRuns) -> String? {
        guard let (isMet, found) = compare(statistics) else { return "\(text): nothing was measured" }
        return isMet ? nil : "threshold missed: \(text), measured \(found)"
    }

    private func compare(_ statistics: some MeasuredRuns) -> (isMet: Bool, found: String)? {
        switch limit {
        case .duration(let limit):
            let found: Duration? =
                switch measure {
                case .percentile(let percent): statistics.percentile(percent)
                case .mean: statistics.mean
                default: statistics.maximum
                }
            return found.map { (holds($0, limit), TimeText.duration($0)) }
        case .share(let limit):
            let found: Double? =
                switch measure {
                case .firstTry: statistics.firstTry
                case .flaky: statistics.flaky
                default: statistics.eventual
                }
            return found.map { (holds($0, limit), Percent.distinct($0, from: limit)) }
        }
    }

    private func holds<Value: Comparable>(_ found: Value, _ limit: Value) -> Bool {
        switch comparison {
        case "<": found < limit
        case "<=": found <= limit
        case ">": found > limit
        default: found >= limit
        }
    }
}

extension Threshold.Measure {
    fileprivate init?(_ name: String) {
        switch name {
        case "mean": self = .mean
        case "max": self = .maximum
        case "first-try": self = .firstTry
        case "eventual": self = .eventual
        case "flaky": self = .flaky
        default:
            guard name.first == "p", let percent = Double(name.dropFirst()), percent > 0, percent <= 100 else {
                return nil
            }
            self = .percentile(percent)
        }
    }
}

/// Times of many runs, in constant memory.
struct RunTimes {
    /// In microseconds, with three significant digits.
    private var times: Histogram<UInt32> = {
        // Room for the usual second: it grows by single counts, which costs more than all requests of a short run.
        var times = Histogram<UInt32>(highestTrackableValue: 1_000_000, numberOfSignificantValueDigits: .three)
        times.autoResize = true
        return times
    }()

    mutating func add(_ time: Duration) { times.record(UInt64(max(0, time / .microseconds(1)))) }

    /// Nil when nothing was sent.
    var mean: Duration? { times.totalCount > 0 ? .microseconds(times.mean) : nil }
    var maximum: Duration? { times.totalCount > 0 ? .microseconds(times.max) : nil }

    /// Returns the time within which that many runs of a hundred ended; nil when nothing was sent.
    func percentile(_ percent: Double) -> Duration? {
        guard times.totalCount > 0 else { return nil }
        // The histogram rounds up; no run took longer than the longest.
        return .microseconds(min(times.valueAtPercentile(percent), times.max))
    }
}

/// The times and the success of many runs, in constant memory.
///
/// The time of a run with a schedule is its latency: it counts from the scheduled start, so that a server which stops
/// for a while is measured by the requests that waited meanwhile, too.
struct RunStatistics {
    /// The times from the start of each run to its end.
    private(set) var service = RunTimes()
    /// The times from the scheduled start of each run to its end; nil without a schedule.
    private(set) var latency: RunTimes?
    /// The runs that began late, as all places were taken.
    private(set) var late = 0
    private(set) var maximumLateness = Duration.zero
    /// The requests of the schedule that were not sent, as the time was over; nil where that is not known.
    var missed: Int?
    private(set) var count = 0
    private var passed = 0
    private var passedAtOnce = 0
    private var retried = 0

    /// - Parameter turn: the turn of the run; nil for one without a schedule.
    mutating func add(_ result: SessionResult, _ turn: RunTurn? = nil) {
        count += 1
        if result.passed { passed += 1 }
        if result.passed, result.tries == 1 { passedAtOnce += 1 }
        if result.passed, !result.retriedAttempts.isEmpty { retried += 1 }
        if let lateness = turn?.lateness {
            if lateness > RunTurn.tolerance { late += 1 }
            maximumLateness = max(maximumLateness, lateness)
        }
        guard let duration = result.report?.duration else { return }
        service.add(duration)
        guard let time = turn?.latency else { return }
        if latency == nil { latency = RunTimes() }
        latency?.add(time)
    }

    /// The share of runs that passed, after all of their attempts; nil without runs.
    var eventual: Double? { count > 0 ? Double(passed) / Double(count) : nil }
    /// The share of runs that passed on the first attempt; nil without runs.
    var firstTry: Double? { count > 0 ? Double(passedAtOnce) / Double(count) : nil }
    /// The share of runs that passed only after a retry; nil without runs.
    var flaky: Double? { count > 0 ? Double(retried) / Double(count) : nil }
    private var judged: RunTimes { latency ?? service }
    /// Nil when nothing was sent.
    var mean: Duration? { judged.mean }
    var maximum: Duration? { judged.maximum }

    /// Returns the time within which that many runs of a hundred ended; nil when nothing was sent.
    func percentile(_ percent: Double) -> Duration? { judged.percentile(percent) }
}
