import OmbiCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The outcome of a run in a word.
public enum RecordedOutcome: Int, CaseIterable, Sendable, Codable {
    /// A response that met every expectation.
    case passed = 0
    /// A response that did not.
    case failed = 1
    /// No response, or a part of one.
    case error = 2
    case cancelled = 3

    public var name: String {
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
public struct HistoryEntry: Equatable, Sendable, Identifiable {
    /// Grows from run to run.
    public var id: Int
    public var request: ItemPath
    /// The name of the environment; nil for none.
    public var environment: String?
    /// The start by the clock of the system, which may have been set since.
    public var startedAt: Date
    public var duration: Duration
    public var method: String
    /// Masked; empty for a run that could not be prepared.
    public var url: String
    public var outcome: RecordedOutcome
    public var status: Int?
    /// The first reason why it did not pass.
    public var failure: String?
    /// The kind of that of the last attempt, if it failed.
    public var failureKind: RetryPolicy.Failure?
    public var attempts: Int
    /// The bytes of the body after decoding, or of its part; nil without a response.
    public var size: Int?

    public init(
        id: Int, request: ItemPath, environment: String?, startedAt: Date, duration: Duration, method: String,
        url: String, outcome: RecordedOutcome, status: Int?, failure: String?,
        failureKind: RetryPolicy.Failure? = nil, attempts: Int, size: Int?
    ) {
        self.id = id
        self.request = request
        self.environment = environment
        self.startedAt = startedAt
        self.duration = duration
        self.method = method
        self.url = url
        self.outcome = outcome
        self.status = status
        self.failure = failure
        self.failureKind = failureKind
        self.attempts = attempts
        self.size = size
    }
}

/// The place of a run among others: `3 of 12`, the newest first.
public struct HistoryPlace: Equatable, Sendable {
    /// From 1.
    public var number: Int
    public var count: Int

    public init(number: Int, count: Int) {
        self.number = number
        self.count = count
    }
}

/// A run in the history, with its request, its attempts and its response. Every secret is masked, also in the body.
public struct RecordedRun: Equatable, Sendable {
    public var entry: HistoryEntry
    public var result: SessionResult
    /// Nil where the body is there, or there was none; otherwise the reason why it is not kept, as a sentence.
    public var missingBody: String?

    public init(entry: HistoryEntry, result: SessionResult, missingBody: String? = nil) {
        self.entry = entry
        self.result = result
        self.missingBody = missingBody
    }
}

/// A run in the row of its request: as much as a list shows of it.
public struct RecentRun: Equatable, Sendable {
    public var duration: Duration
    public var passed: Bool
    public var status: Int?

    public init(duration: Duration, passed: Bool, status: Int? = nil) {
        self.duration = duration
        self.passed = passed
        self.status = status
    }
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
