import OmbiCore
import OmbiDocument

/// A user name and a password of a Windows domain, which libcurl proves to the server without sending them (NTLM).
public struct NTLMAuthentication: Sendable, Equatable {
    public var username: String
    public var password: String
    /// Empty for none.
    public var domain: String
    public var unknown = UnknownMembers()

    public init(username: String, password: String, domain: String = "") {
        self.username = username
        self.password = password
        self.domain = domain
    }
}

extension NTLMAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.ntlm
    static let note = "user name and password of a Windows domain"
    static let form = "{ \"ntlm\": { \"username\": …, \"password\": … } }"
    static let descriptors: [FieldDescriptor<NTLMAuthentication>] = [
        FieldDescriptor("username", \.username, example: "ada", need: { _ in .required }),
        FieldDescriptor("password", \.password, isSecret: true, example: "{{password}}", need: { _ in .required }),
        FieldDescriptor("domain", \.domain, example: "CORP"),
    ]
    private static let keys = ["username", "password", "domain"]

    init() { self.init(username: "", password: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("ntlm") else { return nil }
        self.init(
            username: inner.requiredString("username"), password: inner.requiredString("password"),
            domain: inner.string("domain") ?? "")
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("username", text: username)
        writer.add("password", text: password)
        writer.add("domain", optional: domain)
        return writer.object(unknown)
    }

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
public struct NegotiateAuthentication: Sendable, Equatable {
    public var unknown = UnknownMembers()

    public init() {}
}

extension NegotiateAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.negotiate
    static let note = "the Kerberos ticket of the user"
    static let form = "{ \"negotiate\": {} }"
    static let descriptors: [FieldDescriptor<NegotiateAuthentication>] = []

    init?(reading object: ObjectReader) {
        guard let inner = object.object("negotiate") else { return nil }
        self.init()
        unknown = inner.unknown(besides: [])
    }

    var json: JSONValue { ObjectWriter().object(unknown) }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials { .connection(.negotiate) }

    var authentication: SavedAuthentication { .negotiate(self) }

    var exported: ExportedCredentials { .negotiate }
}
