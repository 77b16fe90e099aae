import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// WebSockets whose request is made before they are opened.
@Suite(.timeLimit(.minutes(2))) struct BuiltWebSocketTests {
    /// Refuses the first handshake with 401, and greets after the others.
    private static func server(_ handshakes: Lock<[[String]]>) throws -> RawServer {
        try WebSocketPlayer.server { player in
            let count = handshakes.withLock { handshakes in
                handshakes.append(player.handshake)
                return handshakes.count
            }
            guard count > 1 else { return player.write("HTTP/1.1 401 x\r\nContent-Length: 0\r\n\r\n") }
            player.accept()
            player.write(.text("hello"))
            _ = player.readToClose()
        }
    }

    @Test func `a request that is made already opens a WebSocket, with a span for each connection`() async throws {
        let handshakes = Lock<[[String]]>([])
        let server = try Self.server(handshakes)
        defer { server.stop() }
        let manager = RequestManager(host: server.host + "/v1", transport: CurlTransport())
        let trace = TraceContext.random()
        let request = Result<TransportRequest, any Error> {
            try manager.buildRequest(path: "/chat?a=b") { request in
                request.headers["X-Own"] = "o"
                request.beginTrace(trace)
            }
        }
        let tokens = Counter()
        let authenticator = TokenAuthenticator(.init("first")) { _ in .init("\(tokens.next())") }
        let socket = manager.webSocket(
            BuiltRequest(request, authenticator: authenticator),
            options: WebSocketOptions { $0.subprotocols = ["v1"] })
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "hello")
        socket.cancel()
        let lines = handshakes.withLock { $0 }
        #expect(lines.count == 2)
        for line in ["GET /v1/chat?a=b HTTP/1.1", "X-Own: o", "Sec-WebSocket-Protocol: v1"] {
            #expect(lines.allSatisfy { $0.contains(line) }, "\(line)")
        }
        #expect(lines.allSatisfy { $0.contains { $0.hasPrefix("User-Agent: ") } })
        #expect(
            lines.map { $0.filter { $0.hasPrefix("Authorization: ") } } == [
                ["Authorization: Bearer first"], ["Authorization: Bearer 0"],
            ])
        let name = "traceparent: "
        let spans = lines.joined().filter { $0.hasPrefix(name) }.compactMap {
            TraceContext(String($0.dropFirst(name.count)))
        }
        #expect(spans.map(\.traceID) == [trace.traceID, trace.traceID])
        #expect(Set(spans.map(\.spanID)).count == 2)
    }

    @Test func `a request that could not be made opens no connection`() async throws {
        let channels = ManualChannels()
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels)
        let request = Result<TransportRequest, any Error> {
            try manager.buildRequest(path: "/") { $0.headers["X-Own"] = "a\nb" }
        }
        let socket = manager.webSocket(BuiltRequest(request, authenticator: nil), options: WebSocketOptions())
        do throws(WebSocketError) {
            try await socket.opened()
            Issue.record("opened")
        } catch .malformedRequest(let error) {
            #expect((error as? MalformedRequest)?.part == .header)
        }
        #expect(channels.count == 0)
    }
}
