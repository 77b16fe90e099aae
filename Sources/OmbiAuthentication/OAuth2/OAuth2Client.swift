/// A client registered with an authorization server, and that server's endpoints (RFC 6749).
///
///     let client = OAuth2Client(
///         id: "s6BhdRkqt3", secret: "…", server: RequestManager(host: "https://id.example.com"), tokenPath: "/oauth/token")
///
/// All requests to the authorization server go through `server`: its log records them with secrets masked, and its
/// transport and connection settings apply. A redirect to another origin is an error.
public struct OAuth2Client: Sendable {
    /// The part of a request that carries the client secret.
    public enum SecretPlacement: Sendable, Hashable {
        /// The `Authorization` field, form-encoded and then as Basic (RFC 6749 §2.3.1). Choose `body` for servers that do
        /// not decode the form encoding.
        case header
        /// The form in the body.
        case body
    }

    /// The client identifier (`client_id`).
    public var id: String
    /// The client secret; nil for a public client, such as an installed program.
    public var secret: String?
    /// The part of a request that carries the secret.
    public var secretPlacement: SecretPlacement
    /// The manager for token and device requests. Do not use the manager that owns the authenticator of this client: the
    /// two would retain each other.
    public var server: RequestManager
    /// The path of the token endpoint (RFC 6749 §3.2) on `server`.
    public var tokenPath: String
    /// The path of the device authorization endpoint (RFC 8628 §3.1) on `server`; nil for none.
    public var devicePath: String?
    /// The authorization endpoint (RFC 6749 §3.1), which a browser opens; nil for none.
    public var authorizationURL: URL?
    /// Additional parameters of token and device requests, such as `audience` or `resource`.
    public var additionalParameters: RequestParameters
    /// The clock for polling and timeouts.
    public var clock: any Clock<Duration>
    /// The current time, for expiry.
    public var now: @Sendable () -> Date

    /// Creates a client. The paths and URLs needed depend on the grants.
    public init(
        id: String, secret: String? = nil, secretPlacement: SecretPlacement = .header, server: RequestManager,
        tokenPath: String, devicePath: String? = nil, authorizationURL: URL? = nil,
        additionalParameters: RequestParameters = [:], clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.id = id
        self.secret = secret
        self.secretPlacement = secretPlacement
        self.server = server
        self.tokenPath = tokenPath
        self.devicePath = devicePath
        self.authorizationURL = authorizationURL
        self.additionalParameters = additionalParameters
        self.clock = clock
        self.now = now
    }

    /// Requests a token. The request is never retried, since codes and refresh tokens may be single-use.
    public func token(for grant: OAuth2Grant) async throws(OAuth2Error) -> OAuth2Token {
        let parameters = grant.parameters.allParameters + additionalParameters.allParameters
        let now = now
        return try await send(RequestParameters(parameters), to: tokenPath) { response throws(OAuth2Error) in
            try response.token(receivedAt: now())
        }
    }

    /// Requests the token after another one, with its refresh token; nil where it has none.
    package func refreshed(_ old: OAuth2Token) async throws(OAuth2Error) -> OAuth2Token? {
        guard let refreshToken = old.refreshToken else { return nil }
        return try await token(for: .refreshToken(refreshToken)).completed(by: old)
    }

    func send<Value>(
        _ parameters: RequestParameters, to path: String, read: (OAuth2Response) throws(OAuth2Error) -> Value
    ) async throws(OAuth2Error) -> Value {
        do throws(OAuth2Error) {
            return try read(OAuth2Response(try await response(to: parameters, from: path)))
        } catch {
            throw error.at(Origin.isAbsolute(path) ? path : server.host + path)
        }
    }

    private func response(
        to parameters: RequestParameters, from path: String
    ) async throws(OAuth2Error) -> TransportResponse {
        do {
            return try await server.response(for: OAuth2Request(client: self, path: path, parameters: parameters))
        } catch {
            if case RequestError<NoError>.cancelled = error { throw OAuth2Error(.cancelled) }
            throw OAuth2Error(.requestFailed, cause: error)
        }
    }
}

extension OAuth2Client: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name and the server, without the secret.
    public var description: String { "OAuth 2 client \(id) at \(server.host)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// The name and the server, without the secret.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "server": server.host]) }
}

/// A form sent to an endpoint, with client authentication.
private struct OAuth2Request: Request {
    typealias RequestBody = RequestParameters
    typealias ResponseBody = Data

    let path: String
    let method = RequestMethod.post
    let headers: RequestHeaders = [.acceptType: .contentType(.json)]
    let body: RequestParameters?
    let authentication: RequestAuthentication?
    /// The form holds secrets, and the response a token: neither concerns another origin.
    let requestInterceptor = RequestInterceptor { request in
        var request = request
        request.connection.redirects.staysInOrigin = true
        request.connection.redirects.keepsCredentialsAcrossOrigins = false
        return request
    }

    /// Adds the client's credentials; in the header, they are form-encoded first (RFC 6749 §2.3.1).
    init(client: OAuth2Client, path: String, parameters: RequestParameters) {
        self.path = path
        var parameters = parameters.allParameters
        if let secret = client.secret, client.secretPlacement == .header {
            authentication = .basic(
                username: PercentEncoding.escapeForm(client.id), password: PercentEncoding.escapeForm(secret))
        } else {
            authentication = nil
            parameters.append(.init("client_id", .string(client.id)))
            if let secret = client.secret { parameters.append(.init("client_secret", .string(secret))) }
        }
        body = RequestParameters(parameters)
    }
}

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
