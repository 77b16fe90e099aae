/// A request as it goes out, with every secret masked, and the source of every part.
package struct PreparedRequest: Equatable, Sendable {
    package var url: String
    /// The source of scheme, host and port.
    package var hostSource: Source
    package var method: RequestMethod
    package var headers: [Header]
    package var body: String?
    /// True for a body that names the files that were read while it was sent: its text is not what went out.
    package var namesFiles = false
    /// The scheme of credentials that are obtained or computed while the request is sent, with the expiry of their token; nil
    /// for others, which are among the headers or in the query.
    package var authentication: Setting<String>?
    /// The parts of the credentials that are empty, although no server knows anybody without them.
    package var emptyCredentials: [String] = []
    /// A warning about them: `the token of the authentication is empty`; nil if none is empty.
    package var emptyCredentialsWarning: String? {
        guard let last = emptyCredentials.last else { return nil }
        let labels = emptyCredentials.map { "the " + $0 }.joined(separator: " and ")
        return "\(labels) of the authentication \(emptyCredentials == [last] ? "is" : "are") empty"
    }
    /// The same of a response with a status, or a sentence about a Kerberos ticket that did not do.
    package func credentialsWarning(after status: Int?) -> String? {
        emptyCredentialsWarning ?? Self.ticketWarning(authentication?.value, after: status)
    }

    /// - Parameter scheme: The scheme of the credentials; libcurl sends nothing without a ticket.
    static func ticketWarning(_ scheme: String?, after status: Int?) -> String? {
        guard status == 401, scheme == ConnectionAuthentication.Scheme.negotiate.description else { return nil }
        return "there was no Kerberos ticket to send, or the server refused it: `klist` lists tickets, `kinit` gets one"
    }

    /// A warning about a `Content-Encoding` that was not applied to the body; nil for none.
    package var codingWarning: String?
    /// The limit over all attempts and waits.
    package var sla: Setting<Duration>
    /// The number of attempts, the first one included.
    package var attempts: Setting<Int>
    /// The variables that its templates name, sorted by name.
    package var variables: [UsedVariable]
    /// False if the certificate of the server is not verified.
    package var verifiesTLS = true
    package var connection: [ConnectionSetting] = []
    /// Checked when the run has ended.
    package var expectation: Expectation?
    /// Nil for a request without further pages.
    package var pages: SavedPages?
    /// The sources of this machine that go with it, each with its destination.
    package var sources: [SentSource] = []
    /// Each run has its own, while those that send the same request share the rest.
    var trail = Trail()
    /// The URL of the response, if redirects led elsewhere.
    package var redirectedTo: String? {
        get { trail.redirectedTo }
        set { trail.redirectedTo = newValue }
    }
    /// The redirects that the attempts followed, in order.
    package var redirects: [FollowedRedirect] {
        get { trail.redirects }
        set { trail.redirects = newValue }
    }
    /// The time at which the run ended, for the validity of certificates; nil without TLS.
    package var endedAt: Date? {
        get { trail.endedAt }
        set { trail.endedAt = newValue }
    }
    /// The template of the page that shows the trace of the run; nil for none.
    package var traceURL: String?

    package typealias Source = Provenance

    /// The way that a request took, and its end.
    struct Trail: Equatable, Sendable {
        var redirectedTo: String?
        var redirects: [FollowedRedirect] = []
        var endedAt: Date?
    }

    /// A source of this machine that goes to a destination.
    package struct SentSource: Equatable, Sendable {
        /// In words, without its value: `$TOKEN`.
        package var source: String
        package var destination: String
        /// The parts that it is in: `URL`, `header X-Token`, `body`.
        package var parts: [String]
    }

    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: String
        package var source: Source

        package init(name: String, value: String, source: Source = .request) {
            self.name = name
            self.value = value
            self.source = source
        }

        /// False for the length of the body, which is counted when it is sent.
        package var isSent: Bool { RequestHeaders.Key(name) != .contentLength }
    }

    /// A setting of the connection as a line of text.
    package struct ConnectionSetting: Equatable, Sendable {
        package var name: String
        package var value: String
        package var source: Source
    }

    package struct Setting<Value: Equatable & Sendable>: Equatable, Sendable {
        package var value: Value
        package var source: Source

        package init(_ value: Value, _ source: Source = .ombi) {
            self.value = value
            self.source = source
        }
    }

    package init(
        url: String, hostSource: Source = .request, method: RequestMethod, headers: [Header], body: String? = nil,
        authentication: Setting<String>? = nil, sla: Setting<Duration>, attempts: Setting<Int>,
        variables: [UsedVariable] = [], expectation: Expectation? = nil
    ) {
        self.url = url
        self.hostSource = hostSource
        self.method = method
        self.headers = headers
        self.body = body
        self.authentication = authentication
        self.sla = sla
        self.attempts = attempts
        self.variables = variables
        self.expectation = expectation
    }
}

