import OmbiCore
import OmbiDocument

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

extension BasicAuthentication: SavedCredentials {
    static let kind = SavedAuthentication.Kind.basic
    static let note = "user name and password"
    static let form = "{ \"basic\": { \"username\": …, \"password\": … } }"
    static let descriptors = [
        FieldDescriptor("username", \BasicAuthentication.username),
        FieldDescriptor("password", \BasicAuthentication.password, isSecret: true),
    ]
    private static let keys = ["username", "password"]

    init() { self.init(username: "", password: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object("basic") else { return nil }
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
        .plain(
            .basic(
                username: try fill(username, "authentication username"),
                password: try fill(password, "authentication password")))
    }

    var authentication: SavedAuthentication { .basic(self) }
}
