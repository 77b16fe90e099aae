import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension RunState {
    /// The text of a failure, without the name of the request.
    var cause: String? { failure.map { $0.hasPrefix(name + ": ") ? String($0.dropFirst(name.count + 2)) : $0 } }

    /// The same as a sentence of its own.
    var reason: String? { cause == failure ? failure : cause?.asSentence }
}

extension RunState {
    /// True while a breaker holds the next attempt.
    var isHeld: Bool { if case .waiting(_, _, .breaker) = stage { true } else { false } }

    /// `held by the breaker of api.example.com, 8.0 s left · r sends a probe`
    func holdText(left: Duration, isProbed: Bool) -> String {
        let time = isProbed ? "until the probe of another run ends" : "\(TimeText.running(left)) left"
        return "held by the breaker\(server.map { " of " + $0 } ?? ""), \(time) · r sends a probe"
    }

    /// Host and port of the request; nil for a URL that has none.
    private var server: String? {
        guard let url = sent?.url, let origin = url.firstRange(of: "://") else { return nil }
        let server = url[origin.upperBound...].prefix { !"/?#".contains($0) }
        return server.isEmpty ? nil : String(server)
    }
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
    /// `not retried: Retry-After 30 s is longer than the 4.9 s left of the SLA`,
    /// `not retried: retry budget of api.example.com spent: 20 % of the last 50 requests`
    var words: String {
        if let budget { return "not retried: \(budget)" }
        let time = TimeText.duration(wait)
        let subject = reason == .retryAfter ? "Retry-After \(time)" : "the wait of \(time) (\(reason.name))"
        let limit =
            maximum.map { "\(TimeText.duration($0)) that are waited for at most" }
            ?? "\(TimeText.duration(slaLeft)) left of the SLA"
        return "not retried: \(subject) is longer than the \(limit)"
    }
}

/// The rows in place of the body of an attempt that has none, or whose body is not kept.
enum AttemptRows {
    /// - Parameter isRedirect: true for a redirect that the attempt followed.
    static func rows(_ attempt: AttemptReport, isRedirect: Bool = false, columns: Int) -> [ResponseRow] {
        let role: Role = attempt.received == nil ? .failure : .dim
        return WrappedText.lines(
            of: isRedirect ? "The body of this redirect is not kept." : text(attempt), columns: columns
        ).map { ResponseRow([Span(text: $0, role: role)]) }
    }

    private static func text(_ attempt: AttemptReport) -> String {
        if let bytes = attempt.omittedBody { return "Body not kept: \(TimeText.size(bytes))" }
        guard let received = attempt.received else { return attempt.outcome.failure ?? "This attempt has no response." }
        return received.headers == nil ? "The response to this attempt is not recorded." : "No body."
    }
}
