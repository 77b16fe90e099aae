/// Two edits of one collection, brought together.
package struct CollectionMerge: Equatable, Sendable {
    /// Everything that one side changed, and mine of what both did.
    package var collection: Collection
    /// Theirs, in which an item that both sides added has the identity of mine.
    package var theirs: Collection
    /// The parts that both sides changed, each in another way.
    package var conflicts: [MergePart]
}

extension Collection {
    /// Merges this collection with another one, both edited since `base`: request by request, with their order and folders, the
    /// environments and the settings.
    ///
    /// A part that only one side changed is that side's; a part that both changed in another way is a conflict, and
    /// stays as it is here. What one side deleted and the other changed is a conflict, too; what was added is kept.
    /// - Parameter theirs: with the identities of `base`.
    package func merging(_ theirs: Collection, since base: Collection) -> CollectionMerge {
        let theirs = theirs.identifyingAdditions(as: self, since: base)
        var result = self
        var conflicts: [MergePart] = []
        let tree = TreeMerge(base: base.items, mine: items, theirs: theirs.items)
        result.items = tree.items
        conflicts += tree.conflicts.map(MergePart.item)
        let environments = ListMerge.merge(
            base: base.environments, mine: environments, theirs: theirs.environments, name: \.name)
        result.environments = environments.values
        conflicts += environments.conflicts.map(MergePart.environment)
        let variables = ListMerge.merge(
            base: base.variables, mine: variables, theirs: theirs.variables, name: \.name)
        result.variables = variables.values
        conflicts += variables.conflicts.map(MergePart.variable)
        for setting in MergePart.Setting.allCases.map(MergePart.setting) {
            let (ours, others, before) = (json(of: setting), theirs.json(of: setting), base.json(of: setting))
            if ours == before {
                result.take(setting, from: theirs)
            } else if others != before, others != ours {
                conflicts.append(setting)
            }
        }
        return CollectionMerge(collection: result, theirs: theirs, conflicts: conflicts)
    }

    /// Describes for a message what differs from an earlier state: `2 changed, 1 added`, or `list users changed` where it is
    /// a single request. Nil when no request does.
    package func requestChanges(since base: Collection) -> String? {
        let old = Dictionary(base.requests.map { ($0.id, $0) }) { first, _ in first }
        let requests = requests
        let added = requests.filter { old[$0.id] == nil }
        let changed = requests.filter { request in old[request.id].map { $0 != request } ?? false }
        let left = Set(requests.map(\.id))
        let deleted = old.values.filter { !left.contains($0.id) }
        let parts = [(changed, "changed"), (added, "added"), (deleted, "deleted")].filter { !$0.0.isEmpty }
        if parts.count == 1, parts[0].0.count == 1 { return "\(parts[0].0[0].name) \(parts[0].1)" }
        return parts.isEmpty ? nil : parts.map { "\($0.count) \($1)" }.joined(separator: ", ")
    }
}

/// The merge of lists whose elements have identities.
enum ListMerge {
    /// Returns the order of the elements of two lists that both come from `base`.
    ///
    /// The order is that of the side that moved something; if both did, mine. Elements of the other side follow the element
    /// that they follow there.
    static func order<ID: Hashable>(base: [ID], mine: [ID], theirs: [ID]) -> [ID] {
        let known = Set(mine).intersection(theirs).intersection(base)
        let isUnmoved = mine.filter(known.contains) == base.filter(known.contains)
        let (frame, others) = isUnmoved ? (theirs, mine) : (mine, theirs)
        let placed = Set(frame)
        var followers: [ID?: [ID]] = [:]
        var last: ID?
        for id in others {
            if placed.contains(id) { last = id } else { followers[last, default: []].append(id) }
        }
        return (followers[nil] ?? []) + frame.flatMap { [$0] + (followers[$0] ?? []) }
    }

    /// Merges one value that both sides may have changed, nil where a side does not have it.
    /// - Returns: the merged value, mine in a conflict, and true for a conflict.
    static func merge<Value: Equatable>(base: Value?, mine: Value?, theirs: Value?) -> (Value?, isConflict: Bool) {
        if mine == base { return (theirs, false) }
        return (mine, theirs != base && theirs != mine)
    }

    /// Merges lists of values that have names.
    /// - Returns: the merged values, and the names of those that both sides changed.
    static func merge<Value: Equatable>(
        base: [Value], mine: [Value], theirs: [Value], name: (Value) -> String
    ) -> (values: [Value], conflicts: [String]) {
        let (base, mine, theirs) = (Named(base, name), Named(mine, name), Named(theirs, name))
        let keys = order(base: base.keys, mine: mine.keys, theirs: theirs.keys)
        var values: [Value] = []
        var conflicts: [String] = []
        for key in keys {
            let (value, isConflict) = merge(base: base.values[key], mine: mine.values[key], theirs: theirs.values[key])
            if let value { values.append(value) }
            if isConflict, conflicts.last != key.name { conflicts.append(key.name) }
        }
        return (values, conflicts)
    }

    /// Values by their names; of several with one name each has a number.
    private struct Named<Value> {
        struct Key: Hashable {
            var name: String
            var number: Int
        }

        private(set) var keys: [Key] = []
        private(set) var values: [Key: Value] = [:]

        init(_ list: [Value], _ name: (Value) -> String) {
            var counts: [String: Int] = [:]
            for value in list {
                let key = Key(name: name(value), number: counts[name(value), default: 0])
                counts[key.name, default: 0] += 1
                keys.append(key)
                values[key] = value
            }
        }
    }
}

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
