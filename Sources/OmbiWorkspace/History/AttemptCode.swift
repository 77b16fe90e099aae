import OmbiCore

/// The enumerations of an attempt as numbers of the database. A number stays what it is: files keep it.
enum AttemptCode {
    private static let reasons: [AttemptReport.Reason] = [.first, .retry, .reconnect, .manual, .credentialsRefreshed]
    private static let waitReasons: [WaitReason] = [.backoff, .retryAfter, .reconnection, .credentials, .breaker]
    private static let failures: [RetryPolicy.Failure] = [.connection, .timeout, .status, .decoding, .validation]

    /// Kinds of failures of the transport, behind those above: `connection` in more detail. Programs of before read them
    /// as that.
    private static let errors: [TransportError.Code] = [
        .cannotFindHost, .cannotConnectToHost, .connectionLost, .secureConnectionFailed, .certificateNotTrusted,
        .tooManyRedirects, .responseTooLarge, .requestBodyFailed, .responseNotStored, .unsupportedURL,
        .unsupportedOption, .malformedResponse, .noDescriptors, .outOfMemory, .transportUnavailable, .unknown,
        .refused, .redirectRefused,
    ]

    /// Added to the number of a failure that its run expects (`SessionResult.expectsFailure`). Programs of before read the sum
    /// as `connection`.
    static let expected = 100

    static func index(of reason: AttemptReport.Reason) -> Int { reasons.firstIndex(of: reason) ?? 0 }
    static func index(of reason: WaitReason) -> Int { waitReasons.firstIndex(of: reason) ?? 0 }

    static func reason(_ index: Int) -> AttemptReport.Reason { reasons[safe: index] ?? .first }
    static func waitReason(_ index: Int) -> WaitReason { waitReasons[safe: index] ?? .backoff }
    static func failure(_ index: Int) -> RetryPolicy.Failure { failures[safe: index % expected] ?? .connection }

    /// The number of a kind of failures, as `kindExpression` gives it.
    static func kind(_ failure: RetryPolicy.Failure) -> Int { failures.firstIndex(of: failure) ?? 0 }

    /// The kind of a recorded failure in SQL; NULL for none. One in more detail is of the first kind.
    static func kindExpression(_ column: String) -> String {
        let code = "\(column) % \(expected)"
        return "CASE WHEN \(column) IS NULL THEN NULL WHEN \(code) < \(failures.count) THEN \(code) ELSE 0 END"
    }

    static func error(_ index: Int) -> TransportError.Code? {
        let index = index % expected
        return index < failures.count ? nil : errors[safe: index - failures.count]
    }

    private static func index(of failure: RetryPolicy.Failure, _ error: TransportError.Code?) -> Int? {
        let detail = failure == .connection ? error.flatMap { errors.firstIndex(of: $0) } : nil
        return detail.map { failures.count + $0 } ?? failures.firstIndex(of: failure)
    }

    /// - Parameter isExpected: true for an attempt whose failure the run expects.
    static func codes(
        of attempt: AttemptReport, isExpected: Bool = false
    ) -> (outcome: Int, failure: Int?, message: String?) {
        switch attempt.outcome {
        case .succeeded: (0, nil, nil)
        case .failed(let failure, let message):
            (1, index(of: failure, attempt.errorCode).map { isExpected ? $0 + expected : $0 }, message)
        case .stopped(let message): (2, nil, message)
        case .cancelled: (3, nil, nil)
        case .abandoned: (4, nil, nil)
        case .slaExceeded: (5, nil, nil)
        }
    }

    static func outcome(_ code: Int, failure: Int?, message: String) -> AttemptReport.Outcome {
        switch code {
        case 1: .failed(self.failure(failure ?? 0), message)
        case 2: .stopped(message)
        case 3: .cancelled
        case 4: .abandoned
        case 5: .slaExceeded
        default: .succeeded
        }
    }
}
