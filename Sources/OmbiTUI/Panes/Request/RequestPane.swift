import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The request pane: its tab, the row under the cursor, and the field that is edited.
struct RequestPane: Equatable, Sendable {
    enum Editing: Equatable, Sendable {
        case field(RequestField, TextField)
        case body(TextArea)
    }

    private(set) var tab = RequestTab.params
    /// Row 0 is the URL; the rows of the tab follow.
    private(set) var position = ListPosition()
    var editing: Editing?

    /// Rows above those of the tab: the URL, the tabs.
    static let headRows = 2

    mutating func show(_ tab: RequestTab) {
        self.tab = tab
        position = ListPosition()
    }

    mutating func move(_ movement: Movement, count: Int, page: Int) {
        position.move(movement, count: count + 1, page: page + 1)
        uncover(count: count, page: page)
    }

    mutating func place(at row: Int, count: Int, page: Int) {
        position.place(at: row, count: count + 1, page: page + 1)
        uncover(count: count, page: page)
    }

    mutating func scroll(by rows: Int, count: Int, page: Int) {
        position.scroll(by: rows, count: count + 1, page: page + 1)
        if isCovered { position.place(at: position.cursor + 1, count: count + 1, page: page + 1) }
    }

    /// True when the URL covers the row of the cursor, the first row of a scrolled list.
    private var isCovered: Bool { position.cursor > 0 && position.cursor == position.offset }

    private mutating func uncover(count: Int, page: Int) {
        if isCovered { position.scroll(by: -1, count: count + 1, page: page + 1) }
    }

    /// The tab's row under the cursor; nil on the URL.
    var row: Int? { position.cursor == 0 ? nil : position.cursor - 1 }

    mutating func perform(_ edit: TextEdit, page: Int) {
        switch editing {
        case .field(let field, var text):
            text.perform(edit)
            editing = .field(field, text)
        case .body(var area):
            area.perform(edit, page: page)
            editing = .body(area)
        case nil: break
        }
    }

    /// The row of the pane at a line inside its border: 0 is the URL; nil is the line of tabs.
    func row(atLine line: Int) -> Int? {
        if line == 0 { return 0 }
        return line == 1 ? nil : line - 1 + firstRow
    }

    /// The first visible row of the tab. The URL always shows, so the list's own offset counts from it.
    private var firstRow: Int { position.offset }
}

/// The content of the request pane: a request and its context.
struct RequestView {
    var request: SavedRequest
    var rows: [FormRow]
    var environment: Environment?
    var focused: Bool
}

extension RequestPane {
    /// Draws the pane inside its border, and returns the cursor's position while something is edited.
    func draw(_ view: RequestView, on surface: inout Surface, in rect: Rect) -> Point? {
        var cursor = drawURL(view, on: &surface, in: rect.top(1))
        drawTabs(view, on: &surface, in: rect.dropTop(1).top(1))
        let body = rect.dropTop(Self.headRows)
        if case .body(let area) = editing { return area.draw(on: &surface, in: body) }
        let nameColumns = min(24, max(8, view.rows.map { TextWidth.of($0.name) }.max() ?? 0))
        for line in 0..<body.rows where firstRow + line < view.rows.count {
            let index = firstRow + line
            let place = body.line(line)
            cursor = draw(view.rows[index], nameColumns, on: &surface, in: place) ?? cursor
            if view.focused, editing == nil, row == index { surface.restyle(place, style: Style(.selection)) }
        }
        if view.rows.isEmpty { drawHint(on: &surface, in: body) }
        return cursor
    }

    private func drawURL(_ view: RequestView, on surface: inout Surface, in rect: Rect) -> Point? {
        var pen = Pen(rect)
        let method = view.request.method
        pen.write(method.rawValue, Style(method.role, .bold), on: &surface)
        pen.skip(1)
        if case .field(.url, let text) = editing {
            return text.draw(on: &surface, in: rect.dropLeft(pen.column - rect.column))
        }
        if !view.request.isAbsolute, let host = view.environment?.host {
            pen.write(TemplateText.spans(of: host, plain: .dim), on: &surface)
        }
        pen.write(TemplateText.spans(of: view.request.path, plain: .plain), on: &surface)
        if view.focused, editing == nil, position.cursor == 0 {
            surface.restyle(rect.left(pen.column - rect.column), style: Style(.selection))
        }
        return nil
    }

    private func drawTabs(_ view: RequestView, on surface: inout Surface, in rect: Rect) {
        let titles = RequestTab.allCases.map { $0.title(for: view.request, environment: view.environment) }
        TabBar.draw(titles, current: tab.rawValue, on: &surface, in: rect)
    }

    private func draw(_ row: FormRow, _ nameColumns: Int, on surface: inout Surface, in rect: Rect) -> Point? {
        var pen = Pen(rect)
        if case .bodyLine = row.kind {
            pen.write(TemplateText.spans(of: row.value, plain: .plain), on: &surface)
            return nil
        }
        let isInherited = row.kind == .inherited
        pen.write(isInherited ? "↑ " : row.enabled.map { $0 ? "✓ " : "· " } ?? "  ", Style(.dim), on: &surface)
        var cursor = drawName(row, nameColumns, pen, on: &surface)
        pen.skip(nameColumns + 2)
        if let field = row.valueField, case .field(field, let text) = editing {
            cursor = text.draw(on: &surface, in: rect.dropLeft(pen.column - rect.column))
        } else {
            let plain: Role = isInherited ? .inherited : row.enabled == false ? .dim : .plain
            pen.write(TemplateText.spans(of: row.value, plain: plain), on: &surface)
            if !row.note.isEmpty { pen.write((row.value.isEmpty ? "" : "  ") + row.note, Style(.dim), on: &surface) }
        }
        return cursor
    }

    private func drawName(_ row: FormRow, _ columns: Int, _ pen: Pen, on surface: inout Surface) -> Point? {
        let place = Rect(column: pen.column, row: pen.rect.row, columns: min(columns, pen.left), rows: 1)
        if let name = row.nameField, case .field(name, let text) = editing {
            return text.draw(on: &surface, in: place)
        }
        let role: Role = row.kind == .inherited ? .inherited : row.enabled == false ? .dim : .key
        surface.write(row.name, at: place.origin, style: Style(role), limit: place.columns)
        return nil
    }

    private func drawHint(on surface: inout Surface, in rect: Rect) {
        let hint =
            tab == .params
            ? "No parameters. a adds one; :name in the path makes one." : "Nothing here yet. a adds a row."
        surface.write(hint, at: rect.origin, style: Style(.dim), limit: rect.columns)
    }
}
