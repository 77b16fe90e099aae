/// A condition on a value: a header, the text of a body, or a value that a JSONPath selects in it.
package indirect enum ValueCondition: Sendable, Equatable {
    /// Numbers by their exact values, objects in any order of their members.
    case equals(JSONValue)
    /// A part of a text, or an element of an array.
    case contains(JSONValue)
    /// A regular expression that matches any part of the text.
    case matches(String)
    /// A value that is there, and does not meet another condition: `equals`, `contains` or `matches`.
    case not(ValueCondition)
    /// One of these types.
    case type([ValueType])
    /// The number of elements, members or characters; of a query that may select several values the number of those.
    case count(NumberComparison)
    case exists(Bool)
    /// Numbers by their exact values, strings by their code points.
    case less(JSONValue)
    case atMost(JSONValue)
    case greater(JSONValue)
    case atLeast(JSONValue)

    package var key: String {
        switch self {
        case .equals: "equals"
        case .contains: "contains"
        case .matches: "matches"
        case .not(let condition): "not\(condition.key.prefix(1).uppercased())\(condition.key.dropFirst())"
        case .type: "type"
        case .count: "count"
        case .exists: "exists"
        case .less: "less"
        case .atMost: "atMost"
        case .greater: "greater"
        case .atLeast: "atLeast"
        }
    }

    /// The keys in canonical order.
    static let keys = Array(BodyExpectation.keys.dropFirst())

    /// The condition without its `not`.
    var plain: ValueCondition { if case .not(let condition) = self { condition } else { self } }

    /// The condition that a value meets if it is there and does not meet this one; nil for one without.
    var opposite: ValueCondition? {
        switch self {
        case .equals, .contains, .matches: .not(self)
        case .exists(let exists): .exists(!exists)
        case .not, .type, .count, .less, .atMost, .greater, .atLeast: nil
        }
    }

    /// The value in a file.
    var json: JSONValue {
        switch self {
        case .equals(let value), .contains(let value), .less(let value), .atMost(let value), .greater(let value),
            .atLeast(let value):
            value
        case .matches(let pattern): .string(pattern)
        case .not(let condition): condition.json
        case .type(let types) where types.count == 1: .string(types[0].rawValue)
        case .type(let types): .array(types.map { .string($0.rawValue) })
        case .count(let comparison): comparison.json
        case .exists(let exists): .bool(exists)
        }
    }
}

extension ValueCondition {
    /// Returns the phrase that follows the word `expected`: `$.id = 5`, `count of $.items > 0`.
    package func words(of subject: String) -> String {
        switch self {
        case .equals(let value): "\(subject) = \(Self.excerpt(value))"
        case .contains(let value): "\(subject) containing \(Self.excerpt(value))"
        case .matches(let pattern): "\(subject) matching \(pattern.excerpt(80))"
        case .not(.equals(let value)): "\(subject) != \(Self.excerpt(value))"
        case .not(let condition): condition.words(of: subject + " not")
        case .type(let types): "\(subject) of type \(types.map(\.rawValue).joined(separator: " or "))"
        case .count(let comparison): "count of \(subject) \(comparison.words)"
        case .exists(true): "\(subject) to exist"
        case .exists(false): "no \(subject)"
        case .less(let value): "\(subject) < \(Self.excerpt(value))"
        case .atMost(let value): "\(subject) <= \(Self.excerpt(value))"
        case .greater(let value): "\(subject) > \(Self.excerpt(value))"
        case .atLeast(let value): "\(subject) >= \(Self.excerpt(value))"
        }
    }

    private static func excerpt(_ value: JSONValue) -> String { value.compact.excerpt(80) }
}

/// A value with conditions, which are read together: some exclude each other.
protocol Conditional: Sendable {
    var conditions: [ValueCondition] { get }
}

extension Member where Owner: Conditional {
    static func condition(
        _ key: String, _ schema: @autoclosure @escaping @Sendable () -> JSONValue
    ) -> Member {
        apart(key, schema()) { owner in owner.conditions.first { $0.key == key }?.json }
    }
}

/// The conditions of one object in a file.
extension ObjectReader {
    /// Reads the conditions, in canonical order; logs invalid ones, and those that no value can meet.
    func conditions() -> [ValueCondition] {
        let conditions = ValueCondition.keys.compactMap { key in value(key).flatMap { condition(key, $0) } }
        for contradiction in conditions.contradictions {
            log.warning(
                at: value(contradiction.key)?.offset ?? offset, "\"\(contradiction.key)\": \(contradiction.reason)")
        }
        return conditions
    }

