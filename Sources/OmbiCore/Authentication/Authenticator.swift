/// A source of credentials that change: tokens that expire, responses to a challenge, signatures with a date.
///
/// A manager calls it before every attempt of a request that has no `authentication` of its own. After a 401 it may
/// obtain new credentials, and the manager makes one further attempt, whose events carry the reason. One authenticator
/// serves all runs of a manager at once: concurrent requests should wait for one refresh.
public protocol Authenticator: Sendable {
    /// Returns the request with credentials. An error it throws ends the run with
    /// `RequestError.authenticationFailed(_:)`.
    func authenticate(_ request: TransportRequest) async throws -> TransportRequest

    /// Obtains new credentials after a 401. `request` is the refused one, credentials included.
    /// - Returns: True if another attempt may succeed.
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
