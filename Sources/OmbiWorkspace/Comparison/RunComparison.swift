import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Two runs of a request side by side: status, time, and the values that differ.
public struct RunComparison: Equatable, Sendable {
    /// One of the runs.
    public struct Side: Equatable, Sendable {
        /// Its number in the history; nil for one that is not there.
        public var run: HistoryEntry.ID?
        /// Nil where it is that of the comparison.
        public var request: ItemPath?
        public var environment: String?
        public var startedAt: Date?
        public var outcome: RecordedOutcome
        public var status: Int?
        /// The first reason why it did not pass.
        public var failure: String?
        /// Nil where nothing was sent.
        public var duration: Duration?
        public var attempts: Int
        /// Masked, as it is kept in the history. A comparison has looked at it and does not keep it.
        public var body: Data?
        /// The reason why the body is not there, as a sentence.
        public var missingBody: String?

        /// True for a response, whatever its status.
        public var hasResponse: Bool { outcome == .passed || outcome == .failed }
    }

    /// The request of the new run.
    public var request: ItemPath
    public var old: Side
    public var new: Side
    public var body: BodyDifference

    /// - Parameter paths: those whose values may differ.
    public init(_ request: ItemPath, from old: Side, to new: Side, ignoring paths: [JSONPath] = []) {
        self.request = request
        self.old = old
        self.new = new
        if let missing = old.missingBody ?? new.missingBody {
            body = .other(missing)
        } else if old.hasResponse, new.hasResponse {
            body = BodyDifference(from: old.body, to: new.body, ignoring: paths)
        } else {
            body = .same
        }
        // They have been compared.
        (self.old.body, self.new.body) = (nil, nil)
    }

    /// The request of the old run; nil where both are runs of one request.
    public var oldRequest: ItemPath? { old.request == request ? nil : old.request }

    /// True for two responses with the same status and the same values.
    public var isSame: Bool {
        old.hasResponse && new.hasResponse && old.status == new.status && body == .same
    }
}

extension RunComparison.Side {
    public init(_ run: RecordedRun) {
        let entry = run.entry
        self.init(
            run: entry.id, request: entry.request, environment: entry.environment, startedAt: entry.startedAt,
            outcome: entry.outcome,
            status: entry.outcome == .error ? nil : entry.status, failure: entry.failure,
            duration: entry.attempts > 0 ? entry.duration : nil,
            attempts: entry.attempts, body: run.result.response?.body, missingBody: run.missingBody)
    }

    /// - Parameter result: that of a run that has just ended.
    public init(_ result: SessionResult, environment: String?) {
        self.init(
            run: nil, environment: environment, startedAt: nil, outcome: RecordedOutcome(result),
            status: result.response?.statusCode, failure: result.failures.first, duration: result.report?.duration,
            attempts: result.attemptCount, body: result.maskedBody, missingBody: nil)
    }
}
