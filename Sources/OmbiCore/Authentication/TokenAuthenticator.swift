internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An authenticator for tokens that expire.
///
///     manager.authenticator = TokenAuthenticator { _ in
///         let login = try await accounts.value(for: Login(name: name, password: password))
///         return TokenAuthenticator.Token(login.token, expiresIn: .seconds(login.lifetime))
///     }
///
/// The token is refreshed shortly before it expires, and after a 401. Concurrent requests wait for one refresh, and
/// share its error if it fails. A 401 for an older token than the current one starts no refresh; the request is sent
/// again with the current token.
///
/// Requests that `refresh` itself sends carry no token, even through the manager that owns this authenticator. Capture
/// that manager weakly, since it retains the closure.
public final class TokenAuthenticator: Authenticator {
    /// A token and its expiry. The description omits the token.
    public struct Token: Sendable, Hashable, Codable {
        /// The token as sent.
        public var value: String
        /// The time at which it expires; nil if unknown.
        public var expiresAt: Date?

        /// Creates a token that expires at a point in time; nil if unknown.
        public init(_ value: String, expiresAt: Date? = nil) {
            self.value = value
            self.expiresAt = expiresAt
        }

        /// Creates a token that expires after a duration from now.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.init(value, expiresAt: Date().addingTimeInterval(lifetime.inSeconds))
        }
    }

    private let holder: TokenHolder<Token>
    private let type: RequestAuthentication.TokenType
    private let leeway: TimeInterval
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - token: The initial token, such as a saved one; nil obtains one for the first request.
    ///   - type: The scheme sent before the token.
    ///   - leeway: The time before its expiry at which a token is refreshed. A token with a shorter lifetime is refreshed
    ///     for every request.
    ///   - now: The current time; for tests.
    ///   - refresh: Obtains a token to replace the given one, if any. Never called concurrently, and not cancelled along
    ///     with a waiting request. All waiting requests fail with the error it throws.
    public init(
        _ token: Token? = nil, type: RequestAuthentication.TokenType = .bearer, leeway: Duration = .seconds(30),
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (Token?) async throws -> Token
    ) {
        holder = TokenHolder(token, refresh: refresh)
        self.type = type
        self.leeway = leeway.inSeconds
        self.now = now
    }

    /// The current token. Setting it cancels a refresh in progress: waiting requests continue with the new token, and
    /// fail with a `CancellationError` if it is nil.
    public var token: Token? {
        get { holder.token }
        set { holder.token = newValue }
    }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard !holder.isRefreshingHere else { return request }
        let limit = now().addingTimeInterval(leeway)
        let token = try await holder.token { $0.expiresAt ?? .distantFuture > limit }
        var request = request
        request.headers[.authorization] = header(token)
        return request
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard !holder.isRefreshingHere, let refused = request.headers[.authorization],
            response.cameFromOrigin(of: request)
        else { return false }
        return header(try await holder.token { header($0) != refused }) != refused
    }

    private func header(_ token: Token) -> RequestHeaders.Value { .authorization(type: type, token: token.value) }
}

extension TokenAuthenticator.Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The expiry, without the token.
    public var description: String { expiresAt.map { "token, expires \($0)" } ?? "token" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The expiry, without the token.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt as Any]) }
}
