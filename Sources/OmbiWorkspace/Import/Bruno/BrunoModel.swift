/// A request of Bruno, whichever of its three formats it was read from.
struct BrunoRequest: Sendable {
    var scope = BrunoScope()
    var name = ""
    /// In the bytes of its file.
    var offset = 0
    /// `http`, `graphql`, `grpc`, `ws`
    var kind = "http"
    var tags: [String] = []
    var method = ""
    var url = ""
    var urlOffset = 0
    var query: [BrunoRow] = []
    var pathParameters: [BrunoRow] = []
    var body = BrunoBody()
    /// The name of each is its expression, the value an operator and its operand.
    var assertions: [BrunoRow] = []
    var settings: [String: String] = [:]
    var examples: [SavedExample] = []
    /// The number of saved responses that are left out.
    var lostExamples = 0
    /// The parts of the file that are kept, and not sent.
    var unused: [(name: String, offset: Int)] = []

    var isHTTP: Bool { ["http", "graphql", "http-request", "graphql-request", ""].contains(kind) }
    var isGraphQL: Bool { kind.hasPrefix("graphql") }
    var isWebSocket: Bool { ["ws", "websocket", "ws-request"].contains(kind) }

    /// False for the name of something that is no request.
    static func isKind(_ kind: String) -> Bool {
        [
            "http", "graphql", "grpc", "ws", "websocket", "http-request", "graphql-request", "grpc-request",
            "ws-request",
        ].contains(kind)
    }
}

/// The parts that collections, folders and requests have alike.
struct BrunoScope: Sendable {
    var headers: [BrunoRow] = []
    var variables: [BrunoRow] = []
    /// Variables that take their values from the response; the value of each is an expression.
    var captures: [BrunoRow] = []
    var scripts: [BrunoScript] = []
    /// Those of requests that have none themselves.
    var settings: [String: String] = [:]
    /// Nil where nothing is said.
    var credentials: BrunoCredentials?
    var documentation = ""
}

/// A header, a parameter, a field, a variable or an assertion.
struct BrunoRow: Sendable {
    var name: String
    var value: String
    var isEnabled = true
    /// In the bytes of its file.
    var offset: Int
    /// The paths of a part that sends files; nil for a text.
    var files: [String]?
    var contentType: String?
    var isSecret = false
    var description = ""
}

struct BrunoScript: Sendable {
    /// True for one that runs before the request is sent.
    var runsBefore: Bool
    var text: String
    var offset: Int
}

struct BrunoCredentials: Sendable {
    var mode: String
    /// Those in objects have their own names, too.
    var values: [String: String] = [:]
    /// Further parameters of the requests for a token.
    var parameters: [BrunoRow] = []
    var offset: Int

    /// Returns the first value of these names that is not empty.
    func value(_ names: [String]) -> String {
        names.lazy.compactMap { values[$0] }.first { !$0.isEmpty } ?? ""
    }

    /// Adds a parameter of a request for a token. One that is sent elsewhere than Ombi does is only counted.
    mutating func addParameter(_ row: BrunoRow, of request: String, in place: String) {
        let isSent =
            request.hasPrefix("auth")
            ? place.hasPrefix("query") : request.lowercased().contains("token") && place == "body"
        if !isSent || request.hasPrefix("refresh") {
            values["parameter:"] = "some"
        } else if !parameters.contains(where: { $0.name == row.name }) {
            parameters.append(row)
        }
    }
}

/// The bodies of a request, of which one is sent.
struct BrunoBody: Sendable {
    /// The one that is sent, by its name in `.bru` files.
    var mode = "none"
    var modeOffset = 0
    var texts: [String: (text: String, offset: Int)] = [:]
    var rows: [String: [BrunoRow]] = [:]
    /// Those of a WebSocket, with their names.
    var messages: [(name: String, text: String, offset: Int)] = []

    /// The name in `.bru` files for one of a JSON export.
    static func mode(_ word: String) -> String {
        let names = [
            "": "none", "formUrlEncoded": "form-urlencoded", "multipartForm": "multipart-form", "binary": "file",
        ]
        return names[word] ?? word
    }
}

/// An assertion of Bruno: an operator and its operand, such as `eq 200`.
struct BrunoAssertion: Equatable {
    let comparison: String
    /// Without spaces around it.
    let operand: String

    private static let operators: Set<String> = [
        "eq", "neq", "gt", "gte", "lt", "lte", "in", "notIn", "contains", "notContains", "length", "matches",
        "notMatches", "startsWith", "endsWith", "between",
    ]
    private static let operatorsAlone: Set<String> = [
        "isEmpty", "isNotEmpty", "isNull", "isUndefined", "isDefined", "isTruthy", "isFalsy", "isJson", "isNumber",
        "isString", "isBoolean", "isArray",
    ]

