extension LineCursor {
    /// Styles a line of JSON that is shown as received: invalid JSON, or one value per line.
    mutating func json() {
        while !isAtEnd {
            switch peek() {
            case UInt8(ascii: "\""):
                let stop = quotedEnd(escape: UInt8(ascii: "\\"))
                take(upTo: stop, isFollowedByColon(stop) ? .key : .string)
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                take(upTo: offset + 1, .punctuation)
            case 0...0x20: skip()
            default:
                let stop = max(offset + 1, wordEnd("{}[],:\""))
                take(upTo: stop, valueStyle(upTo: stop, literals: ["true", "false", "null"]) ?? .plain)
            }
        }
    }

    private func isFollowedByColon(_ position: Int) -> Bool {
        var position = position
        while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        return position < end && bytes[position] == UInt8(ascii: ":")
    }
}

extension LineCursor {
    /// Styles a line of YAML on its own. The lines of a block scalar look like others.
    mutating func yaml() {
        if peek() == UInt8(ascii: "%") || isMarker { return take(upTo: end, .literal) }
        skipBlanks()
        while peek() == UInt8(ascii: "-") || peek() == UInt8(ascii: "?"), peek(1) <= 0x20 {
            take(upTo: offset + 1, .punctuation)
            skipBlanks()
        }
        if let colon = keyEnd() {
            take(upTo: colon, .key)
            take(upTo: colon + 1, .punctuation)
            skipBlanks()
        }
        while !isAtEnd { yamlValue() }
    }

    private var isMarker: Bool {
        let byte = peek()
        return (byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")) && peek(1) == byte && peek(2) == byte
            && peek(3) <= 0x20
    }

    /// Returns the offset of the colon after a key, if the line continues with one.
    private func keyEnd() -> Int? {
        var stop = offset
        let quote = peek()
        if quote == 0x22 || quote == 0x27 { stop = quotedEnd(escape: quote == 0x22 ? UInt8(ascii: "\\") : 0) }
        while stop < end {
            let byte = bytes[stop]
            if byte == UInt8(ascii: ":"), stop + 1 >= end || bytes[stop + 1] <= 0x20 { return stop }
            if byte == UInt8(ascii: "#"), stop == offset || bytes[stop - 1] <= 0x20 { return nil }
            if stop == offset, "[{|>&*!".utf8.contains(byte) { return nil }
            stop += 1
        }
        return nil
    }

    private mutating func yamlValue() {
        switch peek() {
        case UInt8(ascii: "#"): take(upTo: end, .comment)
        case 0x22: take(upTo: quotedEnd(escape: UInt8(ascii: "\\")), .string)
        case 0x27: take(upTo: quotedEnd(escape: 0), .string)
        case UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"):
            take(upTo: max(offset + 1, wordEnd(",]}")), .literal)
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ","):
            take(upTo: offset + 1, .punctuation)
        default: yamlWords()
        }
        skipBlanks()
    }

    /// Styles words up to a comment or the end of the line: a text, a number or a literal.
    private mutating func yamlWords() {
        let words: [StaticString] = ["true", "false", "null", "~", "yes", "no", "True", "False", "Null"]
        let word = max(offset + 1, wordEnd(",]}"))
        var stop = word
        while stop < end {
            let byte = bytes[stop]
            if byte == UInt8(ascii: "#"), bytes[stop - 1] <= 0x20 || byte == UInt8(ascii: ",") { break }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") { break }
            stop += 1
        }
        while stop > word, bytes[stop - 1] <= 0x20 { stop -= 1 }
        if stop == word, let style = valueStyle(upTo: word, literals: words) { return take(upTo: word, style) }
        if stop == word, "|>".utf8.contains(peek()) { return take(upTo: word, .punctuation) }
        take(upTo: stop, .string)
    }
}

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

extension LineCursor {
    /// Styles a line of XML or HTML that is shown as received. A tag that began in a line before looks like text.
    mutating func markup() {
        while !isAtEnd {
            switch peek() {
            case UInt8(ascii: "<"): tag()
            case UInt8(ascii: "&"): entity()
            default: skip()
            }
        }
    }

