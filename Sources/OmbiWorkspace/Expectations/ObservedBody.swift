/// The facts about a run that expectations are about.
struct Observation {
    var status: Int?
    var duration: Duration = .zero
    var firstAttempt: Duration?
    var headers: RequestHeaders = [:]
    var body = Data()
    /// The end of the validity of the server's certificate; nil without TLS.
    var certificateEnd: Date?
    var now = Date()
    /// Masks secrets.
    var mask: (String) -> String = { $0 }
    /// Shared by all expectations, so that none of them is evaluated for long.
    var time = EvaluationTime()
}

extension Observation {
    /// Returns a text for a message: masked, then cut.
    func excerpt(_ text: String) -> String { mask(text).excerpt(80) }
}

/// The body of a response as expectations read it: decoded and indexed at most once, when the first one needs it.
struct ObservedBody {
    private let bytes: Bytes
    private let contentType: String?
    private lazy var decoder = Self.decoded(bytes, contentType)
    private lazy var json = Self.index(decoder.text)

    init(_ bytes: Bytes, contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// The text in UTF-8, without a byte order mark, and its owner.
    private typealias Decoded = (text: Bytes, owner: DecodedText?)

    private static func decoded(_ bytes: Bytes, _ contentType: String?) -> Decoded {
        guard let charset = BodyFormat(bytes, contentType: contentType).charset else { return (bytes, nil) }
        let marked = bytes[charset.markLength..<bytes.count]
        guard charset.charset != .utf8, let decoder = DecodedText(charset.charset) else { return (marked, nil) }
        return (decoder.extend(over: marked, isComplete: true), decoder)
    }

    private struct Index {
        var document: JSONDocument
        var lookup: JSONLookup
        /// The reason why the body cannot be queried.
        var problem: String?
    }

    private static func index(_ text: Bytes) -> Index {
        let document = JSONIndex.document(text)
        let problem: String? =
            if text.isEmpty { "an empty body" } else {
                document.limit.map { "JSON \($0)" } ?? document.error.map { "a body that is not JSON (\($0))" }
            }
        return Index(document: document, lookup: JSONLookup(document), problem: problem)
    }

    mutating func results(of expected: BodyExpectation, _ observation: Observation) -> [ExpectationResult] {
        guard let path = expected.path else { return textResults(of: expected, observation) }
        let conditions = expected.conditions.isEmpty ? [.exists(true)] : expected.conditions
        let subject = path.excerpt(80)
        guard json.problem == nil, let query = try? JSONPath(path) else {
            let found = json.problem ?? "an invalid path"
            return conditions.map {
                ExpectationResult(
                    .body(offset: nil), subject, expected: observation.mask($0.words(of: subject)),
                    found: observation.excerpt(found), isMet: false)
            }
        }
        let selection = ObservedSelection(query, json.document, json.lookup, within: observation.time)
        return conditions.map { condition in
            let (isMet, node, found) = selection.judge(condition, observation)
            let interruption = observation.time.interruption
            return ExpectationResult(
                .body(offset: node.map { json.document.range(of: $0).lowerBound }), subject,
                expected: observation.mask(condition.words(of: subject)), found: interruption?.reason ?? found,
                isMet: isMet && interruption == nil)
        }
    }

    /// Returns a verdict for each value that does not meet the schema, the first ones; or one for a body that does.
    /// - Parameter isOfDocument: true for the schema by which an API description describes the response.
    mutating func results(
        of loaded: LoadedSchema, _ observation: Observation, isOfDocument: Bool = false
    ) -> [ExpectationResult] {
        let name = isOfDocument ? "the schema in the document" : loaded.name.excerpt(80)
        let expected = "a body of \(name)"
        let failed = { (found: String) -> [ExpectationResult] in
            var result = ExpectationResult(
                .body(offset: nil), "schema", expected: expected, found: found, isMet: false)
            if isOfDocument { result.differsFromDocument(at: "$", kind: nil) }
            return [result]
        }
        if let problem = json.problem { return failed(observation.excerpt(problem)) }
        guard let root = json.document.firstRoot else { return failed("an empty body") }
        let failures: [JSONSchemaFailure]
        do {
            // Documents mean their formats; of a schema of one's own they are annotations.
            let schema = try loaded.compiled(assertsFormats: isOfDocument)
            failures = try schema.failures(in: json.document, at: root, within: observation.time)
        } catch {
            let reason: String? =
                switch error as? JSONSchema.Interruption {
                case .tooDeep: "no verdict: schemas refer to each other more than 256 levels deep"
                case .interrupted(let interruption): interruption.reason
                case nil: nil
                }
            return failed(reason ?? "\(error)")
        }
        guard !failures.isEmpty else {
            return [ExpectationResult(.body(offset: 0), "schema", expected: expected, found: "one", isMet: true)]
        }
        return failures.map { failure -> ExpectationResult in
            let path = json.document.shortPath(of: failure.node)
            let found = failure.found.map(observation.excerpt)
            var result = ExpectationResult(
                .body(offset: json.document.range(of: failure.node).lowerBound), observation.excerpt(path),
                expected: observation.mask(
                    "\(path.excerpt(80)): \(failure.expected.excerpt(160)) (\(failure.keyword))"),
                found: found ?? ObservedSelection.text(of: failure.node, in: json.document, observation), isMet: false)
            if isOfDocument {
                let kind = failure.keyword == "type" ? json.document.kind(of: failure.node) : nil
                result.differsFromDocument(at: observation.excerpt(path), kind: kind)
            }
            return result
        }
    }

    private mutating func textResults(
        of expected: BodyExpectation, _ observation: Observation
    ) -> [ExpectationResult] {
        let text = decoder.text
        return expected.conditions.map { condition in
            let isPlainMet =
                switch condition.plain {
                case .equals(.string(let value)): text.count == value.utf8.count && text.starts(with: Array(value.utf8))
                case .contains(.string(let value)): TextTest.contains(text, value)
                case .matches(let pattern): TextTest.matches(text, pattern, within: observation.time)
                default: false
                }
            let isMet = isPlainMet == (condition == condition.plain)
            let head = text.text(0..<ObservedSelection.maximumSource)
            return ExpectationResult(
                .body(offset: text.isEmpty ? nil : 0), "text", expected: observation.mask(condition.words(of: "text")),
                found: observation.time.interruption?.reason
                    ?? (text.isEmpty ? "an empty body" : JSONValue.quoted(observation.mask(head)).excerpt(80)),
                isMet: isMet && observation.time.interruption == nil)
        }
    }
}

/// The values that a query selects in a body, and the verdict on them.
struct ObservedSelection {
    private let document: JSONDocument
    private let query: JSONPath
    /// The only value of a singular query; nil if it selects none.
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
        case .not(let condition):
            let test = test(condition)
            return { !test($0) }
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
