import OmbiCore
import OmbiDocument

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

extension DigestAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.digest
    static let note = "user name and password, hashed with a nonce of the server"
    static let form = "{ \"digest\": { \"username\": …, \"password\": … } }"
    static let descriptors = [
        FieldDescriptor("username", \DigestAuthentication.username),
        FieldDescriptor("password", \DigestAuthentication.password, isSecret: true),
    ]
    private static let keys = ["username", "password"]

    init() { self.init(username: "", password: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("digest") else { return nil }
        self.init(username: inner.requiredString("username"), password: inner.requiredString("password"))
        unknown = inner.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("username", text: username)
        writer.add("password", text: password)
        return writer.object(unknown)
    }

    func prepare(_ fill: TemplateFill) throws(ResolveError) -> PreparedCredentials {
        .digest(
            username: try fill(username, "authentication username"),
            password: try fill(password, "authentication password"))
    }

    var authentication: SavedAuthentication { .digest(self) }
}