extension PreparedRequest.Trail {
    /// - Parameters:
    ///   - attempts: Unmasked.
    ///   - url: The URL of the request.
    ///   - end: The time at which the run ended.
    init(_ attempts: [AttemptReport], of url: URL, _ redactor: Redactor, end: Date?) {
        endedAt = end
        // By index: an attempt by itself is a copy of all that it has.
        let final = attempts.indices.last.flatMap { attempts[$0].response?.url }
        redirectedTo = final.flatMap { $0 == url ? nil : redactor.redact($0.absoluteString) }
        for index in attempts.indices where !attempts[index].metrics.redirects.isEmpty {
            var redactor = redactor
            // A secret that is captured may have had another value in an earlier attempt.
            let hides = redactor.hidesEarlierResponses && index < attempts.count - 1
            redactor.hidesHeaders = redactor.hidesHeaders || hides
            let number = attempts[index].number
            redirects += attempts[index].metrics.redirects.map { FollowedRedirect($0, of: number, redactor) }
        }
        FollowedRedirect.limit(&redirects)
    }
}

extension PreparedRequest {
    init(_ resolved: ResolvedRequest) {
        let redactor = resolved.redactor
        self.init(
            url: Self.shown(
                url: redactor.redact(
                    (resolved.webSocket == nil ? resolved.host : "ws" + resolved.host.dropFirst(4)) + resolved.path
                        + resolved.query.suffix)),
            hostSource: resolved.hostSource,
            method: resolved.method,
            headers: (resolved.headers.fields + resolved.additionalHeaders.fields).map {
                Header(
                    name: redactor.redact($0.key.name), value: Self.shown($0, redactor),
                    source: resolved.headerSources[$0.key] ?? .request)
            },
            body: resolved.body.map { redactor.redact($0.text) },
            authentication: resolved.credentials.flatMap { credentials in
                if case .plain = credentials { return nil }
                return Setting(credentials.description, resolved.credentialsSource)
            },
            sla: resolved.sla, attempts: resolved.attempts,
            variables: resolved.variables.map {
                UsedVariable(name: $0.name, value: redactor.redact($0.value), source: $0.source)
            },
            expectation: resolved.expectation)
        (verifiesTLS, connection) = (resolved.verifyTLS, resolved.connectionSettings)
        namesFiles = resolved.body?.namesFiles ?? false
        pages = resolved.pages
        traceURL = resolved.traceURL
        sources = resolved.flows.map { flow in
            SentSource(
                source: flow.source.text, destination: flow.destination.text,
                parts: resolved.sources.parts(of: flow.source))
        }
        emptyCredentials = resolved.credentials?.emptyParts ?? []
        codingWarning = resolved.body.flatMap { body in
            guard body.compression == nil else { return nil }
            let coding = headers.last { $0.name.lowercased() == "content-encoding" }
            return coding.flatMap { ContentCoding.warning(of: $0.value, isFile: body.isFile) }
        }
    }

