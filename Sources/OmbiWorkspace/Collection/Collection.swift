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
        .text(
            "$schema", Schema.text("The location of this schema, for editors."), content: .unsent, { $0.schema = $1 },
            { $0.schema }),
        Member(
            "version", ["const": .number(currentVersion), "description": "The version of the file format."],
            isRequired: true, read: { checkVersion($2, in: $1) }, write: { .number($0.version) }),
        .name("name", "The name of the collection.", isRequired: true, content: .unsent, { $0.name = $1 }, { $0.name }),
    ]

    private static let last: [Member<Collection>] = [
        Member(
            "environments",
            Schema.list("The environments in which the requests can be sent.", of: Schema.reference("environment")),
            content: .levels, read: { $0.environments = $1.list($2, of: Environment.self) },
            write: { JSONValue.list($0.environments) }),
        Member(
            "items", Schema.reference("items"), isRequired: true, content: .levels,
            read: { $0.items = CollectionItem.list($2, in: $1) },
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

extension Collection {
    /// Returns this collection with the IDs of another one's items. State that belongs to an ID (runs, folding) stays with
    /// its item.
    ///
    /// Items are matched by kind, name and folder, in order. Of the others, a request that has another folder is
    /// recognized by its name, one that has another name by its contents, or by a method and path that it alone has, and a
    /// folder with another name by the items in it.
    package func withIdentities(of other: Collection) -> Collection {
        var matching = ItemMatching()
        matching.match(items, other.items)
        matching.matchRest(items, other.items)
        return matching.applied(to: self)
    }

    /// Returns this collection, whose items have the identities of `base`, with those of the items that `mine` has added under
    /// the same names.
    func identifyingAdditions(as mine: Collection, since base: Collection) -> Collection {
        let known = Set(base.allItems.map(\.id))
        guard mine.allItems.contains(where: { !known.contains($0.id) }) else { return self }
        var matching = ItemMatching(known: known)
        matching.match(items, mine.items)
        return matching.applied(to: self)
    }

    package var ids: [ItemID] { allItems.map(\.id) }

    /// Gives items other identities.
    package mutating func renew(_ ids: [ItemID: ItemID]) { self = ItemMatching(ids: ids).applied(to: self) }

    fileprivate var allItems: [CollectionItem] { CollectionItem.flattened(items) }
}

/// Pairs of items of two trees that are the same item.
private struct ItemMatching {
    private enum Label: Hashable {
        case folder(String)
        case request(String)

        init(_ item: CollectionItem) {
            switch item {
            case .folder(let folder): self = .folder(folder.name)
            case .request(let request): self = .request(request.name)
            }
        }
    }

    /// IDs that are the same in both trees.
    var known: Set<ItemID> = []
    /// The ID of the other tree by that of the first.
    private var ids: [ItemID: ItemID] = [:]
    private var matched: Set<ItemID> = []

    init(known: Set<ItemID> = [], ids: [ItemID: ItemID] = [:]) { (self.known, self.ids) = (known, ids) }

    private mutating func pair(_ item: CollectionItem, _ twin: CollectionItem) {
        ids[item.id] = twin.id
        matched.insert(twin.id)
    }

    /// Matches items of one folder by kind and name, in order, and then those in them.
    mutating func match(_ items: [CollectionItem], _ others: [CollectionItem]) {
        let same = Dictionary(others.filter { known.contains($0.id) }.map { ($0.id, $0) }) { first, _ in first }
        // Reversed, for popLast.
        var named = Dictionary(grouping: others.reversed().filter { !known.contains($0.id) }, by: Label.init)
        for item in items {
            if known.contains(item.id) {
                if let twin = same[item.id] { match(item.items, twin.items) }
            } else if let twin = named[Label(item)]?.popLast() {
                pair(item, twin)
                match(item.items, twin.items)
            }
        }
    }

    mutating func matchRest(_ items: [CollectionItem], _ others: [CollectionItem]) {
        let (all, otherAll) = (CollectionItem.flattened(items), CollectionItem.flattened(others))
        guard ids.count < all.count, matched.count < otherAll.count else { return }
        matchRest(all, otherAll, by: Label.init)
        matchRest(all, otherAll) { item -> JSONValue? in
            guard case .request(var request) = item else { return nil }
            request.name = ""
            return request.json
        }
        matchOnly(all, otherAll)
        let ids = ids
        matchRest(all, otherAll) { $0.items.isEmpty ? nil : Set($0.items.map { ids[$0.id] ?? $0.id }) }
    }

    /// Matches requests that have another name and other contents, by a method and path that no other one has.
    private mutating func matchOnly(_ items: [CollectionItem], _ others: [CollectionItem]) {
        let twins = Dictionary(grouping: others, by: Self.address)
        for (address, items) in Dictionary(grouping: items, by: Self.address) where address != nil && items.count == 1 {
            guard ids[items[0].id] == nil, let twin = twins[address], twin.count == 1, !matched.contains(twin[0].id)
            else { continue }
            pair(items[0], twin[0])
        }
    }

    /// The method and path of a request; nil for a folder, and for a request without a path.
    private static func address(_ item: CollectionItem) -> String? {
        guard case .request(let request) = item, !request.path.isEmpty else { return nil }
        return "\(request.method.rawValue) \(request.path)"
    }

    private mutating func matchRest<Key: Hashable>(
        _ items: [CollectionItem], _ others: [CollectionItem], by key: (CollectionItem) -> Key?
    ) {
        var left: [Key: [CollectionItem]] = [:]
        for other in others.reversed() where !matched.contains(other.id) {
            if let key = key(other) { left[key, default: []].append(other) }
        }
        for item in items where ids[item.id] == nil {
            guard let key = key(item), let twin = left[key]?.popLast() else { continue }
            pair(item, twin)
        }
    }

    func applied(to collection: Collection) -> Collection {
        var collection = collection
        collection.items = collection.items.map { item in item.withIDs { ids[$0] ?? $0 } }
        return collection
    }
}

extension CollectionItem {
    /// All items, each folder before the items in it.
    fileprivate static func flattened(_ items: [CollectionItem]) -> [CollectionItem] {
        items.flatMap { [$0] + flattened($0.items) }
    }
}
