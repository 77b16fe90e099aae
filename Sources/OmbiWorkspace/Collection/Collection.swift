/// The contents of one collection file: environments, and a tree of requests.
///
/// Two collections read from the same file are not equal, because their items have identities of their own; compare
/// their `text` to compare the contents.
package struct Collection: Sendable, Equatable {
    /// The version of the file format that this code reads and writes.
    package static let currentVersion = 1

    /// The `$schema` of the file, for editors.
    package var schema: String?
    package var name: String
    package var description: String
    package var tags: [String] = []
    package var variables: [Variable]
    /// The headers of all requests in it.
    package var headers: [Field]
    /// The credentials of the requests that have none of their own, nor from a folder or an environment.
    @Rare package var authentication: SavedAuthentication?
    @Rare package var policy: RequestPolicy?
    @Rare package var connection: SavedConnection?
    @Rare package var objective: Objective?
    @Rare package var trace: SavedTrace?
    package var environments: [Environment]
    package var items: [CollectionItem]
    package var unknown = UnknownMembers()
    var unknownInAuthentication = UnknownMembers()
    /// The part that belongs to this machine, in files beside this one.
    package internal(set) var overlay = CollectionOverlay()

    package init(
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

    package var version: Int { Self.currentVersion }

    /// The canonical text of the file: equal contents give equal text.
    package var text: String { json.text }
}

extension Collection: SavedObject, SettingLevel, SettingsHolder {
    static let members = Members<Collection>(first, shared.map { $0.lifted(to: Collection.self) }, last)

    private static let first: [Member<Collection>] = [
        .text("$schema", Schema.text("The location of this schema, for editors."), { $0.schema = $1 }, { $0.schema }),
        Member(
            "version", ["const": .number(currentVersion), "description": "The version of the file format."],
            isRequired: true, read: { checkVersion($2, in: $1) }, write: { .number($0.version) }),
        .name("name", "The name of the collection.", isRequired: true, { $0.name = $1 }, { $0.name }),
    ]

    private static let last: [Member<Collection>] = [
        Member(
            "environments",
            Schema.list("The environments in which the requests can be sent.", of: Schema.reference("environment")),
            read: { $0.environments = $1.list($2, of: Environment.self) }, write: { JSONValue.list($0.environments) }),
        Member(
            "items", Schema.reference("items"), isRequired: true, read: { $0.items = CollectionItem.list($2, in: $1) },
            write: { .array($0.items.map(\.json)) }),
    ]

    private static let shared = SharedSettings.members(
        description: "The purpose of the collection.", tags: "The tags of all requests.",
        variables: "The values of {{name}} in every environment.", headers: "The headers of all requests, in order.",
        settings: Member<SharedSettings>.settings(
            policy: "Retries and time limits of all requests, by default.",
            connection: "The way to the servers of all requests, by default.",
            objective: "The success that is promised for all requests, by default.",
            traced: "all requests, by default"))

    init(reading object: ObjectReader) {
        self.init(schema: nil, name: "")
        unknown = object.read(Self.members, into: &self)
        checkEnvironments(in: object)
        overlay.hasOperations = object.log.hasOperations
    }

    private static func checkVersion(_ key: String, in object: ObjectReader) {
        guard let value = object.value(key) else { return }
        guard let digits = value.digits else {
            return object.error(key, "expected a number, found \(value.kindName)")
        }
        if digits != "\(currentVersion)" {
            object.error(key, "version \(digits) is unknown; this Ombi reads version \(currentVersion)")
        }
    }
}

/// The requests of a collection in order, as far as they are recognised after others have renamed or moved them.
package struct CollectionOutline: Equatable, Sendable {
    package struct Request: Equatable, Sendable {
        /// Its name after those of its folders.
        package var names: [String]
        /// The method and the URL, or what stands for both.
        package var target: String
    }

    package var requests: [Request]

    package init(_ requests: [Request]) { self.requests = requests }

    package init(_ collection: Collection) {
        var requests: [Request] = []
        collection.forEachRequest { request, folders in
            let names = folders.map(\.name) + [request.name]
            requests.append(Request(names: names, target: "\(request.method.rawValue) \(request.path)"))
        }
        self.requests = requests
    }

    /// Returns the old and the new paths of requests that have another path than in an earlier outline. A request is
    /// recognised by its method and its URL; where several have the same, by its place in the order, too. What is ambiguous
    /// is left out.
    package func moved(since old: CollectionOutline) -> [(old: [String], new: [String])] {
        let (before, after) = (old.places, places)
        let (names, newNames) = (Set(before.map(\.names)), Set(after.map(\.names)))
        // Names that occur twice say nothing.
        guard names.count == before.count, newNames.count == after.count else { return [] }
        var gone = before.filter { !newNames.contains($0.names) }
        var come = after.filter { !names.contains($0.names) }
        guard !gone.isEmpty, !come.isEmpty else { return [] }
        return Self.pairs(&gone, &come, by: \.target) + Self.pairs(&gone, &come, by: \.place)
    }

    /// A request with what it is recognised by.
    private struct Candidate {
        var names: [String]
        var target: String
        /// The target with the place in the order.
        var place: String
    }

    private var places: [Candidate] {
        requests.enumerated().map { index, request in
            Candidate(names: request.names, target: request.target, place: "\(index) \(request.target)")
        }
    }

    /// Takes out the pairs of which a key is unique on both sides.
    private static func pairs(
        _ gone: inout [Candidate], _ come: inout [Candidate], by key: (Candidate) -> String
    ) -> [(old: [String], new: [String])] {
        let (left, right) = (Dictionary(grouping: gone, by: { key($0) }), Dictionary(grouping: come, by: { key($0) }))
        var pairs: [(old: [String], new: [String])] = []
        for place in gone where left[key(place)]?.count == 1 {
            guard let twins = right[key(place)], twins.count == 1 else { continue }
            pairs.append((place.names, twins[0].names))
        }
        gone.removeAll { place in pairs.contains { $0.old == place.names } }
        come.removeAll { place in pairs.contains { $0.new == place.names } }
        return pairs
    }
}

extension Collection {
    /// Returns the old and the new paths of requests that were renamed or moved where nobody could watch: in an editor, by git.
    package func movedRequests(since old: Collection) -> [(old: [String], new: [String])] {
        CollectionOutline(self).moved(since: CollectionOutline(old))
    }
}
