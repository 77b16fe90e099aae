import Foundation

@testable import OmbiCore

/// Answers each attempt with the next step of a script, and counts the attempts.
final class ScriptedTransport: Transport {
    enum Step: Sendable {
        case status(Int, RequestHeaders = [:], String = "")
        case error(TransportError.Code)
        /// Fails after the request has gone out.
        case errorAfterSending(TransportError.Code)
        /// Never answers.
        case silence
    }

    private struct State {
        var steps: [Step]
        var requests: [TransportRequest] = []
        var cancelCount = 0
    }

    private struct Silent: TransportTask {
        let transport: ScriptedTransport
        func cancel() { transport.state.withLock { $0.cancelCount += 1 } }
    }

    private let state: Lock<State>

    /// The last step repeats.
    init(_ steps: Step...) { state = Lock(State(steps: steps)) }

    var requests: [TransportRequest] { state.withLock { $0.requests } }
    var cancelCount: Int { state.withLock { $0.cancelCount } }

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        let step = state.withLock { state in
            state.requests.append(request)
            return state.steps.count > 1 ? state.steps.removeFirst() : state.steps[0]
        }
        switch step {
        case .silence: return Silent(transport: self)
        case .error(let code):
            return StubTransport.stub(error: TransportError(code: code)).start(request, onEvent: onEvent)
        case .errorAfterSending(let code):
            onEvent(.phase(.connect))
            onEvent(.phase(.send))
            return StubTransport.stub(error: TransportError(code: code)).start(request, onEvent: onEvent)
        case .status(let status, let headers, let text):
            return StubTransport.stubResponse(statusCode: status, data: Data(text.utf8), headers: headers)
                .start(request, onEvent: onEvent)
        }
    }
}
