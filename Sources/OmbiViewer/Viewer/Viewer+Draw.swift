/// Only visible rows are ever turned into text.
extension Viewer {
    /// Draws the viewer and returns the cursor's position while a prompt is open.
    package func draw(on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        guard let page else {
            surface.write("Reading…", at: rect.origin, style: Style(.dim), limit: rect.columns)
            return nil
        }
        var rows = rect
        let foot = rows.takeBottom(footRows)
        drawNote(on: &surface, in: rows.takeTop(noteRows))
        draw(page, on: &surface, in: rows, focused: focused)
        if let line { return line.draw(state: lineState(line, page), on: &surface, in: foot) }
        if !foot.isEmpty { drawFoot(page, on: &surface, in: foot) }
        return nil
    }

    func lineState(_ line: ViewerLine, _ page: ViewerPage) -> String {
        switch line.subject {
        case .find: find?.summary(in: page.searched, move) ?? ""
        case .filter: query != nil ? "\(filtered ?? "") working…" : filtered ?? ""
        case .join: query != nil ? "working…" : ""
        case .shell: "stdin: " + (page.selectionText ?? (page.document.isFiltered ? "one value per line" : "the body"))
        case .goTo, .save: ""
        }
    }

    private func drawNote(on surface: inout Surface, in rect: Rect) {
        let lines = noteLines
        for number in 0..<rect.rows {
            let isLast = number == rect.rows - 1
            let text = isLast ? lines.dropFirst(number).joined(separator: " ") : lines[number]
            surface.write(text, at: rect.line(number).origin, style: Style(noteRole), limit: rect.columns)
        }
    }

    /// The number of values that the filter in the prompt selected.
    private var filtered: String? { results.count > line?.depth ?? 0 ? result?.count : nil }

    private var noteRole: Role {
        if caution != nil { return .warning }
        if case .command? = result?.source { return .warning }
        guard result != nil || interruption == nil else { return .warning }
        return note?.hasPrefix("not valid") ?? false ? .warning : .dim
    }

    private func draw(_ page: ViewerPage, on surface: inout Surface, in rect: Rect, focused: Bool) {
        guard !page.rows.isEmpty else {
            let text =
                result?.emptiness(isPending: query != nil)
                ?? (page.document.isComplete ? "No body." : "Nothing has come yet.")
            surface.write(text, at: rect.origin, style: Style(.dim), limit: rect.columns)
            return
        }
        if case .picture(let picture) = page.content { return picture.draw(on: &surface, in: rect) }
        var rect = rect
        let rows = page.rows
        let gutter = gutter(page)
        let finder = finder
        if headRows > 0 {
            let head = rect.takeTop(1).dropLeft(gutter)
            let spans = rows.header(skipping: page.left, columns: head.columns, finder: finder)
            draw(spans, on: &surface, in: head)
            surface.restyle(head, adding: [.bold, .underline])
        }
        var position = rows.aligned(page.top)
        for number in 0..<rect.rows {
            let row = rect.line(number)
            if gutter > 0, let label = rows.label(at: position) {
                let place = Point(column: row.column + gutter - 1 - label.count, row: row.row)
                surface.write(label, at: place, style: Style(.dim), clip: row)
            }
            let spans = rows.spans(
                at: position, skipping: page.left, columns: row.columns - gutter, finder: finder)
            let text = row.dropLeft(gutter)
            draw(spans, on: &surface, in: text)
            restyle(position, of: page, on: &surface, in: text, focused: focused)
            guard position < rows.last else { return }
            position = rows.position(position, movedBy: 1)
        }
    }

    /// Styles the row of the cursor and the selected rows; the cursor stays distinguishable among them.
    private func restyle(
        _ position: ViewerPosition, of page: ViewerPage, on surface: inout Surface, in row: Rect, focused: Bool
    ) {
        let (isCursor, isSelected) = (position == page.cursor, page.isSelected(position))
        guard isSelected || focused && isCursor else { return }
        let traits: Traits = isSelected && isCursor ? [.highlight, .reverse, .bold] : .highlight
        surface.restyle(row, adding: focused ? traits : .underline)
    }

    /// Draws a row; a cut one ends in `…`.
    private func draw(_ spans: [TextSpan], on surface: inout Surface, in rect: Rect) {
        var pen = Pen(rect)
        for span in spans {
            let current = span.isMatch && find?.current.map { $0.overlaps(span.range) } ?? false
            let role: Role = span.isMatch ? .match : span.style.role
            pen.write(span.text, Style(role, current ? .bold : []), on: &surface)
        }
        guard spans.columns > rect.columns else { return }
        surface.write("…", at: rect.right(1).origin, style: Style(.dim), clip: rect)
    }

    /// `$.users[3].name                                        3 of 17 · 12%`
    private func drawFoot(_ page: ViewerPage, on surface: inout Surface, in rect: Rect) {
        let right = footParts(page).joined(separator: " · ")
        let columns = TextWidth.of(right)
        let room = max(0, rect.columns - columns - 3)
        let path = [page.selectionText, page.rows.path(at: page.cursor)].compactMap { $0 }
            .joined(separator: "  ")
        var start = 0
        if let chain {
            // Of many steps the last say more, and the path of the row needs its space, too.
            let limit = max(room / 2, room - TextWidth.of(path) - 2)
            surface.write(chain, at: rect.origin, style: Style(.info), limit: limit, truncate: .head)
            start = min(limit, TextWidth.of(chain)) + 2
        }
        surface.write(
            path, at: Point(column: rect.column + start, row: rect.row),
            style: Style(page.anchor == nil ? .dim : .info),
            limit: max(0, room - start), truncate: .middle)
        surface.write(
            right, at: Point(column: rect.endColumn - columns - 1, row: rect.row), style: Style(.dim), clip: rect)
    }

    private func footParts(_ page: ViewerPage) -> [String] {
        var parts: [String] = []
        if let saving { parts.append("saving " + saving.summary + "…") }
        if query != nil { parts.append("working… Esc stops it") }
        if isArriving, isFollowing || isLog { parts.append(isFollowing ? "following" : "paused") }
        if let find { parts.append("/\(find.query.text) \(find.summary(in: page.searched, move))") }
        if !differences.isEmpty {
            let start = page.rows.range(at: page.cursor).lowerBound
            let number = differences.prefix { $0 <= start }.count
            if number > 0 { parts.append("difference \(number) of \(differences.count)") }
        }
        if page.left > 0 { parts.append("column \(page.left + 1)") }
        if page.shownMode != page.modes[0] { parts.append(page.shownMode.rawValue) }
        parts.append(page.document.kind.name)
        let isAtEnd = page.cursor >= page.rows.last
        let offset = page.rows.range(at: page.cursor).lowerBound
        if !page.document.isComplete, interruption == nil {
            parts.append("\(TimeText.size(page.document.raw.count))…")
        } else if !page.showsAll(rows: pageRows) {
            parts.append(isAtEnd ? "end" : Percent.short(min(1, Double(offset) / Double(max(1, page.searched.count)))))
        }
        return parts
    }
}