    private func condition(_ key: String, _ value: FileValue) -> ValueCondition? {
        switch key {
        case "equals": .equals(value.value)
        case "contains": contained(key, value)
        case "matches": pattern(key, value)
        case "notEquals": .not(.equals(value.value))
        case "notContains": contained(key, value).map { .not($0) }
        case "notMatches": pattern(key, value).map { .not($0) }
        case "type": types(value)
        case "count": comparison(key).map { .count($0) }
        case "exists": bool(key).map { .exists($0) }
        case "less": bound(key, value).map { .less($0) }
        case "atMost": bound(key, value).map { .atMost($0) }
        case "greater": bound(key, value).map { .greater($0) }
        case "atLeast": bound(key, value).map { .atLeast($0) }
        default: nil
        }
    }

    private func contained(_ key: String, _ value: FileValue) -> ValueCondition? {
        if value.string == "" { return refuse(key, "the text is empty, and in every text") }
        return .contains(value.value)
    }

    private func pattern(_ key: String, _ value: FileValue) -> ValueCondition? {
        guard let pattern = string(key) else { return nil }
        do throws(PatternError) {
            try ValueCondition.checkPattern(pattern)
            return .matches(pattern)
        } catch {
            log.error(at: value.offset(ofColumn: error.column), "\"\(key)\": \(error.reason)")
            return nil
        }
    }

    private func types(_ value: FileValue) -> ValueCondition? {
        let values = value.kind == .array ? value.elements : [value]
        let types = values.compactMap { value in
            if let type = value.string.flatMap(ValueType.init) { return type }
            let found = value.string.map { "unknown type \(JSONValue.quoted($0))" }
            let hint = ValueType.suggestion(for: value.string ?? "")
            log.error(
                at: value.offset, "\"type\": \(found ?? "expected the name of a type, found \(value.kindName)")\(hint)")
            return nil
        }
        if values.isEmpty { error("type", "the list is empty; known: " + ValueType.names.joined(separator: ", ")) }
        return types.isEmpty ? nil : .type(types)
    }

    /// Reads a comparison: a text such as ">0", or a number.
    func comparison(_ key: String) -> NumberComparison? {
        guard let value = value(key) else { return nil }
        guard let comparison = (value.string ?? value.digits).flatMap({ NumberComparison($0) }) else {
            let found = value.string.map(JSONValue.quoted) ?? value.digits ?? value.kindName
            return refuse(key, "\(found) is not a comparison; \(NumberComparison.form)")
        }
        return comparison
    }

    private func bound(_ key: String, _ value: FileValue) -> JSONValue? {
        switch value.kind {
        case .number, .string: return value.value
        case .null, .true, .false, .array, .object:
            return refuse(key, "expected a number or a string, found \(value.kindName)")
        }
    }
}

extension FileValue {
    /// Returns the offset of a column of a string, from 1; the offset of the string if it has escapes.
    func offset(ofColumn column: Int) -> Int {
        guard let text = string, log.document.source(of: node).utf8.count == text.utf8.count + 2 else { return offset }
        let before = String(text.unicodeScalars.prefix(max(0, column - 1)))
        return offset + 1 + before.utf8.count
    }
}

extension ValueType {
    /// `; did you mean "integer"?`, or the names of all types.
    static func suggestion(for name: String) -> String {
        let meant = meant(by: name)
        return ValueType(rawValue: meant) == nil
            ? Spelling.suggestion(for: name, in: names) : "; did you mean \(JSONValue.quoted(meant))?"
    }

    /// Returns the type for a name in other languages; any other name unchanged.
    static func meant(by name: String) -> String {
        let others = [
            "int": "integer", "bool": "boolean", "float": "number", "double": "number", "list": "array",
            "dict": "object", "map": "object", "str": "string", "text": "string", "nil": "null", "none": "null",
        ]
        return others[name.lowercased()] ?? name
    }
}

extension ValueCondition {
    /// Throws for a pattern that is not valid or empty.
    static func checkPattern(_ pattern: String) throws(PatternError) {
        if pattern.isEmpty { throw PatternError(reason: "the pattern is empty, and matches every text", column: 1) }
        _ = try TextPattern(pattern)
    }
}

