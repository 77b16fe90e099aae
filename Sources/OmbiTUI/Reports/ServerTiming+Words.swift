import OmbiCore
import OmbiTerminal

extension ServerTiming {
    /// `db 53 ms (Postgres)`, `cache (hit)`
    var words: String {
        name + (duration.map { " " + TimeText.duration($0) } ?? "") + (description.map { " (\($0))" } ?? "")
    }
}

extension AttemptReport {
    /// The metrics of a response: `db 53 ms, app 2 ms`; nil for none.
    var serverTimingText: String? {
        let metrics = serverTiming
        return metrics.isEmpty ? nil : metrics.map(\.words).joined(separator: ", ")
    }
}
