import OmbiCore
import OmbiWorkspace

/// The kind of a failed run, for exit codes and reports.
enum FailureClass: String, Sendable {
    /// A response that is not as expected, by its status or otherwise.
    case expectation
    /// Passed, but only after a retry, where that counts as a failure.
    case retries
    case sla
    /// No connection, no response in time, or one that broke off.
    case connection
    case tls
    case cancelled
    /// Nothing that could be sent or kept, such as a missing secret.
    case other

    /// The class of a result; nil for one that passed.
    init?(_ result: SessionResult) {
        guard !result.passed else { return nil }
        switch result.ending {
        case .cancelled: self = .cancelled
        case .response: self = .expectation
        case .failure: self.init(withoutResponse: result.report)
        }
    }

    private init(withoutResponse report: RequestReport?) {
        guard let report, let last = report.attempts.last else {
            self = report?.outcome == .slaExceeded ? .sla : .other
            return
        }
        if report.outcome == .slaExceeded || last.outcome == .slaExceeded {
            self = .sla
            return
        }
        switch last.errorCode {
        case .secureConnectionFailed?, .certificateNotTrusted?: self = .tls
        case .cannotFindHost?, .cannotConnectToHost?, .connectionLost?, .timedOut?, .malformedResponse?:
            self = .connection
        case nil: self = last.isTimeout ? .connection : .other
        default: self = .other
        }
    }

    /// True where there is no response to judge.
    var isError: Bool { self != .expectation && self != .retries }
}

extension AttemptReport {
    fileprivate var isTimeout: Bool {
        if case .failed(.timeout, _) = outcome { return true }
        return false
    }
}
