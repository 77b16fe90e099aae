import OmbiCore

/// A part of a load, in which the rate changes evenly from the one before to its own.
public struct RateStage: Equatable, Sendable {
    /// Zero changes the rate at once.
    public var duration: Duration
    /// The requests begun in a second at the end of the stage.
    public var rate: Double

    /// The maximum number of stages of a load.
    public static let maximumCount = 100
    /// The limits of a rate; zero is a pause.
    public static let rates = 0.0...RunPlan.rates.upperBound

    public init(duration: Duration, rate: Double) {
        self.duration = duration
        self.rate = rate
    }

    /// Reads `10s:50/s,1m:200/s`; nil for any other text, and for stages in which nothing is sent.
    public static func list(_ text: String) -> [RateStage]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard parts.count <= maximumCount else { return nil }
        var stages: [RateStage] = []
        for part in parts {
            let pair = part.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, let duration = DurationText.parse(pair[0]), let rate = rate(pair[1]),
                rates.contains(rate)
            else { return nil }
            stages.append(RateStage(duration: duration, rate: rate))
        }
        let schedule = ArrivalSchedule(stages)
        return schedule.time(of: 0) == nil ? nil : stages
    }

    /// Reads `50` and `50/s`; nil for any other text.
    public static func rate(_ text: String) -> Double? {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        return Double(number).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The times at which the requests of an open load are to begin, whether or not those before them have ended.
///
/// It is a value without a clock; a time is a duration since the beginning of the load.
public struct ArrivalSchedule: Equatable, Sendable {
    /// A time in which the rate changes evenly.
    private struct Segment: Equatable, Sendable {
        /// In seconds since the beginning.
        var start: Double
        /// In seconds.
        var length: Double
        /// Requests in a second, at its start and at its end.
        var from: Double
        var to: Double
        /// The number of requests before it.
        var before: Double

        /// The number of requests in its first seconds.
        func count(in seconds: Double) -> Double {
            let slope = length > 0 && length < .infinity ? (to - from) / length : 0
            return from * seconds + slope * seconds * seconds / 2
        }

        /// The number of requests in all of it.
        var count: Double { length == .infinity ? (from > 0 ? .infinity : 0) : (from + to) / 2 * length }

        /// The seconds from its start after which so many of its requests have begun.
        func seconds(until count: Double) -> Double {
            if from == to { return count / from }
            guard count > 0 else { return 0 }
            // The root that does not lose digits where the change is small.
            let root = max(0, from * from + 2 * count * (to - from) / length).squareRoot()
            return 2 * count / (from + root)
        }
    }

    private var segments: [Segment] = []
    /// The end of the last stage; nil for a rate without end.
    public private(set) var end: Duration?

    /// A schedule of one rate, without end.
    public init(rate: Double) {
        segments = [Segment(start: 0, length: .infinity, from: rate, to: rate, before: 0)]
    }

    /// - Parameter rate: the one at the beginning.
    public init(_ stages: [RateStage], from rate: Double = 0) {
        var (current, known, end) = (rate, 0.0, Duration.zero)
        for stage in stages {
            if stage.duration > .zero {
                let segment = Segment(
                    start: end / .seconds(1), length: stage.duration / .seconds(1), from: current,
                    to: stage.rate, before: known)
                segments.append(segment)
                known += segment.count
                end += stage.duration
            }
            current = stage.rate
        }
        self.end = end
    }

    /// The time at which a request is to begin; nil after the last one.
    /// - Parameter number: counted from 0.
    public func time(of number: Int) -> Duration? {
        let wanted = Double(number)
        guard let segment = segments.first(where: { wanted < $0.before + $0.count }) else { return nil }
        return .seconds(segment.start + segment.seconds(until: wanted - segment.before))
    }

    /// The number of requests that are to begin before a time.
    public func count(before time: Duration) -> Int {
        let seconds = time / .seconds(1)
        guard seconds > 0, let segment = segments.last(where: { $0.start < seconds }) else { return 0 }
        let count = segment.before + segment.count(in: min(seconds - segment.start, segment.length))
        // A request at the very time is not before it, whatever the last digit.
        return Int(max(0, min((count - 1e-6).rounded(.up), 1e15)))
    }
}
