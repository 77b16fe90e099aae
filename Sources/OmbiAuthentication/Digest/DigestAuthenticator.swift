#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A user name and a password that are never sent, only hashed together with what the server names (RFC 7616).
///
///     manager.authenticator = DigestAuthenticator(username: "Mufasa", password: "Circle of Life")
///
/// The first request goes without credentials; its 401 says what the server asks for. Later requests carry credentials
/// at once, until the server wants another nonce. Of several challenges the strongest is taken: SHA-256 before MD5, each
/// also in its session form. SHA-512-256 is not supported, and `DigestError` says so where a server offers nothing else.
///
/// Credentials are computed for the URL of the request. A redirect within the server that changes the path makes them
/// invalid; request the address that it leads to.
public final class DigestAuthenticator: Authenticator {
    private let username: String
    private let password: String
    private let clientNonce: @Sendable () -> String
    /// By origin.
    private let sessions = Lock<[String: DigestSession]>([:])

    /// Both in the normal form C of Unicode, as keyboards give them; they are hashed as UTF-8.
    public convenience init(username: String, password: String) {
        self.init(username: username, password: password, clientNonce: RandomText.token)
    }

    init(username: String, password: String, clientNonce: @escaping @Sendable () -> String) {
        self.username = username
        self.password = password
        self.clientNonce = clientNonce
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        let nonce = clientNonce()
        let answer = sessions.withLock { $0[request.url.origin]?.nextAnswer(clientNonce: nonce) }
        guard let answer else { return request }
        let challenge = answer.challenge
        let bodyHash =
            challenge.protection == .authInt ? try await request.bodyHash(challenge.algorithm.function) : ""
        var request = request
        request.headers[.authorization] = .string(
            answer.header(method: request.method.rawValue, uri: request.url.requestTarget, bodyHash: bodyHash))
        return request
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request),
            let challenge = try DigestChallenge.strongest(in: response)
        else { return false }
        let origin = request.url.origin
        let sent = Self.sent(in: request)
        let old = sessions.withLock { $0[origin] }
        if let sent, let old, old.challenge.realm == challenge.realm, sent["realm"] == challenge.realm {
            // Another run has been given a new nonce meanwhile.
            if old.nonce != sent["nonce"] { return true }
            // The credentials are wrong, unless they were right with this nonce before.
            if !challenge.isStale, !old.isAccepted { return false }
        }
        let session = DigestSession(
            challenge, username: username, password: password, clientNonce: clientNonce())
        sessions.withLock { $0[origin] = session }
        return true
    }

    public func accepted(_ response: TransportResponse, to request: TransportRequest) {
        guard response.cameFromOrigin(of: request), let nonce = Self.sent(in: request)?["nonce"] else { return }
        let next = response[.authenticationInfo].map { AuthenticationChallenge.parameters($0.text) }?["nextnonce"]
        sessions.withLock { sessions in
            guard var session = sessions[request.url.origin], session.nonce == nonce else { return }
            session.isAccepted = true
            if let next, !next.isEmpty { session.go(onWith: next) }
            sessions[request.url.origin] = session
        }
    }

    /// The parameters of the credentials that a request carried.
    private static func sent(in request: TransportRequest) -> [String: String]? {
        guard let text = request.headers[.authorization]?.text else { return nil }
        return AuthenticationChallenge.parse(text).first { $0.uses("Digest") }?.parameters
    }
}

extension RequestHeaders.Key {
    /// What a server says to credentials that it has accepted (RFC 9110 §11.6.3).
    static let authenticationInfo: RequestHeaders.Key = "Authentication-Info"
}
