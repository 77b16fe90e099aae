/// Moving and copying several items at once, within a collection and from one to another.
extension Collection {
    /// The items with these IDs in the order of the tree, without those that are in a folder among them.
    public func outermost(_ ids: Set<ItemID>) -> [CollectionItem] { Self.outermost(ids, in: items) }

    private static func outermost(_ ids: Set<ItemID>, in items: [CollectionItem]) -> [CollectionItem] {
        items.flatMap { ids.contains($0.id) ? [$0] : outermost(ids, in: $0.items) }
    }

    public mutating func remove(_ ids: Set<ItemID>) {
        for item in outermost(ids) { remove(item.id) }
    }

    /// Puts items at a place in their order; those that are in this collection leave the place where they are. An item
    /// from another folder whose name is taken there gets a number.
    /// - Returns: false, without a change, for a place that does not exist or is within one of the items.
    @discardableResult
    public mutating func put(_ moved: [CollectionItem], _ place: Place) -> Bool {
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
            for (offset, var item) in moved.enumerated() {
                if !siblings.contains(item.id) { item.name = Self.freeName(for: item.name, among: list) }
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
    public func neighbors(of ids: Set<ItemID>) -> (before: ItemID?, after: ItemID?)? {
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
    public func siblings(in folder: ItemID?) -> [CollectionItem] { folder.map { item($0)?.items ?? [] } ?? items }

    /// `list users`, or `list users 2` where that is taken.
    package static func freeName(for name: String, among siblings: [CollectionItem]) -> String {
        let taken = Set(siblings.map(\.name))
        var free = name
        var number = 2
        while taken.contains(free) {
            free = "\(name) \(number)"
            number += 1
        }
        return free
    }
}
