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
