/// One request of an attempt: the first, or that of a redirect. For transports that follow redirects themselves.
package struct Hop: Sendable {
    package private(set) var url: URL
    package private(set) var method: RequestMethod
    package private(set) var headers: RequestHeaders
    package private(set) var body: Data?
    package private(set) var bodyStream: BodyStream?
    /// The trust settings of the request that apply to this hop.
    package private(set) var trust = Trust.own
    /// Nil for another origin, and whenever a redirect has led to one.
    package private(set) var connectionAuthentication: ConnectionAuthentication?
    private let origin: URL
    private let originHeaders: Set<RequestHeaders.Key>
    private let policy: RedirectPolicy
    private let credentials: HopCredentials?
    private let settings: ConnectionBox
    /// Nil where nothing is withheld for its provenance.
    private var pass: GatePass?

    /// The extent to which settings for the origin of the request apply.
    package enum Trust: Sendable {
        /// The origin itself: verification may be off, the client's certificate is sent, keys are pinned.
        case own
        /// The origin again, after a redirect from another one: its keys are pinned, but it gets no credentials.
        case returned
        /// Another origin.
        case foreign
    }

    package init(_ request: TransportRequest) {
        url = request.url
        method = request.method
        headers = request.headers
        bodyStream = method == .head ? nil : request.bodyStream
        body = method == .head || bodyStream != nil ? nil : request.body
        origin = request.url
        originHeaders = request.originHeaders
        policy = request.settings.value.redirects
        credentials = request.hopCredentials
        settings = request.settings
        pass = request.pass
        connectionAuthentication = request.connectionAuthentication
        // The body waits for the end of the negotiation anyway.
        if connectionAuthentication != nil { dropExpectation() }
    }

    /// Turns a body above `limit` bytes into a stream, for transports that would copy it.
    mutating func streamBody(above limit: Int) {
        guard let large = body, large.count > limit else { return }
        bodyStream = BodyStream(data: large)
        body = nil
    }

    /// The length in bytes, 0 without a body; nil for a stream of unknown length.
    package var bodyLength: Int? { bodyStream.map(\.length) ?? body?.count ?? 0 }

    /// True if the server has to agree before the body is sent (RFC 9110 §10.1.1).
    package var expectsContinue: Bool { bodyLength != 0 && headers["Expect"]?.text.lowercased() == "100-continue" }

    mutating func dropExpectation() { headers = headers.without { $0.key == "Expect" } }

    package static func isRedirect(_ statusCode: Int) -> Bool { [301, 302, 303, 307, 308].contains(statusCode) }

    /// Changes to the request that follows a redirect (RFC 9110 §15.4): 303 changes the method to GET, as do 301 and
    /// 302 with POST unless the policy keeps it. Data of one origin stays there, even if a later redirect leads back.
    /// The gate of the request decides about the rest. Throws where it refuses the hop.
    /// - Returns: The names of the fields that are withheld, each once.
    package mutating func follow(to target: URL, statusCode: Int) throws(TransportError) -> [RequestHeaders.Key] {
        if becomesGet(statusCode) {
            method = .get
            body = nil
            bodyStream = nil
            pass = pass?.without(body: true)
            headers = headers.without { Self.describesBody($0.key) }
        }
        let staysInOrigin = target.hasOrigin(of: url)
        let isOrigin = target.hasOrigin(of: origin)
        url = target
        trust = !isOrigin ? .foreign : trust == .own && staysInOrigin ? .own : .returned
        // A redirect names its target by itself.
        pass = pass?.without(url: true)
        let bound = staysInOrigin ? [] : headers.fields.filter(isBoundToOrigin).map(\.key)
        let withheld = withhold(Set(bound)) + withholdConnectionAuthentication()
        renewCredentials()
        return withheld + (try passGate())
    }

    /// Keeps the negotiation in the origin of the request, whatever the policy says of header fields: the other server would
    /// get an answer to a challenge of its own. Returns the name of the field that carries it.
    private mutating func withholdConnectionAuthentication() -> [RequestHeaders.Key] {
        guard connectionAuthentication != nil, trust != .own else { return [] }
        connectionAuthentication = nil
        return [.authorization]
    }

    /// Replaces credentials that hold for the previous URL only.
    private mutating func renewCredentials() {
        guard let credentials, trust == .own || policy.keepsCredentialsAcrossOrigins else { return }
        headers = credentials.fields(
            TransportRequest(url: url, method: method, headers: headers, body: body, bodyStream: bodyStream))
    }

    /// Returns the names of the fields that the gate withholds.
    private mutating func passGate() throws(TransportError) -> [RequestHeaders.Key] {
        guard let pass, let gate = pass.gate, pass.isGuarded else { return [] }
        var connection = settings.value
        if trust != .own {
            connection.tls.verifiesServer = true
            connection.tls.clientCertificate = nil
        }
        if trust == .foreign { connection.tls.pinnedPublicKeys = [] }
        let hop = RequestHop(url: url, connection: connection, isRedirect: true, provenance: pass.provenance)
        switch gate.decide(hop) {
        case .send: return []
        case .withhold(let keys): return withhold(keys)
        case .refuse(let reason): throw TransportError(code: .refused, message: reason)
        }
    }

    /// Returns the next hop, and the report of the redirect to it. Throws where HTTP does not reach the target, and for
    /// another origin if the policy stays in that of the request.
    /// - Parameter target: The place that the head names, if it is a URL.
    package func redirected(
        by head: ResponseHead, to target: URL?, timings: Timings, remoteAddress: String?
    ) throws(TransportError) -> (next: Hop, report: RedirectReport) {
        guard let target, ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
        else {
            let place = LogMask.url(head.headers[.location]?.text ?? "").excerpt()
            throw TransportError(
                code: .unsupportedURL, message: "\(url.server) redirects to \"\(place)\", which is not an HTTP URL")
        }
        guard !policy.staysInOrigin || target.hasOrigin(of: origin) else {
            throw TransportError(
                code: .redirectRefused,
                message: "\(url.server) redirects to another origin, \(target.server), which does not get this request")
        }
        var next = self
        let withheld = try next.follow(to: target, statusCode: head.statusCode)
        let report = RedirectReport(
            head: head, target: target, method: next.method, withheld: withheld, timings: timings,
            remoteAddress: remoteAddress)
        return (next, report)
    }

    private func becomesGet(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 303: method != .head
        case 301, 302: method == .post && !policy.keepsMethod
        default: false
        }
    }

    /// Returns true for fields about the body (RFC 9110 §15.4, item 5).
    private static func describesBody(_ key: RequestHeaders.Key) -> Bool {
        let name = key.name.lowercased()
        return name.hasPrefix("content-")
            || ["digest", "last-modified", "expect", "trailer", "transfer-encoding"].contains(name)
    }

    /// Returns the hop as sent. The cookies of a jar apply to this hop alone, and are not carried to the next one.
    package func withCookies(from jar: CookieJar?) -> Hop {
        guard let jar else { return self }
        var hop = self
        hop.headers = jar.adding(to: headers, for: url)
        return hop
    }

    /// Returns the names of the fields that are taken out.
    private mutating func withhold(_ keys: Set<RequestHeaders.Key>) -> [RequestHeaders.Key] {
        if keys.isEmpty { return [] }
        var names: [RequestHeaders.Key] = []
        for field in headers.fields where keys.contains(field.key) && !names.contains(field.key) {
            names.append(field.key)
        }
        headers = headers.without { keys.contains($0.key) }
        if keys.contains(.authorization), trust == .own { connectionAuthentication = nil }
        pass = pass?.without(headers: names)
        return names
    }

    /// Returns true for fields bound to the origin; `Host` names the origin itself.
    private func isBoundToOrigin(_ field: RequestHeaders.Field) -> Bool {
        if field.key == .host { return true }
        guard !policy.keepsCredentialsAcrossOrigins else { return false }
        return field.key.isSensitive || field.value.isSecret || originHeaders.contains(field.key)
    }
}