    private mutating func tag() {
        if bytes.starts(with: Array("<!--".utf8), at: offset) { return comment() }
        var stop = offset + 1
        while stop < end, "/?!".utf8.contains(bytes[stop]) { stop += 1 }
        take(upTo: stop, .punctuation)
        take(upTo: wordEnd("/>?<"), .tag)
        while !isAtEnd, peek() != UInt8(ascii: "<") {
            switch peek() {
            case UInt8(ascii: ">"): return take(upTo: offset + 1, .punctuation)
            case UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "?"): take(upTo: offset + 1, .punctuation)
            case 0x22, 0x27: take(upTo: quotedEnd(escape: 0), .string)
            case 0...0x20: skip()
            default: take(upTo: max(offset + 1, wordEnd("=/>?<\"'")), .key)
            }
        }
    }

    private mutating func comment() {
        var stop = offset + 4
        while stop < end, !bytes.starts(with: Array("-->".utf8), at: stop) { stop += 1 }
        take(upTo: stop + 3, .comment)
    }

    private mutating func entity() {
        var stop = offset + 1
        while stop < end, bytes[stop] == UInt8(ascii: "#") || Self.isNamePart(bytes[stop]) { stop += 1 }
        if stop > offset + 1, stop < end, bytes[stop] == UInt8(ascii: ";") {
            take(upTo: stop + 1, .literal)
        } else {
            skip()
        }
    }
}

extension LineCursor {
    /// Styles a line of Markdown.
    mutating func markdown() {
        let start = offset
        skipBlanks()
        if offset - start >= 4 || peek() == 0x09 { return take(upTo: end, .code) }
        switch peek() {
        case UInt8(ascii: "#"):
            let stop = wordEnd("")
            let count = stop - offset
            if count <= 6, (offset..<stop).allSatisfy({ bytes[$0] == UInt8(ascii: "#") }) {
                return take(upTo: end, .heading)
            }
        case UInt8(ascii: ">"): return take(upTo: end, .comment)
        case UInt8(ascii: "`"), UInt8(ascii: "~"):
            if peek(1) == peek(), peek(2) == peek() { return take(upTo: end, .code) }
        case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
            if peek(1) <= 0x20 || isRule { take(upTo: isRule ? end : offset + 1, .punctuation) }
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let stop = wordEnd(".)")
            if stop + 1 < end, bytes[stop + 1] == 0x20, stop - offset < 10 { take(upTo: stop + 1, .punctuation) }
        default: break
        }
        while !isAtEnd { markdownInline() }
    }

    private var isRule: Bool {
        end - offset >= 3 && end - offset < 200
            && (offset..<end).allSatisfy { bytes[$0] == peek() || bytes[$0] == 0x20 }
    }

    private mutating func markdownInline() {
        switch peek() {
        case UInt8(ascii: "\\"): skip(2)
        case UInt8(ascii: "`"):
            if let stop = first(UInt8(ascii: "`"), from: offset + 1) { take(upTo: stop + 1, .code) } else { skip() }
        case UInt8(ascii: "*"), UInt8(ascii: "_"): emphasis()
        case UInt8(ascii: "["): link()
        case UInt8(ascii: "<"):
            if let stop = first(UInt8(ascii: ">"), from: offset + 1) { take(upTo: stop + 1, .link) } else { skip() }
        case UInt8(ascii: "|"): take(upTo: offset + 1, .punctuation)
        case UInt8(ascii: "h") where isAddress:
            take(upTo: wordEnd(")>\"'"), .link)
        default: skip()
        }
    }

    private var isAddress: Bool {
        bytes.starts(with: Array("http://".utf8), at: offset) || bytes.starts(with: Array("https://".utf8), at: offset)
    }

    private mutating func emphasis() {
        let sign = peek()
        let length = peek(1) == sign ? 2 : 1
        guard peek(length) > 0x20, peek(length) != sign else { return skip(length) }
        // Inside a word, an underscore is a letter.
        if sign == UInt8(ascii: "_"), offset > 0, bytes[offset - 1] | 0x20 >= 0x61, bytes[offset - 1] | 0x20 <= 0x7A {
            return skip()
        }
        var stop = offset + length
        while let found = first(sign, from: stop) {
            if bytes[found - 1] > 0x20, length == 1 || found + 1 < end && bytes[found + 1] == sign {
                return take(upTo: found + length, .emphasis)
            }
            stop = found + 1
        }
        skip(length)
    }

    private mutating func link() {
        guard let close = first(UInt8(ascii: "]"), from: offset + 1), close + 1 < end,
            bytes[close + 1] == UInt8(ascii: "("),
            let stop = first(UInt8(ascii: ")"), from: close + 2)
        else { return skip() }
        take(upTo: stop + 1, .link)
    }
}
