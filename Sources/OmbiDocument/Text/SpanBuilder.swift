/// Converts the bytes of a row into spans: decodes them, replaces those that must not be drawn, and splits where the
/// style changes. It reads only as many as fill its columns.
package struct SpanBuilder {
    private let reader: ColumnReader
    private let styles: [StyledRange]
    private let matches: [ByteRange]
    private var nextStyle = 0
    private var nextMatch = 0
    private var spans: [TextSpan] = []
    private var utf8: [UInt8] = []
    private var current: TextSpan?

    /// - Parameters:
    ///   - range: The bytes to show, in one line.
    ///   - startColumn: The column of the line at which the range starts, on which tabs depend.
    ///   - skipping: The columns at the start of the range that are out of view on the left.
    ///   - columns: The available width.
    ///   - styles, matches: In order, by offsets in `bytes`; those outside of the range are ignored.
    package static func spans(
        of range: ByteRange, in bytes: Bytes, startColumn: Int = 0, skipping: Int = 0, columns: Int,
        styles: [StyledRange] = [], matches: [ByteRange] = []
    ) -> [TextSpan] {
        var builder = SpanBuilder(
            reader: ColumnReader(bytes: bytes), styles: styles, matches: matches)
        builder.build(bytes.clamp(range), startColumn: startColumn, left: startColumn + skipping, columns: columns)
        return builder.spans
    }

    private init(reader: ColumnReader, styles: [StyledRange], matches: [ByteRange]) {
        self.reader = reader
        self.styles = styles
        self.matches = matches
    }

    private mutating func build(_ range: ByteRange, startColumn: Int, left: Int, columns: Int) {
        let right = left + max(0, columns)
        var position = ColumnReader.Position(offset: range.lowerBound, column: startColumn)
        if left > startColumn {
            position = reader.advance(position, toOffset: range.upperBound, toColumn: left, end: range.upperBound)
        }
        skipStyles(before: position.offset)
        while position.offset < range.upperBound, position.column < right {
            let glyph = reader.glyphs.glyph(at: position.offset, before: range.upperBound)
            let column = position.column + reader.width(of: glyph, at: position.column)
            add(
                glyph, position, visible: max(left, position.column)..<min(right, column),
                whole: column - position.column)
            position = ColumnReader.Position(offset: glyph.end, column: column)
        }
        finish()
    }

    /// Uses binary search, because the styles may cover a whole screen or a line of a megabyte.
    private mutating func skipStyles(before offset: Int) {
        nextStyle = styles.partitioningIndex { $0.range.upperBound > offset }
        nextMatch = matches.partitioningIndex { $0.upperBound > offset }
    }

    private mutating func add(
        _ glyph: GlyphReader.Glyph, _ position: ColumnReader.Position, visible: ByteRange, whole: Int
    ) {
        guard !visible.isEmpty else { return }
        let style: TextStyle =
            switch glyph.kind {
            case .control: .control
            case .invalid: .invalid
            case .plain, .reduced, .tab: self.style(at: position.offset)
            }
        begin(style, isMatch: isMatch(at: position.offset), at: position.offset)
        // A tab, and a wide glyph half of which is out of view, become spaces.
        if glyph.kind == .tab || visible.count < whole {
            utf8.append(contentsOf: repeatElement(0x20, count: visible.count))
        } else if glyph.kind == .plain {
            utf8.append(contentsOf: reader.glyphs.bytes.buffer(position.offset..<glyph.end))
        } else {
            utf8.append(contentsOf: reader.glyphs.text(of: glyph, at: position.offset).utf8)
        }
        guard let start = current?.range.lowerBound else { return }
        current?.columns += visible.count
        current?.range = start..<glyph.end
    }

    private mutating func begin(_ style: TextStyle, isMatch: Bool, at offset: Int) {
        if let current, current.style == style, current.isMatch == isMatch { return }
        finish()
        current = TextSpan(text: "", style: style, isMatch: isMatch, range: offset..<offset, columns: 0)
    }

    private mutating func finish() {
        guard var span = current else { return }
        span.text = String(decoding: utf8, as: UTF8.self)
        spans.append(span)
        utf8.removeAll(keepingCapacity: true)
        current = nil
    }

    private mutating func style(at offset: Int) -> TextStyle {
        while nextStyle < styles.count, styles[nextStyle].range.upperBound <= offset { nextStyle += 1 }
        guard nextStyle < styles.count, styles[nextStyle].range.contains(offset) else { return .plain }
        return styles[nextStyle].style
    }

    private mutating func isMatch(at offset: Int) -> Bool {
        while nextMatch < matches.count, matches[nextMatch].upperBound <= offset { nextMatch += 1 }
        return nextMatch < matches.count && matches[nextMatch].contains(offset)
    }
}

/// A piece of a row, ready to draw: safe text in one style.
package struct TextSpan: Sendable, Equatable {
    /// No control characters, no tabs, nothing that changes the direction of writing: it can be drawn as it is.
    package var text: String
    package var style: TextStyle
    /// True for a part of a search match.
    package var isMatch: Bool
    package var range: ByteRange
    /// The cells that the text takes.
    package var columns: Int

    package init(text: String, style: TextStyle, isMatch: Bool = false, range: ByteRange, columns: Int) {
        self.text = text
        self.style = style
        self.isMatch = isMatch
        self.range = range
        self.columns = columns
    }
}

/// A style for some bytes. Lists of them are in order and do not overlap; the bytes between are plain.
package struct StyledRange: Sendable, Equatable {
    package var range: ByteRange
    package var style: TextStyle

    package init(_ range: ByteRange, _ style: TextStyle) {
        self.range = range
        self.style = style
    }
}

/// The role of a piece of text, which decides its color.
package enum TextStyle: UInt8, Sendable, Equatable, CaseIterable {
    case plain
    /// The name of a value: a key, a column, an attribute.
    case key
    case string
    case number
    /// `true`, `false`, `null` and their like.
    case literal
    case punctuation
    case tag
    case comment
    case heading
    case emphasis
    case code
    case link
    /// Only in the newer, or only in the older, of two texts.
    case added, removed
    /// A replacement for a control character or another one that must not be drawn.
    case control
    /// A replacement for bytes that are not text.
    case invalid
}
