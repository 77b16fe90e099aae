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
