import OmbiCore
import OmbiTerminal
import OmbiViewer

/// The pane of the response: its tab, and the visible part.
struct ResponsePane: Equatable, Sendable {
    private(set) var tab = ResponseTab.body
    private var top = 0
    private var left = 0
    private var size = Size(columns: 80, rows: 10)
    /// The run that the pane shows.
    private var run: RunID?

    /// Rows above those of the tab: the tabs.
    private static let headRows = 1
    /// Columns per step sideways.
    private static let sideStep = 8

    private var page: Int { max(1, size.rows - Self.headRows) }

    /// Follows the run of the selected request and the size of the pane.
    mutating func follow(_ view: ResponseView, size: Size) {
        if run != view.run?.id {
            run = view.run?.id
            (top, left) = (0, 0)
        }
        guard size != self.size else { return }
        self.size = size
        scroll(by: 0, view)
    }

    /// The size of a body in a pane of that size.
    static func bodySize(in size: Size) -> Size { Rect(size).dropTop(headRows).size }

    // MARK: Actions

    mutating func perform(_ action: ResponseAction) -> [Outcome] {
        switch action {
        case .nextTab: show(tab.next)
        case .previousTab: show(tab.previous)
        }
        return []
    }

    mutating func show(_ tab: ResponseTab) {
        self.tab = tab
        (top, left) = (0, 0)
    }

    mutating func move(_ movement: Movement, _ view: ResponseView) {
        let count = rowCount(view)
        switch movement {
        case .up: top -= 1
        case .down: top += 1
        case .left: left = max(0, left - Self.sideStep)
        case .right: left += Self.sideStep
        case .pageUp: top -= max(1, page - 1)
        case .pageDown: top += max(1, page - 1)
        case .halfPageUp: top -= max(1, page / 2)
        case .halfPageDown: top += max(1, page / 2)
        case .top: top = 0
        case .bottom: top = count - page
        }
        top = min(max(0, top), max(0, count - page))
    }

    private mutating func scroll(by rows: Int, _ view: ResponseView) {
        top = min(max(0, top + rows), max(0, rowCount(view) - page))
    }

    /// Scrolls the body or the rows.
    mutating func scroll(by lines: Int, _ view: ResponseView, in runs: inout Runs) {
        guard showsBody(view) else { return scroll(by: lines, view) }
        _ = runs.withViewer(of: view.run?.item) { $0.scroll(by: lines) }
    }

    /// Handles a click at a point inside the border: on a tab, or on a row of the body.
    mutating func click(_ point: Point, _ view: ResponseView, in runs: inout Runs) {
        guard point.row == 0 else { return drag(point, view, in: &runs) { $0.click(row: $1) } }
        let titles = ResponseTab.allCases.map { $0.title(for: view.run) }
        if let index = TabBar.index(at: point.column, of: titles) { show(ResponseTab.allCases[index]) }
    }

    /// Selects rows of a body.
    func drag(
        _ point: Point, _ view: ResponseView, in runs: inout Runs,
        _ change: (inout Viewer, Int) -> Void = { $0.drag(row: $1) }
    ) {
        guard showsBody(view) else { return }
        _ = runs.withViewer(of: view.run?.item) { change(&$0, point.row - Self.headRows) }
    }

    /// Passes an action to the body on the screen. Nil when it means nothing there.
    func performOnBody(_ action: Action, _ view: ResponseView, in runs: inout Runs) -> [Outcome]? {
        guard showsBody(view), let id = view.run?.viewer?.id else { return nil }
        guard let effects = runs.withViewer(of: view.run?.item, { $0.perform(action) }) else { return nil }
        return effects?.outcomes(of: id)
    }

    /// Copies all of the current tab; nil without a run.
    func copy(_ view: ResponseView) -> [Outcome]? {
        guard let run = view.run else { return nil }
        let text = rows(of: run, view).map { $0.map(\.text).joined() }.joined(separator: "\n")
        return [.effect(.copy(text))]
    }
}

/// The content of the response pane: the last run of the request, and the time.
struct ResponseView {
    var run: RunState?
    var now: Duration
    var columns: Int
    /// The description of the request; nil without a request.
    var description: String?
}

extension ResponsePane {
    func showsBody(_ view: ResponseView) -> Bool { tab == .body && view.run?.showsBody ?? false }

    /// The number of rows in the current tab that scroll.
    private func rowCount(_ view: ResponseView) -> Int {
        guard let run = view.run else { return 0 }
        return showsBody(view) ? 0 : rows(of: run, view).count
    }

    /// Draws the pane and returns the cursor's position while the body has a prompt.
    func draw(_ view: ResponseView, on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        TabBar.draw(
            ResponseTab.allCases.map { $0.title(for: view.run) }, current: tab.position, on: &surface,
            in: rect.top(1))
        let body = rect.dropTop(Self.headRows)
        guard let run = view.run else {
            drawUnsent(view.description, on: &surface, in: body)
            return nil
        }
        if showsBody(view) { return run.viewer?.draw(on: &surface, in: body, focused: focused) }
        draw(rows(of: run, view), on: &surface, in: body)
        return nil
    }

    private func drawUnsent(_ description: String?, on surface: inout Surface, in rect: Rect) {
        let lines = WrappedText.lines(of: description ?? "", columns: rect.columns)
        let hint = description == nil ? "Choose a request; s sends it." : "Not sent yet. s sends it."
        for (index, line) in (lines + (lines.isEmpty ? [] : [""])).enumerated() {
            surface.write(line, at: rect.line(index).origin, limit: rect.columns, clip: rect)
        }
        let row = rect.line(lines.isEmpty ? 0 : lines.count + 1)
        surface.write(hint, at: row.origin, style: Style(.dim), limit: rect.columns, clip: rect)
    }

    /// The rows of the current tab; one without rows says why.
    private func rows(of run: RunState, _ view: ResponseView) -> [[Span]] {
        let rows = tab.rows(run, view)
        guard rows.isEmpty else { return rows }
        if let failure = run.failure {
            return WrappedText.lines(of: failure, columns: view.columns).map { [Span(text: $0, role: .failure)] }
        }
        return [[Span(text: run.isRunning ? "nothing yet" : "no response", role: .dim)]]
    }

    private func draw(_ rows: [[Span]], on surface: inout Surface, in rect: Rect) {
        for line in 0..<rect.rows where top + line < rows.count {
            var pen = Pen(rect.line(line))
            pen.write(rows[top + line].dropping(left), on: &surface)
        }
    }
}

extension [Span] {
    /// The spans without their first `columns` characters.
    func dropping(_ columns: Int) -> [Span] {
        var left = columns
        return compactMap { span in
            guard left > 0 else { return span }
            let dropped = Swift.min(left, span.text.count)
            left -= dropped
            let rest = span.text.dropFirst(dropped)
            return rest.isEmpty ? nil : Span(text: String(rest), role: span.role)
        }
    }
}
