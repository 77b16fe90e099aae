/// The last row of the screen: the keys that apply, in fixed places at its left, and the latest notice or the run at its
/// right. A text that finds no room there covers the rows above, so that it hides no key and is not cut.
struct StatusLine {
    var runs: [RunState]
    var notice: Notice?
    var hints: [Binding]
    /// The keys of what goes on, before all others and at any width.
    var firstKeys: [Binding] = []
    /// The keys so far of a chord; the hints are then those that complete it.
    var begun: [Key] = []
    var now: Duration
    /// The request that is sent again and again.
    var watch: Watch?

    /// The rows of a message that are shown; the message log has all of it.
    private static let maximumRows = 3

    /// - Parameter above: the rows of which a long text covers the last ones.
    func draw(on surface: inout Surface, in rect: Rect, above: Rect) {
        surface.fill(rect, style: Style(.plain))
        let end = drawHints(on: &surface, in: rect)
        let run = runSpans(columns: rect.columns)
        let message = notice.map { Span(text: (run.isEmpty ? "" : "   ") + $0.text, role: $0.kind.role) }
        let text = run + (message.map { [$0] } ?? [])
        let columns = text.reduce(0) { $0 + TextWidth.of($1.text) }
        guard columns > 0 else { return }
        if columns + 3 <= rect.endColumn - end {
            var pen = Pen(rect.right(columns + 1))
            return pen.write(text, on: &surface)
        }
        let rows = columns < above.columns ? [text] : rows(run, in: above)
        let covered = above.bottom(min(rows.count, above.rows))
        surface.fill(covered, style: .plain)
        for (index, row) in rows.prefix(covered.rows).enumerated() {
            var pen = Pen(covered.line(index).dropLeft(1))
            pen.write(row, on: &surface)
        }
    }

    /// The run, and the message below it in as many rows as it takes.
    private func rows(_ run: [Span], in rect: Rect) -> [[Span]] {
        let first = run.isEmpty ? [] : [run]
        guard let notice else { return first }
        let lines = WrappedText.lines(of: notice.text, columns: rect.columns - 1)
        let whole = max(0, min(Self.maximumRows, rect.rows - first.count) - 1)
        let shown = lines.prefix(whole) + [lines.dropFirst(whole).joined(separator: " ")]
        return first + shown.filter { !$0.isEmpty }.map { [Span(text: $0, role: notice.kind.role)] }
    }

    private func runSpans(columns: Int) -> [Span] {
        var spans: [Span] = []
        if let run = runs.last {
            spans = self.spans(of: run, columns: columns)
            if runs.count > 1 { spans.append(Span(text: "   \(runs.count) running", role: .dim)) }
        } else if let watch {
            spans.append(Span(text: watch.text(at: now), role: .running))
        }
        return spans
    }

    /// `↻ user by id  attempt 2/4 · waiting 0.3 s · ▓▓▓▓▓░░░░░ SLA 1.2 s left`
    private func spans(of run: RunState, columns: Int) -> [Span] {
        let elapsed = run.elapsed(now: now)
        guard run.sent != nil else {
            return [Span(text: "↻ \(run.name)  preparing · \(TimeText.running(elapsed))", role: .running)]
        }
        let left = max(.zero, run.sla - elapsed)
        let fraction = run.sla > .zero ? left / run.sla : 0
        var spans = [Span(text: "↻ ", role: .running)]
        if columns >= 70 { spans.append(Span(text: run.name + "  ", role: .plain)) }
        if let pages = run.pages {
            return spans + [Span(text: "\(pages.position) · \(run.activity(now: now))", role: .running)]
        }
        spans.append(
            Span(text: "attempt \(max(1, run.attempt))/\(run.attempts) · \(run.activity(now: now)) · ", role: .running))
        guard run.sla > .zero else { return spans + [Span(text: "no SLA", role: .dim)] }
        spans += Gauge.spans(fraction: fraction, columns: 10, role: fraction < 0.25 ? .failure : .gauge)
        spans.append(Span(text: " SLA \(TimeText.running(left)) left", role: fraction < 0.25 ? .failure : .plain))
        return spans
    }

    // MARK: Keys

    /// A key with its word; a click on them does what the key does.
    private struct Hint {
        let key: String
        let word: String
        let action: Action?

        var columns: Int { TextWidth.of(key) + 1 + TextWidth.of(word) }
    }

