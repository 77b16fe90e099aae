import OmbiDocument

/// The host of a collection's requests, and the settings that apply there: becomes one `RequestManager`.
public struct Environment: Sendable, Equatable {
    public var name: String
    /// The base URL of every path: `https://api.example.com/v2`; empty where it is inherited.
    public var host: String
    /// The name of the environment that it takes everything from that it does not set itself.
    public var inherits: String?
    /// True for one that others inherit from, and that no request goes to.
    public var isAbstract: Bool
    /// The path of a `.env` file, whose values are secrets; a relative one starts at the folder of the collection.
    public var envFile: String?
    /// True when requests with an unsafe method need the name of the environment typed.
    public var protected: Bool
    /// False for test servers with an untrusted certificate.
    public var verifyTLS: Bool
    /// Headers of every request to this host, in order.
    public var additionalHeaders: [Field]
    public var variables: [Variable]
    public var secrets: [Secret]
    /// The credentials of requests to this host that have none of their own, nor from a folder.
    @Rare public var authentication: SavedAuthentication?
    @Rare public var policy: RequestPolicy?
    @Rare public var connection: SavedConnection?
    @Rare public var objective: Objective?
    @Rare public var trace: SavedTrace?
    /// False for one whose runs are not kept in the history.
    public var isRecorded = true
    public var unknown = UnknownMembers()
    var unknownInAuthentication = UnknownMembers()
    /// True for one of `NAME.local.json`, which belongs to this machine.
    var isLocal = false
    /// The environments that this one was made of, the nearest first, where it inherits anything. No file holds them.
    var layers: [Environment] = []

    public init(
        name: String, host: String, protected: Bool = false, verifyTLS: Bool = true,
        additionalHeaders: [Field] = [], variables: [Variable] = [], secrets: [Secret] = [],
        authentication: SavedAuthentication? = nil, policy: RequestPolicy? = nil,
        connection: SavedConnection? = nil, inherits: String? = nil, isAbstract: Bool = false
    ) {
        self.name = name
        self.host = host
        self.inherits = inherits
        self.isAbstract = isAbstract
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
        "name", "abstract", "inherits", "host", "envFile", "protected", "verifyTLS", "additionalHeaders", "variables",
        "secrets", "authentication", "policy", "connection", "objective", "trace", "traceURL", "record",
    ]

    /// True where nothing else can give it a host.
    var needsHost: Bool { inherits == nil && !isAbstract }

    init(reading object: ObjectReader) { self.init(reading: object, isPart: false) }

    /// - Parameter isPart: true for what is laid over an environment of the same name.
    init(reading object: ObjectReader, isPart: Bool) {
        let inherits = object.has("inherits") ? object.name("inherits") : nil
        let isAbstract = object.bool("abstract") ?? false
        let isOptional = isPart || inherits != nil || isAbstract
        self.init(
            name: object.name("name"),
            host: isOptional
                ? object.string("host", problem: HostText.problem) ?? ""
                : object.requiredString("host", problem: HostText.problem),
            protected: object.bool("protected") ?? false, verifyTLS: object.bool("verifyTLS") ?? true,
            additionalHeaders: object.fields("additionalHeaders"), variables: object.fields("variables"),
            secrets: object.secrets("secrets"), policy: object.value("policy", as: RequestPolicy.self),
            connection: object.value("connection", as: SavedConnection.self), inherits: inherits, isAbstract: isAbstract
        )
        if let (authentication, unknown) = SavedAuthentication.read(in: object) {
            self.authentication = authentication
            unknownInAuthentication = unknown
        }
        objective = object.value("objective", as: Objective.self)
        trace = SavedTrace.read(in: object)
        isRecorded = object.bool("record") ?? true
        if object.has("envFile") { envFile = object.name("envFile") }
        unknown = object.unknown(besides: Self.keys)
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("name", text: name)
        writer.add("abstract", isAbstract ? .bool(true) : nil)
        writer.add("inherits", inherits.map(JSONValue.string))
        writer.add("host", host.isEmpty && !needsHost ? nil : .string(host))
        writer.add("envFile", envFile.map(JSONValue.string))
        writer.add("protected", protected ? .bool(true) : nil)
        writer.add("verifyTLS", verifyTLS ? nil : .bool(false))
        writer.add("additionalHeaders", fields: additionalHeaders)
        writer.add("variables", fields: variables)
        writer.add("secrets", secrets: secrets)
        writer.add("authentication", authentication?.json(unknownInAuthentication))
        writer.add("policy", policy?.json)
        writer.add("connection", connection?.json)
        writer.add("objective", objective?.json)
        writer.add(trace)
        writer.add("record", isRecorded ? nil : .bool(false))
        return writer.object(unknown)
    }
}

/// The credentials of an environment as rows of a table.
extension Environment {
    /// The kind, and the fields of all kinds.
    static let authenticationFields: [FieldDescriptor<Environment>] =
        [
            FieldDescriptor("authentication", choices: SavedAuthentication.choices) {
                $0.authentication?.kind.rawValue ?? "inherit"
            } write: { environment, name in
                let kind = SavedAuthentication.Kind(rawValue: name)
                if kind != environment.authentication?.kind {
                    environment.authentication = kind.map(SavedAuthentication.init)
                }
            }
        ]
        + SavedAuthentication.Kind.allCases.flatMap { kind in
            kind.descriptors.map { field in
                field.nested(label: "\(kind.rawValue) \(field.label)") {
                    $0.authentication
                } set: {
                    $0.authentication = $1
                }
            }
        }

    /// The indices of the fields of authentication that any of these environments has.
    public static func authenticationRows(of environments: [Environment]) -> [Int] {
        let start = fields.count - authenticationFields.count - originFields.count
        let kinds = Set(environments.compactMap { $0.authentication?.kind })
        let owners = SavedAuthentication.Kind.allCases.flatMap { kind in kind.descriptors.map { _ in kind } }
        return [start] + owners.indices.filter { kinds.contains(owners[$0]) }.map { start + 1 + $0 }
    }
}

/// The connection of an environment as rows of a table.
extension Environment {
    static let connectionFields = SavedConnection.fields.map { field in
        FieldDescriptor<Environment>(
            field.label, choices: field.choices, isPath: field.isPath, isSecret: field.isSecret
        ) {
            field.read($0.connection ?? SavedConnection())
        } write: { environment, text throws(FieldError) in
            var connection = environment.connection ?? SavedConnection()
            try field.write(&connection, text)
            environment.connection = connection == SavedConnection() ? nil : connection
        }
    }

    /// The indices of the fields of the connection.
    public static let connectionRows: Range<Int> = {
        let start = ownFieldCount + RequestPolicy.fields.count
        return start..<start + connectionFields.count
    }()
}
