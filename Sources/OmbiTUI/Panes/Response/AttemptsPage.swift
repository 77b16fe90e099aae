import OmbiTerminal
import OmbiWorkspace

extension String {
    /// The text without a start that stands elsewhere already, as a sentence.
    fileprivate func without(_ start: String) -> String {
        hasPrefix(start) ? String(dropFirst(start.count)).asSentence : self
    }
}

extension RunState {
    /// The reason of a failure, without the name of the request.
    var reason: String? { failure?.without(name + ": ") }
}

/// Shown in place of the body during a run, and where there was no response: the failure, and every attempt.
enum AttemptsPage {
    static func rows(_ run: RunState, _ view: ResponseView) -> [ResponseRow] {
        let before = SignInRows.rows(run, columns: view.columns) + CaptureRows.dependencies(run, view)
        let timeline = before + Timeline(run, view).rows.map { ResponseRow($0) }
        guard let failure = run.reason else { return timeline }
        let message = WrappedText.lines(of: failure, columns: view.columns).map {
            ResponseRow([Span(text: $0, role: .failure)], .value(failure, named: "the error"))
        }
        let hint = ResponseRow([Span(text: "s sends it again · E switches the environment", role: .dim)])
        return message + [hint, ResponseRow([])] + (run.finished.isEmpty ? before : timeline)
    }
}
