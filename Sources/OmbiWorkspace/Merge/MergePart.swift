/// A part of a collection that is merged as a whole.
package enum MergePart: Hashable, Sendable {
    /// A request, or a folder without the items in it.
    case item(ItemID)
    case environment(String)
    case variable(String)
    case setting(Setting)

    /// A member of the outermost object.
    package enum Setting: String, CaseIterable, Hashable, Sendable {
        case schema = "$schema"
        case name, description, tags, headers, authentication, policy, connection, objective, trace, traceURL
        case unknown = "other keys"
    }
}

extension Collection {
    /// The name of a part for messages: `users › list users`, `environment local`. Nil for an item that is not here.
    package func name(of part: MergePart) -> String? {
        switch part {
        case .item(let id): contains(id) ? path(to: id).joined(separator: " › ") : nil
        case .environment(let name): "environment \(name)"
        case .variable(let name): "variable \(name)"
        case .setting(let setting): "\(setting.rawValue) of the collection"
        }
    }

    /// The part as JSON, laid out; nil when this collection does not have it.
    package func text(of part: MergePart) -> String? { json(of: part)?.text }

    func json(of part: MergePart) -> JSONValue? {
        switch part {
        case .item(let id): item(id)?.withoutItems.json
        case .environment(let name): environments.first { $0.name == name }?.json
        case .variable(let name): variables.first { $0.name == name }?.json
        // An empty one is a part, too, which the file leaves out.
        case .setting(.description): .string(description)
        case .setting(.unknown): .object(unknown.entries.map(\.member))
        case .setting(let setting): Self.members.rows.first { $0.key == setting.rawValue }?.write(self)
        }
    }

    /// Sets a part to that of another collection, and removes it if that does not have it. A folder stays as long as
    /// there is something in it.
    package mutating func take(_ part: MergePart, from other: Collection) {
        switch part {
        case .item(let id): take(item: id, from: other)
        case .environment(let name):
            environments = Self.taking(name, of: other.environments, into: environments, name: \.name)
        case .variable(let name): variables = Self.taking(name, of: other.variables, into: variables, name: \.name)
        case .setting(.schema): schema = other.schema
        case .setting(.name): name = other.name
        case .setting(.description): description = other.description
        case .setting(.tags): tags = other.tags
        case .setting(.headers): headers = other.headers
        case .setting(.authentication):
            authentication = other.authentication
            unknownInAuthentication = other.unknownInAuthentication
        case .setting(.policy): policy = other.policy
        case .setting(.connection): connection = other.connection
        case .setting(.objective): objective = other.objective
        case .setting(.trace): traceSwitch = other.traceSwitch
        case .setting(.traceURL): traceURL = other.traceURL
        case .setting(.unknown): unknown = other.unknown
        }
    }

    private static func taking<Value>(
        _ name: String, of others: [Value], into values: [Value], name key: (Value) -> String
    ) -> [Value] {
        var values = values
        let index = values.firstIndex { key($0) == name }
        switch (others.firstIndex { key($0) == name }, index) {
        case (let found?, let index?): values[index] = others[found]
        case (nil, let index?): values.remove(at: index)
        case (let found?, nil):
            let before = Set(others[..<found].map(key))
            let place = values.lastIndex { before.contains(key($0)) }.map { $0 + 1 } ?? 0
            values.insert(others[found], at: place)
        case (nil, nil): break
        }
        return values
    }

    // MARK: Items

    private mutating func take(item id: ItemID, from other: Collection) {
        guard let item = other.item(id) else { return removeIfEmpty(id, andParentsUnlessIn: other) }
        let parents = other.ancestors(of: id)
        guard !contains(id) else { return editItem(id) { $0 = item.withItems($0.items) } }
        for (depth, parent) in parents.enumerated() where !contains(parent) {
            guard let folder = other.item(parent) else { continue }
            insert(folder.withoutItems, into: depth == 0 ? nil : parents[depth - 1], as: other)
        }
        insert(item.without { contains($0) }, into: parents.last, as: other)
    }

    private mutating func removeIfEmpty(_ id: ItemID, andParentsUnlessIn other: Collection) {
        guard let item = item(id), item.items.isEmpty else { return }
        let parent = ancestors(of: id).last
        remove(id)
        if let parent, !other.contains(parent) { removeIfEmpty(parent, andParentsUnlessIn: other) }
    }

