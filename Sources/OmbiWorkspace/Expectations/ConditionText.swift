/// Conditions as a line of text, for rows that are edited: `type integer; > 0`.
enum ConditionText {
    static let form =
        "write = 5, != 5, type integer, count > 0, contains text, not matches ^a, < 10, exists or absent"

    static func text(_ conditions: [ValueCondition], isText: Bool) -> String {
        conditions.map { text($0, isText: isText) }.joined(separator: "; ")
    }

    private static func text(_ condition: ValueCondition, isText: Bool) -> String {
        switch condition {
        case .equals(let value): "= " + operand(value, isText: isText)
        case .contains(let value): "contains " + operand(value, isText: isText)
        case .matches(let pattern): "matches " + operand(.string(pattern), isText: true)
        case .not(.equals(let value)): "!= " + operand(value, isText: isText)
        case .not(let condition): "not " + text(condition, isText: isText)
        case .type(let types): "type " + types.map(\.rawValue).joined(separator: "|")
        case .count(let comparison): "count " + comparison.words
        case .exists(let exists): exists ? "exists" : "absent"
        case .less(let value): "< " + operand(value, isText: false)
        case .atMost(let value): "<= " + operand(value, isText: false)
        case .greater(let value): "> " + operand(value, isText: false)
        case .atLeast(let value): ">= " + operand(value, isText: false)
        }
    }

    /// A string without quotes where it reads as the same string.
    private static func operand(_ value: JSONValue, isText: Bool) -> String {
        guard let text = value.stringValue else { return value.compact }
        let isPlain =
            !text.isEmpty && !text.hasPrefix("\"") && !text.contains(";") && text == text.trimmed
            && !text.unicodeScalars.contains { $0.value < 0x20 }
        let isOther = !isText && (try? JSONValue.parse(text)) != nil
        return isPlain && !isOther ? text : value.compact
    }

    /// Reads a line; empty is no condition.
    /// - Parameter isText: True where only text is compared: `= 5` is the text 5.
    static func conditions(_ line: String, isText: Bool) throws(FieldError) -> [ValueCondition] {
        var conditions: [ValueCondition] = []
        // In quotes a semicolon divides nothing, as in a header field.
        for part in FieldText.parts(ofHeader: line).map(\.trimmed) where !part.isEmpty {
            let condition = try condition(part, isText: isText)
            guard !conditions.contains(where: { $0.key == condition.key }) else {
                throw FieldError("\"\(condition.key)\" is there twice; add a row for the second one")
            }
            if isText, !HeaderExpectation.conditionKeys.contains(condition.key) {
                throw FieldError("this is text: its conditions are =, !=, contains, matches, not …, exists and absent")
            }
            conditions.append(condition)
        }
        return ValueCondition.keys.compactMap { key in conditions.first { $0.key == key } }
    }

    private static func condition(_ part: String, isText: Bool) throws(FieldError) -> ValueCondition {
        if part == "exists" { return .exists(true) }
        if part == "absent" { return .exists(false) }
        if let rest = rest(of: part, after: "not") {
            let inner = try condition(rest, isText: isText)
            if ["contains", "matches"].contains(inner.key) { return .not(inner) }
        }
        if let rest = rest(of: part, after: "!=") { return .not(.equals(value(rest, isText: isText))) }
        if let rest = rest(of: part, after: "contains") {
            let value = value(rest, isText: isText)
            if value == .string("") { throw FieldError("the text after contains is empty") }
            return .contains(value)
        }
        if let rest = rest(of: part, after: "matches") { return .matches(try pattern(rest)) }
        if let rest = rest(of: part, after: "type") { return .type(try types(rest)) }
        if let rest = rest(of: part, after: "count") { return .count(try count(rest)) }
        for (sign, make) in bounds {
            if let rest = rest(of: part, after: sign) { return make(try bound(rest)) }
        }
        if let rest = rest(of: part, after: "=") { return .equals(value(rest, isText: isText)) }
        if !isText, let types = try? types(part) { return .type(types) }
        if isText { return .equals(value(part, isText: true)) }
        guard let value = try? JSONValue.parse(part) else { throw FieldError("\"\(part)\": \(form)") }
        return .equals(value)
    }

    private static let bounds: [(String, @Sendable (JSONValue) -> ValueCondition)] = [
        ("<=", { .atMost($0) }), (">=", { .atLeast($0) }), ("<", { .less($0) }), (">", { .greater($0) }),
    ]

