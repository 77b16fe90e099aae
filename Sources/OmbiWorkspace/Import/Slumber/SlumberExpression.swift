/// An expression between the braces of slumber, such as `response('login') | jsonpath('$.token')`.
indirect enum SlumberExpression: Equatable {
    case text(String)
    case number(String)
    case bool(Bool)
    case null
    case list([SlumberExpression])
    case name(String)
    /// A function. The value in front of a `|` is its input.
    case call(String, input: SlumberExpression?, arguments: [SlumberExpression], options: [String: SlumberExpression])

    /// Nil for a text that is none.
    init?(_ text: String) {
        var parser = SlumberParser(text)
        guard let expression = parser.pipeline(0), parser.isAtEnd else { return nil }
        self = expression
    }

    /// The value of a literal as text; nil for another expression, and for a list.
    var literal: String? {
        switch self {
        case .text(let text): text
        case .number(let digits): digits
        case .bool(let value): value ? "true" : "false"
        case .null: ""
        case .list, .name, .call: nil
        }
    }

    /// The texts of a list of literals; nil for another expression.
    var literals: [String]? {
        guard case .list(let elements) = self else { return nil }
        let texts = elements.compactMap(\.literal)
        return texts.count == elements.count ? texts : nil
    }
}

private struct SlumberParser {
    private let text: [Character]
    private var index = 0

    /// Bounds the stack.
    private static let maximumDepth = 30

    init(_ text: String) { self.text = Array(text) }

    private var current: Character? { index < text.count ? text[index] : nil }

    var isAtEnd: Bool {
        mutating get {
            skipSpace()
            return index == text.count
        }
    }

    private mutating func skipSpace() {
        while let character = current, character.isWhitespace { index += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        skipSpace()
        guard current == character else { return false }
        index += 1
        return true
    }

    mutating func pipeline(_ depth: Int) -> SlumberExpression? {
        guard depth < Self.maximumDepth, var result = operand(depth) else { return nil }
        while take("|") {
            guard let name = word(), take("("), let (arguments, options) = self.arguments(depth) else { return nil }
            result = .call(name, input: result, arguments: arguments, options: options)
        }
        return result
    }

    private mutating func operand(_ depth: Int) -> SlumberExpression? {
        skipSpace()
        guard let character = current else { return nil }
        if character == "'" || character == "\"" { return quoted(character).map(SlumberExpression.text) }
        if character == "[" { return list(depth) }
        if character == "-" || character.isASCII && character.isNumber { return number() }
        guard let name = word() else { return nil }
        let constants: [String: SlumberExpression] = ["true": .bool(true), "false": .bool(false), "null": .null]
        if let constant = constants[name] { return constant }
        guard take("(") else { return .name(name) }
        guard let (arguments, options) = self.arguments(depth) else { return nil }
        return .call(name, input: nil, arguments: arguments, options: options)
    }

    private mutating func word() -> String? {
        skipSpace()
        let start = index
        while let character = current, character.isLetter || character.isNumber || "_-.".contains(character) {
            index += 1
        }
        guard index > start, text[start].isLetter || text[start] == "_" else { return nil }
        return String(text[start..<index])
    }

    private mutating func number() -> SlumberExpression? {
        let start = index
        while let character = current, character.isASCII, character.isNumber || "-+.eE".contains(character) {
            index += 1
        }
        let digits = String(text[start..<index])
        guard let value = Double(digits), value.isFinite else { return nil }
        return .number(digits)
    }

    private mutating func quoted(_ quote: Character) -> String? {
        index += 1
        var content = ""
        while let character = current {
            index += 1
            if character == quote { return content }
            guard character == "\\", let escaped = current else {
                content.append(character)
                continue
            }
            index += 1
            let known: [Character: Character] = ["n": "\n", "t": "\t", "r": "\r"]
            content.append(known[escaped] ?? escaped)
        }
        return nil
    }

    private mutating func list(_ depth: Int) -> SlumberExpression? {
        index += 1
        var elements: [SlumberExpression] = []
        while !take("]") {
            guard let element = pipeline(depth + 1) else { return nil }
            elements.append(element)
            guard take(",") else { return take("]") ? .list(elements) : nil }
        }
        return .list(elements)
    }

    /// The arguments up to the closing bracket.
    private mutating func arguments(
        _ depth: Int
    ) -> (arguments: [SlumberExpression], options: [String: SlumberExpression])? {
        var (arguments, options): ([SlumberExpression], [String: SlumberExpression]) = ([], [:])
        while !take(")") {
            let start = index
            if let name = word(), take("=") {
                guard let value = pipeline(depth + 1) else { return nil }
                options[name] = value
            } else {
                index = start
                guard let value = pipeline(depth + 1) else { return nil }
                arguments.append(value)
            }
            if take(",") { continue }
            guard take(")") else { return nil }
            break
        }
        return (arguments, options)
    }
}
