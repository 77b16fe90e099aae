/// The pace that the limits of servers allow a run of many requests. Requests follow the plan until few are left for a
/// host; those are spread over the time until its next window, to avoid a 429.
///
/// A value without a clock, with the times of `RunQueue`. It costs nothing until the first response that names a limit.
package struct RatePace: Equatable, Sendable {
    fileprivate struct Host: Equatable, Sendable {
        /// The name to show, masked.
        var name: String
        var limit = RateLimit()
        /// The time of the response with the number of remaining requests.
        var learnedAt = Duration.zero
        /// The latest turn whose response named it.
        var learnedFrom = -1
        /// The time of the last 429 with a time to retry.
        var refusedAt: Duration?
        var lastStart: Duration?
        /// The requests that the server may not have counted yet.
        var running = 0
    }

    private var hosts: [String: Host] = [:]
    /// The hosts of turns that run.
    private var turns: [Int: String] = [:]

    /// Limits of further hosts are not kept.
    private static let maximumHosts = 100
    /// The number of remaining requests that counts as few, unless a tenth of the window is more.
    private static let fewest = 10

    package init() {}

    package var isEmpty: Bool { hosts.isEmpty }

    /// The pause between the starts of requests to a host: zero while plenty is left, or enough for all that wait.
    /// - Parameters:
    ///   - left: the requests that the host still allows, without those that run.
    ///   - limit: the requests of a whole window; nil if unknown.
    ///   - time: the time until the next window, from the last start.
    ///   - waiting: the requests that have yet to begin.
    ///   - maximum: a longer pause is cut to this.
    static func pause(
        left: Int, of limit: Int?, until time: Duration, waiting: Int, maximum: @autoclosure () -> Duration
    ) -> Duration {
        guard time > .zero, isScarce(left: left, of: limit, waiting: waiting) else { return .zero }
        return min(left > 0 ? time / left : time, maximum())
    }

    fileprivate static func isScarce(left: Int, of limit: Int?, waiting: Int) -> Bool {
        waiting > left && left <= max(fewest, (limit ?? 0) / 10)
    }

    /// Returns the time before which a request should not start; nil if it may start now.
    /// - Parameter waiting: The requests that have yet to begin, including this one.
    package func earliest(_ order: RunOrder, waiting: Int, sla: Duration? = nil) -> Duration? {
        guard !hosts.isEmpty, let host = hosts[order.limitedHost] else { return nil }
        return host.earliest(waiting: waiting, maximum: sla ?? order.sla)
    }

    /// Takes note that turns count from 0 again. None is running.
    package mutating func restart() {
        for host in hosts.keys { hosts[host]?.learnedFrom = -1 }
    }

    package mutating func begin(_ turn: RunTurn, _ order: @autoclosure () -> RunOrder) {
        guard !hosts.isEmpty else { return }
        let host = order().limitedHost
        guard var limited = hosts[host] else { return }
        turns[turn.number] = host
        limited.running += 1
        limited.lastStart = max(turn.start, limited.lastStart ?? turn.start)
        hosts[host] = limited
    }

    /// Records the end of a turn, and the limits in its response.
    package mutating func end(
        _ turn: RunTurn, _ order: @autoclosure () -> RunOrder, _ result: SessionResult, at now: Duration
    ) {
        end(turn, order(), result, result.rateLimit, at: now)
    }

    /// - Parameter limit: The limit in the response; nil for none.
    mutating func end(
        _ turn: RunTurn, _ order: @autoclosure () -> RunOrder, _ result: SessionResult, _ limit: RateLimit?,
        at now: Duration
    ) {
        if let host = turns.removeValue(forKey: turn.number) { hosts[host]?.running -= 1 }
        guard let limit else { return }
        let isRefused = result.receivedResponse?.statusCode == 429 && limit.retryAfter != nil
        // Another `Retry-After`, such as with a 503, is about one resource.
        guard limit.remaining != nil || isRefused else { return }
        take(limit, of: turn.number, isRefused, of: order().limitedHost, named: result.serverName, at: now)
    }

    private mutating func take(
        _ limit: RateLimit, of turn: Int, _ isRefused: Bool, of key: String, named name: String, at now: Duration
    ) {
        guard hosts[key] != nil || hosts.count < Self.maximumHosts else { return }
        var host = hosts[key] ?? Host(name: name)
        if let remaining = limit.remaining, !host.isOutdated(remaining, of: turn, at: now) {
            host.learnedFrom = max(host.learnedFrom, turn)
            (host.limit.limit, host.limit.remaining, host.limit.reset) = (limit.limit, limit.remaining, limit.reset)
            host.learnedAt = now
        }
        if isRefused { (host.limit.retryAfter, host.refusedAt) = (limit.retryAfter, now) }
        hosts[key] = host
    }

    /// The limits that still hold, by the names of their hosts, the tightest first.
    package func limits(at now: Duration) -> [(host: String, limit: RateLimit)] {
        let current = hosts.values.compactMap { host in host.current(at: now).map { (host: host.name, limit: $0) } }
        return current.sorted { one, other in
            let (left, right) = (one.limit.remaining ?? 0, other.limit.remaining ?? 0)
            return left == right ? one.host < other.host : left < right
        }
    }
}

