/// Credentials that change: tokens that expire, answers to a challenge, signatures with a date.
///
/// A manager asks it before every attempt of a request that has no `authentication` of its own. After a 401 it may get
/// new credentials; then the attempt is made once more, which the events tell with its reason. One authenticator serves
/// all runs of a manager at once: concurrent requests should wait for one refresh.
public protocol Authenticator: Sendable {
    /// The request with credentials in it. What it throws ends the run with `RequestError.authenticationFailed(_:)`.
    func authenticate(_ request: TransportRequest) async throws -> TransportRequest

    /// Gets new credentials after a 401. `request` is the one that was refused, credentials included.
    /// - Returns: Whether another attempt may fare better.
    func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool

    /// Takes note of a response that is not a 401: some servers send what the next request needs along with it (RFC
    /// 7616 §3.5). Must return at once; does nothing by default.
    func accepted(_ response: TransportResponse, to request: TransportRequest)
}

extension Authenticator {
    public func accepted(_ response: TransportResponse, to request: TransportRequest) {}
}

extension TransportResponse {
    /// False where a redirect led to another origin, which gets no credentials and whose 401 says nothing about them.
    package func cameFromOrigin(of request: TransportRequest) -> Bool {
        url.map { Hop.isSameServer(request.url, $0) } ?? true
    }
}
