import OmbiCore
import OmbiTerminal

/// An attempt of a reported run.
struct ReportedAttempt: Equatable, Sendable {
    var number: Int
    /// The time since the start of the run.
    var startedAt: Duration
    var duration: Duration
    /// The wait that followed; nil for none.
    var wait: Duration?
    var status: Int?
    /// `503 Service Unavailable`, `could not connect to …`
    var result: String
    /// `status`, `timeout`, `cannotConnectToHost`; nil for an attempt that succeeded.
    var kind: String?
    /// True for a failure without a response.
    var isError = false
    /// True for a failure that a retry followed.
    var isRetried = false
    var phases = ""

    /// `attempt 1, after 0 ms: 503 Service Unavailable, 12 ms (wait 11 ms), then waited 200 ms`
    var sentence: String {
        "attempt \(number), after \(TimeText.duration(startedAt)): \(result), \(TimeText.duration(duration))"
            + (phases.isEmpty ? "" : " (\(phases))") + (wait.map { ", then waited \(TimeText.duration($0))" } ?? "")
    }
}

extension ReportedAttempt {
    init(_ attempt: AttemptReport, isRetried: Bool) {
        self.init(
            number: attempt.number, startedAt: attempt.startedAt, duration: attempt.duration, wait: attempt.wait,
            status: attempt.response?.statusCode,
            result: ReportText.cut(attempt.resultText, to: ReportText.maximumMessage))
        switch attempt.outcome {
        case .succeeded: break
        case .failed(let failure, _):
            kind = attempt.errorCode?.rawValue ?? failure.rawValue
            isError = failure == .connection || failure == .timeout
        case .stopped: kind = "stopped"
        case .cancelled: kind = "cancelled"
        case .abandoned: kind = "abandoned"
        case .slaExceeded: (kind, isError) = ("sla", true)
        }
        self.isRetried = isRetried
        phases = attempt.phaseText
    }
}
