import OmbiCore
import OmbiTerminal

extension MissedRetry {
    /// `not retried: Retry-After 30 s is longer than the 4.9 s left of the SLA`
    var words: String {
        let time = TimeText.duration(wait)
        let subject = reason == .retryAfter ? "Retry-After \(time)" : "the wait of \(time) (\(reason.name))"
        let limit =
            maximum.map { "\(TimeText.duration($0)) that are waited for at most" }
            ?? "\(TimeText.duration(slaLeft)) left of the SLA"
        return "not retried: \(subject) is longer than the \(limit)"
    }
}
