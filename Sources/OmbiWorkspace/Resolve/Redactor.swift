/// Masks secrets, in every form in which they travel, in texts that are shown, logged, copied or kept.
///
/// It is internal: `ResolveError`, `PreparedRequest` and `SessionEvent` are masked before they leave this module.
struct Redactor: Sendable, Equatable {
    static let mask = LogMask.mask

    private var patterns = SecretPatterns()
    /// The response headers whose whole values are masked.
    var secretHeaders: Set<RequestHeaders.Key> = []
    /// True while the body has yet to come that a secret is captured from: a header may hold the same value.
    var hidesHeaders = false
    /// True if a secret is captured from the body: the response to an earlier attempt may hold another value of it.
    var hidesEarlierResponses = false

    /// True if everything stays unmasked.
    var isEmpty: Bool { patterns.isEmpty && secretHeaders.isEmpty && !hidesHeaders && !hidesEarlierResponses }

    /// Masks these values; empty ones are ignored.
    init(_ secrets: some Sequence<String> = []) { add(secrets) }

    /// Masks these values, too.
    mutating func add(_ secrets: some Sequence<String>) {
        let forms = secrets.reduce(into: Set<String>()) { $0.formUnion(SecretForms.all(of: $1)) }
        var known: Set<SecretPattern> = []
        for form in forms.sorted() {
            let pattern = SecretPattern(form)
            if known.insert(pattern).inserted { patterns.add(pattern) }
        }
    }

    /// Also masks the tokens of a scheme that the transport negotiates: a server may repeat them, and those of NTLM
    /// reveal a password to anyone who tries enough of them.
    mutating func add(tokensOf scheme: ConnectionAuthentication.Scheme) {
        switch scheme {
        // The third message, which has the responses: "NTLMSSP", 0, 3.
        case .ntlm:
            for start in ["TlRMTVNTUAAD", "4e544c4d5353500003", "4E544C4D5353500003"] {
                patterns.add(SecretPattern(tokenBeginning: start))
            }
        case .negotiate: break
        }
        patterns.add(SecretPattern(tokenBeginning: "Negotiate "))
    }

