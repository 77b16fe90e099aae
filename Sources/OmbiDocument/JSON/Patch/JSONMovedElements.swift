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
