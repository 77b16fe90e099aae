#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authenticator for HTTP Digest (RFC 7616), which never sends the password.
///
///     manager.authenticator = DigestAuthenticator(username: "Mufasa", password: "Circle of Life")
///
/// The first request carries no credentials; its 401 brings the challenge. Later requests carry credentials right away,
/// until the server requires a new nonce. The strongest challenge wins: SHA-256 before MD5, including the session
/// variants. SHA-512-256 is not supported; a server that offers nothing else causes a `DigestError`.
///
/// Credentials apply to one URL. A redirect within the origin gets new ones, with the same nonce.
public final class DigestAuthenticator: Authenticator {
    private let username: String
    private let password: String
    private let clientNonce: @Sendable () -> String
    /// The sessions by origin.
    private let sessions = Lock<[String: DigestSession]>([:])

    /// Creates an authenticator. Both texts are hashed as UTF-8, and must be in Unicode normalization form C.
    public convenience init(username: String, password: String) {
        self.init(username: username, password: password, clientNonce: RandomText.token)
    }

    init(username: String, password: String, clientNonce: @escaping @Sendable () -> String) {
        self.username = username
        self.password = password
        self.clientNonce = clientNonce
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard let credentials = credentials(for: request) else { return request }
        let challenge = credentials.challenge
        let function = challenge.algorithm.function
        let bodyHash = challenge.protection == .authInt ? try await request.bodyHash(function) : ""
        var request = request
        request.headers[.authorization] = .string(credentials.header(of: request, bodyHash: bodyHash))
        request.hopCredentials = HopCredentials { [self] hop in
            var headers = hop.headers
            headers[.authorization] = self.credentials(for: hop).flatMap {
                $0.header(of: hop, streamHash: $0.challenge.algorithm.function == function ? bodyHash : nil)
            }.map { .string($0) }
            return headers
        }
        return request
    }

    private func credentials(for request: TransportRequest) -> DigestCredentials? {
        sessions.withLock { $0[request.url.origin]?.nextCredentials(clientNonce: clientNonce()) }
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard response.cameFromOrigin(of: request),
            let challenge = try DigestChallenge.strongest(in: response)
        else { return false }
        let origin = request.url.origin
        let sent = Self.sent(in: request)
        let old = sessions.withLock { $0[origin] }
        if let sent, let old, old.challenge.realm == challenge.realm, sent["realm"] == challenge.realm {
            // Another run has obtained a newer nonce.
            if old.nonce != sent["nonce"] { return true }
            // Wrong credentials, unless the server accepted them with this nonce before.
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

    /// Returns the Digest parameters that a request carried.
    private static func sent(in request: TransportRequest) -> [String: String]? {
        guard let text = request.headers[.authorization]?.text else { return nil }
        return AuthenticationChallenge.parse(text).first { $0.uses("Digest") }?.parameters
    }
}

extension DigestCredentials {
    fileprivate func header(of request: TransportRequest, bodyHash: String) -> String {
        header(method: request.method.rawValue, uri: request.url.requestTarget, bodyHash: bodyHash)
    }

    /// Returns nil if the hash of a streamed body is needed, and not known.
    /// - Parameter streamHash: The hash of the body of the request before, which a redirect keeps or drops.
    fileprivate func header(of request: TransportRequest, streamHash: String?) -> String? {
        guard challenge.protection == .authInt else { return header(of: request, bodyHash: "") }
        let hash = request.bodyStream == nil ? challenge.algorithm.function.hex(request.body ?? Data()) : streamHash
        return hash.map { header(of: request, bodyHash: $0) }
    }
}

extension RequestHeaders.Key {
    /// Digest parameters after successful authentication (RFC 9110 §11.6.3).
    static let authenticationInfo: RequestHeaders.Key = "Authentication-Info"
}

/// A Digest challenge that cannot be met.
public enum DigestError: Error, Sendable, Hashable {
    /// The server offers only unsupported algorithms, such as SHA-512-256.
    case unsupportedAlgorithms([String])
    /// The server offers neither `auth` nor `auth-int`.
    case unsupportedProtection(String)
    /// The server's challenge has no realm or no nonce.
    case malformedChallenge
}

extension DigestError: CustomStringConvertible {
    /// A sentence in lower case without a full stop.
    public var description: String {
        switch self {
        case .unsupportedAlgorithms(let names):
            "the server requires Digest with \(names.joined(separator: " or ")); only SHA-256 and MD5 are supported"
        case .unsupportedProtection(let text):
            "the server requires Digest with qop \"\(text)\"; only auth and auth-int are supported"
        case .malformedChallenge: "the server's Digest challenge has no realm or no nonce"
        }
    }
}