    /// Returns the text after a word or a sign; nil if the part does not begin with it.
    private static func rest(of part: String, after word: String) -> String? {
        guard part.hasPrefix(word) else { return nil }
        let rest = part.dropFirst(word.count)
        let isWord = word.first?.isLetter ?? false
        guard !isWord || rest.isEmpty || rest.first == " " || rest.first == "\"" else { return nil }
        return rest.trimmed
    }

    private static func value(_ text: String, isText: Bool) -> JSONValue {
        let value = try? JSONValue.parse(text)
        return isText ? value?.stringValue.map { .string($0) } ?? .string(text) : value ?? .string(text)
    }

    private static func pattern(_ text: String) throws(FieldError) -> String {
        let pattern = (try? JSONValue.parse(text))?.stringValue ?? text
        do throws(PatternError) { try ValueCondition.checkPattern(pattern) } catch {
            throw FieldError("\"matches\": \(error)")
        }
        return pattern
    }

    private static func types(_ text: String) throws(FieldError) -> [ValueType] {
        var types: [ValueType] = []
        for name in text.split(whereSeparator: { "|, ".contains($0) }) {
            guard let type = ValueType(rawValue: ValueType.meant(by: String(name))) else {
                let hint = Spelling.suggestion(for: String(name), in: ValueType.names)
                throw FieldError("unknown type \"\(name)\"\(hint)")
            }
            types.append(type)
        }
        if types.isEmpty { throw FieldError("the types are " + ValueType.names.joined(separator: ", ")) }
        return types
    }

    static func count(_ text: String) throws(FieldError) -> NumberComparison {
        guard let comparison = NumberComparison(text) else {
            throw FieldError("\"\(text)\" is not a comparison; \(NumberComparison.form)")
        }
        return comparison
    }

    private static func bound(_ text: String) throws(FieldError) -> JSONValue {
        guard !text.isEmpty else { throw FieldError("a number or a text is missing") }
        let value = value(text, isText: false)
        switch value {
        case .number, .string: return value
        default: throw FieldError("expected a number or a text, found \(text)")
        }
    }
}

/// A condition that no value can meet together with another one.
struct Contradiction: Equatable, Sendable {
    var key: String
    var reason: String
}

extension [ValueCondition] {
    /// The conditions that leave no value.
    var contradictions: [Contradiction] {
        var found: [Contradiction] = []
        if contains(.exists(false)), count > 1, let other = first(where: { $0 != .exists(false) }) {
            found.append(.init(key: other.key, reason: "contradicts \"exists\": false; remove one of them"))
        }
        for case .not(let plain) in self where contains(plain) {
            let key = ValueCondition.not(plain).key
            found.append(.init(key: key, reason: "contradicts \"\(plain.key)\"; remove one of them"))
        }
        if case .count(let comparison)? = first(where: { $0.key == "count" }), !comparison.isPossible {
            found.append(.init(key: "count", reason: "no count is below 0; \"exists\": false expects nothing there"))
        }
        return found + typeContradictions + rangeContradictions
    }

    private var types: [ValueType]? {
        for case .type(let types) in self { return types }
        return nil
    }

    private var typeContradictions: [Contradiction] {
        guard let types else { return [] }
        return compactMap { condition in
            let fitting: Set<ValueType> =
                switch condition {
                case .equals(let value): ValueType.types(of: value)
                case .matches: [.string]
                case .contains(.string): [.string, .array]
                case .contains: [.array]
                case .less, .atMost, .greater, .atLeast: [.number, .integer, .string]
                case .not, .type, .count, .exists: Set(ValueType.allCases)
                }
            guard fitting.isDisjoint(with: types) else { return nil }
            let names = types.map(\.rawValue).joined(separator: " or ")
            return Contradiction(
                key: condition.key, reason: "holds for no value of the type \(names); correct \"type\" or remove it")
        }
    }

    private var rangeContradictions: [Contradiction] {
        var (lower, upper): ((value: Double, isOpen: Bool)?, (key: String, value: Double, isOpen: Bool)?)
        for condition in self {
            switch condition {
            case .greater(.number(let digits)): lower = Double(digits).map { ($0, true) }
            case .atLeast(.number(let digits)): lower = Double(digits).map { ($0, false) }
            case .less(.number(let digits)): upper = Double(digits).map { ("less", $0, true) }
            case .atMost(.number(let digits)): upper = Double(digits).map { ("atMost", $0, false) }
            default: break
            }
        }
        guard let lower, let upper else { return [] }
        let isEmpty = lower.value > upper.value || lower.value == upper.value && (lower.isOpen || upper.isOpen)
        return isEmpty ? [.init(key: upper.key, reason: "no number is both above and below these bounds")] : []
    }
}
