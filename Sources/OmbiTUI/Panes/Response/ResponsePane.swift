import OmbiCore
import OmbiTerminal

/// The pane of the response: its tab, and the visible part.
struct ResponsePane: Equatable, Sendable {
    private(set) var tab = ResponseTab.body
    private(set) var top = 0
    private(set) var left = 0

    /// Rows above those of the tab: the tabs.
    static let headRows = 1
    /// Columns per step sideways.
    static let sideStep = 8

    mutating func show(_ tab: ResponseTab) {
        self.tab = tab
        (top, left) = (0, 0)
    }

    mutating func reset() { (top, left) = (0, 0) }

    mutating func move(_ movement: Movement, count: Int, page: Int) {
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

    mutating func scroll(by rows: Int, count: Int, page: Int) {
        top = min(max(0, top + rows), max(0, count - page))
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
    /// The number of rows in the current tab that scroll.
    func rowCount(_ view: ResponseView) -> Int {
        guard let run = view.run else { return 0 }
        return showsBody(run) ? 0 : rows(of: run, view).count
    }

    /// Draws the pane and returns the cursor's position while the body has a prompt.
    func draw(_ view: ResponseView, on surface: inout Surface, in rect: Rect, focused: Bool) -> Point? {
        TabBar.draw(
            ResponseTab.allCases.map { $0.title(for: view.run) }, current: tab.rawValue, on: &surface,
            in: rect.top(1))
        let body = rect.dropTop(Self.headRows)
        guard let run = view.run else {
            drawUnsent(view.description, on: &surface, in: body)
            return nil
        }
        if showsBody(run) { return run.viewer?.draw(on: &surface, in: body, focused: focused) }
        draw(rows(of: run, view), on: &surface, in: body)
        return nil
    }

    /// All of the current tab as text, for copying.
    func text(of run: RunState, _ view: ResponseView) -> String {
        rows(of: run, view).map { $0.map(\.text).joined() }.joined(separator: "\n")
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

    func showsBody(_ run: RunState) -> Bool { tab == .body && run.showsBody }

    /// The rows of every tab without a body, which is laid out line by line.
    private func rows(of run: RunState, _ view: ResponseView) -> [[Span]] {
        switch tab {
        case .body: AttemptsPage.rows(run, view)
        case .headers: filled(HeadersTab.rows(run), run, view)
        case .timeline: Timeline(run, view).rows
        case .sent: filled(SentTab.rows(run), run, view)
        }
    }

    /// A tab without rows says why.
    private func filled(_ rows: [[Span]], _ run: RunState, _ view: ResponseView) -> [[Span]] {
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
