/// Finding and changing items by their ID. An unknown ID changes nothing.
extension Collection {
    /// The destination of an item.
    package enum Place: Sendable, Equatable {
        /// After that item, in the same folder.
        case after(ItemID)
        /// Before that item, in the same folder.
        case before(ItemID)
        /// At the end of that folder.
        case into(ItemID)
        /// At the end of the collection, in no folder.
        case root
    }

    package var requests: [SavedRequest] {
        var requests: [SavedRequest] = []
        // Growing would copy all requests several times.
        requests.reserveCapacity(requestCount)
        forEachRequest { request, _ in requests.append(request) }
        return requests
    }

    /// The number of requests. Unlike `requests` it copies none.
    package var requestCount: Int { Self.count(items) }

    private static func count(_ items: [CollectionItem]) -> Int {
        var count = 0
        for item in items {
            switch item {
            case .folder(let folder): count += self.count(folder.items)
            case .request: count += 1
            }
        }
        return count
    }

    /// Calls `body` with each request of a folder, or of the collection, in that order, and with the folders that it is in, from
    /// the outermost one down.
    package func forEachRequest(in folder: ItemID? = nil, _ body: (SavedRequest, _ folders: [Folder]) -> Void) {
        guard let folder else { return Self.forEachRequest(in: items, below: [], body) }
        let folders = folders(to: folder)
        Self.forEachRequest(in: folders.last?.items ?? [], below: folders, body)
    }

    private static func forEachRequest(
        in items: [CollectionItem], below folders: [Folder], _ body: (SavedRequest, _ folders: [Folder]) -> Void
    ) {
        for item in items {
            switch item {
            case .folder(let folder): forEachRequest(in: folder.items, below: folders + [folder], body)
            case .request(let request): body(request, folders)
            }
        }
    }

    /// Returns true for a folder or a request at any depth.
    package func contains(_ id: ItemID) -> Bool { Self.contains(id, in: items) }

    package func item(_ id: ItemID) -> CollectionItem? { Self.find(id, in: items)?.last }

    package func request(_ id: ItemID) -> SavedRequest? {
        Self.request(id, in: items)
    }

    /// The names from the outermost folder down to the item; empty when there is no such item.
    package func path(to id: ItemID) -> [String] { Self.find(id, in: items)?.map(\.name) ?? [] }

    /// The folders that the item is in, from the outermost one down.
    package func ancestors(of id: ItemID) -> [ItemID] { Self.find(id, in: items)?.dropLast().map(\.id) ?? [] }

    /// The first item with these names, folder by folder.
    package func item(atPath path: [String]) -> CollectionItem? {
        guard let name = path.first else { return nil }
        var found = items.first { $0.name == name }
        for name in path.dropFirst() { found = found?.items.first { $0.name == name } }
        return found
    }

    @discardableResult
    package mutating func update(_ id: ItemID, _ change: (inout SavedRequest) -> Void) -> Bool {
        Self.edit(id, in: &items) { list, index in
            guard case .request(var request) = list[index] else { return }
            change(&request)
            request.id = id
            list[index] = .request(request)
        }
    }

    @discardableResult
    package mutating func rename(_ id: ItemID, _ name: String) -> Bool {
        Self.edit(id, in: &items) { $0[$1].name = name }
    }

    mutating func editItem(_ id: ItemID, _ change: (inout CollectionItem) -> Void) {
        Self.edit(id, in: &items) { change(&$0[$1]) }
    }

    /// Returns false, and changes nothing, if the destination does not exist.
    @discardableResult
    package mutating func insert(_ item: CollectionItem, _ place: Place) -> Bool {
        switch place {
        case .root:
            items.append(item)
            return true
        case .after(let id):
            return Self.edit(id, in: &items) { $0.insert(item, at: $1 + 1) }
        case .before(let id):
            return Self.edit(id, in: &items) { $0.insert(item, at: $1) }
        case .into(let id):
            guard case .folder(var folder)? = self.item(id) else { return false }
            folder.items.append(item)
            return Self.edit(id, in: &items) { $0[$1] = .folder(folder) }
        }
    }

