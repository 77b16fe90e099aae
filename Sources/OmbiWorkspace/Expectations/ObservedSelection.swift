import OmbiDocument

/// The values that a query selects in a body, and the verdict on them.
struct ObservedSelection {
    private let document: JSONDocument
    private let query: JSONPath
    /// The only value of a query for one; nil where there is none.
    private let single: JSONNode?
    private let isSingular: Bool
    private let time: EvaluationTime

    /// The bytes of a value that a message is made from. It is masked before it is cut further.
    static let maximumSource = 4096

    init(_ query: JSONPath, _ document: JSONDocument, _ lookup: JSONLookup, within time: EvaluationTime) {
        (self.document, self.query, self.time) = (document, query, time)
        isSingular = query.isSingular
        single = isSingular ? lookup.node(at: query) : nil
    }

    /// Passes the values to `visit` until it returns false. None is kept: a query can select a value any number of times.
    private func visit(_ visit: (JSONNode) -> Bool) {
        guard !isSingular else {
            if let single { _ = visit(single) }
            return
        }
        for node in query.matches(in: document, within: time) where !visit(node) || !time.step(Self.testSteps) {
            return
        }
    }

    /// The steps of `EvaluationTime` that a test takes, at least.
    private static let testSteps = 8

    /// Returns the verdict, the value that it is about, and that value as text.
    func judge(_ condition: ValueCondition, _ observation: Observation) -> (Bool, JSONNode?, String) {
        switch condition {
        case .exists(let exists):
            var first: JSONNode?
            visit {
                first = $0
                return false
            }
            return ((first != nil) == exists, first, first.map { text(of: $0, observation) } ?? "nothing")
        case .count(let comparison) where !isSingular:
            var (first, count) = (JSONNode?.none, 0)
            visit {
                first = first ?? $0
                count += 1
                return true
            }
            return (comparison.holds(count), first, "\(count)")
        default: return judgeEach(condition, observation)
        }
    }

    private func judgeEach(_ condition: ValueCondition, _ observation: Observation) -> (Bool, JSONNode?, String) {
        let test = test(condition)
        var (first, failed) = (JSONNode?.none, JSONNode?.none)
        visit {
            first = first ?? $0
            if !test($0) { failed = $0 }
            return failed == nil
        }
        guard let shown = failed ?? first else { return (false, nil, "nothing") }
        return (failed == nil, shown, found(shown, condition, observation))
    }

    private func found(_ node: JSONNode, _ condition: ValueCondition, _ observation: Observation) -> String {
        if case .count = condition, let length = document.length(of: node) { return "\(length)" }
        let place = isSingular ? "" : " at \(observation.excerpt(document.shortPath(of: node)))"
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
        case .equals(let value): return { document.isEqual($0, to: value, within: time) }
        case .contains(let value): return { contains($0, value) }
        case .matches(let pattern):
            let pattern = try? TextPattern(pattern)
            return { node in
                document.text(of: node).map { pattern?.matches(Bytes($0.string.utf8), within: time) ?? false } ?? false
            }
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
            return value.stringValue.map { TextTest.contains(Bytes(text.string.utf8), $0) } ?? false
        }
        guard document.kind(of: node) == .array else { return false }
        return document.children(of: node).contains { document.isEqual($0, to: value, within: time) }
    }
}
