import OmbiWorkspace

extension SessionSteps {
    /// The steps of a program with a screen: it asks for grants, and for secrets that are typed.
    static func asking(_ questions: Questions, gate: Gate) -> SessionSteps {
        var steps = SessionSteps()
        steps.gate = gate
        steps.askForGrants = { _, question in await questions.ask(.gate(question)) == nil ? .refused : .allowed }
        steps.askForSecret = { _, question in await questions.ask(.secret(question)) }
        return steps
    }
}
