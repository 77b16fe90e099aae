/// The outcome of a run in a word.
package enum RecordedOutcome: Int, CaseIterable, Sendable, Codable {
    /// A response that met every expectation.
    case passed = 0
    /// A response that did not.
    case failed = 1
    /// No response, or a part of one.
    case error = 2
    case cancelled = 3

    package var name: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .error: "error"
        case .cancelled: "cancelled"
        }
    }

    init(_ result: SessionResult) {
        switch result.ending {
        case .response: self = result.passed ? .passed : .failed
        case .failure: self = .error
        case .cancelled: self = .cancelled
        }
    }
}

/// A run in the history, in short.
package struct HistoryEntry: Equatable, Sendable, Identifiable {
    /// Grows from run to run.
    package var id: Int
    package var request: ItemPath
    package var environment: String?
    /// The start by the clock of the system, which may have been set since.
    package var startedAt: Date
    package var duration: Duration
    package var method: String
    /// Masked; empty for a run that could not be prepared.
    package var url: String
    package var outcome: RecordedOutcome
    package var status: Int?
    /// The first reason why it did not pass.
    package var failure: String?
    /// The kind of failure of the last attempt, if it failed.
    package var failureKind: RetryPolicy.Failure?
    package var attempts: Int
    /// The bytes of the body after decoding, or of its part; nil without a response.
    package var size: Int?
}

/// The place of a run among others: `3 of 12`, the newest first.
package struct HistoryPlace: Equatable, Sendable {
    /// From 1.
    package var number: Int
    package var count: Int

    package init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }
}

/// A run in the history, with its request, its attempts and its response. Every secret is masked, also in the body.
package struct RecordedRun: Equatable, Sendable {
    package var entry: HistoryEntry
    package var result: SessionResult
    /// The reason why the body was not kept, as a sentence; nil if it was, or there was none.
    package var missingBody: String?
}

/// A run in the row of its request: as much as a list shows of it.
package struct RecentRun: Equatable, Sendable {
    package var duration: Duration
    package var passed: Bool
    package var status: Int?
}

extension HistoryReader {
    /// The last runs of every request of some files, the oldest first; cancelled ones do not count.
    func recent(files: [String], limit: Int) throws(DatabaseError) -> [ItemPath: [RecentRun]] {
        var runs: [ItemPath: [RecentRun]] = [:]
        for file in files {
            // The index of the runs of a request has them in order: no more rows are read than are shown.
            let rows = try database.rows(
                """
                SELECT request.path, run.duration, run.outcome, run.status FROM request JOIN run ON run.id IN (
                    SELECT id FROM run AS newest WHERE newest.request = request.id AND newest.outcome != 3
                    ORDER BY id DESC LIMIT ?)
                WHERE request.file = ? ORDER BY request.id, run.id
                """, [.integer(limit), .text(file)]
            ) { ($0.text(0), RecentRun(duration: $0.duration(1), passed: $0.integer(2) == 0, status: $0.status(3))) }
            for (path, run) in rows {
                runs[ItemPath(file: file, path: HistoryPath.names(path)), default: []].append(run)
            }
        }
        return runs
    }
}

/// The enumerations of an attempt as numbers of the database. Never change a number: files contain it.
enum AttemptCode {
    private static let reasons: [AttemptReport.Reason] = [.first, .retry, .reconnect, .manual, .credentialsRefreshed]
    private static let waitReasons: [WaitReason] = [.backoff, .retryAfter, .reconnection, .credentials, .breaker]
    private static let failures: [RetryPolicy.Failure] = [.connection, .timeout, .status, .decoding, .validation]

    /// Kinds of transport failures, numbered after `failures`: details of `connection`, as which earlier versions read
    /// them.
    private static let errors: [TransportError.Code] = [
        .cannotFindHost, .cannotConnectToHost, .connectionLost, .secureConnectionFailed, .certificateNotTrusted,
        .tooManyRedirects, .responseTooLarge, .requestBodyFailed, .responseNotStored, .unsupportedURL,
        .unsupportedOption, .malformedResponse, .noDescriptors, .outOfMemory, .transportUnavailable, .unknown,
        .refused, .redirectRefused,
    ]

    /// Added to the number of a failure that its run expects (`SessionResult.expectsFailure`). Earlier versions read
    /// the sum as `connection`.
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

    /// - Parameters:
    ///   - isExpected: True for an attempt whose failure the run expects.
    ///   - rejection: The failure of a response that the run rejects, recorded with the success of its attempt.
    static func codes(
        of outcome: AttemptReport.Outcome, _ error: TransportError.Code?, isExpected: @autoclosure () -> Bool,
        rejection: @autoclosure () -> RetryPolicy.Failure?
    ) -> (outcome: Int, failure: Int?, message: String?) {
        switch outcome {
        case .succeeded: (0, rejection().flatMap { failures.firstIndex(of: $0) }, nil)
        case .failed(let failure, let message):
            (1, index(of: failure, error).map { isExpected() ? $0 + expected : $0 }, message)
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