    /// A text without an operator is the value that is expected.
    init(_ text: String) {
        let text = text.trimmed
        let word = String(text.prefix { !$0.isWhitespace })
        if Self.operatorsAlone.contains(word) {
            (comparison, operand) = (word, "")
        } else if Self.operators.contains(word) {
            (comparison, operand) = (word, text.dropFirst(word.count).trimmed)
        } else {
            (comparison, operand) = ("eq", text)
        }
    }

    /// A text in quotes, a number, true, false, null, or a text. Nil for `undefined`.
    static func literal(_ text: String) -> JSONValue? {
        if let quote = text.first, "\"'`".contains(quote), text.count > 1, text.last == quote {
            return .string(String(text.dropFirst().dropLast()))
        }
        if text == "undefined" { return nil }
        if ["true", "false", "null"].contains(text) || text.first.map({ $0.isNumber || $0 == "-" }) ?? false,
            let value = try? JSONValue.parse(text)
        {
            return value
        }
        return .string(text)
    }

    /// The values of `[200, 201]` or `200, 201`.
    var list: [JSONValue] {
        var inner = operand[...]
        if inner.hasPrefix("["), inner.hasSuffix("]") { inner = inner.dropFirst().dropLast() }
        return inner.split(separator: ",").compactMap { Self.literal($0.trimmed) }
    }

    /// The whole number of the operand.
    var count: Int? { Int(operand).flatMap { $0 < 0 ? nil : $0 } }

    // MARK: Conditions

    /// The assertion that this one is the opposite of; nil for any other.
    var opposite: BrunoAssertion? {
        let known = ["neq": "eq", "notContains": "contains", "notIn": "in", "notMatches": "matches"]
        return known[comparison].map { BrunoAssertion("\($0) \(operand)") }
    }

    /// The conditions on a value in the body; nil for an assertion without a counterpart.
    var conditions: [ValueCondition]? {
        if let opposite { return opposite.conditions?.first?.opposite.map { [$0] } }
        if let types = Self.types[comparison] { return [.type(types)] }
        switch comparison {
        case "eq": return [Self.literal(operand).map { ValueCondition.equals($0) } ?? ValueCondition.exists(false)]
        case "isDefined": return [.exists(true)]
        case "isUndefined": return [.exists(false)]
        case "isNull": return [.equals(.null)]
        case "isEmpty": return [.count(NumberComparison(.equal, 0))]
        case "isNotEmpty": return [.count(NumberComparison(.greater, 0))]
        case "length": return count.map { [ValueCondition.count(NumberComparison(.equal, $0))] }
        case "contains":
            guard let value = Self.literal(operand), value.stringValue != "" else { return nil }
            return [.contains(value)]
        case "between":
            let bounds = list
            guard bounds.count == 2, bounds.allSatisfy(\.isNumber) else { return nil }
            return [.atMost(bounds[1]), .atLeast(bounds[0])]
        default: return (pattern.map { ValueCondition.matches($0) } ?? bound).map { [$0] }
        }
    }

    private static let types: [String: [ValueType]] = [
        "isNumber": [.number], "isString": [.string], "isBoolean": [.boolean], "isArray": [.array],
    ]

    private var bound: ValueCondition? {
        guard let value = Self.literal(operand), value.isNumber else { return nil }
        let bounds: [String: ValueCondition] = [
            "gt": .greater(value), "gte": .atLeast(value), "lt": .less(value), "lte": .atMost(value),
        ]
        return bounds[comparison]
    }

    /// The pattern of a text; nil for an assertion that is none of a text.
    var pattern: String? {
        let text = Self.literal(operand)?.stringValue ?? operand
        let pattern: String
        switch comparison {
        case "startsWith": pattern = "^" + Self.escaped(text)
        case "endsWith": pattern = Self.escaped(text) + "$"
        case "in":
            let texts = list.compactMap(\.stringValue)
            guard !texts.isEmpty, texts.count == list.count else { return nil }
            pattern = "^(" + texts.map(Self.escaped).joined(separator: "|") + ")$"
        case "matches":
            let isLiteral = operand.count > 2 && operand.hasPrefix("/") && operand.hasSuffix("/")
            pattern = isLiteral ? String(operand.dropFirst().dropLast()) : text
        default: return nil
        }
        guard !text.isEmpty, (try? ValueCondition.checkPattern(pattern)) != nil else { return nil }
        return pattern
    }

    /// A pattern that matches the text only.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            if "\\^$.|?*+()[]{}".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}

extension JSONValue {
    fileprivate var isNumber: Bool { if case .number = self { true } else { false } }
}
