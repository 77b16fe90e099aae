import OmbiTerminal

/// Shown in place of the body during a run, and where there was no response: the failure, and every attempt.
enum AttemptsPage {
    static func rows(_ run: RunState, _ view: ResponseView) -> [[Span]] {
        let timeline = Timeline(run, view).rows
        guard let failure = run.failure else { return timeline }
        let message = WrappedText.lines(of: failure, columns: view.columns).map { [Span(text: $0, role: .failure)] }
        let hint = [Span(text: "s sends it again · E switches the environment", role: .dim)]
        return message + [hint, []] + (run.finished.isEmpty ? [] : timeline)
    }
}
