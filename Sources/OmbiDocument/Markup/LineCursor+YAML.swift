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
