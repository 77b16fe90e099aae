/// The result of a run. Secrets are masked everywhere but in the body of the response.
package struct SessionResult: Equatable, Sendable {
    package enum Ending: Equatable, Sendable {
        case response(TransportResponse)
        /// The reason why there is no response, as a sentence.
        case failure(String)
        case cancelled
    }

    package var ending: Ending
    /// nil if nothing could be prepared.
    private(set) var sent: SentRequest?
    /// nil when nothing was sent.
    @Rare package var report: RequestReport?
    /// The verdict: a sentence for each failure; empty for a run that passed.
    package var failures: [String]
    /// The verdict on each expectation; empty without a response.
    package var expectations: [ExpectationResult]
    /// The requests that were sent first, in the order of their ends.
    package var dependencies: [DependencyResult]
    /// The values that were captured; secret ones are masked.
    package var captured: [CapturedValue] = []
    /// The pages that the body is joined of; nil for a response that is whole.
    package var pages: PageSummary?
    /// The response that replaces a failed one; nil if none is needed. It changes neither ending nor verdict.
    package var fallback: Fallback?
    /// The time until the cancellation of a run that sent nothing; nil for any other.
    package var elapsed: Duration?
    /// The part that came of a response that failed: its status, its headers and the bytes of its body; nil for any other end.
    @Rare package var partial: TransportResponse?
    /// The secrets of the run, for masking the stored body.
    var redactor = Redactor()

    package init(
        _ ending: Ending, prepared: PreparedRequest? = nil, report: RequestReport? = nil,
        dependencies: [DependencyResult] = []
    ) {
        self.init(ending, prepared.map(SentRequest.init), expectation: prepared?.expectation, report: report)
        self.dependencies = dependencies
    }

    /// - Parameter report: masked.
    init(
        _ ending: Ending, _ sent: SentRequest?, expectation: Expectation?, report: RequestReport?,
        redactor: Redactor = Redactor()
    ) {
        self.ending = ending
        self.sent = sent
        dependencies = []
        _report = Rare(wrappedValue: report)
        self.redactor = redactor
        expectations = Self.expectations(on: ending, expectation, report, redactor)
        failures = Self.failures(of: ending, expectation, expectations)
    }

    /// The request as sent or, if nothing was sent, as prepared; nil if it could not be prepared.
    package var prepared: PreparedRequest? {
        get { sent?.value }
        set { sent = newValue.map(SentRequest.init) }
    }

    package var passed: Bool { failures.isEmpty }
    /// The attempts of the report, of which nothing else is copied.
    var reportedAttempts: [AttemptReport] { _report.box?.value?.attempts ?? [] }
    /// The limit over all attempts and waits; nil for none.
    var sla: Duration? { _report.box?.value?.sla }
    /// The duration of the run, or of what came before it.
    var duration: Duration { _report.box?.value?.duration ?? elapsed ?? .zero }
    /// The number of attempts; of a list in pages `attemptsOfPage`.
    package var attemptCount: Int { pages == nil ? _report.box?.value?.attemptCount ?? 0 : attemptsOfPage }
    /// The number of attempts for the pages that took the most; of a whole response all of them.
    package var attemptsOfPage: Int {
        let attempts = report?.attempts ?? []
        return pages == nil ? attempts.count : attempts.countOfLongestPage
    }

    /// The complete response.
    package var response: TransportResponse? { if case .response(let response) = ending { response } else { nil } }
    /// The response, or the received part of a failed one.
    package var receivedResponse: TransportResponse? { response ?? partial }

    /// A sentence about a doubtful response, or about empty or insufficient credentials; nil for none.
    package var remark: String? {
        // By index: the last of an array is a copy of all that an attempt has.
        let attempts = report?.attempts ?? []
        return attempts.indices.last.flatMap { attempts[$0].remark }
            ?? sent?.credentialsWarning(after: receivedResponse?.statusCode)
    }

    private static func expectations(
        on ending: Ending, _ expectation: Expectation?, _ report: RequestReport?, _ redactor: Redactor
    ) -> [ExpectationResult] {
        guard case .response(let response) = ending, let expectation else { return [] }
        let certificate = report?.attempts.last?.metrics.tls?.certificates.first
        return expectation.results(
            Observation(
                status: response.statusCode, duration: report?.duration ?? .zero,
                firstAttempt: report?.attempts.first?.duration, headers: response.headers ?? [:],
                body: response.body ?? Data(), certificateEnd: certificate?.notAfter, mask: { redactor.redact($0) }))
    }

    /// A status from 400 on is a failure unless a status is expected.
    private static func failures(
        of ending: Ending, _ expectation: Expectation?, _ expectations: [ExpectationResult]
    ) -> [String] {
        switch ending {
        case .cancelled: return ["cancelled"]
        case .failure(let message): return [message]
        case .response(let response):
            let unmet = expectations.filter { !$0.isMet }.map(\.sentence)
            guard expectation?.status.isEmpty ?? true, let status = response.statusCode, status >= 400 else {
                return unmet
            }
            return [StatusCode.words(status)] + unmet
        }
    }
}

