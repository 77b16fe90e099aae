/// A word, a text or a sign of a script in JavaScript.
struct ScriptToken: Equatable {
    enum Kind {
        case word, number, text, sign
        /// A regular expression, or a text with expressions in it.
        case other
    }

    var kind: Kind
    /// The characters of the token; the content of a text, without its quotes.
    var text: String
    /// From 1 on.
    var line: Int
    /// True for the first of its line.
    var startsLine: Bool

    /// Splits a script. Comments are left out.
    static func tokens(of script: String) -> [ScriptToken] {
        var reader = ScriptTokenReader(script)
        return reader.tokens()
    }
}

extension ScriptToken {
    private static let blocks: Set<String> = ["if", "for", "while", "function", "try", "switch", "do"]
    private static let continuations: Set<String> = ["else", "catch", "finally"]
    /// Signs behind which a statement goes on in the next line.
    private static let openSigns: Set<String> = [
        ".", ",", "=", "=>", "+", "-", "*", "&&", "||", "?", ":", "===", "!==", "==", "!=", "<", ">", "<=", ">=", "!",
        "?.",
    ]
    /// Signs with which a line continues a statement.
    private static let joining: Set<String> = [
        ".", ",", "?.", "=>", "+", "-", "*", "&&", "||", "?", ":", "=", "(", "[",
    ]

    static func statements(_ tokens: ArraySlice<ScriptToken>) -> [ArraySlice<ScriptToken>] {
        var result: [ArraySlice<ScriptToken>] = []
        var (start, depth) = (tokens.startIndex, 0)
        func end(at index: Int, from start: Int) {
            if start < index { result.append(tokens[start..<index]) }
        }
        for index in tokens.indices {
            let token = tokens[index]
            let previous = index > start ? tokens[index - 1] : nil
            if depth == 0, let previous, token.startsLine || previous.text == "}",
                isEnd(previous, token, of: tokens[start])
            {
                end(at: index, from: start)
                start = index
            }
            guard token.kind == .sign else { continue }
            switch token.text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth = max(0, depth - 1)
            case ";" where depth == 0:
                end(at: index, from: start)
                start = index + 1
            default: break
            }
        }
        end(at: tokens.endIndex, from: start)
        return result
    }

    /// Returns true where a statement ends between two tokens.
    private static func isEnd(_ previous: ScriptToken, _ token: ScriptToken, of first: ScriptToken) -> Bool {
        if blocks.contains(first.text) {
            return previous.kind == .sign && previous.text == "}" && !continuations.contains(token.text)
        }
        guard token.startsLine else { return false }
        let isOpen = previous.kind == .sign && openSigns.contains(previous.text)
        return !isOpen && !(token.kind == .sign && joining.contains(token.text))
    }
}

private struct ScriptTokenReader {
    private let characters: [Character]
    private var index = 0
    private var line = 1
    private var lineOfLast = 0
    private var found: [ScriptToken] = []

    init(_ script: String) { characters = Array(script) }

    private var next: Character? { index < characters.count ? characters[index] : nil }

    mutating func tokens() -> [ScriptToken] {
        while let character = next {
            if character.isNewline {
                line += 1
                index += 1
            } else if character.isWhitespace {
                index += 1
            } else if skipComment() {
                continue
            } else if character.isLetter || character == "_" || character == "$" {
                add(.word, word { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" })
            } else if character.isNumber {
                add(.number, word { $0.isLetter || $0.isNumber || $0 == "." })
            } else if "\"'`".contains(character) {
                text(until: character)
            } else if character == "/", isExpression {
                pattern()
            } else {
                add(.sign, sign())
            }
        }
        return found
    }

    private mutating func add(_ kind: ScriptToken.Kind, _ text: String, line start: Int? = nil) {
        let start = start ?? line
        found.append(ScriptToken(kind: kind, text: text, line: start, startsLine: start != lineOfLast))
        lineOfLast = line
    }

    private mutating func word(_ isPart: (Character) -> Bool) -> String {
        let start = index
        while let character = next, isPart(character) { index += 1 }
        return String(characters[start..<index])
    }

    private mutating func skipComment() -> Bool {
        guard characters[index] == "/", index + 1 < characters.count else { return false }
        switch characters[index + 1] {
        case "/":
            while let character = next, !character.isNewline { index += 1 }
        case "*":
            index += 2
            while let character = next {
                if character == "*", index + 1 < characters.count, characters[index + 1] == "/" {
                    index += 2
                    break
                }
                if character.isNewline { line += 1 }
                index += 1
            }
        default: return false
        }
        return true
    }

    private mutating func text(until quote: Character) {
        let start = line
        var (text, isPlain, isClosed) = ("", true, false)
        index += 1
        while let character = next {
            index += 1
            if character == quote {
                isClosed = true
                break
            }
            if character.isNewline { line += 1 }
            if character == "\\" {
                let isRead = escape(into: &text)
                isPlain = isPlain && isRead
            } else {
                if quote == "`", character == "$", next == "{" { isPlain = false }
                text.append(character)
            }
        }
        add(isPlain && isClosed ? .text : .other, text, line: start)
    }

    /// Returns false for an escape that is not read.
    private mutating func escape(into text: inout String) -> Bool {
        guard let character = next else { return false }
        index += 1
        if character.isNewline { line += 1 }
        switch character {
        case "n": text.append("\n")
        case "r": text.append("\r")
        case "t": text.append("\t")
        case "u": return unicode(into: &text)
        case "\\", "'", "\"", "`", "/": text.append(character)
        default: return false
        }
        return true
    }

    /// Reads the digits of `\u00e9`, or of two such escapes that are a surrogate pair.
    private mutating func unicode(into text: inout String) -> Bool {
        guard let first = unit() else { return false }
        var units = [first]
        let isPair = (0xD800..<0xDC00).contains(first)
        if isPair, next == "\\", index + 1 < characters.count, characters[index + 1] == "u" {
            index += 2
            guard let second = unit() else { return false }
            units.append(second)
        }
        guard let character = String(validating: units, as: UTF16.self) else { return false }
        text += character
        return true
    }

    private mutating func unit() -> UInt16? {
        let digits = String(characters[index..<min(index + 4, characters.count)])
        guard digits.count == 4, digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            return nil
        }
        index += 4
        return unit
    }

    /// True where a slash begins a regular expression.
    private var isExpression: Bool {
        guard let last = found.last else { return true }
        return last.kind == .sign && ![")", "]", "}"].contains(last.text) || last.text == "return"
    }

    private mutating func pattern() {
        let start = index
        index += 1
        while let character = next, !character.isNewline {
            index += character == "\\" ? 2 : 1
            if character == "/" { break }
        }
        index = min(index, characters.count)
        add(.other, String(characters[start..<index]))
    }

    private mutating func sign() -> String {
        let rest = String(characters[index..<min(index + 3, characters.count)])
        let sign = Self.signs.first { rest.hasPrefix($0) } ?? String(characters[index])
        index += sign.count
        return sign
    }

    /// The longest first.
    private static let signs = ["===", "!==", "=>", "==", "!=", "<=", ">=", "&&", "||", "?."]
}
