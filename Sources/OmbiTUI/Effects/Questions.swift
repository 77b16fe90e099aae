/// The questions of runs that are open, until the screen answers them.
final class Questions: Sendable {
    private struct State {
        var last = 0
        /// Few: a list needs none of the types that a dictionary brings before the first frame.
        var open: [Open] = []
        var onAsk: (@Sendable (SessionQuestion) -> Void)?
    }

    private struct Open {
        var id: SessionQuestion.ID
        var continuation: CheckedContinuation<String?, Never>
    }

    private let state = Lock(State())

    func onAsk(_ handler: @escaping @Sendable (SessionQuestion) -> Void) { state.withLock { $0.onAsk = handler } }

    /// Returns the answer; nil for none.
    func ask(_ subject: SessionQuestion.Subject) async -> String? {
        await withCheckedContinuation { continuation in
            let (id, handler) = state.withLock { state in
                state.last += 1
                if state.onAsk != nil { state.open.append(Open(id: state.last, continuation: continuation)) }
                return (state.last, state.onAsk)
            }
            guard let handler else { return continuation.resume(returning: nil) }
            handler(SessionQuestion(id: id, subject: subject))
        }
    }

    /// Leaves all questions without an answer, those to come, too.
    func end() {
        let open = state.withLock { state in
            defer { (state.open, state.onAsk) = ([], nil) }
            return state.open
        }
        for question in open { question.continuation.resume(returning: nil) }
    }

    func answer(_ id: SessionQuestion.ID, _ text: String?) {
        let asked = state.withLock { state in
            state.open.firstIndex { $0.id == id }.map { state.open.remove(at: $0) }
        }
        asked?.continuation.resume(returning: text)
    }
}

extension SessionSteps {
    /// The steps of a program with a screen: it asks for grants, and for secrets that are typed.
    static func asking(_ questions: Questions, gate: Gate) -> SessionSteps {
        var steps = SessionSteps()
        steps.gate = gate
        steps.askForGrants = { _, question in await questions.ask(.gate(question)) == nil ? .refused : .allowed }
        steps.askForSecret = { _, question in await questions.ask(.secret(question)) }
        steps.asksForVariables = true
        return steps
    }
}
