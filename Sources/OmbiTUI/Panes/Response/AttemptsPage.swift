import OmbiTerminal
import OmbiWorkspace

/// Shown in place of the body during a run, and where there was no response: the failure, and every attempt.
enum AttemptsPage {
    static func rows(_ run: RunState, _ view: ResponseView) -> [ResponseRow] {
        let before = signIn(run) + CaptureRows.dependencies(run, view)
        let timeline = before + Timeline(run, view).rows.map { ResponseRow($0) }
        guard let failure = run.failure else { return timeline }
        let message = WrappedText.lines(of: failure, columns: view.columns).map {
            ResponseRow([Span(text: $0, role: .failure)], .value(failure, named: "the error"))
        }
        let hint = ResponseRow([Span(text: "s sends it again · E switches the environment", role: .dim)])
        return message + [hint, ResponseRow([])] + (run.finished.isEmpty ? before : timeline)
    }

    /// The page and the code that the run waits for, each to be copied.
    private static func signIn(_ run: RunState) -> [ResponseRow] {
        guard run.isRunning, let signIn = run.signIn else { return [] }
        return [
            ResponseRow(
                [Span(text: "Open  ", role: .dim), Span(text: signIn.url, role: .key)],
                .value(signIn.url, named: "the URL")),
            ResponseRow(
                [Span(text: "Enter ", role: .dim), Span(text: signIn.code, role: .warning)],
                .value(signIn.code, named: "the code")),
            ResponseRow([Span(text: "y copies the row under the cursor; the request goes on by itself", role: .dim)]),
            ResponseRow([]),
        ]
    }
}
