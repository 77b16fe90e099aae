/// A search pattern, checked and compiled.
public struct SearchPattern: Sendable {
    public enum Syntax: Sendable, Equatable, CaseIterable {
        /// Literal text.
        case text
        /// A regular expression (see `RegexParser`).
        case regex
        /// Bytes: `de ad be ef`, with or without spaces and `0x`.
        case hex
    }

    public enum Case: Sendable, Equatable, CaseIterable {
        /// Case-sensitive if the pattern has a capital letter.
        case smart
        case matters
        case ignored
    }

    public let source: String
    public let syntax: Syntax
    public let ignoresCase: Bool
    let compiled: Compiled

    enum Compiled: Sendable {
        case literal(LiteralMatcher)
        case regex(RegexPattern)
    }

    public init(_ source: String, syntax: Syntax = .text, case rule: Case = .smart) throws(PatternError) {
        self.source = source
        self.syntax = syntax
        guard !source.isEmpty else { throw PatternError(reason: "nothing to search for", column: 1) }
        ignoresCase = rule == .ignored || rule == .smart && !Self.hasCapitals(source, syntax)
        switch syntax {
        case .hex: compiled = .literal(LiteralMatcher(try Self.bytes(source), ignoresCase: false))
        case .text where !ignoresCase || source.utf8.allSatisfy { $0 < 0x80 }:
            compiled = .literal(LiteralMatcher(Array(source.utf8), ignoresCase: ignoresCase))
        case .text: compiled = .regex(try RegexPattern(.text(source, foldingCase: true)))
        case .regex:
            if let text = Self.plainText(source), !ignoresCase || text.utf8.allSatisfy({ $0 < 0x80 }) {
                compiled = .literal(LiteralMatcher(Array(text.utf8), ignoresCase: ignoresCase))
            } else {
                compiled = .regex(try RegexPattern(try RegexParser.parse(source, ignoringCase: ignoresCase)))
            }
        }
    }

    /// Creates a pattern for a text in JSON, whose characters may be escaped there, and whose spaces may differ.
    public init(inJSON source: String, case rule: Case = .smart) throws(PatternError) {
        let ignoresCase = rule == .ignored || rule == .smart && !Self.hasCapitals(source, .text)
        if let node = RegexNode.json(source, foldingCase: ignoresCase) {
            self.init(source, ignoresCase: ignoresCase, try RegexPattern(node))
        } else {
            try self.init(source, syntax: .text, case: rule)
        }
    }

    private init(_ source: String, ignoresCase: Bool, _ pattern: RegexPattern) {
        self.source = source
        self.ignoresCase = ignoresCase
        syntax = .text
        compiled = .regex(pattern)
    }

    /// Returns the text that a regular expression without metacharacters matches; nil for others.
    private static func plainText(_ source: String) -> String? {
        source.utf8.contains { "\\^$.|?*+()[]{}".utf8.contains($0) } ? nil : source
    }

    private static func hasCapitals(_ source: String, _ syntax: Syntax) -> Bool {
        var isEscaped = false
        for scalar in source.unicodeScalars {
            if scalar.properties.isUppercase, !(isEscaped && syntax == .regex) { return true }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return false
    }

    private static func bytes(_ source: String) throws(PatternError) -> [UInt8] {
        var bytes: [UInt8] = []
        var half: UInt8?
        let signs = Array(source)
        var index = 0
        while index < signs.count {
            let sign = signs[index]
            if sign == "0", half == nil, index + 1 < signs.count, signs[index + 1] == "x" || signs[index + 1] == "X" {
                index += 2
                continue
            }
            if let digit = sign.isASCII ? sign.hexDigitValue : nil {
                if let high = half { bytes.append(high << 4 | UInt8(digit)) }
                half = half == nil ? UInt8(digit) : nil
            } else if sign != " " && sign != "," && sign != ":" || half != nil {
                throw PatternError(
                    reason: "not bytes in hexadecimal: two digits each, such as \"de ad\"", column: index + 1)
            }
            index += 1
        }
        guard half == nil, !bytes.isEmpty else {
            throw PatternError(reason: "the last byte has one digit only", column: signs.count)
        }
        return bytes
    }
}
