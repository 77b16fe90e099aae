/// The merge of the items of two collections that come from a third, by the identities of the items.
struct TreeMerge {
    private struct Tree {
        private(set) var nodes: [ItemID: CollectionItem] = [:]
        private(set) var parents: [ItemID: ItemID] = [:]
        private(set) var children: [ItemID?: [ItemID]] = [:]
        /// All items, each folder before the items in it.
        private(set) var order: [ItemID] = []

        init(_ items: [CollectionItem]) { add(items, to: nil) }

        private mutating func add(_ items: [CollectionItem], to parent: ItemID?) {
            children[parent] = items.map(\.id)
            for item in items {
                nodes[item.id] = item.withoutItems
                parents[item.id] = parent
                order.append(item.id)
                if case .folder(let folder) = item { add(folder.items, to: folder.id) }
            }
        }
    }

    private let base: Tree
    private let mine: Tree
    private let theirs: Tree
    /// The items of the result, and the folders that they are in.
    private var nodes: [ItemID: CollectionItem] = [:]
    private var parents: [ItemID: ItemID] = [:]
    /// The items that both sides changed, in the order of the trees.
    private(set) var conflicts: [ItemID] = []

    init(base: [CollectionItem], mine: [CollectionItem], theirs: [CollectionItem]) {
        (self.base, self.mine, self.theirs) = (Tree(base), Tree(mine), Tree(theirs))
        for id in self.mine.order + self.theirs.order.filter({ self.mine.nodes[$0] == nil }) { merge(id) }
        repeat { keepParents() } while breakCircles()
    }

    /// The merged items; of those that both sides changed mine.
    var items: [CollectionItem] {
        var children: [ItemID?: [ItemID]] = [:]
        let folders = nodes.values.compactMap { item -> ItemID? in if case .folder = item { item.id } else { nil } }
        for parent in [nil] + folders.map(Optional.some) {
            let isHere = { (id: ItemID) in nodes[id] != nil && parents[id] == parent }
            children[parent] = ListMerge.order(
                base: base.children[parent] ?? [], mine: (mine.children[parent] ?? []).filter(isHere),
                theirs: (theirs.children[parent] ?? []).filter(isHere))
        }
        return items(in: nil, children)
    }

    private func items(in parent: ItemID?, _ children: [ItemID?: [ItemID]]) -> [CollectionItem] {
        (children[parent] ?? []).compactMap { id in nodes[id]?.withItems(items(in: id, children)) }
    }

    private mutating func merge(_ id: ItemID) {
        let (item, isConflict) = ListMerge.merge(base: base.nodes[id], mine: mine.nodes[id], theirs: theirs.nodes[id])
        nodes[id] = item
        if isConflict { conflicts.append(id) }
        // Moved by one side and deleted by the other, it stays.
        for side in [mine, theirs] where item == nil && !isConflict && side.parents[id] != base.parents[id] {
            nodes[id] = side.nodes[id] ?? nodes[id]
        }
        if mine.nodes[id] == nil || theirs.nodes[id] != nil && mine.parents[id] == base.parents[id] {
            parents[id] = theirs.parents[id]
        } else {
            parents[id] = mine.parents[id]
        }
    }

    /// Keeps the folders of everything that is kept, also those that one side deleted.
    private mutating func keepParents() {
        var left = Array(nodes.keys)
        while let id = left.popLast() {
            guard let parent = parents[id], nodes[parent] == nil else { continue }
            nodes[parent] = mine.nodes[parent] ?? theirs.nodes[parent]
            parents[parent] = mine.nodes[parent] == nil ? theirs.parents[parent] : mine.parents[parent]
            left.append(parent)
        }
    }

    /// Moves folders that came to stand within each other back to where they are in mine. Returns false when there are none.
    private mutating func breakCircles() -> Bool {
        var isChanged = false
        for start in nodes.keys {
            var path: [ItemID] = [start]
            var seen: Set<ItemID> = [start]
            while let last = path.last, let parent = parents[last] {
                guard seen.insert(parent).inserted else {
                    for id in path where mine.nodes[id] != nil && parents[id] != mine.parents[id] {
                        parents[id] = mine.parents[id]
                        isChanged = true
                    }
                    break
                }
                path.append(parent)
            }
        }
        return isChanged
    }
}
