/// Finding and changing items by their identity. What names an item that is not there changes nothing.
extension Collection {
    /// The destination of an item.
    public enum Place: Sendable, Equatable {
        /// Behind that item, in the same folder.
        case after(ItemID)
        /// The last one in that folder.
        case into(ItemID)
        /// The last one outside of all folders.
        case root
    }

    /// All requests, as the tree shows them from top to bottom.
    public var requests: [SavedRequest] { Self.paths(in: items, below: []).map(\.request) }

    /// All requests in that order, each with the names from the outermost folder down to it.
    public var requestPaths: [(request: SavedRequest, path: [String])] { Self.paths(in: items, below: []) }

    /// The same of the items in a folder.
    public func requestPaths(in folder: Folder) -> [(request: SavedRequest, path: [String])] {
        Self.paths(in: folder.items, below: path(to: folder.id))
    }

    /// Returns true for a folder or a request at any depth.
    public func contains(_ id: ItemID) -> Bool { Self.contains(id, in: items) }

    public func item(_ id: ItemID) -> CollectionItem? { Self.find(id, in: items)?.last }

    public func request(_ id: ItemID) -> SavedRequest? {
        Self.request(id, in: items)
    }

    /// The names from the outermost folder down to the item; empty when there is no such item.
    public func path(to id: ItemID) -> [String] { Self.find(id, in: items)?.map(\.name) ?? [] }

    /// The first item with these names, folder by folder.
    public func item(atPath path: [String]) -> CollectionItem? {
        guard let name = path.first else { return nil }
        var found = items.first { $0.name == name }
        for name in path.dropFirst() { found = found?.items.first { $0.name == name } }
        return found
    }

    @discardableResult
    public mutating func update(_ id: ItemID, _ change: (inout SavedRequest) -> Void) -> Bool {
        Self.edit(id, in: &items) { list, index in
            guard case .request(var request) = list[index] else { return }
            change(&request)
            request.id = id
            list[index] = .request(request)
        }
    }

    @discardableResult
    public mutating func rename(_ id: ItemID, _ name: String) -> Bool {
        Self.edit(id, in: &items) { $0[$1].name = name }
    }

    /// False, and nothing changed, when the place does not exist.
    @discardableResult
    public mutating func insert(_ item: CollectionItem, _ place: Place) -> Bool {
        switch place {
        case .root:
            items.append(item)
            return true
        case .after(let id):
            return Self.edit(id, in: &items) { $0.insert(item, at: $1 + 1) }
        case .into(let id):
            guard case .folder(var folder)? = self.item(id) else { return false }
            folder.items.append(item)
            return Self.edit(id, in: &items) { $0[$1] = .folder(folder) }
        }
    }

    /// The removed item; nil when there is no such item.
    @discardableResult
    public mutating func remove(_ id: ItemID) -> CollectionItem? {
        let removed = item(id)
        Self.edit(id, in: &items) { $0.remove(at: $1) }
        return removed
    }

    /// Puts a copy behind the item, under a name of its own; gives its identity.
    @discardableResult
    public mutating func duplicate(_ id: ItemID) -> ItemID? {
        guard var copy = item(id)?.withNewIDs() else { return nil }
        Self.edit(id, in: &items) { list, index in
            copy.name = Self.copyName(of: copy.name, among: list)
            list.insert(copy, at: index + 1)
        }
        return copy.id
    }

    /// Moves the item among its siblings, by -1 up or by 1 down, and stops at the ends. False when it did not move.
    @discardableResult
    public mutating func move(_ id: ItemID, by distance: Int) -> Bool {
        var moved = false
        Self.edit(id, in: &items) { list, index in
            let (sum, overflow) = index.addingReportingOverflow(distance)
            let target = overflow ? (distance < 0 ? 0 : list.count - 1) : min(max(sum, 0), list.count - 1)
            moved = target != index
            list.insert(list.remove(at: index), at: target)
        }
        return moved
    }

    private static func copyName(of name: String, among siblings: [CollectionItem]) -> String {
        let taken = Set(siblings.map(\.name))
        var copy = "\(name) copy"
        var number = 2
        while taken.contains(copy) {
            copy = "\(name) copy \(number)"
            number += 1
        }
        return copy
    }

    private static func paths(
        in items: [CollectionItem], below path: [String]
    ) -> [(request: SavedRequest, path: [String])] {
        items.flatMap { item in
            switch item {
            case .folder(let folder): paths(in: folder.items, below: path + [folder.name])
            case .request(let request): [(request, path + [request.name])]
            }
        }
    }

    /// The items from the outermost folder down to the one looked for.
    private static func find(_ id: ItemID, in items: [CollectionItem]) -> [CollectionItem]? {
        for index in items.indices {
            switch items[index] {
            case .request(let request) where request.id == id: return [items[index]]
            case .folder(let folder):
                if folder.id == id { return [items[index]] }
                if let path = find(id, in: folder.items) { return [items[index]] + path }
            case .request: continue
            }
        }
        return nil
    }

    private static func contains(_ id: ItemID, in items: [CollectionItem]) -> Bool {
        items.contains { $0.id == id || contains(id, in: $0.items) }
    }

    /// Quicker than `find`: asked several times for every frame of the explorer.
    private static func request(_ id: ItemID, in items: [CollectionItem]) -> SavedRequest? {
        for item in items {
            switch item {
            case .request(let request) where request.id == id: return request
            case .folder(let folder): if let request = request(id, in: folder.items) { return request }
            case .request: continue
            }
        }
        return nil
    }

    /// Calls `change` with the list that holds the item and the item's index there.
    @discardableResult
    private static func edit(
        _ id: ItemID, in items: inout [CollectionItem], _ change: (inout [CollectionItem], Int) -> Void
    ) -> Bool {
        if let index = items.firstIndex(where: { $0.id == id }) {
            change(&items, index)
            return true
        }
        for index in items.indices {
            guard case .folder(var folder) = items[index] else { continue }
            if edit(id, in: &folder.items, change) {
                items[index] = .folder(folder)
                return true
            }
        }
        return false
    }
}
