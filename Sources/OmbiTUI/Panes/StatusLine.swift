import OmbiCore
import OmbiTerminal

/// The last row of the screen: the keys that apply, in fixed places at its left, and the latest notice or the run at its
/// right. A text that finds no room there covers the row above, so that it hides no key.
struct StatusLine {
    var runs: [RunState]
    var notice: Notice?
    var hints: [Binding]
    /// The keys so far of a chord; the hints are then those that complete it.
    var begun: [Key] = []
    var now: Duration

    /// - Parameter above: the row that a long text covers.
    func draw(on surface: inout Surface, in rect: Rect, above: Rect) {
        surface.fill(rect, style: Style(.plain))
        let end = drawHints(on: &surface, in: rect)
        let text = text(columns: rect.columns)
        let columns = text.reduce(0) { $0 + TextWidth.of($1.text) }
        guard columns > 0 else { return }
        var pen: Pen
        if columns + 3 <= rect.endColumn - end {
            pen = Pen(rect.right(columns + 1))
        } else {
            surface.fill(above, style: .plain)
            pen = Pen(above.dropLeft(1))
        }
        pen.write(text, on: &surface)
    }

    private func text(columns: Int) -> [Span] {
        var spans: [Span] = []
        if let run = runs.last {
            spans = self.spans(of: run, columns: columns)
            if runs.count > 1 { spans.append(Span(text: "   \(runs.count) running", role: .dim)) }
        }
        guard let notice else { return spans }
        return spans + [Span(text: (spans.isEmpty ? "" : "   ") + notice.text, role: notice.kind.role)]
    }

    /// `↻ user by id  attempt 2/4 · waiting 0.3 s · ▓▓▓▓▓░░░░░ SLA 1.2 s left`
    private func spans(of run: RunState, columns: Int) -> [Span] {
        let elapsed = run.elapsed(now: now)
        let left = max(.zero, run.sla - elapsed)
        let fraction = run.sla > .zero ? left / run.sla : 0
        var spans = [Span(text: "↻ ", role: .running)]
        if columns >= 70 { spans.append(Span(text: run.name + "  ", role: .plain)) }
        spans.append(
            Span(text: "attempt \(max(1, run.attempt))/\(run.attempts) · \(run.activity(now: now)) · ", role: .running))
        spans += Gauge.spans(fraction: fraction, columns: 10, role: fraction < 0.25 ? .failure : .gauge)
        spans.append(Span(text: " SLA \(TimeText.running(left)) left", role: fraction < 0.25 ? .failure : .plain))
        return spans
    }

    /// The keys of the chord so far.
    private var waiting: [(String, String)] { [(Key.names(of: begun), "…")] }

    /// Draws as many hints as fit from the left on, the last ones (commands, help, quit) always, and returns the column
    /// after them.
    private func drawHints(on surface: inout Surface, in rect: Rect) -> Int {
        let running = runs.isEmpty ? [] : [("x", "cancel"), ("r", "retry now"), ("+", "attempt")]
        let known = hints.compactMap { hint -> (String, String)? in
            hint.footer.map { (hint.footerKey, $0) }
        }
        // The keys of a run come first: they show as long as it goes on.
        var shown = begun.isEmpty ? running + known : waiting + known + [("Esc", "cancel")]
        for kept in [3, 2] {
            while shown.count > kept, Self.width(shown) > rect.columns - 2 { shown.remove(at: shown.count - kept - 1) }
        }
        var pen = Pen(rect)
        pen.skip(1)
        for (index, (key, word)) in shown.enumerated() {
            if index > 0 { pen.skip(2) }
            pen.write(key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + word, Style(.dim), on: &surface)
        }
        return pen.column
    }

    private static func width(_ hints: [(String, String)]) -> Int {
        max(0, hints.reduce(0) { $0 + TextWidth.of($1.0) + TextWidth.of($1.1) + 3 } - 2)
    }
}
