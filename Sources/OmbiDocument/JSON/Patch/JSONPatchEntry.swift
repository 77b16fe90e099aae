/// An element or member of a changed container.
struct JSONPatchEntry {
    /// Its text; nil for one that is new.
    var piece: JSONPiece?
    /// The key of a new member.
    var key: String?
    var old = JSONValue.null
    var new = JSONValue.null

    /// Returns the members of a changed object: those of the text in their order, each new one after its predecessor in
    /// `new`. Returns nil if a key occurs twice, because its members then have no position of their own.
    static func members(
        _ pieces: [JSONPiece], of document: JSONDocument, from old: [JSONValue.Member], to new: [JSONValue.Member]
    ) -> [JSONPatchEntry]? {
        let keys = pieces.map { document.key(of: $0.node)?.string ?? "" }
        guard let oldValues = values(old), let newValues = values(new), let positions = positions(keys) else {
            return nil
        }
        var entries: [JSONPatchEntry] = []
        for (piece, key) in zip(pieces, keys) {
            let bytes = Array(key.utf8)
            switch (oldValues[bytes], newValues[bytes]) {
            case (.some, nil): continue
            case (let old?, let new?): entries.append(JSONPatchEntry(piece: piece, key: key, old: old, new: new))
            case (nil, let new?):
                entries.append(JSONPatchEntry(piece: piece, key: key, old: document.value(of: piece.node), new: new))
            case (nil, nil): entries.append(JSONPatchEntry(piece: piece, key: key))
            }
        }
        let added = new.filter { positions[Array($0.key.utf8)] == nil && oldValues[Array($0.key.utf8)] != $0.value }
        if isReordered(from: old, to: new) { entries = sorted(entries, as: new) }
        return added.isEmpty ? entries : inserting(Set(added.map { Array($0.key.utf8) }), of: new, into: entries)
    }

    private static func positions(_ keys: [String]) -> [[UInt8]: Int]? {
        let positions = keys.enumerated().map { (Array($1.utf8), $0) }
        let unique = Dictionary(positions) { first, _ in first }
        return unique.count == keys.count ? unique : nil
    }

    private static func values(_ members: [JSONValue.Member]) -> [[UInt8]: JSONValue]? {
        positions(members.map(\.key))?.mapValues { members[$0].value }
    }

    /// Returns true if the common members are in another order.
    private static func isReordered(from old: [JSONValue.Member], to new: [JSONValue.Member]) -> Bool {
        let oldKeys = old.map { Array($0.key.utf8) }
        let newKeys = new.map { Array($0.key.utf8) }
        let (inOld, inNew) = (Set(oldKeys), Set(newKeys))
        return oldKeys.filter(inNew.contains) != newKeys.filter(inOld.contains)
    }

    /// Returns the members that `new` has in its order, in the positions that these have now.
    private static func sorted(_ entries: [JSONPatchEntry], as new: [JSONValue.Member]) -> [JSONPatchEntry] {
        let order = positions(new.map(\.key)) ?? [:]
        func position(_ entry: JSONPatchEntry) -> Int? { entry.key.flatMap { order[Array($0.utf8)] } }
        var sorted = entries.filter { position($0) != nil }.sorted { position($0) ?? 0 < position($1) ?? 0 }[...]
        return entries.map { position($0) == nil ? $0 : sorted.popFirst() ?? $0 }
    }

    private static func inserting(
        _ added: Set<[UInt8]>, of new: [JSONValue.Member], into entries: [JSONPatchEntry]
    ) -> [JSONPatchEntry] {
        let positions = positions(entries.map { $0.key ?? "" }) ?? [:]
        var behind: [Int: [JSONPatchEntry]] = [:]
        var last = -1
        for member in new {
            let key = Array(member.key.utf8)
            if let position = positions[key] { last = position }
            if added.contains(key) {
                behind[last, default: []].append(JSONPatchEntry(key: member.key, new: member.value))
            }
        }
        return entries.indices.reduce(into: behind[-1] ?? []) { $0 += [entries[$1]] + (behind[$1] ?? []) }
    }
}

/// The text of an element or member, between two separators.
struct JSONPiece {
    let node: JSONNode
    /// The white space before it.
    let lead: ByteRange
    /// The value, and its key if it has one.
    let body: ByteRange
    /// The white space after it.
    let tail: ByteRange
}

extension JSONDocument {
    /// Returns the elements or members of a complete container, in order.
    func pieces(of container: JSONNode) -> [JSONPiece] {
        var leadStart = range(of: container).lowerBound + 1
        return children(of: container).map { node in
            let body = start(node.index)..<range(of: node).upperBound
            var end = body.upperBound
            while JSONScanner.isWhitespace(bytes[end]) { end += 1 }
            defer { leadStart = end + 1 }
            return JSONPiece(node: node, lead: leadStart..<body.lowerBound, body: body, tail: body.upperBound..<end)
        }
    }
}

/// Pairs the elements of a changed array with the old ones: equal ones first, even if moved, then those with the same
/// name, then those changed in place.
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
/// text, and so does one restored from an earlier text.
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
