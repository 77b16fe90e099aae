/// The list of all runs as it is drawn. What servers and files have said is made safe by the surface.
extension HistoryOverlay {
    /// Draws the list, and returns the cursor's position while the filter is typed.
    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let layout = HistoryLayout(screen)
        OverlayFrame.draw("History of all requests", around: layout.inside, on: &surface)
        let cursor = drawFilter(on: &surface, in: layout.filter)
        if rowCount == 0 {
            draw(emptyText, on: &surface, in: layout.list)
        } else {
            drawRows(on: &surface, in: layout.list)
        }
        drawDetail(on: &surface, in: layout.detail)
        return isTyping ? cursor : nil
    }

    private func drawFilter(on surface: inout Surface, in line: Rect) -> Point {
        let count = TextWidth.of(countText)
        let end = line.right(count)
        surface.write(countText, at: end.origin, style: Style(.dim), limit: end.columns)
        surface.write("/", at: line.origin, style: Style(.footerKey))
        let field = line.dropLeft(2).dropRight(count + 1)
        guard isTyping || !filter.text.isEmpty else {
            surface.write(HistorySearch.forms, at: field.origin, style: Style(.dim), limit: field.columns)
            return field.origin
        }
        return filter.draw(on: &surface, in: field)
    }

    /// `3 of 100+`, with a plus where older runs may match.
    private var countText: String {
        if isWaiting, problem == nil, rowCount == 0 { return "…" }
        let more = hasMore ? "+" : ""
        return rowCount == 0 ? "0\(more)" : "\(position.cursor + 1) of \(rowCount)\(more)"
    }

    private var emptyText: Span {
        if let failure { return Span(text: failure, role: .failure) }
        if isWaiting, problem == nil { return Span(text: "Reading the history…", role: .dim) }
        if hasMore { return Span(text: "Searching, back to \(oldest ?? "older runs")…", role: .dim) }
        let text =
            filter.text.isEmpty
            ? "No run is in the history yet. Esc closes the list; s sends a request."
            : "No run matches; Esc shows all. A filter has \(HistorySearch.forms)."
        return Span(text: text, role: .dim)
    }

    private func draw(_ text: Span, on surface: inout Surface, in rect: Rect) {
        let lines = WrappedText.lines(of: text.text, columns: rect.columns)
        for (row, line) in lines.prefix(rect.rows).enumerated() {
            surface.write(line, at: rect.line(row).origin, style: Style(text.role), limit: rect.columns)
        }
    }

    // MARK: Rows

    private func drawRows(on surface: inout Surface, in list: Rect) {
        let first = position.first(ofVisible: list.rows)
        let shown = (first..<first + list.rows).compactMap { row(at: $0) }
        let widest = shown.reduce(0) { max($0, TextWidth.of($1.environment ?? "")) }
        let columns = HistoryColumns(width: list.columns, environment: widest)
        for (line, row) in shown.enumerated() {
            var pen = Pen(list.line(line))
            switch row {
            case .run(let entry): pen.write(columns.spans(of: entry, isMarked: entry.id == marked), on: &surface)
            case .load(let load): pen.write(columns.spans(of: load), on: &surface)
            }
            if first + line == position.cursor { surface.restyle(list.line(line), adding: .highlight) }
        }
    }

    /// The request of the run under the cursor and why it failed; first of all why the filter is not understood.
    private func drawDetail(on surface: inout Surface, in rect: Rect) {
        for (row, line) in details.prefix(rect.rows).enumerated() {
            surface.write(line.text, at: rect.line(row).origin, style: Style(line.role), limit: rect.columns)
        }
    }

    private var details: [Span] {
        if let problem { return [Span(text: "✗ " + problem, role: .failure)] }
        let message = (remark ?? notice).map { Span(text: $0.text, role: $0.kind.role) }
        if let load = currentLoad {
            let parts = load.requests + [load.environment].compactMap { $0 }
            let requests = Span(text: parts.joined(separator: " · "), role: .dim)
            return [Span(text: load.words, role: .plain), message ?? requests]
        }
        guard let current else { return message.map { [$0] } ?? [] }
        let name = current.request.path.isEmpty ? current.request.file : current.request.shortName
        let parts = [
            name, current.environment, current.size.map(TimeText.size),
            current.outcome == .passed ? nil : current.failure,
        ]
        let end = isCut ? "These are the newest \(entries.count) runs; a filter finds older ones." : nil
        let target = current.url.isEmpty ? "not sent" : "\(current.method) \(current.url)"
        return [
            Span(text: target, role: .plain),
            message ?? Span(text: end ?? parts.compactMap { $0 }.joined(separator: " · "), role: .dim),
        ]
    }
}

