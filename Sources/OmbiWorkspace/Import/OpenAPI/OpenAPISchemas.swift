/// The schemas of a document: samples that meet them, and the same as JSON Schema of draft 2020-12.
struct OpenAPISchemas {
    private let root: JSONValue
    let version: OpenAPIVersion
    /// The text of a string that is not described.
    var placeholder = "string"
    private var known: [String: JSONValue] = [:]
    /// The schemas with an `$id` or an `$anchor` by these, once one is asked for.
    private var named: [String: JSONValue]?
    /// The keyword of properties that a converted schema need not have, as they go the other way.
    var absentKey = "writeOnly"
    /// The results for schemas, by their texts.
    var conversions: [String: ConvertedSchema] = [:]
    /// The samples of responses by the texts of their schemas.
    var responseSamples: [String: ResponseSample] = [:]
    /// False where the samples of responses are not compared with their schemas, which takes time.
    var checksResponses = true
    /// The time in which all samples of a document are compared with their schemas; nil where each has its own.
    var comparing: EvaluationTime?
    /// The patterns that converted schemas go without.
    var unreadPatterns: [String] = []
    /// The texts that meet patterns, by these, their lengths and formats; nil for patterns that none is made of.
    var patternTexts: [String: String?] = [:]

    /// The text of a schema, which many operations have; nil for a long one.
    static func key(_ schema: JSONValue) -> String? {
        let text = schema.compact
        return text.utf8.count <= 512 ? text : nil
    }
    /// The schemas that were looked at for one sample.
    var spent = 0
    /// Bounds samples that grow with each level.
    var maximumSpent = Self.maximumSpentOfRequest
    /// True for a sample with a text that does not meet its pattern.
    var isUnmet = false
    /// True for a sample that a server sends.
    var isResponse = false

    static let maximumSpentOfRequest = 20_000
    /// Of references and of `allOf` in each other.
    private static let maximumNesting = 60

    init(_ root: JSONValue, _ version: OpenAPIVersion) { (self.root, self.version) = (root, version) }

