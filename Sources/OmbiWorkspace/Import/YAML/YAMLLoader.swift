/// Builds the tree of the first document of a text from its events.
struct YAMLLoader {
    /// A list or an object that has not ended.
    private struct Level {
        let offset: Int
        let anchor: String?
        let isMapping: Bool
        let tag: String?
        /// In a mapping, each key is followed by its value.
        var children: [Int] = []
    }

    private var tree = YAMLTree()
    private var levels: [Level] = []
    /// The values that aliases may name: only those that have ended, so no value is inside itself.
    private var anchors: [String: Int] = [:]

    /// In bytes. A long key that many aliases name would be hashed as often.
    private static let maximumKey = 4096

    static func load(_ parser: YAMLParser) throws(YAMLError) -> YAMLTree {
        var loader = YAMLLoader()
        var isComplete = false
        while !isComplete {
            let event = try parser.next()
            isComplete = try loader.take(event)
        }
        // An error may follow the value of a document.
        _ = try parser.next()
        return loader.tree
    }

    /// Returns true if the document is complete.
    private mutating func take(_ event: YAMLEvent) throws(YAMLError) -> Bool {
        switch event.kind {
        case .other: return false
        case .streamEnd: throw YAMLError(offset: 0, reason: "the document is empty")
        case .sequenceStart(let anchor):
            try begin(Level(offset: event.offset, anchor: anchor, isMapping: false, tag: event.tag))
            return false
        case .mappingStart(let anchor):
            try begin(Level(offset: event.offset, anchor: anchor, isMapping: true, tag: event.tag))
            return false
        case .alias(let name):
            guard let index = anchors[name] else {
                let isInside = levels.contains { $0.anchor == name }
                throw YAMLError(
                    offset: event.offset,
                    reason: isInside ? "the alias is a part of the value that it names" : "found undefined alias")
            }
            return add(index)
        case .scalar(let scalar, anchor: let anchor):
            return add(YAMLTree.Node(offset: event.offset, value: .scalar(scalar), tag: event.tag), anchor)
        case .end:
            guard let ended = levels.popLast() else { return false }
            let result = try value(of: ended)
            return add(YAMLTree.Node(offset: ended.offset, value: result, tag: ended.tag), ended.anchor)
        }
    }

    private mutating func begin(_ level: Level) throws(YAMLError) {
        guard levels.count < YAMLTree.maximumDepth else { throw YAMLTree.tooDeep(level.offset) }
        levels.append(level)
    }

    private mutating func add(_ node: YAMLTree.Node, _ anchor: String?) -> Bool {
        let index = tree.add(node)
        if let anchor { anchors[anchor] = index }
        return add(index)
    }

    /// Adds a value to the list or the object that it is in; returns true for the document itself.
    private mutating func add(_ index: Int) -> Bool {
        guard !levels.isEmpty else { return true }
        levels[levels.count - 1].children.append(index)
        return false
    }

    private func value(of level: Level) throws(YAMLError) -> YAMLTree.Value {
        let children = level.children
        guard level.isMapping else { return .sequence(children) }
        let pairs = stride(from: 0, to: children.count - 1, by: 2).map {
            (key: children[$0], value: children[$0 + 1])
        }
        var names: Set<String> = []
        var duplicates: [String] = []
        // The offset of the first key that is there again.
        var offset: Int?
        for pair in pairs {
            let node = tree.nodes[pair.key]
            guard case .scalar(let key) = node.value else { continue }
            guard key.text.utf8.count <= Self.maximumKey else {
                throw YAMLError(offset: node.offset, reason: "a key is longer than \(Self.maximumKey) bytes")
            }
            if !names.insert(key.text).inserted, !duplicates.contains(key.text), duplicates.count < 3 {
                duplicates.append(key.text)
                offset = offset ?? node.offset
            }
        }
        if let offset {
            let list = duplicates.map { JSONValue.quoted($0.excerpt(40)) }.joined(separator: ", ")
            throw YAMLError(offset: offset, reason: "duplicate key \(list)")
        }
        return .mapping(pairs)
    }
}

/// The values of a YAML document. They name each other by index, as aliases make one the child of several.
struct YAMLTree: Sendable {
    struct Scalar: Sendable, Equatable {
        let text: String
        /// Neither in quotes nor a block.
        let isPlain: Bool
        /// Read by the core schema; all others are texts.
        let isResolved: Bool
    }

    enum Value: Sendable {
        case scalar(Scalar)
        case sequence([Int])
        case mapping([Pair])
    }

    /// The indices of a key and its value.
    typealias Pair = (key: Int, value: Int)

    struct Node: Sendable {
        /// In bytes.
        let offset: Int
        let value: Value
        /// A tag that is none of YAML's own.
        var tag: String?
    }

    /// Below that of a JSON document.
    static let maximumDepth = 400

    private(set) var nodes: [Node] = []

    /// The document itself, which ends last.
    var root: Int { nodes.count - 1 }

    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// The error of a value below too many others.
    static func tooDeep(_ offset: Int) -> YAMLError {
        YAMLError(offset: offset, reason: "more than \(maximumDepth) lists and objects are in each other")
    }
}
