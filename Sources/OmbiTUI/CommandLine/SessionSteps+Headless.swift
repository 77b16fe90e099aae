import OmbiTerminal
import OmbiWorkspace

extension SessionSteps {
    /// The steps of a program without a screen: secrets are typed at the terminal, if there is one.
    static func headless(_ trust: Trust) -> SessionSteps {
        var steps = SessionSteps(signIn: { order, signIn in
            let name = SafeText.line(order.request.name)
            StandardError.print("\(name): open \(SafeText.line(signIn.url)) and enter \(SafeText.line(signIn.code))")
        })
        steps.isTrusted = { trust.allows($0, $1) }
        steps.askForSecret = { _, question in
            let words = question.words.isEmpty ? "Secret \(question.name)" : question.words
            return ControllingTerminal.secret(prompt: SafeText.line("\(words) (\(question.environment)): "))
        }
        return steps
    }
}
