/// Reads the content of the braces of a template.
struct TemplateParser {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var depth = 0
    /// The positions of the names of variables that were read.
    private(set) var variables: [Range<Int>] = []

    /// Bounds the stack.
    private static let maximumDepth = 32

    /// - Parameter bytes: without the braces.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// - Parameter offset: of the braces in the text.
    mutating func expression(at offset: Int) throws(TemplateError.Reason) -> TemplateExpression {
        let value = try self.value()
        var kind: TemplateExpression.Kind?
        skipSpaces()
        if take(":") {
            skipSpaces()
            let name = word()
            kind = TemplateExpression.Kind(rawValue: name)
            if kind == nil { throw .unknownKind(name) }
            skipSpaces()
        }
        guard index == bytes.endIndex else { throw .noName(source) }
        return TemplateExpression(value, kind: kind, offset: offset)
    }

    private var source: String { "{{" + String(decoding: bytes, as: UTF8.self) + "}}" }

    private mutating func value() throws(TemplateError.Reason) -> TemplateExpression.Value {
        skipSpaces()
        let isFunction = take("$")
        let start = index
        let name = word()
        guard !name.isEmpty else { throw .noName(source) }
        guard isFunction else { return variable(name, from: start) }
        let before = index
        skipSpaces()
        guard take("(") else {
            index = before
            return .call("$" + name, [])
        }
        return .call("$" + name, try arguments(of: "$" + name))
    }

    private mutating func arguments(
        of name: String
    ) throws(TemplateError.Reason) -> [TemplateExpression.Argument] {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw .arguments(name, "its arguments nest too deep") }
        var arguments: [TemplateExpression.Argument] = []
        skipSpaces()
        if take(")") { return [] }
        while true {
            arguments.append(try argument(of: name))
            skipSpaces()
            if take(")") { return arguments }
            guard take(",") else {
                throw .arguments(
                    name,
                    index < bytes.endIndex
                        ? "expected , or ) after an argument; a text stands in quotes, such as 'text'"
                        : "its ) is missing")
            }
        }
    }

    private mutating func argument(
        of function: String
    ) throws(TemplateError.Reason) -> TemplateExpression.Argument {
        skipSpaces()
        guard index < bytes.endIndex else { throw .arguments(function, "its ) is missing") }
        let byte = bytes[index]
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .literal(try text(byte, function)) }
        if byte == UInt8(ascii: "-") || byte.isASCIIDigit { return .literal(number()) }
        if byte == UInt8(ascii: "$") { return .value(try value()) }
        let start = index
        let name = word()
        guard !name.isEmpty else {
            throw .arguments(function, "an argument is a variable, a number or a text in quotes, such as 'text'")
        }
        return .value(variable(name, from: start))
    }

    private mutating func variable(_ name: String, from start: Int) -> TemplateExpression.Value {
        variables.append(start..<index)
        return .variable(name)
    }

    private mutating func text(_ quote: UInt8, _ function: String) throws(TemplateError.Reason) -> String {
        let rest = bytes[(index + 1)...]
        guard let end = rest.firstIndex(of: quote) else { throw .arguments(function, "a text lacks its closing quote") }
        index = end + 1
        let text = String(decoding: rest[..<end], as: UTF8.self)
        guard !text.contains("{{") else {
            throw .arguments(function, "write the name of a variable without braces and quotes")
        }
        return text
    }

    private mutating func number() -> String {
        let start = index
        index += 1
        while index < bytes.endIndex, bytes[index].isASCIIDigit || bytes[index] == UInt8(ascii: ".") {
            index += 1
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// Letters, digits, `_`, `-` and `.`
    private mutating func word() -> String {
        let start = index
        while index < bytes.endIndex {
            if Self.isNameByte(bytes[index]) {
                index += 1
            } else if bytes[index] >= 0x80, let length = letterLength() {
                index += length
            } else {
                break
            }
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "_-.".utf8.contains(byte)
    }

    /// The bytes of the letter at the index; nil if there is none.
    private func letterLength() -> Int? {
        var decoder = UTF8()
        var iterator = bytes[index...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.properties.isAlphabetic else {
            return nil
        }
        return UTF8.width(scalar)
    }

    private mutating func skipSpaces() {
        while index < bytes.endIndex, bytes[index] == 0x20 { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