    func redact(_ text: String) -> String {
        if patterns.isEmpty { return text }
        var copy = text
        let masked = copy.withUTF8 { patterns.masked($0, by: Self.mask) }
        return masked.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// A body may be large, and seldom has a secret: it is not copied.
    func redact(_ data: Data) -> Data {
        if patterns.isEmpty { return data }
        let masked = data.withUnsafeBytes { patterns.masked($0.bindMemory(to: UInt8.self), by: Self.mask) }
        return masked.map { Data($0) } ?? data
    }

    /// Returns the part that arrived of a body, masked also where it ends within a secret.
    func redact(part data: Data) -> Data {
        let end = Array("…".utf8)
        if patterns.isEmpty { return data }
        let masked = (Array(data) + end).withUnsafeBufferPointer { patterns.masked($0, by: Self.mask) }
        guard let masked else { return data }
        return Data(masked.suffix(end.count).elementsEqual(end) ? masked.dropLast(end.count) : masked[...])
    }
}

extension ResolveError {
    /// Masks the name of the field, which may be a template, and the reason, which may quote a value.
    func redacted(by redactor: Redactor) -> ResolveError {
        var error = self
        (error.field, error.reason) = (redactor.redact(message: field), redactor.redact(message: reason))
        return error
    }
}

extension Redactor: CustomStringConvertible, CustomReflectable {
    var description: String { "Redactor" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Masking of the engine's events and results.
extension Redactor {
    /// Returns a message masked, with at most 1000 characters.
    func redact(message: String) -> String { redact(message).excerpt(1000) }

    func redact(_ response: TransportResponse) -> TransportResponse {
        var response = response
        response.url = nil
        response.headers = response.headers.map(redact)
        return response
    }

    /// Returns nil for a redirect, which has an event of its own.
    func redact(_ event: RequestEvent) -> RequestEvent? {
        switch event {
        case .redirected: return nil
        case .headReceived(let attempt, var head, let at):
            head = ResponseHead(url: Self.noURL, statusCode: head.statusCode, headers: redact(head.headers))
            return .headReceived(attempt: attempt, head, at: at)
        case .attemptFinished(let report):
            var masked = redact(report)
            if report.willRetry, mayHoldOtherSecrets(report) {
                masked.omitBody()
            } else if report.willRetry, let body = report.received?.body {
                masked.received?.body = redact(body, of: report)
            }
            return .attemptFinished(masked)
        // The result has the bodies.
        case .finished(let report): return .finished(redactHeads(report))
        case .attemptStarted, .authenticating, .phaseReached, .bodySent, .bodyStarted, .bodyReceived,
            .refreshingCredentials, .waiting, .attemptsAdded, .fallbackUsed:
            return event
        }
    }

    /// The replacement for a URL, in which a mask would be invalid.
    private static let noURL = URL(filePath: "/")

    /// The headers that describe how to read the body.
    private static let harmless: Set<RequestHeaders.Key> = [
        .contentType, .init("Content-Length"), .init("Content-Encoding"), .init("Transfer-Encoding"), .init("Date"),
    ]

    func redact(_ headers: RequestHeaders) -> RequestHeaders {
        if isEmpty { return headers }
        var redacted = RequestHeaders()
        for field in headers.fields {
            let isHidden = secretHeaders.contains(field.key) || hidesHeaders && !Self.harmless.contains(field.key)
            let value = isHidden ? Self.mask : redact(field.value.text)
            redacted.append(.init(value), forKey: .init(redact(field.key.name)))
        }
        return redacted
    }

    func redact(_ report: RequestReport) -> RequestReport {
        var masked = redactHeads(report)
        var known: [(body: Data, isPartial: Bool, masked: Data)] = []
        for (index, attempt) in report.attempts.enumerated() where report.attempts.isFollowed(index) {
            if mayHoldOtherSecrets(attempt) {
                masked.attempts[index] = withoutContent(attempt)
                continue
            }
            guard let body = attempt.received?.body else { continue }
            if let same = known.last(where: { $0.body == body && $0.isPartial == attempt.isPartial }) {
                masked.attempts[index].received?.body = same.masked
                continue
            }
            let redacted = redact(body, of: attempt)
            let kept = redacted == body ? body : redacted
            known.append((body, attempt.isPartial, kept))
            masked.attempts[index].received?.body = kept
        }
        return masked
    }

    private func redact(_ body: Data, of attempt: AttemptReport) -> Data {
        attempt.isPartial ? redact(part: body) : redact(body)
    }

    /// True for an attempt from whose response secrets are captured.
    private func mayHoldOtherSecrets(_ attempt: AttemptReport) -> Bool {
        hidesEarlierResponses && attempt.received?.statusCode ?? 0 < 400
    }

    /// Returns an attempt without the body of its response and without the values of its headers.
    private func withoutContent(_ attempt: AttemptReport) -> AttemptReport {
        var hiding = self
        hiding.hidesHeaders = true
        var attempt = hiding.redact(attempt)
        attempt.omitBody()
        return attempt
    }

    /// Returns a report without the bodies of attempts that another one followed.
    private func redactHeads(_ report: RequestReport) -> RequestReport {
        var report = report
        report.request = nil
        report.attempts = report.attempts.map(redact)
        for index in report.attempts.indices where report.attempts.isFollowed(index) {
            report.attempts[index].received?.body = nil
        }
        if case .failed(let message) = report.outcome { report.outcome = .failed(redact(message: message)) }
        return report
    }

    /// Credentials are masked by the names of their headers, too: no source of the collection knows what an authenticator adds.
    func redactSent(_ headers: RequestHeaders) -> RequestHeaders {
        var masked = RequestHeaders()
        for field in headers.fields {
            let value = field.key.isSensitive ? Self.mask : redact(field.value.text)
            masked.append(.init(value), forKey: .init(redact(field.key.name)))
        }
        return masked
    }

    /// Masks the path of a socket. The numbers of any other address show where a request goes, and a short secret would be
    /// found in them.
    func redact(address: String) -> String { address.hasPrefix("/") ? redact(address) : address }

    /// The address may be the path of a socket, the certificates of a server name its host, and the coding is the value of
    /// a header.
    private func redact(_ metrics: TransportMetrics) -> TransportMetrics {
        var metrics = metrics
        // Each is an event of its own.
        metrics.redirects = []
        guard !patterns.isEmpty else { return metrics }
        metrics.remoteAddress = metrics.remoteAddress.map(redact(address:))
        metrics.unknownCoding = metrics.unknownCoding.map { (name: String) in redact(name) }
        guard var tls = metrics.tls else { return metrics }
        for index in tls.certificates.indices {
            tls.certificates[index].subject = redact(tls.certificates[index].subject)
            tls.certificates[index].issuer = redact(tls.certificates[index].issuer)
            tls.certificates[index].names = tls.certificates[index].names.map { (name: String) in redact(name) }
        }
        metrics.tls = tls
        return metrics
    }

    private func redact(_ report: AttemptReport) -> AttemptReport {
        var report = report
        report.metrics = redact(report.metrics)
        report.received = report.received.map(redact)
        report.sent = report.sent.map(redactSent)
        switch report.outcome {
        case .failed(let kind, let message): report.outcome = .failed(kind, redact(message: message))
        case .stopped(let message): report.outcome = .stopped(redact(message: message))
        case .succeeded, .cancelled, .abandoned, .slaExceeded: break
        }
        if let server = report.missedRetry?.budget?.server {
            report.missedRetry?.budget?.server = redact(message: server)
        }
        return report
    }
}
