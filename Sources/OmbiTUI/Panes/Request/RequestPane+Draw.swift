extension RequestPane {
    /// The title of the pane: where no other line shows it, with the name of the request and a mark where it differs from
    /// the file.
    func title(_ workbench: Workbench, _ role: Role, named: Bool) -> [Span] {
        let title = [Span(text: "2 " + (workbench.shared?.title ?? "Request"), role: role)]
        guard named, let request = workbench.subject else { return title }
        let isDirty = workbench.shared == nil && workbench.file?.isDirty(request.id) ?? false
        return title + [Span(text: " ─ \(request.name)", role: .plain)]
            + (isDirty ? [Span(text: " ●", role: .warning)] : [])
    }

    /// Draws the pane inside its border, and returns the cursor's position while something is edited. Without a request it
    /// shows the file.
    func draw(_ workbench: Workbench, on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        guard let request = workbench.subject else {
            FilePage(workbench, columns: rect.columns).draw(on: &surface, in: rect, from: position.offset)
            return nil
        }
        var cursor: Point?
        if let shared = workbench.shared {
            drawHead(of: shared, focused, on: &surface, in: rect.top(1))
        } else {
            cursor = drawURL(request, workbench.environment, focused, on: &surface, in: rect.top(1))
        }
        if showsAddress { drawAddress(of: request, on: &surface, in: rect.line(1)) }
        tabBar(workbench, columns: rect.columns).draw(on: &surface, in: rect.line(headRows - 1))
        let body = rect.dropTop(headRows)
        if case .body(let editor) = editing { return editor.draw(on: &surface, in: body, known: context.names) }
        let rows = rows(workbench)
        let text = context.body(in: workbench, tab)
        let columns = RowColumns(rows.head, editing: editing, width: body.columns)
        for line in 0..<body.rows where firstRow + line < rows.count {
            let index = firstRow + line
            let place = body.line(line)
            if let text, index >= rows.head.count {
                draw(text, line: index - rows.head.count, on: &surface, in: place)
            } else {
                cursor = draw(rows[index], of: request, columns, on: &surface, in: place) ?? cursor
            }
            if focused, editing == nil, row == index { surface.restyle(place, adding: .highlight) }
        }
        return cursor
    }

    /// The place in the rows of the tab; empty where all of them show.
    func place(in workbench: Workbench, focused: Bool) -> [Span] {
        // With room for the URL alone there is no row that could be marked.
        guard editing == nil, size.rows > headRows else { return [] }
        let count = rows(workbench).count
        guard count > page else { return [] }
        var rows = position
        rows.place(at: max(0, position.cursor - 1), count: count, page: page)
        return rows.mark(count: count, page: page, focused: focused)
    }

    func tabBar(_ workbench: Workbench, columns: Int) -> TabBar {
        let current = RequestTab.tabs(ofSettings: isSettings).firstIndex(of: tab) ?? 0
        return TabBar(context.titles(in: workbench, tab), current: current, columns: columns)
    }

    private func drawURL(
        _ request: SavedRequest, _ environment: Environment?, _ focused: Bool, on surface: inout Surface, in rect: Rect
    ) -> Point? {
        var pen = Pen(rect)
        pen.write(request.method.rawValue, Style(request.method.role, .bold), on: &surface)
        pen.skip(1)
        if case .field(.url, let text) = editing {
            return text.draw(on: &surface, in: rect.dropLeft(pen.column - rect.column))
        }
        // Credentials in clear show under edit only.
        let host = Credentials.masked(url: RequestContext.shownHost(of: request, environment))
        let path = Credentials.masked(url: request.path)
        pen.write(TemplateSpans.spans(of: host, plain: .dim, known: context.names), on: &surface)
        pen.write(TemplateSpans.spans(of: path, plain: .plain, known: context.names), on: &surface)
        if focused, editing == nil, position.cursor == 0 {
            surface.restyle(rect, adding: .highlight)
        }
        return nil
    }

    /// Draws the URL that is sent, below the one that is written, or its end, or the reason why it cannot be sent.
    private func drawAddress(of request: SavedRequest, on surface: inout Surface, in rect: Rect) {
        let place = rect.dropLeft(request.method.rawValue.count + 1)
        var pen = Pen(place)
        if let problem = context.problem { return pen.write(problem, Style(.failure), on: &surface) }
        let address = context.address ?? Self.end(of: context.written, columns: place.columns)
        pen.write(TemplateSpans.spans(of: address, plain: .dim, known: context.names), on: &surface)
    }

    /// Returns the part of a text that the columns have room for at its end.
    private static func end(of text: String, columns: Int) -> String {
        var (start, left) = (text.endIndex, columns - 1)
        while start > text.startIndex {
            let previous = text.index(before: start)
            left -= TextWidth.of(String(text[previous]))
            if left < 0 { return "…" + text[start...] }
            start = previous
        }
        return text
    }

    /// In bytes. No more of a line shows, and it is looked at for each frame.
    private static let maximumMaskedLine = 16_384

    /// Draws a line of the body as its editor does, but for credentials in clear: these show under edit only.
    private func draw(_ text: BodyText, line: Int, on surface: inout Surface, in rect: Rect) {
        let range = text.buffer.range(ofLine: line)
        if range.count <= Self.maximumMaskedLine {
            let plain = text.buffer.text(range)
            let masked = SecretDetector.masked(body: plain)
            if masked != plain {
                surface.write(masked.visible, at: rect.origin, style: Style(.plain), limit: rect.columns)
                return
            }
        }
        let row = TextRow(range: range, line: range)
        text.buffer.draw(row, highlighter: text.highlighter, on: &surface, in: rect)
    }

    private func draw(
        _ row: FormRow, of request: SavedRequest, _ columns: RowColumns, on surface: inout Surface, in rect: Rect
    ) -> Point? {
        if row.isHint {
            surface.write(row.note, at: rect.origin, style: Style(.dim), limit: rect.columns)
            return nil
        }
        let isInherited = row.isInherited
        let sign = isInherited ? "↑" : row.enabled.map { $0 ? "✓" : "·" } ?? ""
        surface.write(sign, at: rect.origin, style: Style(.dim), limit: 2)
        let isEdited = columns.isEdited(row)
        let (name, value) = (columns.name(in: rect, isEdited), columns.value(in: rect, isEdited))
        if case .field(let field, let text) = editing {
            if field == row.nameField { return draw(field, text, of: request, on: &surface, in: rect, field: name) }
            if row.has(field) {
                drawName(row, on: &surface, in: name)
                return draw(field, text, of: request, on: &surface, in: rect, field: value)
            }
        }
        drawName(row, on: &surface, in: name)
        var pen = Pen(value)
        let plain: Role = isInherited ? .inherited : row.enabled == false ? .dim : .plain
        pen.write(TemplateSpans.spans(of: row.value, plain: plain, known: context.names), on: &surface)
        if !row.warning.isEmpty { pen.write(row.warning, Style(.warning), on: &surface) }
        if !row.note.isEmpty { pen.write((row.value.isEmpty ? "" : "  ") + row.note, Style(.dim), on: &surface) }
        return nil
    }

    private func drawName(_ row: FormRow, on surface: inout Surface, in rect: Rect) {
        let role: Role = row.isInherited ? .inherited : row.enabled == false ? .dim : .key
        surface.write(row.name, at: rect.origin, style: Style(role), limit: rect.columns)
    }

    /// Draws a field under edit: while it is empty an example, beside a text that will be refused the reason.
    private func draw(
        _ field: RequestField, _ text: TextField, of request: SavedRequest, on surface: inout Surface, in row: Rect,
        field rect: Rect
    ) -> Point {
        guard let problem = field.problem(with: text.text, in: request) else {
            let cursor = text.draw(on: &surface, in: rect)
            if text.text.isEmpty {
                // A template by itself looks like the value.
                let example = field.example.hasPrefix("{{") ? "for example \(field.example)" : field.example
                surface.write(example, at: cursor, style: Style(.dim, .underline), limit: rect.columns)
            }
            return cursor
        }
        surface.write("✗", at: row.origin, style: Style(.failure), limit: 2)
        let room = row.endColumn - rect.column - TextWidth.of(text.text) - 3
        let columns = min(TextWidth.of(problem), room)
        guard columns >= Self.minimumReason else { return text.draw(on: &surface, in: rect) }
        surface.write(
            problem, at: Point(column: row.endColumn - columns, row: row.row), style: Style(.failure), limit: columns)
        return text.draw(on: &surface, in: rect.left(row.endColumn - columns - 2 - rect.column))
    }

    /// Fewer columns of a reason would say nothing.
    private static let minimumReason = 8

    // MARK: The mouse

    /// Moves the cursor of a field under edit to a point inside the border; false for a point outside of the field.
    @discardableResult
    mutating func placeCursor(at point: Point, _ workbench: Workbench) -> Bool {
        guard case .field(let field, var text) = editing, let rect = rect(of: field, workbench), rect.contains(point)
        else { return false }
        text.click(column: point.column - rect.column, in: rect.columns)
        editing = .field(field, text)
        return true
    }

    /// Selects from the cursor of the field under edit to a point.
    mutating func select(to point: Point, _ workbench: Workbench) {
        guard case .field(let field, var text) = editing, let rect = rect(of: field, workbench) else { return }
        text.click(column: point.column - rect.column, in: rect.columns, selecting: true)
        editing = .field(field, text)
    }

    /// The place of a field under edit, inside the border.
    private func rect(of field: RequestField, _ workbench: Workbench) -> Rect? {
        let inside = Rect(size)
        if field == .url {
            return workbench.subject.map { inside.top(1).dropLeft($0.method.rawValue.count + 1) }
        }
        let rows = rows(workbench)
        guard let index = rows.head.firstIndex(where: { $0.has(field) }),
            index >= firstRow
        else { return nil }
        let columns = RowColumns(rows.head, editing: editing, width: inside.columns)
        let row = inside.dropTop(headRows).line(index - firstRow)
        return rows.head[index].nameField == field ? columns.name(in: row, true) : columns.value(in: row, true)
    }
}

