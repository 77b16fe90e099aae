import OmbiDocument

/// A user name and a password, whatever is made of them. Both may hold templates; the password should come from a secret.
protocol PasswordCredentials: SavedCredentials {
    var username: String { get set }
    var password: String { get set }
    var unknown: UnknownMembers { get set }

    init(username: String, password: String)
}

extension PasswordCredentials {
    static var form: String { "{ \"\(kind.rawValue)\": { \"username\": …, \"password\": … } }" }

    static var descriptors: [FieldDescriptor<Self>] {
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

    init() { self.init(username: "", password: "") }

    init?(reading object: ObjectReader) {
        guard let inner = object.object(Self.kind.rawValue) else { return nil }
        self.init(username: inner.requiredString("username"), password: inner.requiredString("password"))
        unknown = inner.unknown(besides: ["username", "password"])
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("username", text: username)
        writer.add("password", text: password)
        return writer.object(unknown)
    }

    /// The user name and the password, filled in.
    func filled(_ fill: TemplateFill) throws(ResolveError) -> (username: String, password: String) {
        (try fill(username, "authentication username"), try fill(password, "authentication password"))
    }
}
