import OmbiWorkspace

extension SessionSteps {
    /// The steps of a program with a screen: it asks for trust, and for secrets that are typed.
    static func asking(_ questions: Questions, trust: Trust) -> SessionSteps {
        var steps = SessionSteps()
        steps.isTrusted = { trust.allows($0, $1) }
        steps.askForTrust = { order in
            guard let request = trust.request(for: order.collection, file: order.file) else { return false }
            guard await questions.ask(.trust(request)) != nil else { return false }
            do throws(FileError) { try trust.accept(request) } catch { return false }
            return true
        }
        steps.askForSecret = { _, question in await questions.ask(.secret(question)) }
        return steps
    }
}
