/// Two edits of one collection, brought together.
public struct CollectionMerge: Equatable, Sendable {
    /// Everything that one side changed, and mine of what both did.
    public var collection: Collection
    /// Theirs, in which an item that both sides added has the identity of mine.
    public var theirs: Collection
    /// The parts that both sides changed, each in another way.
    public var conflicts: [MergePart]
}

extension Collection {
    /// Merges this collection with another one, both edited since `base`: request by request, with their order and folders, the
    /// environments and the settings.
    ///
    /// A part that only one side changed is that side's; a part that both changed in another way is a conflict, and
    /// stays as it is here. What one side deleted and the other changed is a conflict, too; what was added is kept.
    /// - Parameter theirs: with the identities of `base`.
    public func merging(_ theirs: Collection, since base: Collection) -> CollectionMerge {
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
    public func requestChanges(since base: Collection) -> String? {
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
