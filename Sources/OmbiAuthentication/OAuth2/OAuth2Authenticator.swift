#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends an access token of OAuth 2, and gets the next one when it has to.
///
///     manager.authenticator = OAuth2Authenticator(client, flow: .clientCredentials(scopes: ["read"]))
///
/// A token is refreshed shortly before it expires, and after a 401: by its refresh token, and where there is none, or
/// where the server does not accept it any more, by the flow. However many requests need one, it is obtained once, and
/// they wait for it; with a flow that asks a user, no longer than their own SLA, while the flow goes on.
public final class OAuth2Authenticator: Authenticator {
    /// Tells the owner of each change, so that it can be saved; nil means that the saved one is of no use any more.
    public typealias Save = @Sendable (OAuth2Token?) async -> Void

    private let client: OAuth2Client
    private let holder: TokenHolder<OAuth2Token>
    private let leeway: TimeInterval

    /// - Parameters:
    ///   - client: The client that the tokens are for.
    ///   - flow: How to get a token when there is none that could be refreshed.
    ///   - token: A token that was saved.
    ///   - leeway: How long before its expiry a token is refreshed.
    ///   - save: Called with each new token before it is used, and with nil when the server has revoked the refresh token.
    public init(
        _ client: OAuth2Client, flow: OAuth2Flow = .none, token: OAuth2Token? = nil, leeway: Duration = .seconds(30),
        save: @escaping Save = { _ in }
    ) {
        self.client = client
        self.leeway = TimeInterval(leeway.components.seconds)
        // The refresh token that the server has revoked: asking once is enough.
        let revoked = Lock<String?>(nil)
        holder = TokenHolder(
            token, refresh: { try await Self.token(inPlaceOf: $0, client, flow, save, revoked) }, didRefresh: save)
    }

    /// The token at hand. Setting it ends a refresh or a flow under way: requests that wait go on with the new token, and
    /// are cancelled where it is nil. It is not saved.
    public var token: OAuth2Token? {
        get { holder.token }
        set { holder.token = newValue }
    }

    /// Makes sure that there is a token that has not expired, for programs that sign in before the first request.
    public func signIn() async throws { _ = try await usableToken() }

    public func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
        guard !holder.isRefreshingHere else { return request }
        var request = request
        request.headers[.authorization] = try await usableToken().header
        return request
    }

    public func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
        guard !holder.isRefreshingHere, let refused = request.headers[.authorization],
            response.cameFromOrigin(of: request)
        else { return false }
        return try await holder.token { $0.header != refused }.header != refused
    }

    private func usableToken() async throws -> OAuth2Token {
        let limit = client.now().addingTimeInterval(leeway)
        return try await holder.token { $0.expiresAt ?? .distantFuture > limit }
    }

    private static func token(
        inPlaceOf old: OAuth2Token?, _ client: OAuth2Client, _ flow: OAuth2Flow, _ save: Save,
        _ revoked: Lock<String?>
    ) async throws -> OAuth2Token {
        guard let old, let refreshToken = old.refreshToken, refreshToken != revoked.withLock({ $0 }) else {
            return try await flow.obtain(client)
        }
        do throws(OAuth2Error) {
            return try await client.token(for: .refreshToken(refreshToken)).completed(by: old)
        } catch {
            guard error.code == .invalidGrant else { throw error }
        }
        revoked.withLock { $0 = refreshToken }
        await save(nil)
        return try await flow.obtain(client)
    }
}
