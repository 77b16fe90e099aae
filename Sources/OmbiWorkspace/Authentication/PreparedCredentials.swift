import OmbiCore

/// Credentials with everything filled in: sent as they are, or obtained or computed while the request is sent.
enum PreparedCredentials: Sendable, Hashable {
    case plain(RequestAuthentication)
    case digest(username: String, password: String)
    case aws(AWS)
    case oauth2(OAuth2)

    /// The key, the scope of the signature and the session token of temporary keys; nil for others.
    struct AWS: Sendable, Hashable {
        var accessKeyID: String
        var secretAccessKey: String
        var sessionToken: String?
        var region: String
        var service: String
    }

    /// A client of an authorization server, and the grant by which it obtains tokens.
    struct OAuth2: Sendable, Hashable {
        var grant: OAuth2Authentication.Grant
        /// Scheme, host and port of the authorization server.
        var server: String
        var tokenPath: String
        var devicePath: String?
        /// The page to open in a browser, as a whole URL once it is complete.
        var authorizationURL: String?
        var redirectURI = ""
        var clientID: String
        var clientSecret: String?
        var sendsSecretInBody: Bool
        var scopes: [String]
        var username: String
        var password: String
        /// Further parameters of its requests.
        var parameters: RequestParameters = [:]
    }

    /// True for a token for which a person signs in.
    var needsPerson: Bool {
        if case .oauth2(let oauth2) = self {
            oauth2.grant == .deviceCode || oauth2.grant == .authorizationCode
        } else {
            false
        }
    }

    /// The labels of the parts without which a server knows nobody, and that are empty.
    var emptyParts: [String] {
        let parts: KeyValuePairs<String, String>
        switch self {
        case .plain(.basic(let username, let password)), .digest(let username, let password):
            parts = ["username": username, "password": password]
        case .plain(.token(_, let token)): parts = ["token": token]
        case .plain(.apiKey(_, let value, _)): parts = ["value": value]
        case .aws(let aws): parts = ["access key ID": aws.accessKeyID, "secret access key": aws.secretAccessKey]
        case .oauth2(let oauth2): parts = ["client ID": oauth2.clientID]
        }
        return parts.filter { $0.value.isEmpty }.map { $0.key }
    }

    /// The header that carries them; nil for an API key in the query.
    var headerKey: RequestHeaders.Key? {
        switch self {
        case .plain(let authentication): authentication.headerKey
        case .digest, .aws, .oauth2: .authorization
        }
    }
}

extension PreparedCredentials: CustomStringConvertible, CustomReflectable {
    /// The scheme alone.
    var description: String {
        switch self {
        case .plain(let authentication): authentication.description
        case .digest: "Digest"
        case .aws: "AWS Signature Version 4"
        case .oauth2: "OAuth 2"
        }
    }

    /// Keeps secrets out of debuggers and failing tests.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Credentials apart from their kind, as they are exported with their templates.
enum ExportedCredentials: Sendable, Equatable {
    /// A name and a password, and the scheme for which the server gets them.
    case user(String, password: String, UserScheme)
    /// A token that is sent as it is (RFC 6750).
    case token(String)
    case key(name: String, value: String, APIKeyAuthentication.Location)
    /// A token that somebody issues while the request is sent, and the words for that.
    case issuedToken(String)

    enum UserScheme: Sendable, Equatable {
        case basic, digest
        case aws(region: String, service: String, sessionToken: String)
    }
}
