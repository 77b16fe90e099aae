/// A part of a response in a script.
enum ScriptValue: Equatable {
    /// A JSONPath in the body.
    case body(String)
    /// The number of elements or characters at a JSONPath.
    case count(String)
    case text
    case status
    /// In milliseconds.
    case time
    case header(String)
    case cookie(String)

    /// Nil for what no variable can have.
    var source: Capture.Source? {
        switch self {
        case .body(let path): .path(path)
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .status: .status
        case .count, .text, .time: nil
        }
    }

    /// The step of a JSONPath to a member.
    static func step(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
        if isPlain, let first = name.utf8.first, !first.isASCIIDigit { return "." + name }
        let escaped = name.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
        return "['\(escaped)']"
    }
}

/// Reads the tokens of one statement.
struct ScriptCursor {
    private(set) var rest: ArraySlice<ScriptToken>
    private let names: [String: ScriptValue]
    private let constants: [String: JSONValue]

    /// Literals in each other; it bounds the stack.
    private static let maximumDepth = 32

    init(
        _ statement: ArraySlice<ScriptToken>, _ names: [String: ScriptValue], _ constants: [String: JSONValue] = [:]
    ) {
        rest = statement
        self.names = names
        self.constants = constants
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ text: String) -> Bool {
        guard let first = rest.first, first.kind == .word || first.kind == .sign, first.text == text else {
            return false
        }
        rest.removeFirst()
        return true
    }

    /// Takes words with points between them, or nothing.
    mutating func take(dotted path: String) -> Bool {
        let start = rest
        for (index, word) in path.split(separator: ".").enumerated() {
            guard index == 0 || take("."), take(String(word)) else {
                rest = start
                return false
            }
        }
        return true
    }

    mutating func word() -> String? { take(.word) }

    mutating func text() -> String? { take(.text) }

    mutating func sign() -> String? { take(.sign) }

    private mutating func take(_ kind: ScriptToken.Kind) -> String? {
        guard let first = rest.first, first.kind == kind else { return nil }
        rest.removeFirst()
        return first.text
    }

    /// Takes `function () ` or `() =>`, also behind `async`.
    mutating func skipFunctionHead() -> Bool {
        _ = take("async")
        let isNamed = take("function")
        if isNamed, rest.first?.kind == .word { rest.removeFirst() }
        guard take("("), take(")") else { return false }
        return isNamed || take("=>")
    }

    /// Takes an object with braces around it, without others in it.
    mutating func takeObject() -> Bool {
        guard take("{") else { return false }
        rest = rest.drop { $0.kind != .sign || !["{", "}"].contains($0.text) }
        return take("}")
    }

    /// Takes a comma and the message behind it, if there is one.
    mutating func takeMessage() -> Bool { !take(",") || skipArgument() }

    /// Takes an expression up to the comma or the bracket behind it; false for none.
    mutating func skipArgument() -> Bool {
        let size = rest.count
        var depth = 0
        while let token = rest.first {
            if token.kind == .sign {
                if depth == 0, [")", "]", "}", ","].contains(token.text) { break }
                if ["(", "[", "{"].contains(token.text) { depth += 1 }
                if [")", "]", "}"].contains(token.text) { depth -= 1 }
            }
            rest.removeFirst()
        }
        return rest.count < size
    }

    /// Takes `$global.token =` or `exports.token =`, by which httpyac keeps a value.
    mutating func keptName() -> String? {
        guard take("$global") || take("exports"), take("."), let name = word(), take("=") else { return nil }
        return name
    }

    // MARK: Conditions

    /// Takes `pm.response.code === 200 || pm.response.code === 201`.
    mutating func statuses() -> [JSONValue]? {
        var statuses: [JSONValue] = []
        repeat {
            guard value() == .status, take("===") || take("=="), let status = literal() else { return nil }
            statuses.append(status)
        } while take("||")
        return statuses
    }

