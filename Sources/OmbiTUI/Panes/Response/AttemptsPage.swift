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

/// The page to which a run sends its user, in the place of the body.
enum SignInRows {
    private static let label = "Open  "

    static func rows(_ run: RunState, columns: Int) -> [ResponseRow] {
        guard let signIn = run.pendingSignIn else { return [] }
        return page(signIn.url, columns: columns) + completion(signIn, columns: columns) + [ResponseRow([])]
    }

    /// The whole URL, on as many rows as it takes: a terminal may copy only what it shows.
    private static func page(_ url: String, columns: Int) -> [ResponseRow] {
        let width = max(20, columns - label.count)
        var rest = Substring(url)
        var rows: [ResponseRow] = []
        while !rest.isEmpty {
            let lead = rows.isEmpty ? label : String(repeating: " ", count: label.count)
            rows.append(
                ResponseRow(
                    [Span(text: lead, role: .dim), Span(text: String(rest.prefix(width)), role: .key)],
                    .value(url, named: "the URL")))
            rest = rest.dropFirst(width)
        }
        return rows
    }

    private static func completion(_ signIn: SignIn, columns: Int) -> [ResponseRow] {
        switch signIn.completion {
        case .code(let code):
            let enter = ResponseRow(
                [Span(text: "Enter ", role: .dim), Span(text: code, role: .warning)], .value(code, named: "the code"))
            return [enter] + hints("y copies the row under the cursor; the request goes on by itself", columns)
        case .redirect(let address, let isListening):
            let waits = ResponseRow(
                [Span(text: "Wait  ", role: .dim), Span(text: address, role: .plain)],
                .value(address, named: "the address"))
            let here = isListening ? "A browser on this machine comes back by itself. From another one, " : ""
            let there = "Enter pastes the address at which it ends, even if it shows an error there."
            let sentence = here.isEmpty ? there : here + there
            return [waits] + hints("y copies the URL, o opens it here. " + sentence, columns)
        }
    }

    private static func hints(_ text: String, _ columns: Int) -> [ResponseRow] {
        WrappedText.lines(of: text, columns: columns).map { ResponseRow([Span(text: $0, role: .dim)]) }
    }
}

extension RunState {
    var pendingSignIn: SignIn? { isRunning ? signIn : nil }
}

extension SignIn {
    /// True where a code is entered on the page.
    var isCode: Bool { if case .code = completion { true } else { false } }
}

/// The actions on the sign-in for which a run waits.
extension ResponsePane {
    func performOnSignIn(_ action: ResponseAction, _ view: ResponseView) -> [Outcome] {
        guard let signIn = view.run?.pendingSignIn else { return .notify(.info, "No request waits for a sign-in") }
        switch action {
        case .openSignIn: return [.effect(.browse(signIn.url))]
        case .askForRedirect:
            guard let address = signIn.redirectURI else {
                return .notify(.info, "Enter the code on the page; the request goes on by itself")
            }
            return [.open(.prompt(PromptOverlay(.redirect(to: address, signIn.id))))]
        case .submitRedirect(let address, let id): return [.effect(.submitRedirect(address, for: id))]
        default: return []
        }
    }
}

/// The requests that were sent first, with their attempts, and the values that were captured.
enum CaptureRows {
    /// - Returns: nothing for a run that needs no other request.
    static func dependencies(_ run: RunState, _ view: ResponseView) -> [ResponseRow] {
        guard !run.dependencies.isEmpty else { return [] }
        let rows = run.dependencies.flatMap { dependency in
            [title(dependency)] + attempts(dependency.run, view).map { ResponseRow($0) }
        }
        return rows + [ResponseRow([])]
    }

    /// `sent log in first, for {{token}}: 200 OK · 12 ms`
    private static func title(_ dependency: RunState.DependencyState) -> ResponseRow {
        let run = dependency.run
        var spans = [
            Span(text: run.isRunning ? "sends " : "sent ", role: .dim), Span(text: run.name, role: .title),
            Span(text: " first, for ", role: .dim), Span(text: "{{\(dependency.variable)}}", role: .variable),
        ]
        switch run.stage {
        case .preparing, .attempting, .waiting: break
        case .ended(.cancelled): spans.append(Span(text: ": cancelled", role: .warning))
        case .ended(.failure(let message)): spans.append(Span(text: ": " + message, role: .failure))
        case .ended(.response(let response)):
            let status = response.statusCode
            spans += [
                Span(text: ": ", role: .dim),
                Span(text: status.map(StatusCode.words) ?? "no status", role: .forStatus(status)),
                Span(text: " · " + TimeText.duration(run.report?.duration ?? .zero), role: .dim),
            ]
        }
        return ResponseRow(spans)
    }

    /// Nothing for one that passed at once.
    private static func attempts(_ run: RunState, _ view: ResponseView) -> [[Span]] {
        if !run.isRunning, run.finished.count <= 1 { return [] }
        return Timeline(run, view).attempts
    }

    static func captured(_ run: RunState) -> [ResponseRow] {
        guard !run.captured.isEmpty else { return [] }
        return [ResponseRow([])]
            + run.captured.map { value in
                ResponseRow(
                    [
                        Span(text: "captured ", role: .dim), Span(text: value.name, role: .variable),
                        Span(text: " from \(value.source): ", role: .dim), Span(text: value.value, role: .plain),
                    ], .value(value.value, named: value.name))
            }
    }
}
