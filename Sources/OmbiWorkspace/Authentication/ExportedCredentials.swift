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
