/// A user name and a password, whatever is made of them. Both may hold templates; the password should come from a secret.
protocol PasswordCredentials: ObjectCredentials {
    var username: String { get set }
    var password: String { get set }
}

extension PasswordCredentials {
    static var form: String { "{ \"\(kind.rawValue)\": { \"username\": …, \"password\": … } }" }

    static var userDescriptors: [FieldDescriptor<Self>] {
        [
            FieldDescriptor("username", example: "ada", need: { _ in .required }) {
                $0.username
            } write: {
                $0.username = $1
            },
            FieldDescriptor("password", isSecret: true, example: "{{password}}", need: { _ in .required }) {
                $0.password
            } write: {
                $0.password = $1
            },
        ]
    }

    static var userMembers: [Member<Self>] {
        [
            .text("username", Schema.text(), isRequired: true, { $0.username = $1 }, { $0.username }),
            .text("password", Schema.text(), isRequired: true, { $0.password = $1 }, { $0.password }),
        ]
    }

    /// The user name and the password, filled in.
    func filled(_ fill: TemplateFill) throws(ResolveError) -> (username: String, password: String) {
        (try fill(username, "authentication username"), try fill(password, "authentication password"))
    }
}

/// A user name and a password (RFC 7617). Both may hold templates; the password should come from a secret.
package struct BasicAuthentication: Sendable, Equatable {
    package var username = ""
    package var password = ""
    package var unknown = UnknownMembers()
}

extension BasicAuthentication: PasswordCredentials {
    static let kind = SavedAuthentication.Kind.basic
    static let note = "user name and password"
    static let descriptors: [FieldDescriptor<BasicAuthentication>] = userDescriptors
    static let members = Members<BasicAuthentication>(userMembers)
    static var schema: JSONValue { members.schema() }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let (username, password) = try filled(fill)
        return .plain(.basic(username: username, password: password))
    }

    var authentication: SavedAuthentication { .basic(self) }

    /// Many APIs take a key as the name and no password, or a token as the password and no name.
    var emptyParts: [String] { username.isEmpty && password.isEmpty ? Self.descriptors.map(\.label) : [] }

    var exported: ExportedCredentials { .user(username, password: password, .basic) }
}

/// A user name and a password that is never sent (RFC 7616).
package struct DigestAuthentication: Sendable, Equatable {
    package var username = ""
    package var password = ""
    package var unknown = UnknownMembers()
}

extension DigestAuthentication: PasswordCredentials {
    static let kind = SavedAuthentication.Kind.digest
    static let note = "user name and password, hashed with a nonce of the server"
    static let descriptors: [FieldDescriptor<DigestAuthentication>] = userDescriptors
    static let members = Members<DigestAuthentication>(userMembers)
    static var schema: JSONValue {
        members.schema("A user name and a password that is never sent (RFC 7616).")
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let (username, password) = try filled(fill)
        return .digest(username: username, password: password)
    }

    var authentication: SavedAuthentication { .digest(self) }

    var exported: ExportedCredentials { .user(username, password: password, .digest) }
}

/// A user name and a password of a Windows domain, which libcurl proves to the server without sending them (NTLM).
package struct NTLMAuthentication: Sendable, Equatable {
    package var username = ""
    package var password = ""
    /// Empty for none.
    package var domain = ""
    package var unknown = UnknownMembers()
}

extension NTLMAuthentication: PasswordCredentials {
    static let kind = SavedAuthentication.Kind.ntlm
    static let note = "user name and password of a Windows domain"
    static let descriptors: [FieldDescriptor<NTLMAuthentication>] =
        userDescriptors + [FieldDescriptor("domain", \.domain, example: "CORP")]
    static let members = Members<NTLMAuthentication>(
        userMembers,
        [.optional("domain", Schema.text("The Windows domain of the user."), { $0.domain = $1 }, { $0.domain })])
    static var schema: JSONValue {
        members.schema("A user name and a password that is never sent, for a connection.")
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        let domain = try fill(domain, "authentication domain")
        let (username, password) = try filled(fill)
        return .connection(.ntlm(username: Self.user(username, of: domain), password: password))
    }

    /// The user as libcurl takes it: with the domain in front.
    private static func user(_ name: String, of domain: String) -> String {
        domain.isEmpty ? name : domain + "\\" + name
    }

    var authentication: SavedAuthentication { .ntlm(self) }

    var machineNeed: MachineNeed? { .scheme(.ntlm(username: "", password: "")) }

    var exported: ExportedCredentials { .user(Self.user(username, of: domain), password: password, .ntlm) }
}

/// The Kerberos ticket of the user, which libcurl proves to the server (Negotiate, RFC 4559). It is a source of this machine.
package struct NegotiateAuthentication: Sendable, Equatable {
    package var unknown = UnknownMembers()
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

    var machineNeed: MachineNeed? { .scheme(.negotiate) }

    var exported: ExportedCredentials { .negotiate }
}

/// The user name and the password that a file of this machine has for the host of the request, sent as Basic (RFC 7617).
package struct NetrcAuthentication: Sendable, Equatable {
    /// Empty for `$NETRC`, or else `~/.netrc`.
    package var file = ""
    package var unknown = UnknownMembers()
}

extension NetrcAuthentication: ObjectCredentials {
    static let kind = SavedAuthentication.Kind.netrc
    static let note = "user name and password of ~/.netrc"
    static let form = "{ \"netrc\": {} }"
    static let descriptors = [
        FieldDescriptor("file", \NetrcAuthentication.file, isPath: true, example: "~/.netrc")
    ]

    static let members = Members<NetrcAuthentication>([
        .optional(
            "file", Schema.reference("path", "$NETRC by default, or else ~/.netrc."), { $0.file = $1 }, { $0.file })
    ])
    static var schema: JSONValue {
        members.schema("The user name and the password that a file has for the host, sent as Basic.")
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .netrc(file: try fill(file, "authentication file"))
    }

    var authentication: SavedAuthentication { .netrc(self) }

    var machineNeed: MachineNeed? { .netrc(file: file) }

    var exported: ExportedCredentials { .netrc(file: file) }
}
