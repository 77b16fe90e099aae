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
