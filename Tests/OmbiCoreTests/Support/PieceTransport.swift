@testable import OmbiCore

/// A transport whose events the test sends by hand; records `cancel`, `pause` and `resume`.
final class PieceTransport: Transport {
    /// In a struct: a closure that is itself the value of a `Lock` is wrapped once more by each access.
    private struct State {
        var requests: [TransportRequest] = []
        var onEvent: (@Sendable (TransportEvent) -> Void)?
    }

    private let state = Lock(State())
    let calls = Transcript()

    private struct Piece: TransportTask {
        let calls: Transcript
        func cancel() { calls.add("cancel") }
        func pause() { calls.add("pause") }
        func resume() { calls.add("resume") }
    }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        state.withLock { state in
            state.requests.append(request)
            state.onEvent = onEvent
        }
        return Piece(calls: calls)
    }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var isStarted: Bool { !requests.isEmpty }

    /// Sends events to the latest attempt.
    func tell(_ events: TransportEvent...) {
        let onEvent = state.withLock { $0.onEvent }
        for event in events { onEvent?(event) }
    }
}