extension RequestHeaders {
    func without(_ isDropped: (Field) -> Bool) -> RequestHeaders { RequestHeaders(fields.filter { !isDropped($0) }) }
}

/// Credentials that hold for one URL and method only, such as a digest or a signature: the next request of the same
/// origin, after a redirect, gets its own.
package final class HopCredentials: Sendable {
    /// Returns the header fields of a request with credentials for it, in place of those of the request before. Called on a
    /// thread of the transport, which it must not block.
    package let fields: @Sendable (TransportRequest) -> RequestHeaders

    package init(_ fields: @escaping @Sendable (TransportRequest) -> RequestHeaders) { self.fields = fields }
}

extension HopCredentials: Equatable {
    /// Any two are equal, since the fields that they made are compared.
    package static func == (left: HopCredentials, right: HopCredentials) -> Bool { true }
}

extension TransportRequest {
    /// Throws if no redirect may follow those of an attempt so far.
    package func checkRedirects(_ count: Int) throws(TransportError) {
        let maximum = settings.value.redirects.maximum
        guard count >= maximum else { return }
        let times = maximum == 1 ? "once" : "\(maximum) times"
        throw TransportError(
            code: .tooManyRedirects, message: "\(LogMask.url(url, of: self).excerpt()) redirects more than \(times)")
    }

    /// Returns the request with the fields that differ from those of another one bound to its origin.
    func bindingFields(addedTo before: TransportRequest) -> TransportRequest {
        let known = Set(before.headers.fields)
        var request = self
        for field in headers.fields where !known.contains(field) { request.originHeaders.insert(field.key) }
        return request
    }
}

/// A redirect that an attempt followed.
public struct RedirectReport: Sendable, Equatable {
    /// The redirecting response.
    public var head: ResponseHead
    /// The URL of the next request.
    public var target: URL
    /// The method of the next request.
    public var method: RequestMethod
    /// The header fields withheld because the target has another origin.
    public var withheld: [RequestHeaders.Key]
    /// The time taken by this step.
    public var timings: Timings
    /// The remote address, such as "127.0.0.1:8080".
    public var remoteAddress: String?
    /// The body of the redirecting response, decoded: of one attempt the first 64 KiB. Nil from a transport that passes
    /// it over.
    public var body: Data?
    /// True if `body` is a part of what the server sent.
    public var isPartial = false
    /// The header fields of the next request; nil from a transport that does not know them.
    package var sent: RequestHeaders?

    /// Creates a report, for transports and tests.
    public init(
        head: ResponseHead, target: URL, method: RequestMethod, withheld: [RequestHeaders.Key] = [],
        timings: Timings = Timings(), remoteAddress: String? = nil
    ) {
        self.head = head
        self.target = target
        self.method = method
        self.withheld = withheld
        self.timings = timings
        self.remoteAddress = remoteAddress
    }
}

extension RedirectReport {
    /// The redirecting response without its body, which stays in the report.
    package var response: TransportResponse { TransportResponse(head: head) }
}