    /// Masks credentials in clear by the names of their parameters, too: a redactor knows no short ones, which would hide
    /// parts of other texts.
    private static func shown(url: String) -> String {
        let mayHave = url.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "@") }
        return mayHave ? SecretDetector.masked(url, named: "path") : url
    }

    /// The same for the value of a header.
    private static func shown(_ field: RequestHeaders.Field, _ redactor: Redactor) -> String {
        let text = redactor.redact(field.value.text)
        guard field.key.isSensitive, !text.contains(LogMask.mask) else { return text }
        return SecretDetector.masked(text, named: field.key.name)
    }

    /// Returns the request as sent, without what its responses led to.
    /// - Parameter wire: Unmasked.
    func sent(_ wire: TransportRequest, _ redactor: Redactor) -> PreparedRequest {
        var sent = self
        let url = redactor.redact(wire.url.absoluteString)
        // A URL in which nothing was found stays what it is.
        if !url.hasBytes(of: self.url) || url.contains(LogMask.mask) { sent.url = Self.shown(url: url) }
        sent.headers = wire.headers.fields.map { field in
            let name = redactor.redact(field.key.name)
            let key = RequestHeaders.Key(name)
            let prepared = headers.first { RequestHeaders.Key($0.name) == key }
            var value = redactor.redact(field.value.text)
            if let prepared, prepared.value.contains(LogMask.mask), !value.contains(LogMask.mask) {
                value = prepared.value
            }
            return Header(name: name, value: value, source: prepared?.source ?? .ombi)
        }
        sent.authorize()
        return sent
    }

    /// Returns the request with the time that its token lasts from now on.
    func expiring(at date: Date?) -> PreparedRequest {
        guard let date else { return self }
        var request = self
        request.authentication?.value += ", expires in " + Self.lifetime(date.timeIntervalSinceNow)
        return request
    }

    /// Gives the header of an authenticator the level of its credentials.
    private mutating func authorize() {
        guard let source = authentication?.source else { return }
        for index in headers.indices where headers[index].name.lowercased() == "authorization" {
            headers[index].source = source
        }
    }

    /// `45s`, `12m`, `3h`
    private static func lifetime(_ seconds: Double) -> String {
        let seconds = Int(max(0, seconds).rounded())
        if seconds < 120 { return "\(seconds)s" }
        return seconds < 7200 ? "\(seconds / 60)m" : "\(seconds / 3600)h"
    }
}

/// The trace of a request that was sent.
extension PreparedRequest {
    /// Returns the request as one of its attempts had it: with the span of that one.
    package func sent(as trace: TraceContext?) -> PreparedRequest {
        guard let trace, let index = headers.firstIndex(where: { RequestHeaders.Key($0.name) == .traceParent }),
            headers[index].value != trace.header
        else { return self }
        var sent = self
        sent.headers[index].value = trace.header
        return sent
    }

    /// Returns the request as an attempt had it: with the headers of that one where they are known, and with its span.
    package func sent(as attempt: AttemptReport) -> PreparedRequest {
        var request = sent(as: attempt.trace)
        if let own = attempt.sent { request.headers = request.headers(as: own) }
        return request
    }

    /// Returns header fields as they went out, each with its known source.
    func headers(as own: RequestHeaders) -> [Header] {
        own.fields.map { field in
            let known = headers.first { RequestHeaders.Key($0.name) == field.key }
            // Masked, the same credentials say less.
            let isKnown = field.key.isSensitive || field.key == .traceParent
            let value = isKnown ? known?.value ?? field.value.text : field.value.text
            return Header(name: field.key.name, value: value, source: known?.source ?? .ombi)
        }
    }

    /// Returns the URL of the page that shows a trace; nil without a template.
    package func page(of trace: TraceContext) -> String? { traceURL.flatMap { SavedTrace.page($0, trace) } }
}

extension PreparedRequest.Header {
    /// True for the header that Ombi adds for a trace: another one for each run.
    var isOfTrace: Bool { source == .ombi && RequestHeaders.Key(name) == .traceParent }
}
