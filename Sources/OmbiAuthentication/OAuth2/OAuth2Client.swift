#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A client that is registered at an authorization server, and how to reach that server (RFC 6749).
///
///     let client = OAuth2Client(
///         id: "s6BhdRkqt3", secret: "…", server: RequestManager(host: "https://id.example.com"), tokenPath: "/oauth/token")
///
/// Everything that is sent to the authorization server goes through `server`: its log shows it, with secrets masked, and
/// its connection, limits and transport hold.
public struct OAuth2Client: Sendable {
    /// Where the secret goes.
    public enum SecretPlacement: Sendable, Hashable {
        /// Into the `Authorization` field, as Basic, escaped as in a form (RFC 6749 §2.3.1). A server that does not undo
        /// the escapes wants it in the body.
        case header
        /// Into the body, for servers that read it there.
        case body
    }

    /// The name of the client (`client_id`).
    public var id: String
    /// nil for a client that cannot keep one, such as an installed program.
    public var secret: String?
    /// In the header unless said otherwise.
    public var secretPlacement: SecretPlacement
    /// Where token and device requests go.
    public var server: RequestManager
    /// The token endpoint (RFC 6749 §3.2), below the host of `server`.
    public var tokenPath: String
    /// The device authorization endpoint (RFC 8628 §3.1), below the host of `server`; nil for none.
    public var devicePath: String?
    /// The page that the user signs in at (RFC 6749 §3.1); nil for none.
    public var authorizationURL: URL?
    /// Sent along with every token request, such as `audience` or `resource`.
    public var additionalParameters: RequestParameters
    /// The clock that the waits between two polls go by.
    public var clock: any Clock<Duration>
    /// The clock that tokens expire by.
    public var now: @Sendable () -> Date

    /// A client with what its grants need.
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

    /// Asks for a token. Nothing is repeated: a code or a refresh token may be good for one use.
    public func token(for grant: OAuth2Grant) async throws(OAuth2Error) -> OAuth2Token {
        let parameters = grant.parameters.allParameters + additionalParameters.allParameters
        let response = try await send(RequestParameters(parameters), to: tokenPath)
        return try OAuth2Answer(response).token(receivedAt: now())
    }

    func send(_ parameters: RequestParameters, to path: String) async throws(OAuth2Error) -> TransportResponse {
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

/// A form to one of the endpoints, with the credentials of the client.
private struct OAuth2Request: Request {
    typealias RequestBody = RequestParameters
    typealias ResponseBody = Data

    let path: String
    let method = RequestMethod.post
    let headers: RequestHeaders = [.acceptType: .contentType(.json)]
    let body: RequestParameters?
    let authentication: RequestAuthentication?

    /// RFC 6749 §2.3.1: in the header, name and secret are escaped as in a form.
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