/// The columns of the rows of a tab: the names, and the values next to them. Those of the row under edit are its own, so
/// that the others stay where they are.
struct RowColumns {
    private let name: Int
    private let editedName: Int
    private let field: RequestField?
    /// A sign and a space.
    private static let signColumns = 2

    /// A name under edit gets half of the width, a value at least two thirds.
    init(_ rows: [FormRow], editing: RequestPane.Editing?, width: Int) {
        let longest = min(24, max(8, rows.map { TextWidth.of($0.name) }.max() ?? 0))
        name = longest
        guard case .field(let field, _)? = editing else {
            (self.field, editedName) = (nil, longest)
            return
        }
        self.field = field
        let isName = rows.contains { $0.nameField == field }
        editedName = isName ? max(longest, (width - 2 * Self.signColumns) / 2) : min(longest, max(8, width / 3))
    }

    func isEdited(_ row: FormRow) -> Bool { field.map(row.has) ?? false }

    func name(in rect: Rect, _ isEdited: Bool) -> Rect { rect.dropLeft(Self.signColumns).left(columns(isEdited)) }
    func value(in rect: Rect, _ isEdited: Bool) -> Rect { rect.dropLeft(Self.signColumns + columns(isEdited) + 2) }

    private func columns(_ isEdited: Bool) -> Int { isEdited ? editedName : name }
}