    /// Takes an `if` without an `else` that has statuses of success alone, and returns the statements behind it.
    mutating func successful() -> ArraySlice<ScriptToken>? {
        guard take("if"), take("("), let statuses = statuses(), take(")"), !rest.isEmpty,
            statuses.allSatisfy({
                if case .number(let digits) = $0 { digits.count == 3 && digits.first == "2" } else { false }
            })
        else { return nil }
        guard take("{") else { return rest }
        return rest.last?.text == "}" ? rest.dropLast() : nil
    }

    /// The names in front of the signs with which a statement assigns something.
    static func assigned(in statement: ArraySlice<ScriptToken>) -> Set<String> {
        var names: Set<String> = []
        for index in statement.indices where statement[index].kind == .sign && statement[index].text == "=" {
            // All of `list[0].name +=`, and `const` with it.
            for token in statement[..<index].reversed() {
                guard token.kind != .sign || [".", "?.", "[", "]", "+", "-", "*"].contains(token.text) else { break }
                if token.kind == .word { names.insert(token.text) }
            }
        }
        return names
    }

    // MARK: Values

    /// A part of the response.
    mutating func value() -> ScriptValue? {
        let start = rest
        if let value = namedValue() { return value }
        rest = start
        return nil
    }

    private mutating func namedValue() -> ScriptValue? {
        if take(dotted: "pm.response.json") { return take("(") && take(")") ? steps(from: .body("$")) : nil }
        if take(dotted: "JSON.parse") {
            guard take("("), take("responseBody") || take(dotted: "pm.response.text") && take("(") && take(")"),
                take(")")
            else { return nil }
            return steps(from: .body("$"))
        }
        if take(dotted: "pm.response.text") { return take("(") && take(")") ? .text : nil }
        if take(dotted: "pm.response.code") || take(dotted: "responseCode.code") { return .status }
        if take(dotted: "pm.response.responseTime") || take("responseTime") { return .time }
        if take(dotted: "pm.response.headers.get") || take(dotted: "postman.getResponseHeader") {
            return argument().map { .header($0) }
        }
        if take(dotted: "pm.cookies.get") { return argument().map { .cookie($0) } }
        if names["response"] == nil, let value = clientValue() { return value }
        if names["res"] == nil, rest.first?.text == "res" { return brunoValue() }
        guard let name = word(), let value = names[name] else { return nil }
        return steps(from: value)
    }

    /// A part of the response as the scripts of JetBrains name it.
    private mutating func clientValue() -> ScriptValue? {
        if take(dotted: "response.status") { return .status }
        if take(dotted: "response.contentType.mimeType") { return .header("Content-Type") }
        if take(dotted: "response.headers.valueOf") { return argument().map { .header($0) } }
        return take(dotted: "response.body") || take(dotted: "response.json") ? steps(from: .body("$")) : nil
    }

    /// A member that `user.hasOwnProperty("name")` asks for.
    mutating func ownMember() -> ScriptValue? {
        let start = rest
        guard let index = rest.firstIndex(where: { $0.kind == .word && $0.text == "hasOwnProperty" }),
            index > rest.startIndex
        else { return nil }
        var object = ScriptCursor(rest[..<(index - 1)], names)
        if case .body(let path)? = object.value(), object.isAtEnd {
            rest = rest[(index + 1)...]
            if let name = argument() { return .body(path + ScriptValue.step(name)) }
        }
        rest = start
        return nil
    }

    /// A part of the response as the scripts and the assertions of Bruno name it.
    private mutating func brunoValue() -> ScriptValue? {
        if take(dotted: "res.status") { return .status }
        if take(dotted: "res.getStatus") { return takeNothing() ? .status : nil }
        if take(dotted: "res.responseTime") { return .time }
        if take(dotted: "res.getResponseTime") { return takeNothing() ? .time : nil }
        if take(dotted: "res.getHeader") { return argument().map { .header($0) } }
        if take(dotted: "res.body") { return steps(from: .body("$")) }
        if take(dotted: "res.getBody") { return takeNothing() ? steps(from: .body("$")) : nil }
        guard take(dotted: "res.headers") else { return nil }
        if take("[") {
            guard let name = text(), take("]"), !name.isEmpty else { return nil }
            return .header(name)
        }
        return take(".") ? word().map { .header($0) } : nil
    }

