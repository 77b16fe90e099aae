import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

/// A load as a row among runs.
extension HistoryLoad {
    /// `locust, 200 users for 5m at 50/s, 12000 sent, 3 failed, p95 12 ms`
    var words: String {
        let pace = rate.map { rate in " at " + (rate == rate.rounded() ? "\(Int(rate))" : "\(rate)") + "/s" } ?? ""
        let parts = [
            engine, "\(Count.of(users, "user")) for \(DurationText.format(duration))\(pace)", "\(sent) sent",
            "\(failed) failed", percentile("95").map { "p95 " + TimeText.duration($0) },
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    /// The names of the requests, each once.
    var requests: [String] { (result["requests"]?.elements ?? []).compactMap { $0["name"]?.stringValue } }
}