/// The columns of the list of all runs.
struct HistoryColumns: Equatable {
    /// Fewer have neither seconds nor the wider columns.
    private static let minimumColumns = 90
    private static let maximumEnvironment = 12

    private let isNarrow: Bool
    private let environment: Int

    /// - Parameter environment: the columns of the longest name of an environment.
    init(width: Int, environment: Int) {
        isNarrow = width < Self.minimumColumns
        self.environment = min(environment, isNarrow ? 8 : Self.maximumEnvironment)
    }

    /// `11-23 08:11:07  load    locust, 200 users for 5m, 12000 sent, 3 failed, p95 12 ms`
    func spans(of load: HistoryLoad) -> [Span] {
        let time = String(HistoryTime.local(load.startedAt).dropFirst(5))
        return [
            Span(text: " " + (isNarrow ? String(time.dropLast(3)) : time) + " ", role: .dim),
            Span(text: Self.cut("load", to: 7) + " ", role: .info),
            Span(text: load.words, role: load.failed == 0 ? .plain : .warning),
        ]
    }

    /// `11-23 08:11:07  GET    ✓ 200    12 ms  3×  local  /users`
    func spans(of entry: HistoryEntry, isMarked: Bool) -> [Span] {
        let time = String(HistoryTime.local(entry.startedAt).dropFirst(5))
        let attempts = entry.attempts > 1 ? "\(entry.attempts)×" : ""
        let name = Self.cut(entry.environment ?? "", to: environment)
        return [
            Span(text: isMarked ? "◆" : " ", role: .warning),
            Span(text: (isNarrow ? String(time.dropLast(3)) : time) + " ", role: .dim),
            Span(text: Self.cut(entry.method, to: 7) + " ", role: .plain), result(of: entry),
            Span(text: " " + TimeText.duration(entry.duration).leftPadded(to: isNarrow ? 7 : 9), role: .plain),
            Span(text: " " + attempts.padded(to: isNarrow ? 3 : 5), role: entry.attempts > 1 ? .warning : .plain),
            Span(text: environment == 0 ? "" : " " + name, role: .info),
            Span(text: " " + entry.target, role: .plain), reason(of: entry),
        ]
    }

    /// The status, or that there is none.
    private func result(of entry: HistoryEntry) -> Span {
        let status = entry.status.map(String.init) ?? "---"
        return switch entry.outcome {
        case .passed: Span(text: "✓ " + status, role: .success)
        case .failed, .error: Span(text: "✗ " + status, role: .failure)
        case .cancelled: Span(text: "  " + status, role: .warning)
        }
    }

    private func reason(of entry: HistoryEntry) -> Span {
        guard entry.outcome != .passed, let failure = entry.failure else { return Span(text: "", role: .dim) }
        return Span(text: " · " + failure, role: .dim)
    }

    /// The text in so many columns: its start, or with spaces after it.
    private static func cut(_ text: String, to columns: Int) -> String {
        guard TextWidth.of(text) > columns else { return text.padded(to: columns) }
        var start = ""
        for character in text {
            guard TextWidth.of(start + String(character)) < columns else { break }
            start.append(character)
        }
        return (start + "…").padded(to: columns)
    }
}

extension HistoryOverlay.Row {
    fileprivate var environment: String? { if case .run(let entry) = self { entry.environment } else { nil } }
}
