/// What must be so whatever is drawn: nothing in a span can do anything to a terminal, and it fits.
func check(_ spans: [TextSpan], columns: Int) {
    precondition(spans.reduce(0) { $0 + $1.columns } <= columns, "a row is no wider than its place")
    for span in spans {
        precondition(span.columns >= 0 && span.range.lowerBound <= span.range.upperBound, "a span is somewhere")
        precondition(span.text.unicodeScalars.allSatisfy(isHarmless), "a span can be drawn as it is")
    }
}

private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
    default: scalar.properties.generalCategory != .control
    }
}

/// Draws rows of a text that is wrapped, from a place in it on.
func draw(_ text: Bytes, lines: LineIndex, columns: Int, style: LineHighlighter?, from start: Int) {
    let layout = TextLayout(bytes: text, lines: lines, columns: columns)
    for row in layout.rows(from: layout.row(at: start), limit: 60) {
        let styles = style?.styles(of: row.line, visible: row.range, in: text) ?? []
        check(SpanBuilder.spans(of: row.range, in: text, columns: columns, styles: styles), columns: columns)
        check(
            SpanBuilder.spans(of: row.line, in: text, skipping: columns / 2, columns: columns, styles: styles),
            columns: columns)
    }
}
