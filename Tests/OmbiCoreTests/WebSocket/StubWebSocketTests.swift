import Foundation
import Testing

@testable import OmbiCore

/// WebSockets whose server is a script of the stub.
@Suite struct StubWebSocketTests {
    private func socket(
        _ stub: StubTransport, _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> WebSocket {
        RequestManager(host: "http://stub.test", transport: stub).webSocket("/", options: WebSocketOptions(change))
    }

    private func received(_ socket: WebSocket) async throws -> [WebSocketMessage] {
        var messages: [WebSocketMessage] = []
        for try await message in socket.messages { messages.append(message) }
        return messages
    }

    @Test func `a script sends, waits, responds and closes`() async throws {
        let record = StubTransport.Record()
        let large = WebSocketMessage.binary(Data(repeating: 7, count: 100_000))
        let stub = StubTransport.webSocket(
            .send("hello"), .receive, .respond { [.text("echo \($0.text ?? "")"), large] },
            .close(.goingAway, reason: "over")
        ).recording(in: record)
        let socket = socket(stub) {
            $0.subprotocols = ["v2", "v1"]
            $0.fragmentBytes = 50_000
        }
        try await socket.opened()
        try await socket.send(large)
        try await socket.send("b")
        #expect(try await received(socket) == ["hello", "echo b", large])
        #expect(socket.closeCode == .goingAway && socket.closeReason == "over" && socket.subprotocol == "v2")
        #expect(record.messages == [large, "b"] && record.requests.map(\.url.absoluteString) == ["http://stub.test/"])
    }

    @Test func `pings and a close of the client are answered after the script`() async throws {
        let socket = socket(.webSocket(.send("a")))
        try await socket.ping()
        try await socket.close(code: .normal, reason: "done")
        #expect(try await received(socket) == ["a"])
        #expect(socket.closeCode == .normal)
    }

    @Test func `each connection has the next script`() async throws {
        let stub = StubTransport.stub(replies: []).playing(scripts: [
            [.refuse(statusCode: 503)], [.send("a"), .drop], [.send("b"), .close(.normal)],
        ])
        let socket = socket(stub) {
            $0.reconnect = RetryPolicy(retries: 5, backoff: .constant(.milliseconds(1)))
        }
        #expect(try await received(socket) == ["a", "b"])
    }

    @Test func `a refusal and a lost connection are errors`() async {
        let refused = socket(.webSocket(.refuse(statusCode: 403)))
        #expect(await sentence { try await refused.opened() } == "stub.test refused the WebSocket: 403 Forbidden")
        let dropped = socket(.webSocket(.drop))
        #expect(
            await sentence { for try await _ in dropped.messages {} }
                == "stub.test closed the connection without a close frame")
    }

    @Test func `requests have replies beside the script, and a stub without one opens no channel`() async throws {
        let stub = StubTransport.stub(replies: [.response(data: Data("x".utf8))])
        let manager = RequestManager(host: "http://stub.test", transport: stub.playing(.send("a"), .close(.normal)))
        #expect(try await manager.value(for: TextRequest()) == "x")
        #expect(try await received(manager.webSocket("/")) == ["a"])
        let plain = socket(stub)
        #expect(
            await sentence { try await plain.opened() }
                == "StubTransport opens no channels, which a WebSocket runs over")
    }
}
