/// Syntax highlighting for texts that are shown as received. Each line is styled on its own, so that any line can be
/// shown without reading those before it. Constructs that span lines (a code block, a quote) are not recognized.
package enum LineHighlighter: Sendable, Equatable, CaseIterable {
    case json, yaml, markdown
    /// XML or HTML as it is written.
    case markup
    case graphQL
    /// A comparison (`DiffText`).
    case diff

    /// The number of bytes of a long line that are read before the visible part.
    private static let lead = 1024
    /// The maximum number of bytes of a line that are read.
    private static let most = 16 << 10

    /// Returns the styles of a line, or of the visible part of a long one, in order.
    package func styles(of line: ByteRange, visible: ByteRange? = nil, in bytes: Bytes) -> [StyledRange] {
        let line = bytes.clamp(line)
        let visible = visible ?? line
        let start = min(max(line.lowerBound, visible.lowerBound - Self.lead), line.upperBound)
        let end = max(start, min(line.upperBound, visible.upperBound, start + Self.most))
        var cursor = LineCursor(bytes: bytes, line: start..<end)
        switch self {
        case .json: cursor.json()
        case .yaml: cursor.yaml()
        case .markdown: cursor.markdown()
        case .markup: cursor.markup()
        case .graphQL: cursor.graphQL()
        // The first byte of the line decides, which may be far to the left.
        case .diff: cursor.take(upTo: end, Self.diffStyle(bytes[line.lowerBound]))
        }
        return cursor.styles
    }

    private static func diffStyle(_ sign: UInt8) -> TextStyle {
        switch sign {
        case UInt8(ascii: "+"): .added
        case UInt8(ascii: "-"): .removed
        case UInt8(ascii: "@"): .link
        default: .plain
        }
    }
}

/// Walks through a line and records styles.
struct LineCursor {
    let bytes: Bytes
    private(set) var offset: Int
    let end: Int
    private(set) var styles: [StyledRange] = []

    init(bytes: Bytes, line: ByteRange) {
        self.bytes = bytes
        offset = line.lowerBound
        end = line.upperBound
    }

    var isAtEnd: Bool { offset >= end }

    /// Returns the byte at a distance from the cursor; 0 past the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        offset + distance < end ? bytes[offset + distance] : 0
    }

    mutating func skip(_ count: Int = 1) { offset = min(end, offset + count) }

    mutating func skipBlanks() {
        while peek() == 0x20 || peek() == 0x09 { offset += 1 }
    }

    /// Moves to an offset and styles the bytes up to it.
    mutating func take(upTo stop: Int, _ style: TextStyle) {
        let stop = min(max(offset, stop), end)
        if stop > offset, style != .plain { styles.append(StyledRange(offset..<stop, style)) }
        offset = stop
    }

    func first(_ byte: UInt8, from start: Int) -> Int? {
        start < end ? ByteScan.first(byte, in: bytes, start..<end) : nil
    }

    /// Returns the end of the word at the cursor: white space or one of `signs`.
    func wordEnd(_ signs: StaticString) -> Int {
        var stop = offset
        while stop < end, bytes[stop] > 0x20 {
            let byte = bytes[stop]
            if (0..<signs.utf8CodeUnitCount).contains(where: { signs.utf8Start[$0] == byte }) { break }
            stop += 1
        }
        return stop
    }

    /// Returns the offset after the closing quote of the text at the cursor; the end of the line if there is none.
    func quotedEnd(escape: UInt8) -> Int {
        let quote = peek()
        var stop = offset + 1
        while stop < end {
            if bytes[stop] == escape, escape != 0 {
                stop += 1
            } else if bytes[stop] == quote {
                return stop + 1
            }
            stop += 1
        }
        return end
    }

    /// Returns the style of a word that is a number or one of `literals`; nil for others.
    func valueStyle(upTo stop: Int, literals: [StaticString]) -> TextStyle? {
        let length = stop - offset
        for word in literals where word.utf8CodeUnitCount == length {
            if (0..<length).allSatisfy({ bytes[offset + $0] == word.utf8Start[$0] }) { return .literal }
        }
        guard length > 0, length <= 40, "+-.0123456789".utf8.contains(peek()) else { return nil }
        let text = bytes.text(offset..<stop)
        return Double(text) != nil || text.hasPrefix("0x") ? .number : nil
    }
}

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
    /// Styles a line of a GraphQL document. A block string that began in an earlier line looks like names.
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
    /// Styles a line of XML or HTML as received. A tag that began in an earlier line looks like text.
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
