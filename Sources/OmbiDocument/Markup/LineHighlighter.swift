/// Syntax highlighting for texts that are shown as received. Each line is styled on its own, so that any line can be
/// shown without reading those before it. Constructs that span lines (a code block, a quote) are not recognized.
public enum LineHighlighter: Sendable, Equatable, CaseIterable {
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
    public func styles(of line: ByteRange, visible: ByteRange? = nil, in bytes: Bytes) -> [StyledRange] {
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
