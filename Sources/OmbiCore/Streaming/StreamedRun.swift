/// A stream as listed by its manager: the run until the head arrives, and then the body.
final class StreamedRun: Running {
    private enum Phase {
        case running(any Requestable)
        case flowing(any Requestable, PieceBuffer)
        case ended
    }

    private struct State {
        var phase: Phase
        var isCancelled = false
    }

    let run: RequestRun
    private let state: Lock<State>

    init(_ run: RequestRun, of request: any Requestable) {
        self.run = run
        state = Lock(State(phase: .running(request)))
    }

    var progress: (attempt: Int, duration: Duration) { run.progress }

    var requestable: (any Requestable)? {
        switch state.withLock({ $0.phase }) {
        case .running(let request), .flowing(let request, _): request
        case .ended: nil
        }
    }

    func cancel() {
        let phase = state.withLock { state in
            state.isCancelled = true
            return state.phase
        }
        run.cancel()
        if case .flowing(_, let pieces) = phase { pieces.cancel() }
    }

    /// Continues with the body until it has been read or cancelled.
    func follow(_ pieces: PieceBuffer, atEnd: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if case .running(let request) = state.phase { state.phase = .flowing(request, pieces) }
            return state.isCancelled
        }
        if isCancelled { pieces.cancel() }
        pieces.whenOver {
            let before = self.state.withLock { state in
                defer { state.phase = .ended }
                return state.phase
            }
            withExtendedLifetime(before) {}
            atEnd()
        }
    }
}
