import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension AppState {
    /// Draws the whole screen, and returns the cursor's position while something is edited.
    func draw() -> (surface: Surface, cursor: Point?) {
        var surface = Surface(size: size)
        let screen = Rect(column: 0, row: 0, columns: size.columns, rows: size.rows)
        guard !Layout.isTooSmall(size) else {
            drawTooSmall(on: &surface, in: screen)
            return (surface, nil)
        }
        let layout = layout
        var cursor = drawPanes(layout, on: &surface)
        statusLine.draw(on: &surface, in: layout.status)
        for overlay in overlays { cursor = overlay.draw(on: &surface, in: screen.dropBottom(1)) }
        return (surface, cursor)
    }

    private func drawTooSmall(on surface: inout Surface, in screen: Rect) {
        let text = "Too small: needs \(Layout.smallest.columns)×\(Layout.smallest.rows)"
        surface.write(text, at: screen.origin, style: Style(.warning), limit: screen.columns)
    }

    private func drawPanes(_ layout: Layout, on surface: inout Surface) -> Point? {
        // The focused frame comes last, so that its side of a shared line shows.
        for pane in Focus.allCases.sorted(by: { $1 == focus && $0 != focus }) {
            layout.rect(of: pane).map { drawFrame(of: pane, in: $0, on: &surface) }
        }
        for pane in Focus.allCases {
            layout.rect(of: pane).map { drawTitle(of: pane, in: $0, on: &surface) }
        }
        if let inside = layout.inside(.tree) {
            tree.draw(on: &surface, in: inside, runs: runs, isReading: workbench.isReading, focused: focus == .tree)
        }
        var cursor: Point?
        if let inside = layout.inside(.request) {
            cursor = requestPane.draw(workbench, on: &surface, in: inside, focused: focus == .request)
        }
        if let inside = layout.inside(.response) {
            let asking = responsePane.draw(responseView, on: &surface, in: inside, focused: focus == .response)
            if focus == .response { cursor = asking }
        }
        return cursor
    }

    // MARK: Frames

    private func drawFrame(of pane: Focus, in rect: Rect, on surface: inout Surface) {
        let isFocused = pane == focus
        let border = Style(isFocused ? .focusedBorder : .border)
        surface.box(rect, style: border)
        if pane == .response, !isZoomed { joinFrames(rect, border, on: &surface) }
        if pane == .request, !isZoomed, isFocused { joinFrames(rect.bottom(1), border, on: &surface) }
    }

    private func drawTitle(of pane: Focus, in rect: Rect, on surface: inout Surface) {
        var pen = Pen(rect.top(1).dropLeft(1).dropRight(2))
        pen.write(" ", on: &surface)
        pen.write(title(of: pane), on: &surface)
        pen.write(" ", on: &surface)
        if pane == .request, let file = workbench.file, file.collection != nil {
            drawEnvironment(of: file, after: pen, on: &surface)
        }
    }

    /// Joins the line that request and response share to their sides.
    private func joinFrames(_ rect: Rect, _ style: Style, on surface: inout Surface) {
        surface.write("├", at: rect.origin, style: style)
        surface.write("┤", at: Point(column: rect.endColumn - 1, row: rect.row), style: style)
    }

    private func drawEnvironment(of file: OpenFile, after pen: Pen, on surface: inout Surface) {
        let environment = file.chosenEnvironment
        let text = " \(environment?.name ?? "no environment") ▾ "
        guard pen.left > TextWidth.of(text) else { return }
        let role: Role = environment?.protected ?? false ? .production : .info
        surface.write(
            text, at: Point(column: pen.rect.endColumn - TextWidth.of(text), row: pen.rect.row),
            style: Style(role, .bold))
    }

    private func title(of pane: Focus) -> [Span] {
        let role: Role = pane == focus ? .title : .plain
        return switch pane {
        case .tree: [Span(text: "Collections", role: role)]
        case .request: requestPane.title(workbench, role)
        case .response: [Span(text: "Response", role: role)] + (run.map(ResponseTitle.spans) ?? [])
        }
    }

    private var statusLine: StatusLine {
        let possible = keymap.footer(in: scopes).filter {
            guard case .request(let action) = $0.action else { return true }
            return requestPane.isPossible(action, on: workbench.request)
        }
        let isInBody = overlays.isEmpty && focus == .response
        let hints = isInBody ? shownViewer?.hints(possible) ?? possible : possible
        return StatusLine(runs: runs.active, notice: notice, hints: hints, now: now)
    }
}
