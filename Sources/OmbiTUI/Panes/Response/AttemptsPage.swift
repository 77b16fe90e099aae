/// Stands in for the body while a run is under way, and where it got no response: what failed, and every attempt.
enum AttemptsPage {
    static func rows(_ run: RunState, _ view: ResponseView) -> [[Span]] {
        let timeline = Timeline(run, view).rows
        guard let failure = run.failure else { return timeline }
        let message = WrappedText.lines(of: failure, columns: view.columns).map { [Span(text: $0, role: .failure)] }
        let hint = [Span(text: "s sends it again · E chooses another environment", role: .dim)]
        return message + [hint, []] + (run.finished.isEmpty ? [] : timeline)
    }
}

extension RunState {
    /// Whether there is no body to show, only the way to it.
    var showsAttempts: Bool { !showsBody }
}
