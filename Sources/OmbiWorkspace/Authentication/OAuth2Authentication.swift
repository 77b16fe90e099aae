import OmbiCore
import OmbiDocument

/// A client of an authorization server (RFC 6749), and the grant by which it obtains its tokens.
public struct OAuth2Authentication: Sendable, Equatable {
    /// The ways to a first token; a refresh token is used whenever the server has issued one.
    public enum Grant: String, Sendable, CaseIterable {
        case clientCredentials, password, deviceCode, authorizationCode

        var note: String {
            switch self {
            case .clientCredentials: "the client's own credentials (RFC 6749 §4.4)"
            case .password: "user name and password (RFC 6749 §4.3)"
            case .deviceCode: "a code to enter in any browser (RFC 8628)"
            case .authorizationCode: "a browser that comes back, with PKCE (RFC 7636)"
            }
        }
    }

    public var grant: Grant
    /// A whole URL, or a path on the host of the environment.
    public var tokenURL: String
    /// The endpoint that issues device codes.
    public var deviceURL: String
    /// The page at which the user signs in.
    public var authorizationURL: String
    /// The address to which the browser comes back, as registered; empty for a free port of 127.0.0.1.
    public var redirectURI: String
    public var clientID: String
    /// Empty for a public client.
    public var clientSecret: String
    /// True for servers that expect the client's credentials in the body.
    public var sendsSecretInBody: Bool
    /// Scopes with spaces between them.
    public var scope: String
    public var username: String
    public var password: String
    /// Further parameters of its requests, such as `audience` or `resource`.
    public var parameters: [Field] = []
    public var unknown = UnknownMembers()

    public init(
        grant: Grant = .clientCredentials, tokenURL: String, deviceURL: String = "", authorizationURL: String = "",
        redirectURI: String = "", clientID: String,
        clientSecret: String = "", sendsSecretInBody: Bool = false, scope: String = "", username: String = "",
        password: String = ""
    ) {
        self.grant = grant
        self.tokenURL = tokenURL
        self.deviceURL = deviceURL
        self.authorizationURL = authorizationURL
        self.redirectURI = redirectURI
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.sendsSecretInBody = sendsSecretInBody
        self.scope = scope
        self.username = username
        self.password = password
    }
}

