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
    struct Pair: Sendable {
        let key: Int
        let value: Int
    }

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

    /// Adds a value and returns its index.
    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// The error of a value below too many others.
    static func tooDeep(_ offset: Int) -> YAMLError {
        YAMLError(offset: offset, reason: "more than \(maximumDepth) lists and objects are in each other")
    }
}
