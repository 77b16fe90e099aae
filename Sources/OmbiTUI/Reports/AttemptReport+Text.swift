import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension AttemptReport {
    /// The outcome: `503 Service Unavailable`, `could not connect to …`, `cancelled`.
    var resultText: String { outcome.failure ?? response?.statusCode.map(StatusCode.words) ?? "done" }

    /// The phases that took time: `connect 3 ms, wait 20 ms`.
    var phaseText: String {
        RequestPhase.allCases.filter { metrics.timings[$0] > .zero }
            .map { "\($0.rawValue) \(TimeText.duration(metrics.timings[$0]))" }.joined(separator: ", ")
    }
}