extension OAuth2Authentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.oauth2
    static let note = "a token that an authorization server issues"
    static let form = "{ \"oauth2\": { \"grant\": …, \"tokenURL\": …, \"clientID\": … } }"
    static let descriptors: [FieldDescriptor<OAuth2Authentication>] = [
        FieldDescriptor(
            "grant", choices: Grant.allCases.map { FieldChoice($0.rawValue, note: $0.note) }
        ) {
            $0.grant.rawValue
        } write: {
            $0.grant = Grant(rawValue: $1) ?? .clientCredentials
        },
        FieldDescriptor(
            "token URL", \.tokenURL, example: "/oauth/token or https://id.example.com/token",
            need: { _ in .required }),
        FieldDescriptor(
            "device URL", \.deviceURL, example: "/oauth/device",
            need: { $0.grant == .deviceCode ? .required : .unused }),
        FieldDescriptor(
            "authorization URL", \.authorizationURL, example: "/oauth/authorize",
            need: { $0.grant == .authorizationCode ? .required : .unused }),
        FieldDescriptor(
            "redirect URI", \.redirectURI, example: "http://127.0.0.1:8912/callback",
            need: { $0.grant == .authorizationCode ? .optional : .unused }),
        FieldDescriptor("client ID", \.clientID, example: "shop-app", need: { _ in .required }),
        FieldDescriptor(
            "client secret", \.clientSecret, isSecret: true, example: "{{clientSecret}}"),
        FieldDescriptor(
            "secret in", choices: [FieldChoice("header", note: "as Basic"), FieldChoice("body")]
        ) {
            $0.sendsSecretInBody ? "body" : "header"
        } write: {
            $0.sendsSecretInBody = $1 == "body"
        },
        FieldDescriptor("scope", \.scope, example: "orders:read orders:write"),
        FieldDescriptor("parameters", example: "audience=https://api.example.com") {
            FieldText.pairs($0.parameters.filter(\.enabled))
        } write: { value, text throws(FieldError) in
            value.parameters = try FieldText.pairs(text) + value.parameters.filter { !$0.enabled }
        },
        FieldDescriptor(
            "username", \.username, example: "ada",
            need: { $0.grant == .password ? .required : .unused }),
        FieldDescriptor(
            "password", \.password, isSecret: true, example: "{{password}}",
            need: { $0.grant == .password ? .required : .unused }),
    ]
    private static let keys = [
        "grant", "tokenURL", "deviceURL", "authorizationURL", "redirectURI", "clientID", "clientSecret", "secretIn",
        "scope", "parameters", "username", "password",
    ]

    private enum SecretLocation: String, CaseIterable {
        case header, body
    }

    init() { self.init(tokenURL: "", clientID: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("oauth2") else { return nil }
        if !inner.has("grant") { inner.missing("grant") }
        self.init(
            grant: inner.choice("grant", of: Grant.self) ?? .clientCredentials,
            tokenURL: inner.requiredString("tokenURL"), deviceURL: inner.string("deviceURL") ?? "",
            authorizationURL: inner.string("authorizationURL") ?? "", redirectURI: inner.string("redirectURI") ?? "",
            clientID: inner.requiredString("clientID"), clientSecret: inner.string("clientSecret") ?? "",
            sendsSecretInBody: inner.choice("secretIn", of: SecretLocation.self) == .body,
            scope: inner.string("scope") ?? "", username: inner.string("username") ?? "",
            password: inner.string("password") ?? "")
        parameters = inner.fields("parameters")
        if grant == .deviceCode, !inner.has("deviceURL") { inner.missing("deviceURL") }
        if grant == .authorizationCode, !inner.has("authorizationURL") { inner.missing("authorizationURL") }
        if grant == .password, !inner.has("username") { inner.missing("username") }
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("grant", text: grant.rawValue)
        writer.add("tokenURL", text: tokenURL)
        writer.add("deviceURL", text: grant == .deviceCode || !deviceURL.isEmpty ? deviceURL : nil)
        let needsPage = grant == .authorizationCode || !authorizationURL.isEmpty
        writer.add("authorizationURL", text: needsPage ? authorizationURL : nil)
        writer.add("redirectURI", optional: redirectURI)
        writer.add("clientID", text: clientID)
        writer.add("clientSecret", optional: clientSecret)
        writer.add("secretIn", text: sendsSecretInBody ? "body" : nil)
        writer.add("scope", optional: scope)
        writer.add("parameters", fields: parameters)
        writer.add("username", text: grant == .password || !username.isEmpty ? username : nil)
        writer.add("password", optional: password)
        return writer.object(unknown)
    }

    var authentication: SavedAuthentication { .oauth2(self) }

    var exported: ExportedCredentials { .issuedToken("OAuth 2 (\(grant.rawValue))") }
}

extension OAuth2Authentication {
    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let secret = try fill(clientSecret, "authentication client secret")
        let (server, tokenPath) = Self.parts(try fill(tokenURL, "authentication token URL"))
        let device = grant == .deviceCode ? Self.parts(try fill(deviceURL, "authentication device URL")) : nil
        let isCode = grant == .authorizationCode
        let scope = try fill(scope, "authentication scope")
        let needsUser = grant == .password
        let parameters = try Field.filled(parameters, "authentication parameter", fill)
        return .oauth2(
            PreparedCredentials.OAuth2(
                grant: grant, server: server, tokenPath: tokenPath,
                devicePath: device.map { $0.server.isEmpty || $0.server == server ? $0.path : $0.server + $0.path },
                authorizationURL: isCode ? try fill(authorizationURL, "authentication authorization URL") : nil,
                redirectURI: isCode ? try fill(redirectURI, "authentication redirect URI") : "",
                clientID: try fill(clientID, "authentication client ID"), clientSecret: secret.isEmpty ? nil : secret,
                sendsSecretInBody: sendsSecretInBody, scopes: scope.split(separator: " ").map(String.init),
                username: needsUser ? try fill(username, "authentication username") : "",
                password: needsUser ? try fill(password, "authentication password") : "",
                parameters: RequestParameters(parameters.map { .init($0.name, .string($0.value)) })))
    }

    /// Splits a URL behind its host; a path alone has none. A misspelled URL is a server as it is written, to which
    /// nothing can be sent: as a path it would bring the client's credentials to the host of the environment.
    private static func parts(_ written: String) -> (server: String, path: String) {
        let target = RequestTarget(written)
        let url = target.text
        if target.problem != nil { return (url, "") }
        guard target.isURL else { return ("", url.hasPrefix("/") || url.isEmpty ? url : "/" + url) }
        let start = Origin.pathStart(of: url)
        return (String(url[..<start]), String(url[start...]))
    }
}