/// A type of a JSON value, by the names of JSON Schema: an integer is a number, too.
package enum ValueType: String, Sendable, Hashable, CaseIterable {
    case string, integer, number, boolean, array, object, null

    static let names = allCases.map(\.rawValue)
    /// Those of all values but null.
    static let notNull: [ValueType] = [.string, .number, .boolean, .array, .object]

    func holds(_ node: JSONNode, in document: JSONDocument) -> Bool {
        switch document.kind(of: node) {
        case .string: self == .string
        case .number: self == .number || self == .integer && document.isInteger(node)
        case .true, .false: self == .boolean
        case .array: self == .array
        case .object: self == .object
        case .null: self == .null
        }
    }

    static func types(of value: JSONValue) -> Set<ValueType> {
        switch value {
        case .null: [.null]
        case .bool: [.boolean]
        case .number: [.number, .integer]
        case .string: [.string]
        case .array: [.array]
        case .object: [.object]
        }
    }
}

/// A comparison with a whole number as text: `>0`, `<=100`, `3`.
package struct NumberComparison: Sendable, Hashable {
    package enum Operator: String, Sendable, Hashable, CaseIterable {
        // Two-character operators first: the first that fits is taken.
        case atMost = "<="
        case atLeast = ">="
        case different = "!="
        case less = "<"
        case greater = ">"
        case equal = "="
    }

    package var comparison: Operator
    package var number: Int

    package init(_ comparison: Operator, _ number: Int) {
        self.comparison = comparison
        self.number = number
    }

    /// Nil for anything but a number from 0 on, after an operator or none. Spaces around the operator are skipped.
    package init?(_ text: String) {
        let text = text.trimmed
        let found = Operator.allCases.first { text.hasPrefix($0.rawValue) }
        let digits = String(text.dropFirst(found?.rawValue.count ?? 0)).trimmed
        guard digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits) else { return nil }
        self.init(found ?? .equal, number)
    }

    package func holds(_ value: Int) -> Bool {
        switch comparison {
        case .atMost: value <= number
        case .atLeast: value >= number
        case .different: value != number
        case .less: value < number
        case .greater: value > number
        case .equal: value == number
        }
    }

    /// `> 0`, for messages.
    var words: String { "\(comparison.rawValue) \(number)" }

    /// False if no count can meet it.
    var isPossible: Bool { !(comparison == .less && number == 0) }

    static let form = "write a number, or one after =, !=, <, <=, > or >=, such as \">0\""
}

extension NumberComparison: CustomStringConvertible {
    package var description: String { comparison == .equal ? "\(number)" : "\(comparison.rawValue)\(number)" }
}

extension NumberComparison {
    var json: JSONValue { comparison == .equal ? .number(number) : .string(description) }

    static var schema: JSONValue {
        ["oneOf": [Schema.text(pattern: "^ *(=|!=|<|<=|>|>=)? *[0-9]+ *$"), Schema.integer(in: 0...Int.max)]]
    }
}

/// One status code, or a class of them: `429`, `5xx`.
package enum StatusPattern: Sendable, Hashable {
    /// One status code, 100 to 599.
    case code(Int)
    /// The hundreds: 2 for 200 to 299.
    case hundreds(Int)

    /// Nil for anything but `100` to `599` and `1xx` to `5xx`.
    package init?(_ text: String) {
        if let code = Int(text), text.count == 3, (100...599).contains(code) {
            self = .code(code)
        } else if text.count == 3, text.lowercased().hasSuffix("xx"), let digit = text.first?.wholeNumberValue,
            (1...5).contains(digit), text.first?.isASCII == true
        {
            self = .hundreds(digit)
        } else {
            return nil
        }
    }

    package func matches(_ status: Int) -> Bool {
        switch self {
        case .code(let code): status == code
        case .hundreds(let digit): status / 100 == digit
        }
    }

    package var codes: ClosedRange<Int> {
        switch self {
        case .code(let code): code...code
        case .hundreds(let digit): digit * 100...digit * 100 + 99
        }
    }
}

extension StatusPattern {
    static var schema: JSONValue {
        ["oneOf": [Schema.text(pattern: "^([1-5][xX][xX]|[1-5][0-9][0-9])$"), Schema.integer(in: 100...599)]]
    }
}

extension StatusPattern: CustomStringConvertible {
    package var description: String {
        switch self {
        case .code(let code): "\(code)"
        case .hundreds(let digit): "\(digit)xx"
        }
    }
}
