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

    /// The identities of all items.
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

    /// Matches items that were moved or renamed.
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
        collection.items = collection.items.map(applied)
        return collection
    }

    private func applied(_ item: CollectionItem) -> CollectionItem {
        switch item {
        case .folder(var folder):
            folder.id = ids[folder.id] ?? folder.id
            folder.items = folder.items.map(applied)
            return .folder(folder)
        case .request(var request):
            request.id = ids[request.id] ?? request.id
            return .request(request)
        }
    }
}

extension CollectionItem {
    /// All items, each folder before the items in it.
    fileprivate static func flattened(_ items: [CollectionItem]) -> [CollectionItem] {
        items.flatMap { [$0] + flattened($0.items) }
    }
}
