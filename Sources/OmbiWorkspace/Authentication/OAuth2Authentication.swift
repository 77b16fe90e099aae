/// A client of an authorization server (RFC 6749), and the grant by which it obtains its tokens.
package struct OAuth2Authentication: Sendable, Equatable {
    /// The ways to a first token; a refresh token is used whenever the server has issued one.
    package enum Grant: String, Sendable, CaseIterable {
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

    package var grant = Grant.clientCredentials
    /// A whole URL, or a path on the host of the environment.
    package var tokenURL = ""
    package var deviceURL = ""
    package var authorizationURL = ""
    /// The address to which the browser comes back, as registered; empty for a free port of 127.0.0.1.
    package var redirectURI = ""
    package var clientID = ""
    /// Empty for a public client.
    package var clientSecret = ""
    /// True for servers that expect the client's credentials in the body.
    package var sendsSecretInBody = false
    /// Scopes with spaces between them.
    package var scope = ""
    package var username = ""
    package var password = ""
    /// Further parameters of its requests, such as `audience` or `resource`.
    package var parameters: [Field] = []
    package var unknown = UnknownMembers()
}

extension OAuth2Authentication: ObjectCredentials {
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
    static let members = Members<OAuth2Authentication>(server, client, user)

    private static let server: [Member<OAuth2Authentication>] = [
        Member(
            "grant", Schema.choice("The way to the first token.", of: Grant.allCases.map(\.rawValue)), isRequired: true,
            read: { $0.grant = $1.choice($2, of: Grant.self) ?? .clientCredentials },
            write: { .string($0.grant.rawValue) }),
        .text(
            "tokenURL",
            Schema.text("The token endpoint: a whole URL, or a path on the host of the environment."), isRequired: true,
            { $0.tokenURL = $1 }, { $0.tokenURL }),
        .text(
            "deviceURL",
            Schema.text("The endpoint that issues device codes, on the host of the token endpoint."),
            { $0.deviceURL = $1 }, { $0.grant == .deviceCode || !$0.deviceURL.isEmpty ? $0.deviceURL : nil }),
        .text(
            "authorizationURL",
            Schema.text(
                "The page at which the user signs in: a whole URL, or a path on the host of the environment."),
            { $0.authorizationURL = $1 },
            { $0.grant == .authorizationCode || !$0.authorizationURL.isEmpty ? $0.authorizationURL : nil }),
        .optional(
            "redirectURI",
            Schema.text(
                "The address to which the browser comes back, as registered; a free port of 127.0.0.1 by default."),
            { $0.redirectURI = $1 }, { $0.redirectURI }),
    ]

    private static let client: [Member<OAuth2Authentication>] = [
        .text("clientID", Schema.text(), isRequired: true, { $0.clientID = $1 }, { $0.clientID }),
        .optional(
            "clientSecret", Schema.text("Absent for public clients."), { $0.clientSecret = $1 }, { $0.clientSecret }),
        Member(
            "secretIn", secretSchema,
            read: { $0.sendsSecretInBody = $1.choice($2, of: SecretLocation.self) == .body },
            write: { $0.sendsSecretInBody ? .string(SecretLocation.body.rawValue) : nil }),
        .optional("scope", Schema.text("Scopes with spaces between them."), { $0.scope = $1 }, { $0.scope }),
        Member(
            "parameters",
            Schema.reference("namedValues", "Further parameters of its requests, such as audience or resource."),
            read: { $0.parameters = $1.fields($2) }, write: { JSONValue.named($0.parameters) }),
    ]

    private static let user: [Member<OAuth2Authentication>] = [
        .text(
            "username", Schema.text(), { $0.username = $1 },
            { $0.grant == .password || !$0.username.isEmpty ? $0.username : nil }),
        .optional("password", Schema.text(), { $0.password = $1 }, { $0.password }),
    ]

    private static var secretSchema: JSONValue {
        [
            "enum": .strings(SecretLocation.allCases.map(\.rawValue)), "default": "header",
            "description": "The part of token requests that carries the client's credentials.",
        ]
    }

    static var schema: JSONValue {
        members.schema("Tokens of an authorization server; a refresh token is used where there is one.")
    }

    private enum SecretLocation: String, CaseIterable {
        case header, body
    }

    func check(_ object: ObjectReader) {
        if grant == .deviceCode, !object.has("deviceURL") { object.missing("deviceURL") }
        if grant == .authorizationCode, !object.has("authorizationURL") { object.missing("authorizationURL") }
        if grant == .password, !object.has("username") { object.missing("username") }
    }

    var authentication: SavedAuthentication { .oauth2(self) }

    /// The texts that the URL of the page to sign in is made of.
    var textsOfPage: [String] {
        [authorizationURL, redirectURI, clientID, scope]
            + parameters.filter(\.enabled).flatMap { [$0.name, $0.value] }
    }

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
