import OmbiDocument

/// The host of a collection's requests, and the settings that apply there: becomes one `RequestManager`.
public struct Environment: Sendable, Equatable {
    public var name: String
    /// The base URL of every path: `https://api.example.com/v2`.
    public var host: String
    /// True when requests with an unsafe method need the name of the environment typed.
    public var protected: Bool
    /// False for test servers with an untrusted certificate.
    public var verifyTLS: Bool
    /// Headers of every request to this host, in order.
    public var additionalHeaders: [Field]
    public var variables: [Variable]
    public var secrets: [Secret]
    /// The credentials of requests to this host that have none of their own, nor from a folder.
    public var authentication: SavedAuthentication?
    public var policy: RequestPolicy?
    public var connection: SavedConnection?
    public var unknown = UnknownMembers()
    var unknownInAuthentication = UnknownMembers()

    public init(
        name: String, host: String, protected: Bool = false, verifyTLS: Bool = true,
        additionalHeaders: [Field] = [], variables: [Variable] = [], secrets: [Secret] = [],
        authentication: SavedAuthentication? = nil, policy: RequestPolicy? = nil,
        connection: SavedConnection? = nil
    ) {
        self.name = name
        self.host = host
        self.protected = protected
        self.verifyTLS = verifyTLS
        self.additionalHeaders = additionalHeaders
        self.variables = variables
        self.secrets = secrets
        self.authentication = authentication
        self.policy = policy
        self.connection = connection
    }
}

extension Environment: JSONObjectConvertible {
    static let keys = [
        "name", "host", "protected", "verifyTLS", "additionalHeaders", "variables", "secrets", "authentication",
        "policy", "connection",
    ]

    init(reading object: ObjectReader) {
        self.init(
            name: object.name("name"), host: object.requiredString("host"),
            protected: object.bool("protected") ?? false, verifyTLS: object.bool("verifyTLS") ?? true,
            additionalHeaders: object.fields("additionalHeaders"), variables: object.fields("variables"),
            secrets: object.secrets("secrets"), policy: object.value("policy", as: RequestPolicy.self),
            connection: object.value("connection", as: SavedConnection.self))
        if let (authentication, unknown) = SavedAuthentication.read(in: object) {
            self.authentication = authentication
            unknownInAuthentication = unknown
        }
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        writer.add("host", text: host)
        writer.add("protected", protected ? .bool(true) : nil)
        writer.add("verifyTLS", verifyTLS ? nil : .bool(false))
        writer.add("additionalHeaders", fields: additionalHeaders)
        writer.add("variables", fields: variables)
        writer.add("secrets", secrets: secrets)
        writer.add("authentication", authentication?.json(unknownInAuthentication))
        writer.add("policy", policy?.json)
        writer.add("connection", connection?.json)
        return writer.object(unknown)
    }
}
