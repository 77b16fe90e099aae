/// The limits that the responses of a headless run name, a line for each host.
struct HostLimits {
    private struct Known {
        var host: String
        var limit: RateLimit
        var time: ContinuousClock.Instant
    }

    private var known: [Known] = []
    /// The hosts for which the run was slowed down.
    private var slow: Set<String> = []

    /// Limits of further hosts are left out.
    private static let maximumHosts = 20

    /// Takes in what a response says; the last one of a host counts.
    mutating func add(_ result: SessionResult, at time: ContinuousClock.Instant = .now) {
        guard let limit = result.rateLimit else { return }
        let new = Known(host: result.serverName, limit: limit, time: time)
        if let index = known.firstIndex(where: { $0.host == new.host }) {
            known[index] = new
        } else if known.count < Self.maximumHosts {
            known.append(new)
        }
    }

    /// Returns the sentence about a host for which requests wait, once.
    mutating func notice(of result: SessionResult) -> String? { notice(of: result.serverName, at: .now) }

    /// Returns the sentence about the host that allows least, once; nil where none has named a limit.
    mutating func notice(at time: ContinuousClock.Instant = .now) -> String? {
        let slowest = current(at: time).max { Self.pause(of: $0.limit) < Self.pause(of: $1.limit) }
        guard let host = slowest?.host else { return nil }
        return notice(of: host, at: time)
    }

    private mutating func notice(of host: String, at time: ContinuousClock.Instant) -> String? {
        guard slow.count < Self.maximumHosts, slow.insert(host).inserted else { return nil }
        let left = current(at: time).first { $0.host == host }.map { " (\($0.limit.words))" } ?? ""
        return "slower, as \(host) allows few more requests\(left); --ignore-rate-limits sends them at once"
    }

    /// Returns the sentence about a host that allows no further request before the end of a run; nil without one.
    /// - Parameter left: the time that the run had left.
    func earlyEnd(left: Duration, at time: ContinuousClock.Instant = .now) -> String? {
        let host = current(at: time).first { Self.pause(of: $0.limit) >= left }
        return host.map {
            "ended \(TimeText.duration(left)) early: \($0.host) allows no more requests until then; "
                + "--ignore-rate-limits sends them"
        }
    }

    /// The pause between two requests, as `RatePace` spreads what is left.
    private static func pause(of limit: RateLimit) -> Duration {
        let pause = limit.remaining.map { (limit.reset ?? .zero) / max(1, $0) } ?? .zero
        return max(pause, limit.retryAfter ?? .zero)
    }

    private func current(at time: ContinuousClock.Instant) -> [(host: String, limit: RateLimit)] {
        known.map { known in
            let age = time - known.time
            var limit = known.limit
            limit.reset = limit.reset.map { max(.zero, $0 - age) }
            limit.retryAfter = limit.retryAfter.map { max(.zero, $0 - age) }
            return (known.host, limit)
        }
    }

    /// `api.example.com 412 left, 18m`, a line each.
    func lines(at time: ContinuousClock.Instant = .now) -> [String] {
        current(at: time).map { SafeText.line($0.limit.words(of: $0.host)) }
    }

    /// Nil where no server names a limit.
    func json(at time: ContinuousClock.Instant = .now) -> JSONValue? {
        guard !known.isEmpty else { return nil }
        return .array(
            current(at: time).map { host, limit in
                [
                    "host": .string(host), "remaining": .nullable(limit.remaining), "limit": .nullable(limit.limit),
                    "resetMs": .milliseconds(limit.reset), "retryAfterMs": .milliseconds(limit.retryAfter),
                ]
            })
    }
}
