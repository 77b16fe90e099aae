import OmbiDocument

/// The values that a query selects in a body, and the verdict on them.
struct ObservedSelection {
    private let document: JSONDocument
    private let nodes: [JSONNode]
    private let isSingular: Bool

    /// The bytes of a value that a message is made from. It is masked before it is cut further.
    static let maximumSource = 4096

    init(_ query: JSONPath, _ document: JSONDocument, _ lookup: JSONLookup) {
        self.document = document
        isSingular = query.isSingular
        nodes = isSingular ? lookup.node(at: query).map { [$0] } ?? [] : Array(query.matches(in: document))
    }

    /// Returns the verdict, the value that it is about, and that value as text.
    func judge(_ condition: ValueCondition, _ observation: Observation) -> (Bool, JSONNode?, String) {
        switch condition {
        case .exists(let exists):
            return (nodes.isEmpty != exists, nodes.first, nodes.first.map { text(of: $0, observation) } ?? "nothing")
        case .count(let comparison) where !isSingular:
            return (comparison.holds(nodes.count), nodes.first, "\(nodes.count)")
        default: break
        }
        guard let first = nodes.first else { return (false, nil, "nothing") }
        let test = test(condition)
        let failed = nodes.first { !test($0) }
        return (failed == nil, failed ?? first, found(failed ?? first, condition, observation))
    }

    private func found(_ node: JSONNode, _ condition: ValueCondition, _ observation: Observation) -> String {
        if case .count = condition, let length = document.length(of: node) { return "\(length)" }
        let place = isSingular ? "" : " at \(observation.excerpt(document.path(of: node)))"
        return text(of: node, observation) + place
    }

    private func text(of node: JSONNode, _ observation: Observation) -> String {
        Self.text(of: node, in: document, observation)
    }

    /// The value on one line, masked and cut.
    static func text(of node: JSONNode, in document: JSONDocument, _ observation: Observation) -> String {
        let range = document.range(of: node)
        let source = document.bytes(in: range.lowerBound..<min(range.upperBound, range.lowerBound + maximumSource))
        let lines = String(decoding: source, as: UTF8.self).split { $0.isNewline }
        return observation.excerpt(lines.map { $0.trimmed }.joined(separator: " "))
    }

    /// Returns the test of one value. A pattern is compiled once.
    private func test(_ condition: ValueCondition) -> (JSONNode) -> Bool {
        switch condition {
        case .equals(let value): return { document.isEqual($0, to: value) }
        case .contains(let value): return { contains($0, value) }
        case .matches(let pattern):
            let pattern = try? TextPattern(pattern)
            return { node in document.text(of: node).map { pattern?.matches(Bytes($0.string.utf8)) ?? false } ?? false }
        case .type(let types): return { node in types.contains { $0.holds(node, in: document) } }
        case .count(let comparison): return { document.length(of: $0).map(comparison.holds) ?? false }
        case .less(let value): return { document.order($0, value).map { $0 < 0 } ?? false }
        case .atMost(let value): return { document.order($0, value).map { $0 <= 0 } ?? false }
        case .greater(let value): return { document.order($0, value).map { $0 > 0 } ?? false }
        case .atLeast(let value): return { document.order($0, value).map { $0 >= 0 } ?? false }
        case .exists: return { _ in true }
        }
    }

    private func contains(_ node: JSONNode, _ value: JSONValue) -> Bool {
        if let text = document.text(of: node) {
            return value.content.map { TextTest.contains(Bytes(text.string.utf8), $0) } ?? false
        }
        guard document.kind(of: node) == .array else { return false }
        return document.children(of: node).contains { document.isEqual($0, to: value) }
    }
}
