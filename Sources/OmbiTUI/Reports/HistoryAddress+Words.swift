import OmbiTerminal
import OmbiWorkspace

/// The figures of an address as text, for the screen, the command line and reports.
extension HistoryAddress {
    /// `10.0.3.7:443`
    var name: String { address ?? "no connection" }

    /// `41 % status 503, 2 % timeout`
    var failureWords: String {
        guard attempts > 0, failed > 0 else { return "0 % failed" }
        return failures.prefix(Self.maximumFailures)
            .map { "\(Percent.text(Double($0.count) / Double(attempts))) \($0.name)" }.joined(separator: ", ")
    }

    /// `41 % status 503, p50 180 ms, p95 2.1 s`
    var words: String { ([failureWords] + Self.percentiles(times)).joined(separator: ", ") }

    /// `12 new, p50 200 ms, p95 400 ms; 130 reused, p50 180 ms, p95 2.1 s`
    var connectionWords: String {
        [(new, "new"), (reused, "reused")].filter { $0.0.attempts > 0 }.map { connections, name in
            (["\(connections.attempts) \(name)"] + Self.percentiles(connections.times)).joined(separator: ", ")
        }.joined(separator: "; ")
    }

    private static func percentiles(_ times: HistoryStatistics.Percentiles?) -> [String] {
        guard let times else { return [] }
        return ["p50 \(TimeText.duration(times.p50))", "p95 \(TimeText.duration(times.p95))"]
    }

    private static let maximumFailures = 2
}
