/// Credentials with everything filled in: sent as they are, or obtained or computed while the request is sent.
enum PreparedCredentials: Sendable, Hashable {
    case plain(RequestAuthentication)
    case digest(username: String, password: String)
    case aws(AWS)
    case oauth2(OAuth2)
    /// Credentials that the transport negotiates.
    case connection(ConnectionAuthentication.Scheme)
    /// A file that has the user and the password of the host, before it is read; empty for the usual one.
    case netrc(file: String)

    /// The key, the scope of the signature and the session token of temporary keys; nil for others.
    struct AWS: Sendable, Hashable {
        var accessKeyID: String
        var secretAccessKey: String
        var sessionToken: String?
        var region: String
        var service: String
        /// The profile whose keys are yet to be read; empty for none.
        var profile = ""
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

    /// The labels of the empty parts without which a server cannot identify the user.
    var emptyParts: [String] {
        let parts: KeyValuePairs<String, String>
        switch self {
        // One of the two may be a key or a token, which is all.
        case .plain(.basic(let username, let password)) where username.isEmpty != password.isEmpty: parts = [:]
        case .plain(.basic(let username, let password)), .digest(let username, let password):
            parts = ["username": username, "password": password]
        case .plain(.token(_, let token)): parts = ["token": token]
        case .plain(.apiKey(_, let value, _)): parts = ["value": value]
        case .aws(let aws): parts = ["access key ID": aws.accessKeyID, "secret access key": aws.secretAccessKey]
        case .connection(.ntlm(let username, let password)): parts = ["username": username, "password": password]
        case .connection(.negotiate), .netrc: parts = [:]
        case .oauth2(let oauth2): parts = ["client ID": oauth2.clientID]
        }
        return parts.filter { $0.value.isEmpty }.map { $0.key }
    }

    /// The credentials that the transport negotiates; nil for others.
    var connectionAuthentication: ConnectionAuthentication? {
        if case .connection(let scheme) = self { ConnectionAuthentication(scheme) } else { nil }
    }

    /// The header that carries them alone; nil for an API key in the query, and for one among the cookies.
    var headerKey: RequestHeaders.Key? {
        switch self {
        case .plain(.apiKey(_, _, .cookie)): nil
        case .plain(let authentication): authentication.headerKey
        case .digest, .aws, .oauth2, .connection, .netrc: .authorization
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
        case .connection(let scheme): scheme.description
        case .netrc: "Basic"
        }
    }

    /// Keeps secrets out of debuggers and failing tests.
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Credentials apart from their kind, as they are exported with their templates.
enum ExportedCredentials: Sendable, Equatable {
    /// A name and a password, and the scheme for which the server gets them.
    case user(String, password: String, UserScheme)
    /// A token that is sent unchanged (RFC 6750).
    case token(String)
    case key(name: String, value: String, APIKeyAuthentication.Location)
    /// A token that is issued while the request is sent, and a description of it.
    case issuedToken(String)
    /// The Kerberos ticket of the sender.
    case negotiate
    /// A `.netrc` file; empty for the usual one.
    case netrc(file: String)
    /// Signatures with the keys of a profile.
    case awsProfile(String)

    enum UserScheme: Sendable, Equatable {
        case basic, digest, ntlm
        case aws(region: String, service: String, sessionToken: String)
    }
}

extension ExportedCredentials {
    /// The same with secrets masked that are no templates.
    var masked: ExportedCredentials {
        let hidden = { (text: String) in text.isEmpty || text.contains("{{") ? text : LogMask.mask }
        return switch self {
        case .user(let name, let password, .aws(let region, let service, let sessionToken)):
            .user(
                name, password: hidden(password),
                .aws(region: region, service: service, sessionToken: hidden(sessionToken)))
        case .user(let name, let password, let scheme): .user(name, password: hidden(password), scheme)
        case .token(let token): .token(hidden(token))
        case .key(let name, let value, let location): .key(name: name, value: hidden(value), location)
        case .issuedToken, .negotiate, .netrc, .awsProfile: self
        }
    }

    /// The sentence about credentials that most tools are not given; nil for others.
    var omission: String? {
        switch self {
        case .user(_, _, .aws), .awsProfile: "its AWS signature is left out"
        case .user(_, _, .ntlm): "its NTLM authentication is left out"
        case .negotiate: "its Negotiate authentication is left out"
        case .netrc: "its user is left out: it is in a .netrc file"
        case .user(_, _, .basic), .user(_, _, .digest), .token, .key, .issuedToken: nil
        }
    }
}
