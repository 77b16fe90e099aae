extension LineCursor {
    /// Styles a line of a GraphQL document. A block string that began in a line before looks like names.
    mutating func graphQL() {
        while !isAtEnd {
            switch peek() {
            case UInt8(ascii: "#"): take(upTo: end, .comment)
            case 0x22: take(upTo: quotedEnd(escape: UInt8(ascii: "\\")), .string)
            case UInt8(ascii: "$"), UInt8(ascii: "@"): take(upTo: nameEnd(from: offset + 1), .literal)
            case 0...0x20: skip()
            default: graphQLWord()
            }
        }
    }

    private static let keywords: [StaticString] = [
        "query", "mutation", "subscription", "fragment", "on", "type", "input", "enum", "interface", "union", "scalar",
        "schema", "extend", "implements", "directive",
    ]

    private mutating func graphQLWord() {
        let stop = nameEnd(from: offset)
        guard stop > offset else { return take(upTo: offset + 1, peek() < 0x80 ? .punctuation : .plain) }
        if let value = valueStyle(upTo: stop, literals: ["true", "false", "null"]) { return take(upTo: stop, value) }
        if valueStyle(upTo: stop, literals: Self.keywords) != nil { return take(upTo: stop, .tag) }
        // An argument, an alias or a field of an input has a colon behind it.
        take(upTo: stop, bytes[stop] == UInt8(ascii: ":") ? .key : .plain)
    }

    private func nameEnd(from start: Int) -> Int {
        var stop = start
        while stop < end, Self.isNamePart(bytes[stop]) || isSign(at: stop, from: start) { stop += 1 }
        return stop
    }

    /// True for the minus and the point of a number.
    private func isSign(at position: Int, from start: Int) -> Bool {
        if bytes[position] == UInt8(ascii: "-") { return position == start }
        return bytes[position] == UInt8(ascii: ".") && position > start && bytes[position - 1] &- 0x30 < 10
    }

    /// True for an ASCII letter, a digit or an underscore.
    static func isNamePart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
    }
}
