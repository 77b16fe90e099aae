import Foundation
import TestSupport
import Testing

@testable import OmbiCore
@testable import OmbiWorkspace

/// WebSockets whose peer says a word and closes at once, many at a time.
@Suite struct ShortWebSocketTests {
    /// Accepts the handshake, sends the number of the connection as its last message, and closes without reading what the
    /// client sends.
    private static func server() throws -> ConversationServer {
        try ConversationServer { peer, number in
            guard let head = peer.readHead() else { return }
            let name = "Sec-WebSocket-Key: "
            let key = head.components(separatedBy: "\r\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            guard let key else { return }
            peer.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(HandshakeKey(String(key)).accept)\r\n\r\n")
            let text = "last \(number)"
            peer.write(Data([0x81, UInt8(text.utf8.count)] + text.utf8))
            peer.write(Data([0x88, 2, 0x03, 0xE8]))
        }
    }

    @Test(arguments: [
        (
            "HTTP/1.1 200 OK\r\nX-Id: 7\r\nContent-Length: 5\r\n\r\nhello", 200, "hello",
            " refused the WebSocket: 200 OK"
        ),
        (
            "HTTP/1.1 302 Found\r\nX-Id: 7\r\nLocation: /in\r\nContent-Length: 5\r\n\r\nhello", 302, "hello",
            " refused the WebSocket: 302 Found, to /in"
        ),
        (
            "HTTP/1.1 101 Switching Protocols\r\nX-Id: 7\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\n", 101, "",
            " switched protocols, but not to WebSocket (Upgrade)"
        ),
        ("HTTP/1.1 503 Busy\r\nX-Id: 7\r\nContent-Length: 5\r\n\r\nhello", 503, "hello", "503 Service Unavailable"),
    ])
    func `what came of a handshake that fails stays`(
        answer: String, status: Int, body: String, failure: String
    ) async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write(answer)
            peer.waitForEnd()
        }
        defer { server.stop() }
        var request = SavedRequest(name: "refused", path: server.host + "/x")
        request.webSocket = SavedWebSocket(messages: [])
        let collection = Collection(name: "c", items: [.request(request)])
        let order = RunOrder(id: 1, request: request, collection: collection, environment: nil, file: "/c.json")
        guard case .ended(let result)? = await Session().events(of: order).last else { throw CancellationError() }
        let response = result.receivedResponse
        #expect(response?.statusCode == status && response?["X-Id"] == "7")
        #expect(String(decoding: response?.body ?? Data(), as: UTF8.self) == body)
        #expect(result.report?.attempts.last?.failedWithWholeResponse == (status < 400))
        #expect(result.failures.count == 1 && result.failures[0].hasSuffix(failure), "\(result.failures)")
    }

    @Test(arguments: [true, false]) func `none loses the last message`(sendsMessages: Bool) async throws {
        let server = try Self.server()
        defer { server.stop() }
        var request = SavedRequest(name: "short", path: "/short")
        request.webSocket = SavedWebSocket(messages: [SavedMessage(name: "hello", text: "hello")])
        let collection = Collection(
            name: "c", environments: [Environment(name: "local", host: server.host)], items: [.request(request)])
        var order = RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "/c.json")
        order.sendsMessages = sendsMessages
        let bodies = Lock<[String]>([])
        let plan = RunPlan(length: .times(300), concurrency: 20)
        let tally = await Session(secrets: { _ in .none }).run([order], plan) { _, result in
            #expect(result.passed, "\(result.failures)")
            bodies.withLock { $0.append(String(decoding: result.receivedResponse?.body ?? Data(), as: UTF8.self)) }
            return true
        }
        #expect(tally == Tally(passed: 300))
        let received = bodies.withLock { $0 }.map { body in
            body.components(separatedBy: "\n").filter { $0.hasPrefix("data: last ") }
        }
        #expect(received.allSatisfy { $0.count == 1 })
        #expect(Set(received.joined()).count == 300)
    }
}