    /// Takes empty parentheses; false without them.
    private mutating func takeNothing() -> Bool { take("(") && take(")") }

    private mutating func argument() -> String? {
        guard take("("), let text = text(), take(")"), !text.isEmpty else { return nil }
        return text
    }

    /// The members and elements behind a part of the body.
    private mutating func steps(from value: ScriptValue) -> ScriptValue? {
        guard case .body(var path) = value else { return value }
        while true {
            if take("[") {
                if let name = text() {
                    path += ScriptValue.step(name)
                } else if let digits = take(.number), let index = Int(digits) {
                    path += "[\(index)]"
                } else {
                    return nil
                }
                guard take("]") else { return nil }
            } else if take(".") || take("?.") {
                guard let name = word() else { return nil }
                // A method.
                if rest.first?.text == "(", rest.first?.kind == .sign { return nil }
                if name == "length" { return .count(path) }
                path += ScriptValue.step(name)
            } else {
                return .body(path)
            }
        }
    }

    // MARK: Literals

    mutating func arguments() -> [JSONValue]? { take("(") ? list(until: ")") : nil }

    private mutating func list(until end: String) -> [JSONValue]? {
        var values: [JSONValue] = []
        if take(end) { return values }
        while let value = literal() {
            values.append(value)
            if take(end) { return values }
            guard take(",") else { return nil }
        }
        return nil
    }

    /// A regular expression without flags.
    mutating func pattern() -> String? {
        guard let first = rest.first, first.kind == .other, first.text.count > 2, first.text.hasPrefix("/"),
            first.text.hasSuffix("/"), rest.dropFirst().first?.kind != .word
        else { return nil }
        rest.removeFirst()
        return String(first.text.dropFirst().dropLast())
    }

    /// A value as JSON has it, or the name of a constant.
    mutating func literal(depth: Int = 0) -> JSONValue? {
        if let text = text() { return .string(text) }
        // Constants of constants could be of any size.
        if depth == 0, let first = rest.first, first.kind == .word, let known = constants[first.text] {
            rest.removeFirst()
            return known
        }
        let isNegative = take("-")
        if let digits = take(.number) {
            guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let value = try? JSONValue.parse((isNegative ? "-" : "") + digits)
            else { return nil }
            return value
        }
        guard !isNegative else { return nil }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if take("null") { return .null }
        guard depth < Self.maximumDepth else { return nil }
        if take("[") { return parts(until: "]") { $0.literal(depth: depth + 1) }.map(JSONValue.array) }
        guard take("{") else { return nil }
        let members = parts(until: "}") { cursor -> JSONValue.Member? in
            guard let key = cursor.text() ?? cursor.word(), cursor.take(":") else { return nil }
            return cursor.literal(depth: depth + 1).map { JSONValue.Member(key, $0) }
        }
        return members.map(JSONValue.object)
    }

    /// Takes parts with commas between them, of which one may be behind the last.
    private mutating func parts<Part>(until end: String, _ part: (inout ScriptCursor) -> Part?) -> [Part]? {
        var parts: [Part] = []
        while !take(end) {
            guard let next = part(&self) else { return nil }
            parts.append(next)
            guard take(",") else { return take(end) ? parts : nil }
        }
        return parts
    }
}

extension JSONValue {
    /// False for a schema of which a word means something else in the draft that Ombi reads.
    var isCurrentSchema: Bool {
        switch self {
        case .array(let elements): return elements.allSatisfy(\.isCurrentSchema)
        case .object(let members):
            return members.allSatisfy { member in
                switch (member.key, member.value) {
                case ("exclusiveMinimum", .bool), ("exclusiveMaximum", .bool), ("items", .array),
                    ("dependencies", .object), ("additionalItems", _), ("id", .string):
                    false
                default: member.value.isCurrentSchema
                }
            }
        case .null, .bool, .number, .string: return true
        }
    }
}
