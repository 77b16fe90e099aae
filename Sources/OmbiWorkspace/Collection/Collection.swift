import OmbiDocument

/// The contents of one collection file: environments, and a tree of requests.
///
/// Two collections read from the same file are not equal, because their items have identities of their own; compare
/// their `text` to compare the contents.
public struct Collection: Sendable, Equatable {
    /// The version of the file format that this code reads and writes.
    public static let currentVersion = 1

    /// The `$schema` of the file, for editors.
    public var schema: String?
    public var name: String
    public var description: String
    public var tags: [String] = []
    public var variables: [Variable]
    /// The headers of all requests in it.
    public var headers: [Field]
    /// The credentials of the requests that have none of their own, nor from a folder or an environment.
    @Rare public var authentication: SavedAuthentication?
    @Rare public var policy: RequestPolicy?
    @Rare public var connection: SavedConnection?
    @Rare public var objective: Objective?
    public var environments: [Environment]
    public var items: [CollectionItem]
    public var unknown = UnknownMembers()
    var unknownInAuthentication = UnknownMembers()
    /// The part that belongs to this machine, in files beside this one.
    public internal(set) var overlay = CollectionOverlay()

    public init(
        schema: String? = "./ombi.schema.json", name: String, description: String = "", variables: [Variable] = [],
        headers: [Field] = [], authentication: SavedAuthentication? = nil, policy: RequestPolicy? = nil,
        environments: [Environment] = [], items: [CollectionItem] = []
    ) {
        self.schema = schema
        self.name = name
        self.description = description
        self.variables = variables
        self.headers = headers
        self.authentication = authentication
        self.policy = policy
        self.environments = environments
        self.items = items
    }

    public var version: Int { Self.currentVersion }

    /// The canonical text of the file: equal contents give equal text.
    public var text: String { json.text }
}

extension Collection: JSONObjectConvertible {
    static let keys = ["$schema", "version", "name"] + SharedSettings.keys + ["environments", "items"]

    init(reading object: ObjectReader) {
        Self.checkVersion(in: object)
        self.init(
            schema: object.string("$schema"), name: object.name("name"),
            environments: object.list("environments", of: Environment.self), items: CollectionItem.list(in: object))
        settings = SharedSettings(reading: object)
        checkEnvironments(in: object)
        unknown = object.unknown(besides: Self.keys)
    }

    private static func checkVersion(in object: ObjectReader) {
        guard let value = object.value("version") else { return object.missing("version") }
        guard let digits = value.digits else {
            return object.error("version", "expected a number, found \(value.kindName)")
        }
        if digits != "\(currentVersion)" {
            object.error("version", "version \(digits) is unknown; this Ombi reads version \(currentVersion)")
        }
    }

    var json: JSONValue {
        var writer = ObjectWriter()
        writer.add("$schema", text: schema)
        writer.add("version", .number(version))
        writer.add("name", text: name)
        settings.write(to: &writer)
        writer.add("environments", list: environments.map(\.json))
        writer.add("items", .array(items.map(\.json)))
        return writer.object(unknown)
    }
}
