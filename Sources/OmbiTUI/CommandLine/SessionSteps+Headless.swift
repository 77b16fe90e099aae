import Dispatch
import OmbiCore
import OmbiTerminal
import OmbiWorkspace

extension SessionSteps {
    /// The steps of a program without a screen: secrets are typed at the terminal, if there is one.
    static func headless(_ gate: Gate) -> SessionSteps {
        var steps = SessionSteps(signIn: { order, signIn in
            guard case .code(let code) = signIn.completion else { return }
            let name = SafeText.line(order.request.name)
            StandardError.print("\(name): open \(SafeText.line(signIn.url)) and enter \(SafeText.line(code))")
        })
        steps.whyNobodySignsIn = {
            ControllingTerminal.isThere
                ? nil : "a person signs in, and there is no terminal: run it in one, or leave it out by its tag"
        }
        steps.tokens = kept()
        steps.askForRedirect = { signIn, problem, isWaiting in await ask(signIn, problem, isWaiting) }
        steps.gate = gate
        steps.askForSecret = { _, question in
            ControllingTerminal.secret(prompt: SafeText.line(question.prompt) + " ")
        }
        return steps
    }

    /// The tokens that outlive the program, where the settings say so. They are read when the first token is needed.
    private static func kept() -> @Sendable () -> TokenStore? {
        let known = Lock<TokenStore??>(nil)
        return {
            known.withLock { known in
                if let known { return known }
                let store = TokenStore.standard(ConfigurationFile.load(environment: Screen.environment).tokens)
                known = .some(store)
                return store
            }
        }
    }

    /// Shows the page to sign in on standard error, and reads the address from the terminal.
    private static func ask(
        _ signIn: SignIn, _ problem: String?, _ isWaiting: @escaping @Sendable () -> Bool
    ) async -> String? {
        guard case .redirect(let address, let isListening) = signIn.completion else { return nil }
        if let problem {
            StandardError.print("Not taken: \(SafeText.line(problem)).")
        } else {
            StandardError.print("Sign in at \(SafeText.line(signIn.url))")
            let hint = isListening ? "A browser on this machine comes back by itself; from another one paste" : "Paste"
            StandardError.print("\(hint) the address at which it ends: \(SafeText.line(address))?…")
        }
        // A terminal may be silent for minutes, which would hold up other tasks.
        return await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: ControllingTerminal.line(prompt: "Address: ", while: isWaiting))
            }
        }
    }
}
