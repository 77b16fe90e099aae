import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// A run as the reports of `ombi run` show it: masked texts of limited length, so that many of them can be kept.
struct ReportedRun: Equatable, Sendable {
    enum Verdict: Sendable {
        case failed
        /// Passed after a retry.
        case flaky
        case passed
        /// Not sent, as the run ended before its turn.
        case skipped
    }

    /// The request of a run, and its turn.
    struct Place: Equatable, Sendable {
        /// The turn, from 0.
        var number = 0
        /// The names of the collection and the folders.
        var suite: [String] = []
        /// With the row of data and the repetition.
        var name = ""
        /// Relative to the root of the repository, if it is in it.
        var file = ""
        /// Nil where the request is not in the file.
        var line: Int?
        var environment: String?
        var method = "GET"
    }

    var place: Place
    var verdict: Verdict
    /// Nil unless it failed.
    var failureClass: FailureClass?
    /// A sentence for each failure, or why it was skipped.
    var failures: [String] = []
    var status: Int?
    var duration: Duration = .zero
    /// The number of expectations.
    var expectations = 0
    var attempts: [ReportedAttempt] = []
    /// The number of all attempts, of which the newest 100 are known.
    var attemptCount = 0
    /// Sentences about what else came of it.
    var notes: [String] = []
    /// Nil where the report has no room for it.
    var exchange: ReportedExchange?

    /// `shop/users/list users`
    var fullName: String { (place.suite + [place.name]).joined(separator: "/") }
    /// The attempts that failed and were retried.
    var retried: [ReportedAttempt] { attempts.filter(\.isRetried) }
    /// `3 attempts: 503, 503`; nil where nothing was retried.
    var retries: String? {
        let retried = retried
        guard !retried.isEmpty else { return nil }
        let causes = retried.suffix(10).map { $0.status.map(String.init) ?? $0.kind ?? $0.result }
        return "\(Count.of(attemptCount, "attempt")): " + causes.joined(separator: ", ")
    }
    /// The first failure.
    var message: String { failures.first ?? "" }
}

extension ReportedRun {
    private static let maximumFailures = 20

    /// - Parameters:
    ///   - failureClass: the class of the failure; nil for a result that passed.
    ///   - isDetailed: true to keep request and response, too.
    init(_ result: SessionResult, at place: Place, _ failureClass: FailureClass?, isDetailed: Bool) {
        let attempts = result.report?.attempts ?? []
        let retried = result.retriedAttempts
        self.init(
            place: place, verdict: !result.passed ? .failed : retried.isEmpty ? .passed : .flaky,
            failureClass: failureClass)
        failures = result.failures.prefix(Self.maximumFailures).map {
            ReportText.cut($0, to: ReportText.maximumMessage)
        }
        if result.failures.count > Self.maximumFailures {
            failures.append(Count.of(result.failures.count - Self.maximumFailures, "more failure"))
        }
        status = result.receivedResponse?.statusCode
        duration = result.report?.duration ?? result.elapsed ?? .zero
        expectations = result.expectations.count
        self.attempts = attempts.enumerated().map { ReportedAttempt($1, isRetried: retried.contains($0)) }
        attemptCount = result.report?.attemptCount ?? 0
        notes = Self.notes(on: result).map { ReportText.cut($0, to: ReportText.maximumMessage) }
        if isDetailed { exchange = ReportedExchange(result) }
    }

    private static func notes(on result: SessionResult) -> [String] {
        let first = result.dependencies.map { dependency in
            let outcome = dependency.statusCode.map(StatusCode.words) ?? "no response"
            return "sent \(dependency.request) first, for {{\(dependency.variable)}}: \(outcome), "
                + Count.of(dependency.attempts, "attempt")
        }
        let missed = result.passed ? nil : result.report?.attempts.last?.missedRetry?.words
        return first + [missed, result.remark, result.fallback?.words].compactMap { $0 }
    }
}

extension SessionResult {
    /// The attempts that failed and were retried, by their indices in the report. A token that was renewed and a stream
    /// that was continued are no retries.
    var retriedAttempts: Set<Int> {
        let attempts = report?.attempts ?? []
        return Set(
            attempts.indices.dropFirst().compactMap { index -> Int? in
                [.retry, .manual].contains(attempts[index].reason) ? index - 1 : nil
            })
    }
}
