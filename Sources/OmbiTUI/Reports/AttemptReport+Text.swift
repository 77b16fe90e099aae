import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension AttemptReport {
    /// The outcome: `503 Service Unavailable`, `could not connect to …`, `cancelled`.
    var resultText: String { outcome.failure ?? response?.statusCode.map(StatusCode.words) ?? "done" }

    /// The phases that took time, and what the server says of it: `connect 3 ms, wait 20 ms, of the server db 12 ms`.
    var phaseText: String {
        let phases = RequestPhase.allCases.filter { metrics.timings[$0] > .zero }
            .map { "\($0.rawValue) \(TimeText.duration(metrics.timings[$0]))" }.joined(separator: ", ")
        return phases + (serverTimingText.map { ", of the server \($0)" } ?? "")
    }
}
