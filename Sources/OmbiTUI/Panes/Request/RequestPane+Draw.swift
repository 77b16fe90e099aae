import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension RequestPane {
    /// The title of the pane: where no other line shows it, with the name of the request and a mark where it differs from
    /// the file.
    func title(_ workbench: Workbench, _ role: Role, named: Bool) -> [Span] {
        let title = [Span(text: "2 Request", role: role)]
        guard named, let request = workbench.request else { return title }
        let isDirty = workbench.file?.isDirty(request.id) ?? false
        return title + [Span(text: " ─ \(request.name)", role: .plain)]
            + (isDirty ? [Span(text: " ●", role: .warning)] : [])
    }

    /// Draws the pane inside its border, and returns the cursor's position while something is edited. Without a request it
    /// shows the file.
    func draw(_ workbench: Workbench, on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        guard let request = workbench.request else {
            FilePage.draw(workbench.file, on: &surface, in: rect)
            return nil
        }
        let view = View(
            request: request, rows: rows(workbench), environment: workbench.environment, focused: focused)
        return draw(view, on: &surface, in: rect)
    }

    /// The content of the pane: a request and its context.
    private struct View {
        var request: SavedRequest
        var rows: [FormRow]
        var environment: Environment?
        var focused: Bool
    }

    private func draw(_ view: View, on surface: inout Surface, in rect: Rect) -> Point? {
        var cursor = drawURL(view, on: &surface, in: rect.top(1))
        drawTabs(view, on: &surface, in: rect.dropTop(1).top(1))
        let body = rect.dropTop(Self.headRows)
        if case .body(let area) = editing { return area.draw(on: &surface, in: body) }
        let nameColumns = min(24, max(8, view.rows.map { TextWidth.of($0.name) }.max() ?? 0))
        for line in 0..<body.rows where firstRow + line < view.rows.count {
            let index = firstRow + line
            let place = body.line(line)
            cursor = draw(view.rows[index], nameColumns, on: &surface, in: place) ?? cursor
            if view.focused, editing == nil, row == index { surface.restyle(place, adding: .highlight) }
        }
        if view.rows.isEmpty { drawHint(on: &surface, in: body) }
        return cursor
    }

    private func drawURL(_ view: View, on surface: inout Surface, in rect: Rect) -> Point? {
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
            surface.restyle(rect, adding: .highlight)
        }
        return nil
    }

    private func drawTabs(_ view: View, on surface: inout Surface, in rect: Rect) {
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