    /// The parts of `#/components/schemas/Pet`; nil for a reference to another document.
    static func tokens(of reference: String) -> [String]? {
        guard reference.hasPrefix("#") else { return nil }
        let pointer = SchemaURI.unescaped(reference.dropFirst())
        guard pointer.hasPrefix("/") else { return pointer.isEmpty ? [] : nil }
        return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    /// Returns true for a key with escapes of its own: generators write them into names and references alike.
    static func isEscaped(_ key: String, as token: String) -> Bool {
        key.contains("%") && SchemaURI.unescaped(key[...]) == token
    }

    private static func part(_ token: String, of value: JSONValue) -> JSONValue? {
        value.members?.first { isEscaped($0.key, as: token) }?.value
    }

    /// - Parameter nesting: the number of references on the way of others.
    mutating func target(_ reference: String, nesting: Int = 0) -> JSONValue? {
        if let value = known[reference] { return value }
        guard nesting < Self.maximumNesting, let (start, tokens) = start(of: reference) else { return nil }
        var value = start
        for token in tokens {
            // All of a part may be in another file.
            if value[token] == nil, let inner = value["$ref"]?.stringValue {
                guard let target = self.target(inner, nesting: nesting + 1) else { return nil }
                value = target
            }
            let element = value.elements.flatMap { elements in Int(token).flatMap { elements[safe: $0] } }
            guard let next = value[token] ?? element ?? Self.part(token, of: value) else { return nil }
            value = next
        }
        known[reference] = value
        return value
    }

    /// The value that a reference starts at and the pointer from there: the document, or the schema that it names (3.1).
    private mutating func start(of reference: String) -> (value: JSONValue, tokens: [String])? {
        if let tokens = Self.tokens(of: reference) { return (root, tokens) }
        let all = named ?? Self.named(in: root)
        named = all
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let fragment = parts.count > 1 ? "#" + parts[1] : "#"
        guard let tokens = Self.tokens(of: fragment) else { return all[fragment].map { ($0, []) } }
        return all[parts[0]].map { ($0, tokens) }
    }

    private static func named(in root: JSONValue) -> [String: JSONValue] {
        var found: [String: JSONValue] = [:]
        var pending = [root]
        while let value = pending.popLast() {
            if let members = value.members {
                for (key, start) in [("$id", ""), ("$anchor", "#"), ("$dynamicAnchor", "#")] {
                    if let name = value[key]?.stringValue, !name.isEmpty { found[start + name] = value }
                }
                pending += members.map(\.value)
            } else {
                pending += value.elements ?? []
            }
        }
        return found
    }

    /// The last part of a reference, without the folder and the ending of a file.
    static func name(of reference: String) -> String {
        let last = reference.split(separator: "/").last.map(String.init) ?? reference
        guard reference == "#/\(OpenAPIBundle.key)/\(last)" else { return last }
        let file = last.replacing("~1", with: "/").split(separator: "/").last ?? ""
        return String(file.prefix { $0 != "." })
    }

    // MARK: Keywords

    /// The keywords of a schema with those of its references and of `allOf`, and the references on the way.
    struct Keywords {
        var members: [String: JSONValue] = [:]
        var references: Set<String> = []

        subscript(key: String) -> JSONValue? { members[key] }
    }

    /// Nil for a schema that contains itself, or has a reference that leads nowhere.
    mutating func keywords(of schema: JSONValue, inside references: Set<String>, nesting: Int = 0) -> Keywords? {
        spent += 1
        guard nesting < Self.maximumNesting, spent < maximumSpent else { return nil }
        var result = Keywords(references: references)
        guard case .object(let members) = schema else { return result }
        // A dynamic reference may lead elsewhere in another schema; a sample is of one.
        if let reference = (schema["$ref"] ?? schema["$dynamicRef"])?.stringValue {
            guard !references.contains(reference), let target = target(reference),
                let found = keywords(of: target, inside: references.union([reference]), nesting: nesting + 1)
            else { return nil }
            guard version == .threeOne else { return found }
            result = found
        }
        var own: [String: JSONValue] = [:]
        for member in members where own[member.key] == nil && member.key != "$ref" && member.key != "allOf" {
            own[member.key] = member.value
        }
        // Its own annotations come before those of others.
        let outer = result.members
        result.members = own
        Self.combine(&result.members, with: outer)
        for part in schema["allOf"]?.elements ?? [] {
            guard let found = keywords(of: part, inside: references, nesting: nesting + 1) else { return nil }
            Self.combine(&result.members, with: found.members)
            // Schemas in each other may share a part, such as that of all pages: its second time is a cycle.
            for reference in found.references.subtracting(references) {
                let first = Self.partMark + reference
                let isMarked = reference.hasPrefix(Self.partMark) || references.contains(first)
                result.references.insert(isMarked ? reference : first)
            }
        }
        return result
    }

    /// Begins a reference that was followed as a part of `allOf`.
    private static let partMark = "allOf "

    static func combine(_ members: inout [String: JSONValue], with others: [String: JSONValue]) {
        for (key, value) in others {
            guard let own = members[key] else {
                members[key] = value
                continue
            }
            switch key {
            case "properties": members[key] = union(own, value)
            case "items" where own != value:
                members[key] = .object([JSONValue.Member("allOf", .array([own, value]))])
            case "required":
                let names = own.elements ?? []
                members[key] = .array(names + (value.elements ?? []).filter { !names.contains($0) })
            case "minimum", "minLength", "minItems", "minProperties":
                if number(value) ?? 0 > number(own) ?? 0 { members[key] = value }
            case "maximum", "maxLength", "maxItems", "maxProperties":
                if number(value) ?? .infinity < number(own) ?? .infinity { members[key] = value }
            case "oneOf" where own != value, "anyOf" where own != value:
                members[key] = .array(pairs(own, value))
            case "enum":
                let common = (own.elements ?? []).filter { value.elements?.contains($0) ?? true }
                members[key] = common.isEmpty ? own : .array(common)
            default: break
            }
        }
    }

    /// The schemas that hold where one of each list has to; the first few, of which a sample needs one.
    private static func pairs(_ own: JSONValue, _ other: JSONValue) -> [JSONValue] {
        let branches = [own, other].map { list -> ArraySlice<JSONValue> in
            let all = list.elements ?? []
            let some = all.filter { $0["type"]?.stringValue != "null" }
            return (some.isEmpty ? all : some).prefix(4)
        }
        return branches[0].flatMap { one in
            branches[1].map { JSONValue.object([JSONValue.Member("allOf", .array([one, $0]))]) }
        }
    }

    private static func union(_ own: JSONValue, _ other: JSONValue) -> JSONValue {
        guard case .object(var members) = own, case .object(let others) = other else { return own }
        for member in others {
            guard let index = members.firstIndex(where: { $0.key == member.key }) else {
                members.append(member)
                continue
            }
            let own = members[index].value
            if own != member.value {
                members[index].value = .object([JSONValue.Member("allOf", .array([own, member.value]))])
            }
        }
        return .object(members)
    }

    static func number(_ value: JSONValue?) -> Double? {
        guard case .number(let digits)? = value, let number = Double(digits), number.isFinite else { return nil }
        return number
    }

    // MARK: Properties

    mutating func properties(of schema: JSONValue) -> [JSONValue.Member] {
        spent = 0
        return keywords(of: schema, inside: [])?["properties"]?.members ?? []
    }

    /// Returns the values that a schema lists, and true for one of values that are no lists and no objects.
    mutating func choices(of schema: JSONValue) -> (values: [JSONValue], isScalar: Bool) {
        spent = 0
        guard let keywords = keywords(of: schema, inside: []) else { return ([], false) }
        let types = keywords["type"].map { $0.elements ?? [$0] } ?? []
        let isScalar = !types.isEmpty && !types.contains("array") && !types.contains("object")
        return (keywords["enum"]?.elements ?? [], isScalar)
    }

    /// Returns true for the content of a file, and for a list of them.
    mutating func isFile(_ schema: JSONValue) -> Bool {
        spent = 0
        guard let keywords = keywords(of: schema, inside: []) else { return false }
        guard let items = keywords["items"], case .object = items else { return Self.holdsFile(keywords) }
        return self.keywords(of: items, inside: []).map { Self.holdsFile($0) } ?? false
    }

    private static func holdsFile(_ keywords: Keywords) -> Bool {
        keywords["format"]?.stringValue == "binary" || keywords["type"]?.stringValue == "file"
            || keywords["contentMediaType"] != nil && keywords["contentEncoding"] == nil
    }
}
