/// A user name and a password of a Windows domain, which libcurl proves to the server without sending them (NTLM).
package struct NTLMAuthentication: Sendable, Equatable {
    package var username: String
    package var password: String
    /// Empty for none.
    package var domain = ""
    package var unknown = UnknownMembers()
}

extension NTLMAuthentication: ObjectCredentials {
    static let kind = SavedAuthentication.Kind.ntlm
    static let note = "user name and password of a Windows domain"
    static let form = "{ \"ntlm\": { \"username\": …, \"password\": … } }"
    static let descriptors: [FieldDescriptor<NTLMAuthentication>] = [
        FieldDescriptor("username", \.username, example: "ada", need: { _ in .required }),
        FieldDescriptor("password", \.password, isSecret: true, example: "{{password}}", need: { _ in .required }),
        FieldDescriptor("domain", \.domain, example: "CORP"),
    ]
    static let members = Members<NTLMAuthentication>([
        .text("username", Schema.text(), isRequired: true, { $0.username = $1 }, { $0.username }),
        .text("password", Schema.text(), isRequired: true, { $0.password = $1 }, { $0.password }),
        .optional("domain", Schema.text("The Windows domain of the user."), { $0.domain = $1 }, { $0.domain }),
    ])
    static var schema: JSONValue {
        members.schema("A user name and a password that is never sent, for a connection.")
    }

    init() { self.init(username: "", password: "") }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let domain = try fill(domain, "authentication domain")
        return .connection(
            .ntlm(
                username: Self.user(try fill(username, "authentication username"), of: domain),
                password: try fill(password, "authentication password")))
    }

    /// The user as libcurl takes it: with the domain in front.
    private static func user(_ name: String, of domain: String) -> String {
        domain.isEmpty ? name : domain + "\\" + name
    }

    var authentication: SavedAuthentication { .ntlm(self) }

    var exported: ExportedCredentials { .user(Self.user(username, of: domain), password: password, .ntlm) }
}

/// The Kerberos ticket of the user, which libcurl proves to the server (Negotiate, RFC 4559). It is a source of this machine.
package struct NegotiateAuthentication: Sendable, Equatable {
    package var unknown = UnknownMembers()

    package init() {}
}

extension NegotiateAuthentication: ObjectCredentials {
    static let kind = SavedAuthentication.Kind.negotiate
    static let note = "the Kerberos ticket of the user"
    static let form = "{ \"negotiate\": {} }"
    static let descriptors: [FieldDescriptor<NegotiateAuthentication>] = []

    static let members = Members<NegotiateAuthentication>()
    static var schema: JSONValue {
        members.schema("The Kerberos ticket of the user (RFC 4559), for a connection.")
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials { .connection(.negotiate) }

    var authentication: SavedAuthentication { .negotiate(self) }

    var exported: ExportedCredentials { .negotiate }
}
