import Foundation
import TestSupport

@testable import OmbiAuthentication

/// An authorization server on the stub: answers each request with the next of its answers, the last one repeats.
final class TokenServer: Sendable {
    enum Answer: Sendable {
        case reply(Int, String)
        case failure(TransportError.Code)
        case held(Gate, String)

        static func json(_ text: String) -> Answer { .reply(200, text) }
        static func json(_ status: Int, _ text: String) -> Answer { .reply(status, text) }
    }

    private let answers: LoopbackLock<[Answer]>
    private let received = LoopbackLock<[TransportRequest]>([])
    private let entries = LoopbackLock<[RequestLog.Entry]>([])
    let clock = TestClock()

    convenience init(_ answers: Answer...) { self.init(answers) }

    init(_ answers: [Answer]) { self.answers = LoopbackLock(answers) }

    /// The forms that came in, in order.
    var forms: [[String: String]] {
        received.withLock { $0 }.map { request in
            let parameters = RequestParameters(encoded: String(decoding: request.body ?? Data(), as: UTF8.self))
            return Dictionary(parameters.allParameters.map { ($0.name, $0.value.text) }) { "\($0) and \($1)" }
        }
    }

    var requests: [TransportRequest] { received.withLock { $0 } }
    var log: String { entries.withLock { $0 }.map(\.message).joined(separator: "\n") }

    /// Seconds of the clock after a fixed date.
    static let start = Date(timeIntervalSince1970: 1_700_000_000)
    var now: Date { Self.start.addingTimeInterval(Double(clock.now.offset.components.seconds)) }

    func client(
        secret: String? = "s3cret", placement: OAuth2Client.SecretPlacement = .header
    ) -> OAuth2Client {
        OAuth2Client(
            id: "app", secret: secret, secretPlacement: placement, server: manager, tokenPath: "/token",
            devicePath: "/device", authorizationURL: URL(string: "https://id.test/authorize"), clock: clock,
            now: { [self] in now })
    }

    private var manager: RequestManager {
        let log = RequestLog(subsystem: "test", category: "oauth") { [self] entry in
            entries.withLock { $0.append(entry) }
        }
        return RequestManager(host: "https://id.test", transport: TokenTransport(server: self), log: log)
    }

    fileprivate func answer(_ request: TransportRequest) -> Answer {
        received.withLock { $0.append(request) }
        return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}

private struct TokenTransport: Transport {
    struct NoTask: TransportTask {
        func cancel() {}
    }

    let server: TokenServer

    func start(
        _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
    ) -> any TransportTask {
        switch server.answer(request) {
        case .reply(let status, let text): Self.finish(status, text, onEvent)
        case .failure(let code): onEvent(.failed(TransportError(code: code), TransportMetrics()))
        case .held(let gate, let text):
            Task {
                await gate.pass()
                Self.finish(200, text, onEvent)
            }
        }
        return NoTask()
    }

    private static func finish(_ status: Int, _ text: String, _ onEvent: @Sendable (TransportEvent) -> Void) {
        let response = TransportResponse(
            headers: ["Content-Type": "application/json"], statusCode: status, body: Data(text.utf8))
        onEvent(.finished(response, TransportMetrics()))
    }
}
