/// Credentials apart from their kind, as they are exported with their templates.
enum ExportedCredentials: Sendable, Equatable {
    /// A name and a password, and the scheme for which the server gets them.
    case user(String, password: String, UserScheme)
    case header(String, String)
    case query(String, String)

    enum UserScheme: Sendable, Equatable {
        case basic, digest
        case aws(region: String, service: String, sessionToken: String)
    }
}
