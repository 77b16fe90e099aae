extension OpenAPISchemas {
    /// Levels of objects and lists in a sample.
    private static let maximumDepth = 12
    /// Elements of a list, and characters that a length asks for.
    private static let maximumCount = 1000

    /// Returns a value that a request may send; nil where a schema has none that ends.
    mutating func sample(_ schema: JSONValue) -> JSONValue? {
        (spent, isUnmet) = (0, false)
        return sample(schema, inside: [], depth: 0)
    }

    /// The schemas that are looked at for the sample of a response, of which a document has many.
    private static let maximumSpentOfResponse = 1000

    struct ResponseSample {
        /// With its optional members; nil for one that is too large, and where a schema has none that ends.
        var value: JSONValue?
        /// Nil for a value that meets its schema, or is not compared with it.
        var difference: String?
    }

    mutating func responseSample(_ schema: JSONValue) -> ResponseSample {
        let key = Self.key(schema)
        if let key, let known = responseSamples[key] { return known }
        (isResponse, maximumSpent) = (true, Self.maximumSpentOfResponse)
        defer { (isResponse, maximumSpent) = (false, Self.maximumSpentOfRequest) }
        let value = sample(schema)
        var result = ResponseSample(value: spent < maximumSpent ? value : nil)
        if checksResponses, let made = result.value {
            result.difference = converted(schema).difference(of: made, within: comparing ?? EvaluationTime())
        }
        if let key { responseSamples[key] = result }
        return result
    }

    private mutating func sample(_ schema: JSONValue, inside references: Set<String>, depth: Int) -> JSONValue? {
        guard depth < Self.maximumDepth, let keywords = keywords(of: schema, inside: references) else { return nil }
        return sample(keywords, of: schema, depth)
    }

    private mutating func sample(_ keywords: Keywords, of schema: JSONValue, _ depth: Int) -> JSONValue? {
        guard let value = sample(keywords, depth) else { return nil }
        let discriminator = inherited(keywords, by: schema)
        return marked(value, schema, discriminator, in: keywords)
    }

    /// The discriminator that a schema has from a part of it: others have the same part.
    private mutating func inherited(_ keywords: Keywords, by schema: JSONValue) -> JSONValue? {
        guard let discriminator = keywords["discriminator"], let reference = schema["$ref"]?.stringValue,
            ["oneOf", "anyOf", "example", "examples", "default"].allSatisfy({ keywords[$0] == nil }),
            target(reference)?["discriminator"] == nil
        else { return nil }
        return discriminator
    }

    private mutating func sample(_ keywords: Keywords, _ depth: Int) -> JSONValue? {
        if let example = Self.example(keywords) { return example }
        for key in ["oneOf", "anyOf"] {
            for branch in keywords[key]?.elements ?? [] where !Self.isNull(branch) {
                guard let found = self.keywords(of: branch, inside: keywords.references) else { continue }
                var whole = keywords
                whole.members[key] = nil
                Self.combine(&whole.members, with: found.members)
                whole.references.formUnion(found.references)
                let marks = key == "oneOf" ? Self.marks(of: found) : []
                if !marks.isEmpty {
                    whole.members["required"] = .array((whole["required"]?.elements ?? []) + marks)
                }
                guard let value = sample(whole, depth) else { continue }
                let discriminator = keywords["discriminator"] ?? inherited(found, by: branch)
                return marked(value, branch, discriminator, in: whole)
            }
        }
        if keywords["const"] == .null { return .null }
        switch Self.type(keywords) {
        case "object": return object(keywords, depth)
        case "array": return array(keywords, depth)
        case "string": return .string(text(keywords))
        case "integer": return Self.number(keywords, isInteger: true)
        case "number": return Self.number(keywords, isInteger: false)
        case "boolean": return .bool(true)
        case "null": return .null
        default: return placeholder.isEmpty ? .string("") : .object([])
        }
    }

    /// The properties with one value, which tell a branch from the others though they are optional.
    private static func marks(of branch: Keywords) -> [JSONValue] {
        let properties = branch["properties"]?.members ?? []
        return properties.filter { $0.value["const"] != nil || $0.value["enum"]?.elements?.count == 1 }.map {
            .string($0.key)
        }
    }

    /// The value that the document has for a schema; of several, one that has its type and is one of its values.
    private static func example(_ keywords: Keywords) -> JSONValue? {
        if let value = keywords["const"], value != .null { return value }
        let values = keywords["enum"]?.elements ?? []
        let examples = [keywords["example"], keywords["examples"]?.elements?.first, keywords["default"]]
        let fitting = examples.lazy.compactMap { $0.flatMap { fitted($0, to: keywords) } }
        return fitting.first { $0 != .null && (values.isEmpty || values.contains($0)) }
            ?? values.first { $0 != .null }
    }

    /// Returns an example in the type of its schema: in YAML, `12345` is a number where a text is meant. Nil for one of
    /// another type.
    private static func fitted(_ value: JSONValue, to keywords: Keywords) -> JSONValue? {
        let types = keywords["type"].map { ($0.elements ?? [$0]).compactMap(\.stringValue) } ?? []
        guard !types.isEmpty, !types.contains(where: { fits(value, $0) }) else { return value }
        if types.contains("string") {
            switch value {
            case .number, .bool: return .string(value.compact)
            case .null, .string, .array, .object: return nil
            }
        }
        guard let text = value.stringValue, let inner = try? JSONValue.parse(text) else { return nil }
        return types.contains { fits(inner, $0) } ? inner : nil
    }

    /// Returns an example in the type of its schema: a text of JSON may stand for an object.
    mutating func fitting(_ value: JSONValue, _ schema: JSONValue) -> JSONValue {
        spent = 0
        return keywords(of: schema, inside: []).flatMap { Self.fitted(value, to: $0) } ?? value
    }

    private static func fits(_ value: JSONValue, _ type: String) -> Bool {
        switch value {
        case .null: type == "null"
        case .bool: type == "boolean"
        case .number: type == "number" || type == "integer"
        case .string: type == "string"
        case .array: type == "array"
        case .object: type == "object"
        }
    }

    private static func isNull(_ schema: JSONValue) -> Bool { schema["type"]?.stringValue == "null" }

    /// Returns the value with the name of the branch where a property holds it.
    private mutating func marked(
        _ value: JSONValue, _ branch: JSONValue, _ discriminator: JSONValue?, in whole: Keywords
    ) -> JSONValue {
        // In OpenAPI 2.0 it is the name of the property.
        guard let property = discriminator?["propertyName"]?.stringValue ?? discriminator?.stringValue,
            let reference = branch["$ref"]?.stringValue, case .object(var members) = value
        else { return value }
        let name = OpenAPISchemas.name(of: reference)
        var mark = name
        let mapping = discriminator?["mapping"]?.members ?? []
        if let entry = mapping.first(where: { $0.value == .string(reference) || $0.value == .string(name) }) {
            mark = entry.key
        }
        // Without a mapping, a schema may have another value than its name.
        if let schema = whole["properties"]?[property], let own = keywords(of: schema, inside: whole.references) {
            let values = own["const"].map { [$0] } ?? own["enum"]?.elements ?? []
            guard values.isEmpty || values.contains(.string(mark)) else { return value }
        }
        if let index = members.firstIndex(where: { $0.key == property }) {
            members[index].value = .string(mark)
        } else {
            members.insert(JSONValue.Member(property, .string(mark)), at: 0)
        }
        return .object(members)
    }

    private static func type(_ keywords: Keywords) -> String {
        if let type = keywords["type"]?.stringValue { return type }
        if let types = keywords["type"]?.elements {
            return types.lazy.compactMap(\.stringValue).first { $0 != "null" } ?? "null"
        }
        let signs = [
            ("object", ["properties", "additionalProperties", "required", "minProperties"]),
            ("array", ["items", "prefixItems", "minItems"]),
            ("string", ["format", "pattern", "minLength", "maxLength"]),
            ("number", ["minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"]),
        ]
        return signs.first { $0.1.contains { keywords[$0] != nil } }?.0 ?? ""
    }

    // MARK: Objects and lists

    private mutating func object(_ keywords: Keywords, _ depth: Int) -> JSONValue? {
        let properties = keywords["properties"]?.members ?? []
        let required = Set((keywords["required"]?.elements ?? []).compactMap(\.stringValue))
        let minimum = Self.count(keywords["minProperties"]) ?? 0
        var members: [JSONValue.Member] = []
        var others: [JSONValue.Member] = []
        for property in properties {
            guard let inner = self.keywords(of: property.value, inside: keywords.references) else {
                // A value that contains itself.
                if required.contains(property.key) { members.append(JSONValue.Member(property.key, .object([]))) }
                continue
            }
            guard inner[isResponse ? "writeOnly" : "readOnly"] != .bool(true) else { continue }
            let isRequired = required.contains(property.key)
            let described = ["example", "default", "examples"].compactMap { inner[$0] }
            let isDescribed = isResponse || described.contains { $0 != .null }
            guard isRequired || isDescribed && inner["deprecated"] != .bool(true) else {
                others.append(property)
                continue
            }
            let value = depth + 1 < Self.maximumDepth ? sample(inner, of: property.value, depth + 1) : nil
            if let value {
                members.append(JSONValue.Member(property.key, value))
            } else if isRequired {
                members.append(JSONValue.Member(property.key, Self.type(inner) == "array" ? .array([]) : .object([])))
            }
        }
        for property in others where members.count < minimum {
            guard let value = sample(property.value, inside: keywords.references, depth: depth + 1) else { continue }
            members.append(JSONValue.Member(property.key, value))
        }
        let names = required.filter { name in !properties.contains { $0.key == name } }.sorted()
        for name in names {
            members.append(JSONValue.Member(name, additional(keywords, depth) ?? .string(placeholder)))
        }
        let other: JSONValue? = keywords["additionalProperties"] == .bool(false) ? nil : .string(placeholder)
        while members.count < min(minimum, Self.maximumCount), let value = additional(keywords, depth) ?? other {
            members.append(JSONValue.Member("key\(members.count + 1)", value))
        }
        return .object(members)
    }

    /// Returns a value for a name that an object does not describe; nil where its schema says nothing.
    private mutating func additional(_ keywords: Keywords, _ depth: Int) -> JSONValue? {
        guard let schema = keywords["additionalProperties"], case .object = schema else { return nil }
        return sample(schema, inside: keywords.references, depth: depth + 1)
    }

    private mutating func array(_ keywords: Keywords, _ depth: Int) -> JSONValue {
        let most = min(Self.count(keywords["maxItems"]) ?? Self.maximumCount, Self.maximumCount)
        let minimum = min(max(Self.count(keywords["minItems"]) ?? 1, 0), most)
        var elements = (keywords["prefixItems"]?.elements ?? []).prefix(most).map { schema -> JSONValue in
            sample(schema, inside: keywords.references, depth: depth + 1) ?? .null
        }
        guard let items = keywords["items"], items != .bool(false) else { return .array(elements) }
        guard elements.count < minimum,
            let element = sample(items, inside: keywords.references, depth: depth + 1)
        else { return .array(elements) }
        // The schema of the elements is looked at again for different ones alone: that has a price.
        let isUnique = keywords["uniqueItems"] == .bool(true) && minimum > 1
        let inner = isUnique ? self.keywords(of: items, inside: keywords.references) : nil
        let choices = inner?["enum"]?.elements ?? []
        let rule = inner.flatMap { Self.textRule($0) }
        while elements.count < minimum {
            let index = elements.count
            let isSame = !isUnique || index == 0
            elements.append(isSame ? element : choices[safe: index] ?? Self.varied(element, index, rule))
        }
        return .array(elements)
    }

    /// A value of the same kind that is another one.
    /// - Parameter rule: that of a text; nil for any.
    private static func varied(_ value: JSONValue, _ index: Int, _ rule: JSONSchema? = nil) -> JSONValue {
        switch value {
        case .string(let text):
            varied(text, index).first { text in rule.map { accepts($0, text) } ?? true }
                ?? .string(text + String(index))
        case .number: .number((number(value) ?? 0) + Double(index))
        case .object(let members):
            .object(members.map { JSONValue.Member($0.key, varied($0.value, index)) })
        case .null, .bool, .array: value
        }
    }

    /// Texts that are like another one: a day or an ID stays one with another last digit.
    private static func varied(_ text: String, _ index: Int) -> [JSONValue] {
        var texts = [text + String(index), String(index) + text]
        if let last = text.lastIndex(where: { $0.isASCII && $0.isNumber }), let digit = text[last].wholeNumberValue,
            index < 10
        {
            var other = text
            other.replaceSubrange(last...last, with: String((digit + index) % 10))
            texts.insert(other, at: 0)
        }
        return texts.map(JSONValue.string)
    }

    private static func count(_ value: JSONValue?) -> Int? {
        number(value).map { Int(max(0, min($0, Double(Int32.max)))) }
    }

    // MARK: Scalars

    private static let formats: [(format: String, text: String)] = [
        ("date", "2024-01-01"), ("date-time", "2024-01-01T00:00:00Z"), ("time", "00:00:00Z"), ("duration", "P1D"),
        ("uuid", "00000000-0000-0000-0000-000000000000"), ("email", "user@example.com"),
        ("uri", "https://example.com"), ("url", "https://example.com"), ("uri-reference", "/"),
        ("hostname", "example.com"), ("ipv4", "192.0.2.1"), ("ipv6", "2001:db8::1"), ("byte", "aGk="), ("binary", ""),
    ]

    /// Texts that patterns in documents accept often.
    private static let candidates = [
        "a", "A", "0", "1", "abc", "ABC", "Abc", "aa", "AA", "00", "000", "0000", "00000", "000000", "123456789",
        "1.0", "1.0.0", "a-b", "a_b", "AAA", "AAAA", "a1", "A1", "#000000", "00:00", "2024", "2024-01",
        "2024-01-01", "2024-01-01T00:00:00Z", "+15555550100", "https://example.com", "user@example.com", "/", "/a",
        "00000000-0000-4000-8000-000000000000", "",
    ]

    private mutating func text(_ keywords: Keywords) -> String {
        let format = keywords["format"]?.stringValue ?? ""
        var text = Self.formats.first { $0.format == format }?.text ?? placeholder
        let minimum = min(Self.count(keywords["minLength"]) ?? 0, Self.maximumCount)
        let most = Self.count(keywords["maxLength"]) ?? .max
        let length = text.unicodeScalars.count
        if length < minimum { text += String(repeating: "a", count: minimum - length) }
        if length > most { text = String(text.prefix(most)) }
        guard let pattern = keywords["pattern"]?.stringValue else { return text }
        let key = [format, placeholder, String(minimum), String(most), pattern].joined(separator: "\n")
        let lengths = minimum...max(minimum, most)
        let made: String? = patternTexts[key] ?? Self.text(like: text, of: pattern, keywords, lengths: lengths)
        patternTexts.updateValue(made, forKey: key)
        isUnmet = isUnmet || made == nil && !text.isEmpty
        return made ?? text
    }

    /// Returns a text that meets a pattern, the given one if it does; nil where none is made.
    private static func text(
        like text: String, of pattern: String, _ keywords: Keywords, lengths: ClosedRange<Int>
    ) -> String? {
        guard let rule = textRule(keywords) else { return nil }
        return ([text] + candidates).first { accepts(rule, .string($0)) }
            ?? PatternExample.text(of: pattern, length: lengths)
    }

    /// The pattern and the lengths of a text; nil for one without a pattern, and for a pattern that is not read.
    private static func textRule(_ keywords: Keywords) -> JSONSchema? {
        guard let pattern = keywords["pattern"], pattern.stringValue != nil else { return nil }
        let rule: JSONValue = [
            "pattern": pattern, "minLength": JSONValue.number(count(keywords["minLength"]) ?? 0),
            "maxLength": keywords["maxLength"],
        ]
        return try? JSONSchema(rule)
    }

    private static func accepts(_ schema: JSONSchema, _ value: JSONValue) -> Bool {
        guard let document = try? JSONDocument(checking: Bytes(value.compact.utf8)), let node = document.firstRoot,
            let failures = try? schema.failures(in: document, at: node)
        else { return false }
        return failures.isEmpty
    }

    /// A number in its bounds, 0 if it is.
    private static func number(_ keywords: Keywords, isInteger: Bool) -> JSONValue {
        let step = number(keywords["multipleOf"]).map(abs) ?? (isInteger ? 1 : 0)
        var (low, high) = (number(keywords["minimum"]), number(keywords["maximum"]))
        var (isLowOpen, isHighOpen) = (
            keywords["exclusiveMinimum"] == .bool(true), keywords["exclusiveMaximum"] == .bool(true)
        )
        if let open = number(keywords["exclusiveMinimum"]), open >= low ?? -.infinity {
            (low, isLowOpen) = (open, true)
        }
        if let open = number(keywords["exclusiveMaximum"]), open <= high ?? .infinity {
            (high, isHighOpen) = (open, true)
        }
        let fits = { (value: Double) in
            (low.map { isLowOpen ? value > $0 : value >= $0 } ?? true)
                && (high.map { isHighOpen ? value < $0 : value <= $0 } ?? true)
        }
        if fits(0) { return .number(0) }
        let start = low ?? high ?? 0
        guard step > 0 else {
            let middle = low.flatMap { low in high.map { (low + $0) / 2 } } ?? (low == nil ? start - 1 : start + 1)
            return .number(fits(start) ? start : middle)
        }
        let count = low == nil ? (start / step).rounded(.down) : (start / step).rounded(.up)
        let next = low == nil ? count - 1 : count + 1
        let first = multiple(count, of: step)
        return .number(fits(first) ? first : multiple(next, of: step))
    }

    /// Returns a product without the error of its fractions: 3 × 0.1 is 0.3.
    private static func multiple(_ count: Double, of step: Double) -> Double {
        let (product, scale) = (count * step, 1e9)
        let whole = (product * scale).rounded()
        return abs(whole) < 1e15 && (step * scale).rounded() == step * scale ? whole / scale : product
    }
}
