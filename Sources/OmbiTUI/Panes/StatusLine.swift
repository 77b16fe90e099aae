import OmbiCore
import OmbiTerminal

/// The last row of the screen: the runs, the latest notice, and the keys that apply.
struct StatusLine {
    var runs: [RunState]
    var notice: Notice?
    var hints: [Binding]
    var now: Duration

    func draw(on surface: inout Surface, in rect: Rect) {
        surface.fill(rect, style: Style(.plain))
        var left = Pen(rect)
        left.skip(1)
        if let run = runs.last {
            left.write(spans(of: run, columns: rect.columns), on: &surface)
            if runs.count > 1 { left.write("   \(runs.count) running", Style(.dim), on: &surface) }
        }
        if let notice {
            left.write(runs.isEmpty ? notice.text : "   " + notice.text, Style(notice.kind.role), on: &surface)
        }
        drawHints(on: &surface, in: rect, from: left.column)
    }

    /// `↻ user by id  attempt 2/4 · waiting 0.3 s · ▓▓▓▓▓░░░░░ SLA 1.2 s left`
    private func spans(of run: RunState, columns: Int) -> [Span] {
        let elapsed = run.elapsed(now: now)
        let left = max(.zero, run.sla - elapsed)
        let fraction = run.sla > .zero ? left / run.sla : 0
        var spans = [Span(text: "↻ ", role: .running)]
        if columns >= 70 { spans.append(Span(text: run.name + "  ", role: .plain)) }
        spans.append(
            Span(text: "attempt \(max(1, run.attempt))/\(run.attempts) · \(doing(run, elapsed)) · ", role: .running))
        spans += Gauge.spans(fraction: fraction, columns: 10, role: fraction < 0.25 ? .failure : .gauge)
        spans.append(Span(text: " SLA \(TimeText.running(left)) left", role: fraction < 0.25 ? .failure : .plain))
        return spans
    }

    private func doing(_ run: RunState, _ elapsed: Duration) -> String {
        if case .waiting(_, let until, _) = run.stage {
            return "waiting " + TimeText.running(max(.zero, until - elapsed))
        }
        guard let phase = run.phases.last?.phase else { return "starting" }
        if phase == .receive, run.received > 0 { return "receiving " + TimeText.size(run.received) }
        return phase.sentence
    }

    /// Draws the hints right-aligned, as many as fit; the last ones (help, quit) stay longest.
    private func drawHints(on surface: inout Surface, in rect: Rect, from column: Int) {
        let running = runs.isEmpty ? [] : [("x", "cancel"), ("r", "retry now")]
        let known = hints.compactMap { hint -> (String, String)? in
            hint.footer.map { (hint.footerKey, $0) }
        }
        // The keys for a run go last, where they stay longest.
        var shown = runs.isEmpty ? known : known.dropLast(2) + running + known.suffix(2)
        while !shown.isEmpty, Self.width(shown) > rect.endColumn - column - 3 {
            shown.remove(at: max(0, shown.count - (runs.isEmpty ? 3 : 5)))
        }
        var pen = Pen(rect)
        pen.skip(to: rect.columns - Self.width(shown) - 1)
        for (index, (key, word)) in shown.enumerated() {
            if index > 0 { pen.skip(2) }
            pen.write(key, Style(.footerKey, .bold), on: &surface)
            pen.write(" " + word, Style(.dim), on: &surface)
        }
    }

    private static func width(_ hints: [(String, String)]) -> Int {
        max(0, hints.reduce(0) { $0 + TextWidth.of($1.0) + TextWidth.of($1.1) + 3 } - 2)
    }
}
