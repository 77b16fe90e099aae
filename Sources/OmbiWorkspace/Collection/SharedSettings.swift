import OmbiDocument

/// The settings that a collection or a folder gives to the requests in it.
public struct SharedSettings: Sendable, Equatable {
    public var description: String
    /// Those of all requests in it.
    public var tags: [String] = []
    public var variables: [Variable]
    public var headers: [Field]
    /// Nil inherits.
    @Rare public var authentication: SavedAuthentication?
    @Rare public var policy: RequestPolicy?
    @Rare public var connection: SavedConnection?
    @Rare public var objective: Objective?
    @Rare public var trace: SavedTrace?
    var unknownInAuthentication = UnknownMembers()
    /// True for credentials of `NAME.local.json`.
    var isAuthenticationLocal = false

    public init(
        description: String = "", variables: [Variable] = [], headers: [Field] = [],
        authentication: SavedAuthentication? = nil, policy: RequestPolicy? = nil,
        connection: SavedConnection? = nil
    ) {
        self.description = description
        self.variables = variables
        self.headers = headers
        self.authentication = authentication
        self.policy = policy
        self.connection = connection
    }
}

extension SharedSettings {
    static let keys = [
        "description", "tags", "variables", "headers", "authentication", "policy", "connection", "objective", "trace",
        "traceURL",
    ]

    /// Reads the settings among the members of a collection or a folder.
    init(reading object: ObjectReader) {
        self.init(
            description: object.string("description") ?? "", variables: object.fields("variables"),
            headers: object.list("headers", of: Field.self), policy: object.value("policy", as: RequestPolicy.self),
            connection: object.value("connection", as: SavedConnection.self))
        tags = object.tags()
        objective = object.value("objective", as: Objective.self)
        trace = SavedTrace.read(in: object)
        if let (authentication, unknown) = SavedAuthentication.read(in: object) {
            self.authentication = authentication
            unknownInAuthentication = unknown
        }
    }

    func write(to writer: inout ObjectWriter) {
        writer.add("description", optional: description)
        writer.add("tags", list: tags.map(JSONValue.string))
        writer.add("variables", fields: variables)
        writer.add("headers", list: headers.map(\.json))
        writer.add("authentication", authentication?.json(unknownInAuthentication))
        writer.add("policy", policy?.json)
        writer.add("connection", connection?.json)
        writer.add("objective", objective?.json)
        writer.add(trace)
    }
}

extension Collection {
    public var settings: SharedSettings {
        get {
            var settings = SharedSettings(
                description: description, variables: variables, headers: headers, authentication: authentication,
                policy: policy, connection: connection)
            settings.unknownInAuthentication = unknownInAuthentication
            settings.tags = tags
            settings.objective = objective
            settings.trace = trace
            return settings
        }
        set {
            (description, variables, headers) = (newValue.description, newValue.variables, newValue.headers)
            (authentication, policy) = (newValue.authentication, newValue.policy)
            (connection, tags) = (newValue.connection, newValue.tags)
            (objective, trace) = (newValue.objective, newValue.trace)
            unknownInAuthentication = newValue.unknownInAuthentication
        }
    }

    /// The folders that a request is in, the outermost first; nil for a request that is not in this collection.
    public func folders(of request: ItemID) -> [Folder]? {
        Self.find(request, in: items).map { Self.folders($0).filter { $0.id != request } }
    }

    /// The folders on the way to an item, with the item itself if it is a folder.
    public func folders(to id: ItemID) -> [Folder] { Self.folders(Self.find(id, in: items) ?? []) }

    private static func folders(_ path: [CollectionItem]) -> [Folder] {
        path.compactMap { if case .folder(let folder) = $0 { folder } else { nil } }
    }

    /// The headers of the collection and of all folders.
    public var sharedHeaders: [Field] { headers + Self.headers(in: items) }

    private static func headers(in items: [CollectionItem]) -> [Field] {
        items.flatMap { item -> [Field] in
            if case .folder(let folder) = item { folder.settings.headers + headers(in: folder.items) } else { [] }
        }
    }

    @discardableResult
    public mutating func update(folder id: ItemID, _ change: (inout Folder) -> Void) -> Bool {
        Self.edit(id, in: &items) { list, index in
            guard case .folder(var folder) = list[index] else { return }
            change(&folder)
            folder.id = id
            list[index] = .folder(folder)
        }
    }
}