    /// As many hints as fit from the left on: those of what goes on always. The first two and the last ones (commands, help, quit)
    /// go before none of the others; where even they have no room, the last of all stays longest.
    private func shownHints(columns: Int) -> [Hint] {
        let first = first
        var shown = first + Self.hints(hints) + last
        var room = columns - shown.reduce(0) { $0 + $1.columns + 2 }
        let front = first.isEmpty ? 2 : 0
        for (start, end) in [(front, 3), (front, 2), (front, 1), (front / 2, 1), (0, 1)] {
            while shown.count > first.count + start + end, room < 0 {
                room += shown.remove(at: shown.count - end - 1).columns + 2
            }
        }
        if shown.count > max(1, first.count), room < 0 { shown.removeLast() }
        return shown
    }

    /// The keys of what goes on, or those of a chord that were typed.
    private var first: [Hint] {
        guard begun.isEmpty else { return [Hint(key: Key.names(of: begun), word: "…", action: nil)] }
        return Self.hints(firstKeys)
    }

    private static func hints(_ bindings: [Binding]) -> [Hint] {
        bindings.compactMap { binding in
            binding.footer.map { Hint(key: binding.footerKey, word: $0, action: binding.action) }
        }
    }

    private var last: [Hint] {
        begun.isEmpty ? [] : [Hint(key: "Esc", word: "cancel", action: .app(.endChord(begun + [.escape])))]
    }

    private func drawHints(on surface: inout Surface, in rect: Rect) -> Int {
        var pen = Pen(rect)
        pen.skip(1)
        for (index, hint) in shownHints(columns: rect.columns).enumerated() {
            if index > 0 { pen.skip(2) }
            pen.write(hint.key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + hint.word, Style(.dim), on: &surface)
        }
        return pen.column
    }

    func action(at column: Int, columns: Int) -> Action? {
        var start = 1
        for hint in shownHints(columns: columns) {
            if (start..<start + hint.columns).contains(column) { return hint.action }
            start += hint.columns + 2
        }
        return nil
    }
}

/// The screen without a collection: the name of the program, and the keys that bring a first request.
struct StartPage {
    private static let keyColumns = 8
    private static let choices: [(action: Action, label: String)] = [
        (.tree(.askForCollection), "new collection"),
        (.tree(.askForPath), "open a file or a folder, also of Postman, OpenAPI, Bruno …"),
        (.files(.askToImport), "import a curl command or a URL without sending it"),
        (.app(.manual), "read the manual"), (.app(.help), "show all keys"),
    ]

    private let lines: [[Span]]

    /// - Parameters:
    ///   - folder: the one without collections; empty where it is not known.
    ///   - hasClosed: true once collections were closed: the folder may have some.
    init(_ keymap: Keymap, folder: String, hasClosed: Bool = false) {
        func key(_ action: Action) -> String? {
            let binding = keymap.bindings.first { $0.scope == .start && $0.action == action }
            return binding?.sequences.first.map { Key.names(of: $0) }
        }
        let keys: [[Span]] = Self.choices.compactMap { choice in
            key(choice.action).map { key in
                [
                    Span(text: key.padded(to: Self.keyColumns), role: .footerKey),
                    Span(text: choice.label, role: .plain),
                ]
            }
        }
        let opening = key(.tree(.askForPath)).map { "; \($0) opens one" } ?? ""
        let state =
            hasClosed
            ? "No collection is open\(opening)." : "No collections in \(folder.isEmpty ? "this folder" : folder)."
        lines =
            [
                [
                    Span(text: "Ombi \(Program.version)", role: .title),
                    Span(text: "  an API explorer for the terminal", role: .dim),
                ], [Span(text: state, role: .dim)], [],
                [Span(text: "Type or paste a URL or a curl command; Enter sends it.", role: .plain)], [],
            ] + keys + [[], [Span(text: "ombi demo", role: .footerKey), Span(text: " shows an example.", role: .dim)]]
    }

    func draw(on surface: inout Surface, in screen: Rect) {
        let columns = lines.map { $0.reduce(0) { $0 + TextWidth.of($1.text) } }.max() ?? 0
        let rect = screen.centered(
            columns: min(columns, screen.columns - 2), rows: min(lines.count, screen.rows))
        for (index, line) in lines.enumerated() where index < rect.rows {
            var pen = Pen(rect.line(index))
            pen.write(line, on: &surface)
        }
    }
}
