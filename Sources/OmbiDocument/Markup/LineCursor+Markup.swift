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