    /// Returns the removed item; nil for an unknown ID.
    @discardableResult
    package mutating func remove(_ id: ItemID) -> CollectionItem? {
        let removed = item(id)
        Self.edit(id, in: &items) { $0.remove(at: $1) }
        return removed
    }

    /// Inserts a copy after the item, with a name of its own, and returns its ID.
    @discardableResult
    package mutating func duplicate(_ id: ItemID) -> ItemID? {
        guard var copy = item(id)?.withNewIDs() else { return nil }
        Self.edit(id, in: &items) { list, index in
            copy.name = Self.freeName(for: "\(copy.name) copy", among: list)
            list.insert(copy, at: index + 1)
        }
        return copy.id
    }

    /// Returns the items from the outermost folder down to that item.
    static func find(_ id: ItemID, in items: [CollectionItem]) -> [CollectionItem]? {
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

    static func contains(_ id: ItemID, in items: [CollectionItem]) -> Bool {
        items.contains { $0.id == id || contains(id, in: $0.items) }
    }

    /// Faster than `find`: called several times for each frame of the explorer.
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
    static func edit(
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

/// Moving and copying several items at once, within a collection and from one to another.
extension Collection {
    /// The items with these IDs in the order of the tree, without those that are in a folder among them.
    package func outermost(_ ids: Set<ItemID>) -> [CollectionItem] { Self.outermost(ids, in: items) }

    private static func outermost(_ ids: Set<ItemID>, in items: [CollectionItem]) -> [CollectionItem] {
        items.flatMap { ids.contains($0.id) ? [$0] : outermost(ids, in: $0.items) }
    }

    package mutating func remove(_ ids: Set<ItemID>) {
        for item in outermost(ids) { remove(item.id) }
    }

    /// Puts items at a place in their order; those that are in this collection leave the place where they are. An item
    /// from another folder whose name is taken there gets a number.
    /// - Returns: false, without a change, for a place that does not exist or is within one of the items.
    @discardableResult
    package mutating func put(_ moved: [CollectionItem], _ place: Place) -> Bool {
        guard !moved.isEmpty, !Self.isWithin(place, moved) else { return false }
        var changed = self
        // Stands for the place while the items around it go.
        let mark = CollectionItem.request(SavedRequest(name: "", path: ""))
        guard changed.insert(mark, place) else { return false }
        let folder = changed.ancestors(of: mark.id).last
        let siblings = Set(moved.map(\.id).filter { contains($0) && ancestors(of: $0).last == folder })
        for item in moved { changed.remove(item.id) }
        Self.edit(mark.id, in: &changed.items) { list, index in
            list.remove(at: index)
            var names = UniqueNames(Set(list.map(\.name)), separator: " ")
            for (offset, var item) in moved.enumerated() {
                if siblings.contains(item.id) { names.insert(item.name) } else { item.name = names.take(item.name) }
                list.insert(item, at: index + offset)
            }
        }
        self = changed
        return true
    }

    private static func isWithin(_ place: Place, _ moved: [CollectionItem]) -> Bool {
        switch place {
        case .root: false
        case .into(let id): contains(id, in: moved)
        case .after(let id), .before(let id): moved.contains { contains(id, in: $0.items) }
        }
    }

    /// The siblings on both sides of the items, nil at an end; nil if the items are not all in one folder.
    package func neighbors(of ids: Set<ItemID>) -> (before: ItemID?, after: ItemID?)? {
        let moved = outermost(ids).map(\.id)
        guard let first = moved.first, let last = moved.last else { return nil }
        let folder = ancestors(of: first).last
        guard moved.allSatisfy({ ancestors(of: $0).last == folder }) else { return nil }
        let siblings = siblings(in: folder).map(\.id)
        let before = siblings.prefix { $0 != first }.last
        let after = siblings.drop { $0 != last }.dropFirst().first
        return (before, after)
    }

    /// The items of a folder, or those that are in no folder.
    package func siblings(in folder: ItemID?) -> [CollectionItem] { folder.map { item($0)?.items ?? [] } ?? items }

    /// `list users`, or `list users 2` where that is taken.
    package static func freeName(for name: String, among siblings: [CollectionItem]) -> String {
        var names = UniqueNames(Set(siblings.map(\.name)), separator: " ")
        return names.take(name)
    }
}
