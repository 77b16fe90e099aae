/// An authenticator for access tokens of OAuth 2.
///
///     manager.authenticator = OAuth2Authenticator(client, flow: .clientCredentials(scopes: ["read"]))
///
/// The token is refreshed shortly before it expires, and after a 401: with its refresh token, or by the flow if there is
/// none or the server rejects it. Concurrent requests wait for one refresh. A request whose SLA ends meanwhile fails,
/// while an interactive flow continues.
public final class OAuth2Authenticator: Authenticator {
    /// A handler that saves a token; nil means that the saved one has been revoked.
    public typealias Save = @Sendable (OAuth2Token?) async -> Void

    private let client: OAuth2Client
    private let holder: TokenHolder<OAuth2Token>
    private let leeway: TimeInterval

    /// - Parameters:
    ///   - client: The client that obtains the tokens.
    ///   - flow: The way to obtain a token when none can be refreshed.
    ///   - token: The initial token, such as a saved one.
    ///   - leeway: The time before its expiry at which a token is refreshed.
    ///   - save: Called with each new token before waiting requests use it, and with nil when the server rejects the
    ///     refresh token.
    public init(
        _ client: OAuth2Client, flow: OAuth2Flow = .none, token: OAuth2Token? = nil, leeway: Duration = .seconds(30),
        save: @escaping Save = { _ in }
    ) {
        self.client = client
        self.leeway = TimeInterval(leeway.components.seconds)
        // The refresh token that the server has rejected; it is not sent again.
        let revoked = Lock<String?>(nil)
        holder = TokenHolder(
            token, refresh: { try await Self.token(inPlaceOf: $0, client, flow, save, revoked) }, didRefresh: save)
    }

    /// The current token. Setting it cancels a refresh or flow in progress: waiting requests continue with the new token,
    /// and fail with a `CancellationError` if it is nil. `save` is not called.
    public var token: OAuth2Token? {
        get { holder.token }
        set { holder.token = newValue }
    }

    /// Obtains a valid token if there is none, for programs that sign in before the first request.
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
