/// A user name and a password that is never sent (RFC 7616).
public struct DigestAuthentication: Sendable, Equatable {
    public var username: String
    public var password: String
    public var unknown = UnknownMembers()

    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}

extension DigestAuthentication: PasswordCredentials {
    static let kind = SavedAuthentication.Kind.digest
    static let note = "user name and password, hashed with a nonce of the server"

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let (username, password) = try filled(fill)
        return .digest(username: username, password: password)
    }

    var authentication: SavedAuthentication { .digest(self) }

    var exported: ExportedCredentials { .user(username, password: password, .digest) }
}
