/// Credentials known before a request is sent. Descriptions and logs omit them.
public enum RequestAuthentication: Sendable, Hashable {
    /// Basic authentication (RFC 7617), in UTF-8. A user name with a colon makes the request malformed: the server
    /// would split it there.
    case basic(username: String, password: String)
    /// A token, sent in the field `Authorization` as its scheme, a space and the unmodified value (RFC 9110 §11.6.2).
    case token(type: TokenType, value: String)
    /// An API key, sent under the name that the API defines. A name or a value that its location cannot hold makes the
    /// request malformed.
    case apiKey(name: String, value: String, location: APIKeyLocation)

    /// The scheme before a token (RFC 9110 §11.1 and the IANA registry); a string literal is a custom scheme.
    public enum TokenType: Sendable, Hashable, ExpressibleByStringInterpolation {
        /// "Basic": a user name and a password, already encoded (RFC 7617).
        case basic
        /// "Bearer": a token of OAuth 2 and of most APIs (RFC 6750).
        case bearer
        /// "Digest" (RFC 7616). The value is sent unmodified; nothing is computed.
        case digest
        /// "HOBA" (RFC 7486).
        case hoba
        /// "Mutual" (RFC 8120).
        case mutual
        /// "AWS4-HMAC-SHA256". The value is the signature with its parameters; compute it in a `RequestInterceptor`.
        case aws
        /// Any other scheme, sent unmodified.
        case custom(String)

        public init(stringLiteral value: String) { self = .custom(value) }

        /// The scheme as sent in the header: "Bearer".
        public var word: String {
            switch self {
            case .basic: "Basic"
            case .bearer: "Bearer"
            case .digest: "Digest"
            case .hoba: "HOBA"
            case .mutual: "Mutual"
            case .aws: "AWS4-HMAC-SHA256"
            case .custom(let word): word
            }
        }
    }

    /// The part of a request that carries an API key, named as in OpenAPI 3.1.
    public enum APIKeyLocation: String, Sendable, Hashable, CaseIterable, Codable {
        /// A header field of that name, in place of any others of the name.
        case header
        /// A query parameter of that name, in place of any others of the name.
        case query
        /// A cookie of that name (RFC 6265 §4.2), in addition to other cookies.
        case cookie
    }

    /// The name of the field that carries the credentials; nil for an API key in the query.
    public var headerKey: RequestHeaders.Key? {
        switch self {
        case .basic, .token: .authorization
        case .apiKey(let name, _, .header): RequestHeaders.Key(name)
        case .apiKey(_, _, .cookie): .cookie
        case .apiKey(_, _, .query): nil
        }
    }

    /// The value of that field, marked as a secret: "Bearer abc".
    public var headerValue: RequestHeaders.Value? {
        switch self {
        case .basic(let username, let password): .authorization(username: username, password: password)
        case .token(let type, let value): .authorization(type: type, token: value)
        case .apiKey(_, let value, .header): .secret(value)
        case .apiKey(let name, let value, .cookie): .secret("\(name)=\(value)")
        case .apiKey(_, _, .query): nil
        }
    }

    /// Adds the credentials to a request. Throws `MalformedRequest` for credentials that the server would misread.
    public func authenticate(_ request: inout TransportRequest) throws {
        try check()
        switch self {
        case .apiKey(let name, let value, .query):
            request.url = try RequestHost.adding(name, value, to: request.url)
            request.sensitiveQueryNames.insert(name)
        case .apiKey(let name, let value, .cookie):
            let others = request.headers.values(for: .cookie).flatMap { $0.text.split(separator: ";") }
                .map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix(name + "=") }
            request.headers[.cookie] = .secret((others + ["\(name)=\(value)"]).joined(separator: "; "))
        default:
            if let key = headerKey { request.headers[key] = headerValue }
        }
    }

    /// Throws for credentials that the server would misread.
    package func check() throws(MalformedRequest) {
        switch self {
        case .basic(let username, _) where username.contains(":"):
            throw malformed(
                "the user name for Basic authentication contains a colon, which ends it; remove the colon")
        case .apiKey("", _, _): throw malformed("the API key has no name; give the one that the API asks for")
        case .apiKey(let name, _, .header), .apiKey(let name, _, .cookie):
            guard HeaderCheck.isToken(name) else {
                throw malformed("\"\(name.visible)\" is no name for an API key in a header or a cookie")
            }
            try checkCookie()
        default: return
        }
    }

    /// Throws for characters that RFC 6265 §4.1.1 excludes: spaces, quotation marks, commas, semicolons and
    /// backslashes.
    private func checkCookie() throws(MalformedRequest) {
        guard case .apiKey(let name, let value, .cookie) = self else { return }
        let isValue = value.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\",;\\".utf8.contains($0) }
        guard isValue else {
            throw malformed("the value of the cookie \(name) contains a character that no cookie has; encode it")
        }
    }

    private func malformed(_ reason: String) -> MalformedRequest { MalformedRequest(.authentication, reason) }
}

