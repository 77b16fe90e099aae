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