extension RatePace.Host {
    /// Returns true for the count of an earlier request whose response arrives after that of a later one, which the
    /// server has counted since.
    fileprivate func isOutdated(_ remaining: Int, of turn: Int, at now: Duration) -> Bool {
        guard turn < learnedFrom, let known = limit.remaining, let reset = limit.reset else { return false }
        return remaining > known && now < learnedAt + reset
    }

    fileprivate func earliest(waiting: Int, maximum: @autoclosure () -> Duration) -> Duration? {
        var start: Duration?
        if let refusedAt, let wait = limit.retryAfter { start = refusedAt + min(wait, maximum()) }
        guard let remaining = limit.remaining, let reset = limit.reset else { return start }
        let left = max(0, remaining - running)
        guard RatePace.isScarce(left: left, of: limit.limit, waiting: waiting) else { return start }
        let (last, end) = (lastStart ?? learnedAt, learnedAt + reset)
        let from = left > 0 ? last : max(last, learnedAt)
        let pause = RatePace.pause(
            left: left, of: limit.limit, until: end - from, waiting: waiting, maximum: maximum())
        // The last one begins with the next window: so does this one.
        return max(start ?? .zero, pause > .zero ? from + pause : end)
    }

    /// Nil once the next window has begun.
    fileprivate func current(at now: Duration) -> RateLimit? {
        var limit = limit
        limit.reset = limit.reset.map { learnedAt + $0 - now }
        limit.retryAfter = limit.retryAfter.flatMap { wait in refusedAt.map { $0 + wait - now } }
        if limit.retryAfter ?? .zero <= .zero { limit.retryAfter = nil }
        if let reset = limit.reset, reset <= .zero { return limit.retryAfter.map { RateLimit(retryAfter: $0) } }
        return limit.remaining == nil && limit.retryAfter == nil ? nil : limit
    }
}

extension RunOrder {
    /// The server whose limit counts, as the file names it: `api.example.com`, or a template.
    var limitedHost: String {
        let target = request.target
        return (target.isURL ? target.text : RequestTarget.host(chosenEnvironment?.host ?? "")).serverName
    }

    /// The limit over all attempts: nobody waits longer for a request.
    fileprivate var sla: Duration { request.policy?.sla ?? inheritance.policy.effectiveSLA }
}

extension SessionResult {
    /// The limit that the response names; nil for none.
    package var rateLimit: RateLimit? {
        receivedResponse?.headers.flatMap { RateLimit($0, now: Int(Date().timeIntervalSince1970)) }
    }

    /// The server of the request, masked: `api.example.com`.
    package var serverName: String { prepared?.url.serverName ?? "" }
}

extension String {
    /// The server of a URL with its port, without a user.
    fileprivate var serverName: String {
        let start = firstRange(of: "://")?.upperBound ?? startIndex
        let authority = self[start...].prefix { !"/?#".contains($0) }
        return authority.split(separator: "@").last.map(String.init) ?? ""
    }
}

/// A part of a load, in which the rate changes evenly from the one before to its own.
package struct RateStage: Equatable, Sendable {
    /// Zero changes the rate at once.
    package var duration: Duration
    /// The requests begun in a second at the end of the stage.
    package var rate: Double

    /// The maximum number of stages of a load.
    package static let maximumCount = 100
    /// The limits of a rate; zero is a pause.
    package static let rates = 0.0...RunPlan.rates.upperBound

    /// Reads `10s:50/s,1m:200/s`; nil for any other text.
    package static func list(_ text: String) -> [RateStage]? {
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
        return stages
    }

    /// Reads `50` and `50/s`; nil for any other text.
    package static func rate(_ text: String) -> Double? {
        let number = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
        return Double(number).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// The times at which the requests of an open load are to begin, whether or not those before them have ended.
///
/// It is a value without a clock; a time is a duration since the beginning of the load.
package struct ArrivalSchedule: Equatable, Sendable {
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

        /// The seconds from its start after which `count` of its requests have begun.
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
    package private(set) var end: Duration?

    /// A schedule of one rate, without end.
    package init(rate: Double) {
        segments = [Segment(start: 0, length: .infinity, from: rate, to: rate, before: 0)]
    }

    /// - Parameter rate: the one at the beginning.
    package init(_ stages: [RateStage], from rate: Double = 0) {
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
    package func time(of number: Int) -> Duration? {
        let wanted = Double(number)
        guard let segment = segments.first(where: { wanted < $0.before + $0.count }) else { return nil }
        return .seconds(segment.start + segment.seconds(until: wanted - segment.before))
    }

    /// The number of requests that are to begin before a time.
    package func count(before time: Duration) -> Int {
        let seconds = time / .seconds(1)
        guard seconds > 0, let segment = segments.last(where: { $0.start < seconds }) else { return 0 }
        let count = segment.before + segment.count(in: min(seconds - segment.start, segment.length))
        // A request at exactly this time is not before it, despite rounding.
        return Int(max(0, min((count - 1e-6).rounded(.up), 1e15)))
    }
}
