import OmbiCore

/// The body of a response, line by line. Only the lines that show are decoded and coloured.
enum BodyTab {
    static func rowCount(_ run: RunState) -> Int {
        guard let document = run.document else { return 1 }
        return document.lineCount + (document.note == nil ? 0 : 1)
    }

    static func draw(_ run: RunState, top: Int, left: Int, on surface: inout Surface, in rect: Rect) {
        guard let document = run.document else {
            surface.write("Formatting…", at: rect.origin, style: Style(.dim), limit: rect.columns)
            return
        }
        guard document.kind != .empty else {
            surface.write("No body.", at: rect.origin, style: Style(.dim), limit: rect.columns)
            return
        }
        var lines = rect
        if let note = document.note {
            let role: Role = note.hasPrefix("not valid") ? .warning : .dim
            surface.write(note, at: rect.origin, style: Style(role), limit: rect.columns)
            lines = rect.dropTop(1)
        }
        let gutter = String(document.lineCount).count + 1
        for line in 0..<lines.rows where top + line < document.lineCount {
            draw(document, top + line, gutter, left: left, on: &surface, in: lines.line(line))
        }
    }

    private static func draw(
        _ document: BodyDocument, _ index: Int, _ gutter: Int, left: Int, on surface: inout Surface, in rect: Rect
    ) {
        let text = document.line(index, limit: left + rect.columns + 1)
        guard document.kind == .json else {
            var pen = Pen(rect)
            pen.write([Span(text: text, role: .plain)].dropping(left), on: &surface)
            return
        }
        let number = String(index + 1)
        let place = Point(column: rect.column + gutter - 1 - number.count, row: rect.row)
        surface.write(number, at: place, style: Style(.dim))
        var pen = Pen(rect.dropLeft(gutter))
        pen.write(JSONHighlighter.spans(of: text).dropping(left), on: &surface)
    }
}