    /// Inserts an item after the siblings that stand before it in another collection.
    private mutating func insert(_ item: CollectionItem, into parent: ItemID?, as other: Collection) {
        let siblings = parent.map { other.item($0)?.items ?? [] } ?? other.items
        let before = Set(siblings.prefix { $0.id != item.id }.map(\.id))
        let add = { (items: inout [CollectionItem]) in
            items.insert(item, at: items.lastIndex { before.contains($0.id) }.map { $0 + 1 } ?? 0)
        }
        guard let parent else { return add(&items) }
        editItem(parent) { folder in
            var items = folder.items
            add(&items)
            folder = folder.withItems(items)
        }
    }
}

extension CollectionItem {
    /// The item alone.
    var withoutItems: CollectionItem { withItems([]) }

    /// A folder with other items; a request as it is.
    func withItems(_ items: [CollectionItem]) -> CollectionItem {
        guard case .folder(var folder) = self else { return self }
        folder.items = items
        return .folder(folder)
    }

    /// Returns a copy without the items for which `isLeftOut` returns true, all the way down.
    fileprivate func without(_ isLeftOut: (ItemID) -> Bool) -> CollectionItem {
        withItems(items.filter { !isLeftOut($0.id) }.map { $0.without(isLeftOut) })
    }
}

/// The merge of a request that both sides changed, member by member and row by row.
struct RequestMerge {
    /// With mine of what both sides changed.
    let request: SavedRequest
    /// True where both sides changed the same member, each in another way.
    let isConflict: Bool

    private typealias Members = [JSONValue.Member]

    /// Members that are of no use without each other.
    private static let address: Set<String> = ["path", "pathParameters"]

    /// Nil for a request that is based on an operation, as its document brings the changes.
    init?(base: SavedRequest, mine: SavedRequest, theirs: SavedRequest) {
        guard mine.operation == nil, theirs.operation == nil, case .object(let old) = base.json,
            case .object(let own) = mine.json, case .object(var others) = theirs.json
        else { return nil }
        var isMoved = false
        let addresses = [old, own, others].map { members in members.filter { Self.address.contains($0.key) } }
        if addresses[0] != addresses[1], addresses[0] != addresses[2], mine.path != theirs.path {
            isMoved = true
            others = others.filter { !Self.address.contains($0.key) } + addresses[0]
        }
        let (members, isConflict) = Self.merged(base: old, mine: own, theirs: others)
        guard var request = SavedRequest(json: .object(members)) else { return nil }
        request.id = mine.id
        self.request = request
        self.isConflict = isConflict || isMoved
    }

    private static func merged(
        base: Members, mine: Members, theirs: Members
    ) -> (members: Members, isConflict: Bool) {
        let value = { (members: Members, key: String) in members.first { $0.key == key }?.value }
        var (members, isConflict): (Members, Bool) = ([], false)
        for key in ListMerge.order(base: base.map(\.key), mine: mine.map(\.key), theirs: theirs.map(\.key)) {
            let found = merged(key, base: value(base, key), mine: value(mine, key), theirs: value(theirs, key))
            if let value = found.value { members.append(JSONValue.Member(key, value)) }
            isConflict = isConflict || found.isConflict
        }
        return (members, isConflict)
    }

    private static func merged(
        _ key: String, base: JSONValue?, mine: JSONValue?, theirs: JSONValue?
    ) -> (value: JSONValue?, isConflict: Bool) {
        let (value, isConflict) = ListMerge.merge(base: base, mine: mine, theirs: theirs)
        guard isConflict else { return (value, false) }
        let content = MemberContent.of(key)
        switch (mine, theirs) {
        case (.array(let own)?, .array(let others)?) where content.hasRows:
            let found = ListMerge.merge(base: base?.elements ?? [], mine: own, theirs: others) {
                $0["name"]?.stringValue ?? ""
            }
            return (JSONValue.array(found.values), !found.conflicts.isEmpty)
        case (.object(let own)?, .object(let others)?) where content.hasMembers:
            var old: Members = []
            if case .object(let members)? = base { old = members }
            let found = merged(base: old, mine: own, theirs: others)
            return (JSONValue.object(found.members), found.isConflict)
        default: return (mine, true)
        }
    }
}
