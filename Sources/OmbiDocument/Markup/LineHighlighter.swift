/// Colours for texts that are shown as they came, line by line: each line is looked at by itself, so that any of them
/// can be shown without a look at those before it. What spans lines (a block of code, a quote) is not seen.
public enum LineHighlighter: Sendable, Equatable, CaseIterable {
    case json, yaml, markdown
    /// A comparison (`DiffText`).
    case diff

    /// How far before what is visible a long line is looked at.
    private static let lead = 1024
    /// How much of a line is looked at.
    private static let most = 16 << 10

    /// The styles of a line, or of the visible stretch of a long one, in order.
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
        // What a line is tells its first byte, which may be far to the left.
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
