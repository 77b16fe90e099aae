import OmbiTerminal
import OmbiWorkspace

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
    /// The sign-in that the run waits for.
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
