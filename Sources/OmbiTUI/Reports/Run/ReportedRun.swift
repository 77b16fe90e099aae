/// A run, or a finding of another command, as reports show it: masked texts of limited length, so that many of them can be
/// kept.
struct ReportedRun: Equatable, Sendable {
    enum Verdict: Sendable {
        case failed
        /// Passed after a retry.
        case flaky
        case passed
        /// A finding that fails nothing.
        case warned
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
    /// A sentence for each failure, the warning, or why it was skipped. Behind the sentence of a finding are the lines of its
    /// difference.
    var failures: [String] = []
    /// The line of the first expectation that was not met; nil for another failure, and for one without a line.
    var failedLine: Int?
    var status: Int?
    var duration: Duration = .zero
    /// The number of expectations.
    var expectations = 0
    var attempts: [ReportedAttempt] = []
    /// The number of all attempts, of which the newest 100 are known; of a list in pages those for one of them.
    var attemptCount = 0
    /// Sentences about what else came of it.
    var notes: [String] = []
    /// Nil where the report has no room for it.
    var exchange: ReportedExchange?
    /// The place, for the words above the failures where the name is one of them; nil for the full name.
    var title: String?

    /// `shop/users/list users`
    var fullName: String { place.suite.reduce(into: "") { $0 += $1 + "/" } + place.name }
    /// The attempts that failed and were retried.
    var retried: [ReportedAttempt] { attempts.filter(\.isRetried) }
    /// `3 attempts: 503, 503`, or `4 retries: 503, 503, 503, 503` of several pages; nil where nothing was retried.
    var retries: String? {
        let retried = retried
        guard !retried.isEmpty else { return nil }
        let causes = retried.suffix(10).map { $0.status.map(String.init) ?? $0.kind ?? $0.result }
        let isOfOne = retried.count < attemptCount
        return (isOfOne ? "\(attemptCount) attempts: " : "\(retried.count) retries: ") + causes.joined(separator: ", ")
    }
    /// The first failure.
    var message: String { failures.first ?? "" }
    /// The words above the failures.
    var heading: String { title ?? fullName }
}

extension ReportedRun {
    private static let maximumFailures = 20

    /// Without request and response.
    /// - Parameter failureClass: the class of the failure; nil for a result that passed.
    init(_ result: SessionResult, at place: Place, _ failureClass: FailureClass?) {
        let report = result.report
        let attempts = report?.attempts ?? []
        let retried = attempts.count > 1 ? result.retriedAttempts : []
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
        duration = report?.duration ?? result.elapsed ?? .zero
        expectations = result.expectations.count
        // No report has a sentence about one that passed at once.
        let isTold = attempts.count > 1 || !result.passed
        // By index, as are those below: an element of a loop is a copy, and each run has its own.
        self.attempts = attempts.indices.map {
            ReportedAttempt(attempts[$0], isRetried: retried.contains($0), isTold: isTold)
        }
        attemptCount = result.attemptCount
        let sentFirst = result.dependencies.map { dependency in
            let outcome = dependency.statusCode.map(StatusCode.words) ?? "no response"
            return "sent \(dependency.request) first, for {{\(dependency.variable)}}: \(outcome), "
                + Count.of(dependency.attempts, "attempt")
        }
        notes = (sentFirst + result.notes).map { ReportText.cut($0, to: ReportText.maximumMessage) }
    }
}

extension [AttemptReport] {
    /// `held by the breaker for 8.0 s`; nil where no attempt was.
    var holdWords: String? {
        let held = indices.compactMap { self[$0].held }
        return held.isEmpty ? nil : "held by the breaker for \(TimeText.duration(held.reduce(Duration.zero, +)))"
    }
}

extension SessionResult {
    /// Sentences about what else came of it: the time for which attempts were held, the reason why the last attempt of
    /// a failed run was the last, a doubtful response, and the fallback.
    var notes: [String] {
        let attempts = report?.attempts ?? []
        let missed = passed ? nil : attempts.last?.missedRetry?.words
        return [attempts.holdWords, missed, remark, fallback?.words].compactMap(\.self)
    }

    /// The attempts that failed and were retried, by their indices in the report. A token that was renewed and a stream
    /// that was continued are no retries.
    var retriedAttempts: Set<Int> {
        guard let attempts = report?.attempts, attempts.count > 1 else { return [] }
        return Set(
            attempts.indices.dropFirst().compactMap { index -> Int? in
                [.retry, .manual].contains(attempts[index].reason) ? index - 1 : nil
            })
    }
}

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
    /// - Parameter isTold: false for an attempt that no report has a sentence about.
    init(_ attempt: AttemptReport, isRetried: Bool, isTold: Bool) {
        self.init(
            number: attempt.number, startedAt: attempt.startedAt, duration: attempt.duration, wait: attempt.wait,
            status: attempt.response?.statusCode,
            result: isTold ? ReportText.cut(attempt.resultText, to: ReportText.maximumMessage) : "")
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
        if isTold { phases = attempt.phaseText }
    }
}

/// A request and its response as text, masked as the history masks them, and cut.
struct ReportedExchange: Equatable, Sendable {
    var request: String
    /// Nil without a response.
    var response: String?
}

extension ReportedExchange {
    /// In bytes; of a body beyond it, no part is shown.
    private static let maximumBody = 1 << 16
    private static let maximumHeaders = 40

    /// Nil for a run of which nothing could be prepared.
    init?(_ result: SessionResult) {
        guard let sent = result.prepared else { return nil }
        let headers = sent.headers.filter(\.isSent).map { ($0.name, Self.masked($0.value, named: $0.name)) }
        let url = LogMask.url(sent.url)
        let first = sent.method.rawValue + " " + ReportText.cut(url, to: ReportText.maximumMessage)
        request = Self.text(first, headers, sent.body.map { LogMask.json($0) } ?? "")
        guard let received = result.receivedResponse else { return }
        let version = result.report?.attempts.last?.metrics.protocolName
        let status = received.statusCode.map(StatusCode.words)
        response = Self.text(
            [version, status].compactMap { $0 }.joined(separator: " "),
            (received.headers?.kept.fields ?? []).map { ($0.key.name, $0.value.text) },
            Self.body(of: result))
    }

    /// Names tell secrets apart that no collection calls one.
    private static func masked(_ value: String, named name: String) -> String {
        RequestHeaders.Key(name).isSensitive ? LogMask.mask : value
    }

    private static func text(_ first: String, _ headers: [(String, String)], _ body: String) -> String {
        let fields = headers.prefix(maximumHeaders).map {
            ReportText.cut("\($0.0): \($0.1)", to: ReportText.maximumName)
        }
        let rest = body.isEmpty ? [] : ["", ReportText.cut(body, to: ReportText.maximumExcerpt)]
        return ([first] + fields + rest).joined(separator: "\n")
    }

    private static func body(of result: SessionResult) -> String {
        let size = result.receivedResponse?.body?.count ?? 0
        guard size <= maximumBody else { return "(a body of \(TimeText.size(size)))" }
        guard let body = result.maskedBody else { return "" }
        return String(validating: body, as: UTF8.self) ?? "(\(TimeText.size(size)) that are no text)"
    }
}

/// A limit of the whole run, or its end: it passes or fails as a request does.
struct ReportedCheck: Equatable, Sendable {
    var name: String
    /// A sentence; nil for one that is met.
    var failure: String?
}
