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
