/// The settings that a collection or a folder gives to the requests in it.
package struct SharedSettings: Sendable, Equatable {
    package var description: String
    /// Those of all requests in it.
    package var tags: [String] = []
    package var variables: [Variable]
    package var headers: [Field]
    /// Nil inherits.
    @Rare package var authentication: SavedAuthentication?
    @Rare package var policy: RequestPolicy?
    @Rare package var connection: SavedConnection?
    @Rare package var objective: Objective?
    @Rare package var trace: SavedTrace?
    var unknownInAuthentication = UnknownMembers()
    /// True for credentials of `NAME.local.json`.
    var isAuthenticationLocal = false

    package init(
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

/// A request, a folder, an environment or a collection: each sets these for its requests.
protocol SettingLevel: Sendable {
    var authentication: SavedAuthentication? { get set }
    var unknownInAuthentication: UnknownMembers { get set }
    var policy: RequestPolicy? { get set }
    var connection: SavedConnection? { get set }
    var objective: Objective? { get set }
    var trace: SavedTrace? { get set }
}

extension SharedSettings: SettingLevel {}

extension Member where Owner: SettingLevel {
    static func authentication(
        _ schema: @autoclosure @escaping @Sendable () -> JSONValue = Schema.reference("authentication")
    ) -> Member {
        Member("authentication", schema(), content: .authentication) { owner, object, _ in
            guard let (authentication, unknown) = SavedAuthentication.read(in: object) else { return }
            owner.authentication = authentication
            owner.unknownInAuthentication = unknown
        } write: {
            $0.authentication?.json($0.unknownInAuthentication)
        }
    }

    /// The settings besides the credentials, with their descriptions.
    /// - Parameter traced: the requests whose attempts name a trace.
    static func settings(policy: String, connection: String, objective: String, traced: String) -> [Member] {
        [
            .object(
                "policy", Schema.reference("policy", policy), as: RequestPolicy.self, { $0.policy = $1 },
                { $0.policy }),
            .object(
                "connection", Schema.reference("connection", connection), as: SavedConnection.self,
                content: .templates, { $0.connection = $1 }, { $0.connection }),
            .object(
                "objective", Schema.reference("objective", objective), as: Objective.self, { $0.objective = $1 },
                { $0.objective }),
            Member(
                "trace", Schema.flag("True names a trace in each attempt of \(traced): traceparent."),
                read: { $0.traceSwitch = $1.bool($2) }, write: { $0.traceSwitch.map { .bool($0) } }),
            Member(
                "traceURL", Schema.reference("traceURL", "The page of such a trace."),
                read: { $0.traceURL = SavedTrace.url($2, in: $1) }, write: { $0.traceURL.map(JSONValue.string) }),
        ]
    }
}

extension SharedSettings {
    /// The settings among the members of a collection or a folder.
    /// - Parameter settings: those whose descriptions differ, too.
    static func members(
        description: String, tags: String, variables: String, headers: String, settings: [Member<SharedSettings>]
    ) -> [Member<SharedSettings>] {
        let own: [Member<SharedSettings>] = [
            Member(
                "description", Schema.text(description), content: .unsent,
                read: { $0.description = $1.string($2) ?? "" },
                write: { JSONValue.optional($0.description) }),
            Member(
                "tags", Schema.reference("tags", tags), read: { $0.tags = $1.tags($2) },
                write: { $0.tags.isEmpty ? nil : .strings($0.tags) }),
            Member(
                "variables", Schema.reference("namedValues", variables), content: .variables,
                read: { $0.variables = $1.fields($2) },
                write: { JSONValue.named($0.variables) }),
            Member(
                "headers", Schema.reference("fields", headers), content: .headers,
                read: { $0.headers = $1.list($2, of: Field.self) },
                write: { JSONValue.list($0.headers) }),
            .authentication(),
        ]
        return own + settings
    }
}

/// A collection or a folder.
protocol SettingsHolder: Sendable {
    var settings: SharedSettings { get set }
}

extension Member where Owner == SharedSettings {
    /// The same key of what holds the settings.
    func lifted<Holder: SettingsHolder>(to _: Holder.Type) -> Member<Holder> {
        Member<Holder>(key, schema(), content: content) { holder, object, key in
            read(&holder.settings, object, key)
        } write: {
            write($0.settings)
        }
    }
}

extension Collection {
    package var settings: SharedSettings {
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
    package func folders(of request: ItemID) -> [Folder]? {
        Self.find(request, in: items).map { Self.folders($0).filter { $0.id != request } }
    }

    /// The folders on the way to an item, with the item itself if it is a folder.
    package func folders(to id: ItemID) -> [Folder] { Self.folders(Self.find(id, in: items) ?? []) }

    private static func folders(_ path: [CollectionItem]) -> [Folder] {
        path.compactMap { if case .folder(let folder) = $0 { folder } else { nil } }
    }

    /// The headers of the collection and of all folders.
    package var sharedHeaders: [Field] { headers + Self.headers(in: items) }

    private static func headers(in items: [CollectionItem]) -> [Field] {
        items.flatMap { item -> [Field] in
            if case .folder(let folder) = item { folder.settings.headers + headers(in: folder.items) } else { [] }
        }
    }

    @discardableResult
    package mutating func update(folder id: ItemID, _ change: (inout Folder) -> Void) -> Bool {
        Self.edit(id, in: &items) { list, index in
            guard case .folder(var folder) = list[index] else { return }
            change(&folder)
            folder.id = id
            list[index] = .folder(folder)
        }
    }
}
