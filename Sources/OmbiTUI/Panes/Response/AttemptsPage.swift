import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension RunState {
    /// The text of a failure, without the name of the request.
    var cause: String? { failure.map { $0.hasPrefix(name + ": ") ? String($0.dropFirst(name.count + 2)) : $0 } }

    /// The same as a sentence of its own.
    var reason: String? { cause == failure ? failure : cause?.asSentence }
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

extension MissedRetry {
    /// `not retried: Retry-After 30 s is longer than the 4.9 s left of the SLA`
    var words: String {
        let time = TimeText.duration(wait)
        let subject = reason == .retryAfter ? "Retry-After \(time)" : "the wait of \(time) (\(reason.name))"
        let limit =
            maximum.map { "\(TimeText.duration($0)) that are waited for at most" }
            ?? "\(TimeText.duration(slaLeft)) left of the SLA"
        return "not retried: \(subject) is longer than the \(limit)"
    }
}
