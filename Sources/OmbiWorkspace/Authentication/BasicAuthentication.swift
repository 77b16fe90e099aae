import OmbiCore

/// A user name and a password (RFC 7617). Both may hold templates; the password should come from a secret.
public struct BasicAuthentication: Sendable, Equatable {
    public var username: String
    public var password: String
    public var unknown = UnknownMembers()

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension BasicAuthentication: PasswordCredentials {
    static let kind = SavedAuthentication.Kind.basic
    static let note = "user name and password"

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let (username, password) = try filled(fill)
        return .plain(.basic(username: username, password: password))
    }

    var authentication: SavedAuthentication { .basic(self) }

    var exported: ExportedCredentials { .user(username, password: password, .basic) }
}
