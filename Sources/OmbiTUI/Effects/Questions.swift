import OmbiCore

/// The questions of runs that are open, until the screen answers them.
final class Questions: Sendable {
    private struct State {
        var last = 0
        var open: [SessionQuestion.ID: CheckedContinuation<String?, Never>] = [:]
        var onAsk: (@Sendable (SessionQuestion) -> Void)?
    }

    private let state = Lock(State())

    /// Sets the handler that shows a question.
    func onAsk(_ handler: @escaping @Sendable (SessionQuestion) -> Void) { state.withLock { $0.onAsk = handler } }

    /// Returns the answer; nil for none.
    func ask(_ subject: SessionQuestion.Subject) async -> String? {
        await withCheckedContinuation { continuation in
            let (id, handler) = state.withLock { state in
                state.last += 1
                if state.onAsk != nil { state.open[state.last] = continuation }
                return (state.last, state.onAsk)
            }
            guard let handler else { return continuation.resume(returning: nil) }
            handler(SessionQuestion(id: id, subject: subject))
        }
    }

    func answer(_ id: SessionQuestion.ID, _ text: String?) {
        state.withLock { $0.open.removeValue(forKey: id) }?.resume(returning: text)
    }
}
