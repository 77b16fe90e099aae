#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends a token that expires, and gets a new one when it has to.
///
///     manager.authenticator = TokenAuthenticator { _ in
///         let login = try await accounts.value(for: Login(name: name, password: password))
///         return TokenAuthenticator.Token(login.token, expiresIn: .seconds(login.lifetime))
///     }
///
/// A token is refreshed shortly before it expires, and after a 401. However many requests need it, it is refreshed
/// once: they wait for it, and get its error where it fails. A 401 that came for an older token than the one at hand
/// refreshes nothing; the request is sent again with the one at hand.
///
/// What `refresh` itself sends goes without the token, also through the manager that has this authenticator.
public final class TokenAuthenticator: Authenticator {
    /// A token and its expiry. Its description does not show it.
    public struct Token: Sendable, Hashable, Codable {
        /// The token as sent.
        public var value: String
        /// When it expires; nil where only a 401 tells.
        public var expiresAt: Date?

        /// A token that expires at a point in time, or that does not say.
        public init(_ value: String, expiresAt: Date? = nil) {
            self.value = value
            self.expiresAt = expiresAt
        }

        /// A token that expires some time from now.
        public init(_ value: String, expiresIn lifetime: Duration) {
            self.init(value, expiresAt: Date().addingTimeInterval(lifetime.inSeconds))
        }
    }

    private let holder: TokenHolder<Token>
    private let type: RequestAuthentication.TokenType
    private let leeway: TimeInterval
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - token: The token at hand, such as a saved one; nil gets one for the first request.
    ///   - type: The word before the token.
    ///   - leeway: How long before its expiry a token is refreshed.
    ///   - now: The clock that tells whether a token has expired; for tests.
    ///   - refresh: Gets a token in place of the one that it is given, if there is one. It is called once at a time, and
    ///     not cancelled when a request that waits for it is. What it throws is the error of all requests that wait.
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

    /// The token at hand. Setting it ends a refresh under way: requests that wait go on with the new token, and are
    /// cancelled where it is nil.
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