/// The settings of a folder or a collection in place of a request.
extension RequestPane {
    /// Draws the line above the tabs: the name, and the number of requests.
    func drawHead(of shared: SharedNode, _ focused: Bool, on surface: inout Surface, in rect: Rect) {
        var pen = Pen(rect)
        pen.write(shared.settings.name, Style(.title), on: &surface)
        let count = Count.of(shared.requestCount, "request")
        pen.write("  for \(count) in this \(shared.title.lowercased())", Style(.dim), on: &surface)
        if focused, editing == nil, position.cursor == 0 { surface.restyle(rect, adding: .highlight) }
    }
}

extension RequestPane {
    /// The space below the rows, with one line between.
    func rest(of rect: Rect, _ workbench: Workbench) -> Rect {
        rect.dropTop(min(rect.rows, headRows + max(0, rows(workbench).count - position.offset) + 1))
    }
}

extension SharedNode {
    var title: String { if case .folder = node { "Folder" } else { "Collection" } }
}

extension Workbench {
    /// Shows the level that gives a value to the subject.
    func outcomes(showing source: Provenance) -> [Outcome] {
        let node: TreeNode
        switch source {
        case .folder(_, let id): node = .folder(id)
        case .collection:
            guard let file = shownContext else { return [] }
            node = .file(file.path)
        case .environment: return [.perform(.environments(.open))]
        case .request, .row, .commandLine, .captured, .ombi: return .notify(.info, source.description)
        }
        return [.focus(.tree), .perform(.tree(.select(node))), .perform(.app(.focus(.request)))]
    }
}
