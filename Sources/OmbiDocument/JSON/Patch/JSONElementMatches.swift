/// Pairs the elements of a changed array with those of the old one: equal ones first, wherever they moved, then those
/// with the same name, then those changed in place.
struct JSONElementMatches {
    /// For each new element the index of the old one; nil for one that is new.
    private(set) var origins: [Int?]
    private var isTaken: [Bool]

    init(from old: [JSONValue], to new: [JSONValue], _ identifyingKeys: [String]) {
        origins = Array(repeating: nil, count: new.count)
        isTaken = Array(repeating: false, count: old.count)
        for index in 0..<min(old.count, new.count) where old[index] == new[index] { take(index, for: index) }
        match(old, new) { $0 }
        let name = { (value: JSONValue) in Self.name(of: value, identifyingKeys) }
        match(old, new, by: name)
        for index in new.indices where origins[index] == nil {
            let before = index == 0 ? 0 : origins[index - 1].map { $0 + 1 }
            let behind = index == new.count - 1 ? old.count - 1 : origins[index + 1].map { $0 - 1 }
            let near = [before, behind].compactMap(\.self).first { origin in
                old.indices.contains(origin) && !isTaken[origin]
                    && name(old[origin])?.first?.key == name(new[index])?.first?.key
            }
            if let near { take(near, for: index) }
        }
    }

    private mutating func take(_ origin: Int, for index: Int) {
        origins[index] = origin
        isTaken[origin] = true
    }

    /// Pairs elements with equal keys, in order.
    private mutating func match<Key: Hashable>(_ old: [JSONValue], _ new: [JSONValue], by key: (JSONValue) -> Key?) {
        guard origins.contains(where: { $0 == nil }) else { return }
        var free: [Key: [Int]] = [:]
        for index in old.indices.reversed() where !isTaken[index] {
            if let key = key(old[index]) { free[key, default: []].append(index) }
        }
        for index in new.indices where origins[index] == nil {
            if let key = key(new[index]), let origin = free[key]?.popLast() { take(origin, for: index) }
        }
    }

    /// Returns the member that identifies an element; nil if it has none.
    private static func name(of value: JSONValue, _ keys: [String]) -> [JSONValue.Member]? {
        keys.lazy.compactMap { key in value[key].map { [JSONValue.Member(key, $0)] } }.first
    }
}

/// The named elements of a text, and the arrays of them, by value: an element that moved to another container keeps its
/// text, and so does one that comes back from an earlier text.
struct JSONMovedElements {
    private var nodes: [JSONValue: JSONNode] = [:]

    /// - Parameter old: the value that `node` represents.
    init(in document: JSONDocument, below node: JSONNode, _ old: JSONValue, identifyingKeys: [String]) {
        collect(document, node, old, identifyingKeys)
    }

    func node(of value: JSONValue) -> JSONNode? { nodes[value] }

    private mutating func collect(_ document: JSONDocument, _ node: JSONNode, _ old: JSONValue, _ keys: [String]) {
        let children = Array(document.children(of: node))
        switch (document.kind(of: node), old) {
        case (.array, .array(let elements)) where elements.count == children.count:
            var areNamed = !elements.isEmpty
            for (child, element) in zip(children, elements) {
                let isNamed = keys.contains { element[$0] != nil }
                if isNamed { nodes[element] = nodes[element] ?? child }
                areNamed = areNamed && isNamed
                collect(document, child, element, keys)
            }
            if areNamed { nodes[old] = nodes[old] ?? node }
        case (.object, .object):
            for child in children {
                guard let key = document.key(of: child)?.string, let value = old[key] else { continue }
                collect(document, child, value, keys)
            }
        default: break
        }
    }
}