extension SessionResult.Ending {
    /// - Parameter environment: The environment whose `verifyTLS` applies to the request, as text; nil for none.
    init(
        _ result: Result<TransportResponse, RequestError<NoError>>, _ redactor: Redactor, environment: String? = nil
    ) {
        switch result {
        case .success(let response): self = .response(redactor.redact(response))
        case .failure(.cancelled): self = .cancelled
        case .failure(let error): self = .failure(redactor.redact(message: Self.message(of: error, environment)))
        }
    }

    /// Returns the message with advice about the collection instead of the library's members.
    private static func message(of error: RequestError<NoError>, _ environment: String?) -> String {
        guard case .connectionError(let cause) = error else { return error.description }
        let message = Self.inWordsOfFile(cause.advice == nil ? error.description : cause.message)
        guard let advice = cause.advice else { return message }
        switch cause.code {
        // The file with the authorities is named, and wrong.
        case .certificateNotTrusted where advice.hasPrefix("check "): return "\(message); \(inWordsOfFile(advice))"
        case .certificateNotTrusted:
            let other = environment.map { ", or set verifyTLS of \($0) to false" } ?? ""
            return
                "\(message); name the file of its authority in caFile of the connection (CA file in the tab Connection)"
                + other
        case .secureConnectionFailed where !advice.contains("Connection."): return "\(message); \(advice)"
        case .secureConnectionFailed, .connectionLost:
            return "\(message); the server may want a certificate: name one in clientCertificate of the connection "
                + "(client cert in the tab Connection)"
        default: return message
        }
    }

    /// Returns a message with the keys of a collection instead of the members of the library.
    private static func inWordsOfFile(_ message: String) -> String {
        guard message.contains("Connection.") else { return message }
        let keys = [
            ("Connection.tls.pinnedPublicKeys", "pins"), ("Connection.tls.minimumVersion", "minimumTLS"),
            ("Connection.redirects.maximum", "maximumRedirects"), ("Connection.addresses", "resolve"),
            ("Connection.networkInterface", "interface"), ("Connection.tls.", ""), ("Connection.", ""),
        ]
        return keys.reduce(message) { $0.replacing($1.0, with: $1.1) }
    }
}

/// The number of runs that passed and failed.
package struct Tally: Equatable, Sendable {
    package var passed: Int
    package var failed: Int

    package init(passed: Int = 0, failed: Int = 0) {
        self.passed = passed
        self.failed = failed
    }

    package var count: Int { passed + failed }
}

extension AttemptReport {
    /// A sentence about a body that is as it came; nil for any other.
    package var remark: String? {
        metrics.unknownCoding.map { "the body is as it came, as its Content-Encoding \"\($0)\" is unknown" }
    }
}