extension RequestAuthentication: CustomStringConvertible, CustomReflectable {
    /// The credentials with secrets masked: "Bearer ••••••".
    public var description: String {
        switch self {
        case .basic: "Basic \(LogMask.mask)"
        case .token(let type, _): "\(type.word) \(LogMask.mask)"
        case .apiKey(let name, _, let location): "\(name) in the \(location.rawValue) \(LogMask.mask)"
        }
    }

    /// No children, since `dump` would print secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestHeaders.Value {
    /// Returns the value of `Authorization` for a token, for headers written by hand; see `RequestAuthentication`.
    public static func authorization(type: RequestAuthentication.TokenType, token: String) -> Self {
        .secret("\(type.word) \(token)")
    }

    /// Returns the value of `Authorization` for a user name and password (RFC 7617).
    public static func authorization(username: String, password: String) -> Self {
        .secret("Basic " + Data("\(username):\(password)".utf8).base64EncodedString())
    }
}

/// A source of credentials that change: tokens that expire, responses to a challenge, signatures with a date.
///
/// A run calls it before every attempt. After a 401 it may obtain new credentials, once per run, and once more if a Digest
/// server calls the nonce stale; one further attempt follows, beyond those allowed, with
/// `AttemptReport.Reason.credentialsRefreshed` as its reason. Header fields that it adds or changes stay in the origin of
/// the request, whatever their names, unless `RedirectPolicy.keepsCredentialsAcrossOrigins` says otherwise. One authenticator serves
/// all runs of a manager at once: concurrent requests should wait for one refresh.
///
/// **Precedence.** A request gets the first of these: its own authenticator (`Requestable.authenticator`); the plain
/// credentials of the request, the call, the manager; the authenticator of the manager
/// (`RequestManager.authenticator`). An authenticator runs behind all middlewares, so it sees the request as it goes out.
///
/// It runs in a Swift task that is cancelled with the attempt. The run does not wait for one that ignores cancellation.
///
/// A network failure it throws, as a `TransportError` or inside a `RequestError`, is a failure of the attempt and is
/// retried like one. Any other error ends the run with `RequestError.authenticationFailed(_:_:)`.
public protocol Authenticator: Sendable {
    /// Returns the request with credentials.
    func authenticate(_ request: TransportRequest) async throws -> TransportRequest

    /// Obtains new credentials after a 401. `request` is the refused one, credentials included.
    /// - Returns: True if another attempt may succeed; otherwise the 401 is the response.
    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool

    /// Inspects a response other than a 401: Digest servers may send the next nonce with it (RFC 7616 §3.5). Must return
    /// at once. The default implementation does nothing.
    func accepted(_ response: TransportResponse, to request: TransportRequest)
}

extension Authenticator {
    public func accepted(_ response: TransportResponse, to request: TransportRequest) {}
}

extension RequestResponse {
    /// The challenges in all `WWW-Authenticate` fields, in order.
    public var challenges: [AuthenticationChallenge] {
        headers?.values(for: .wwwAuthenticate).flatMap { AuthenticationChallenge.parse($0.text) } ?? []
    }
}

extension TransportResponse {
    /// Returns false if a redirect led to another origin: credentials are withheld from it, so its 401 does not concern
    /// them.
    package func cameFromOrigin(of request: TransportRequest) -> Bool {
        url?.hasOrigin(of: request.url) ?? true
    }
}

/// The refreshes of credentials that the responses with 401 of a run may cause: one, and one more for a nonce that is
/// stale (RFC 7616 §3.3), where the credentials themselves are right.
struct RefreshAllowance {
    private var hasRefreshed = false
    private var hasReplacedNonce = false

    /// Returns false if nothing is left for a response with this status and these challenges.
    func allows(_ response: TransportResponse) -> Bool {
        response.statusCode == 401 && (!hasRefreshed || response.hasStaleNonce && !hasReplacedNonce)
    }

    /// Counts a refresh.
    mutating func use(for response: TransportResponse) {
        if response.hasStaleNonce, !hasReplacedNonce { hasReplacedNonce = true } else { hasRefreshed = true }
    }
}

extension TransportResponse {
    fileprivate var hasStaleNonce: Bool {
        challenges.contains { $0.uses("Digest") && $0.parameters["stale"]?.lowercased() == "true" }
    }
}
