/// A token of a query or of definitions.
struct GraphQLToken: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case name, number, string, punctuator
        /// `...`
        case spread
        /// `{{name}}`, which is filled in before the query is sent, with the letters next to it: `user_{{name}}`.
        case template
        /// A string without an end, or an invalid character.
        case invalid
    }

    var kind: Kind
    var start: Int
    var end: Int

    var range: Range<Int> { start..<end }
}

/// Splits a query or definitions into tokens. It takes any bytes and never fails.
struct GraphQLLexer {
    let bytes: Bytes
    private var next = 0
    /// True once the text has ended in a comment.
    private(set) var endsInComment = false

    init(_ bytes: Bytes) { self.bytes = bytes }

    static func tokens(in bytes: Bytes) -> (tokens: [GraphQLToken], endsInComment: Bool) {
        var lexer = GraphQLLexer(bytes)
        var tokens: [GraphQLToken] = []
        while let token = lexer.token() { tokens.append(token) }
        return (tokens, lexer.endsInComment)
    }

    /// Returns the next token; nil at the end.
    mutating func token() -> GraphQLToken? {
        skipIgnored()
        guard next < bytes.count else { return nil }
        let (start, byte) = (next, bytes[next])
        next += 1
        switch byte {
        case _ where GraphQLNames.isStart(byte):
            while GraphQLNames.isPart(bytes[next]) { next += 1 }
            let isWhole = !skipTemplates()
            return token(isWhole ? .name : .template, start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            while isNumberPart(bytes[next]) { next += 1 }
            let isWhole = !skipTemplates()
            return token(isWhole ? .number : .template, start)
        case UInt8(ascii: "\""): return string(from: start)
        case UInt8(ascii: "."):
            guard bytes[next] == byte, bytes[next + 1] == byte else { return token(.invalid, start) }
            next += 2
            return token(.spread, start)
        case UInt8(ascii: "{"):
            next = start
            guard skipTemplates() else {
                next += 1
                return token(.punctuator, start)
            }
            return token(.template, start)
        case _ where Self.punctuators.contains(byte): return token(.punctuator, start)
        default:
            // A character of several bytes is one token.
            while bytes[next] & 0xC0 == 0x80 { next += 1 }
            return token(.invalid, start)
        }
    }

    private static let punctuators = Array("!$&()}:=@[]|".utf8)
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private func token(_ kind: GraphQLToken.Kind, _ start: Int) -> GraphQLToken {
        GraphQLToken(kind: kind, start: start, end: next)
    }

    private mutating func skipIgnored() {
        endsInComment = false
        while next < bytes.count {
            switch bytes[next] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): next += 1
            // A byte order mark means nothing in any place: files may have been joined.
            case 0xEF where bytes.starts(with: Self.mark, at: next): next += 3
            case UInt8(ascii: "#"):
                while next < bytes.count, bytes[next] != 0x0A, bytes[next] != 0x0D { next += 1 }
                endsInComment = next == bytes.count
            default: return
            }
        }
    }

    private func isNumberPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: GraphQLNames.isPart(byte)
        }
    }

    /// Reads a string whose first quote has been read.
    private mutating func string(from start: Int) -> GraphQLToken {
        let quote = UInt8(ascii: "\"")
        if bytes[next] == quote, bytes[next + 1] == quote {
            next += 2
            return blockString(from: start)
        }
        while next < bytes.count, bytes[next] != 0x0A, bytes[next] != 0x0D {
            let byte = bytes[next]
            next = min(next + (byte == 0x5C ? 2 : 1), bytes.count)
            if byte == quote { return token(.string, start) }
        }
        return token(.invalid, start)
    }

    private mutating func blockString(from start: Int) -> GraphQLToken {
        let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: 3)
        while next < bytes.count {
            if bytes[next] == 0x5C, bytes.starts(with: quotes, at: next + 1) {
                next += 4
            } else if bytes[next] == quotes[0], bytes.starts(with: quotes, at: next) {
                next += 3
                return token(.string, start)
            } else {
                next += 1
            }
        }
        return token(.invalid, start)
    }

    /// Reads templates and the letters between and after them.
    /// - Returns: False if there are none.
    private mutating func skipTemplates() -> Bool {
        let start = next
        let brace = UInt8(ascii: "{")
        while bytes[next] == brace, bytes[next + 1] == brace, let end = templateEnd(from: next + 2) {
            next = end
            while GraphQLNames.isPart(bytes[next]) { next += 1 }
        }
        return next > start
    }

    /// Returns the end of a template after its opening braces: on the line, and without further braces.
    private func templateEnd(from start: Int) -> Int? {
        var next = start
        while next < bytes.count, bytes[next] != 0x0A, bytes[next] != UInt8(ascii: "{") {
            if bytes[next] == UInt8(ascii: "}") {
                return next > start && bytes[next + 1] == UInt8(ascii: "}") ? next + 2 : nil
            }
            next += 1
        }
        return nil
    }
}

extension Bytes {
    func text(of token: GraphQLToken) -> String { text(token.range) }

    func has(_ text: String, at token: GraphQLToken) -> Bool {
        token.end - token.start == text.utf8.count
            && text.utf8.enumerated().allSatisfy { self[token.start + $0.offset] == $0.element }
    }

    func found(_ token: GraphQLToken) -> String {
        switch (token.kind, self[token.start]) {
        case (.invalid, UInt8(ascii: "\"")): "a string without an end"
        case (.string, _): "a string"
        default: "`\(text(of: token).excerpt(40))`"
        }
    }
}