extension Session {
    /// The end of a run before anything of it is masked.
    struct Outcome: Sendable {
        var ending: Result<TransportResponse, RequestError<NoError>>
        var report: RequestReport?
        /// The pages that were joined to the response; nil for a single one.
        var pages: PageSummary?
        /// The reason why the pages end early, as a sentence.
        var problem: String?
        /// The report of the first page, where there are several.
        var firstPage: RequestReport?
    }
}

/// The request of a result as it went on the wire, masked when it is first looked at: most results of a long run are only
/// counted.
final class SentRequest: Sendable {
    private let state: Lock<State>
    /// Known before the request is masked, as is the scheme of the credentials.
    private let emptyCredentialsWarning: String?
    private let scheme: String?

    private enum State {
        case shown(ShownRequest, PreparedRequest.Trail)
        case sent(Unmasked)
    }

    /// An object, so that nothing of it is copied to look at it.
    private final class Unmasked: Sendable {
        let shared: SharedRequest
        let wire: TransportRequest
        let report: RequestReport
        let redactor: Redactor
        let end: Date?

        init(
            _ shared: SharedRequest, _ wire: TransportRequest, _ report: RequestReport, _ redactor: Redactor,
            end: Date?
        ) {
            (self.shared, self.wire, self.report, self.redactor, self.end) = (shared, wire, report, redactor, end)
        }

        var parts: (shared: ShownRequest, trail: PreparedRequest.Trail) {
            let trail = PreparedRequest.Trail(report.attempts, of: wire.url, redactor, end: end)
            return (shared.shown(wire, redactor), trail)
        }
    }

    init(_ shown: PreparedRequest) {
        (emptyCredentialsWarning, scheme) = (shown.emptyCredentialsWarning, shown.authentication?.value)
        var shared = shown
        shared.trail = PreparedRequest.Trail()
        state = Lock(.shown(ShownRequest(shared), shown.trail))
    }

    /// - Parameters:
    ///   - report: Unmasked; nil if nothing was sent.
    ///   - expiresAt: The expiry of the token that was sent.
    init(_ shared: SharedRequest, _ report: RequestReport?, _ redactor: Redactor, expiresAt: Date?) {
        let prepared = shared.prepared
        (emptyCredentialsWarning, scheme) = (prepared.emptyCredentialsWarning, prepared.authentication?.value)
        guard let report, let wire = report.request else {
            state = Lock(.shown(ShownRequest(prepared.expiring(at: expiresAt)), .init()))
            return
        }
        // Certificates and tokens last from now on.
        let end = report.attempts.last?.metrics.tls.map { _ in Date() }
        guard expiresAt == nil else {
            let sent = prepared.expiring(at: expiresAt).sent(wire, redactor)
            let trail = PreparedRequest.Trail(report.attempts, of: wire.url, redactor, end: end)
            state = Lock(.shown(ShownRequest(sent), trail))
            return
        }
        state = Lock(.sent(Unmasked(shared, wire, report, redactor, end: end)))
    }

    func credentialsWarning(after status: Int?) -> String? {
        emptyCredentialsWarning ?? PreparedRequest.ticketWarning(scheme, after: status)
    }

    /// The request that all runs have that send the same, and the way that it took in this one.
    var parts: (shared: ShownRequest, trail: PreparedRequest.Trail) {
        state.withLock { state in
            switch state {
            case .shown(let shared, let trail): return (shared, trail)
            case .sent(let unmasked):
                let parts = unmasked.parts
                state = .shown(parts.shared, parts.trail)
                return parts
            }
        }
    }

    var value: PreparedRequest {
        let (shared, trail) = parts
        var request = shared.request
        request.trail = trail
        return request
    }
}

extension SentRequest: Equatable {
    static func == (one: SentRequest, other: SentRequest) -> Bool { one === other || one.value == other.value }
}

extension SentRequest: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}
