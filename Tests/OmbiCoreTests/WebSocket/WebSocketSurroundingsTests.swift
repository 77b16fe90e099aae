import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Middlewares and authenticators around the opening handshake of a WebSocket.
@Suite struct WebSocketSurroundingsTests {
    private typealias Around = MiddlewareTests.Around
    private typealias Mishap = MiddlewareTests.Mishap

    private let channels = ManualChannels()
    private let clock = ManualClock()
    private let lines = Transcript()

    private func manager(_ middlewares: any RequestMiddleware...) -> RequestManager {
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
        manager.middlewares = middlewares
        return manager
    }

    private static let adding = Around { request, next in
        var request = request
        request.headers["X-Added"] = "1"
        var response = try await next(request)
        response.headers?["X-Back"] = "2"
        return response
    }

    @Test func `a middleware changes the handshake and its response`() async throws {
        let socket = manager(Self.adding).webSocket("/")
        let channel = await channels.open()
        #expect(try await socket.opened().headers["X-Back"] == "2")
        #expect(channel.handshake.contains("X-Added: 1"))
        try await socket.send("hello")
        #expect(channel.frames.map(\.text) == ["hello"])
    }

    @Test func `messages behind the handshake wait for the middlewares`() async throws {
        let gate = Transcript()
        let (lines, channels) = (lines, channels)
        let socket = manager(
            Around { request, next in
                let response = try await next(request)
                lines.add("head")
                _ = await gate.lines
                return response
            }
        ).webSocket("/")
        let channel = await channels.open()
        channel.give(.text("early"))
        #expect(await eventually { lines.soFar == ["head"] })
        #expect(!socket.isOpenNow)
        gate.end("open")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "early")
    }

    @Test func `a middleware that throws ends the WebSocket`() async throws {
        let socket = manager(
            Around { request, next in
                _ = try await next(request)
                throw Mishap()
            }
        ).webSocket("/")
        let channel = await channels.open()
        #expect(await sentence { try await socket.opened() } == "a middleware failed: a mishap")
        #expect(channel.isClosed)
    }

    @Test func `a middleware that answers itself refuses the WebSocket`() async throws {
        let socket = manager(Around { _, _ in TransportResponse(statusCode: 503) }).webSocket("/")
        do throws(WebSocketError) {
            try await socket.opened()
        } catch {
            #expect(error.response?.statusCode == 503)
        }
        #expect(channels.count == 0)
    }

    @Test func `each connection passes the middlewares`() async throws {
        let lines = lines
        let socket = manager(
            Around(scope: .run) { request, next in
                lines.add("out")
                return try await next(request)
            }
        ).webSocket(
            "/", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 2, backoff: .constant(.seconds(1))) })
        let channel = await channels.open()
        try await socket.opened()
        channel.fail(TransportError(code: .connectionLost))
        await socket.waitFor("reconnecting 2")
        clock.advance(by: .seconds(1))
        let second = await channels.channel(2)
        second.fail(TransportError(code: .cannotConnectToHost))
        await socket.waitFor("reconnecting 3")
        clock.advance(by: .seconds(1))
        _ = await channels.open(3)
        try await socket.opened()
        #expect(lines.soFar == ["out", "out", "out"])
    }

    @Test func `cancelling while a middleware waits ends it`() async throws {
        let lines = lines
        let socket = manager(
            Around { request, _ in
                try? await Task.sleep(for: .seconds(3600))
                lines.end(Task.isCancelled ? "cancelled" : "slept")
                throw Mishap()
            }
        ).webSocket("/")
        socket.cancel()
        #expect(await sentence { try await socket.opened() } == "cancelled")
        #expect(await lines.lines == ["cancelled"])
    }

    @Test func `a 401 refreshes credentials once`() async throws {
        let tokens = Counter()
        try await RealServer.scripted({ _ in .status(401) }) { server in
            let manager = RequestManager(host: server.host)
            manager.authenticator = TokenAuthenticator(.init("first")) { _ in .init("\(tokens.next())") }
            let socket = manager.webSocket("/")
            do throws(WebSocketError) {
                try await socket.opened()
                Issue.record("it opened")
            } catch {
                #expect(error.response?.statusCode == 401)
            }
            #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer first", "Bearer 0"])
            #expect(tokens.value == 1)
        }
    }

    @Test func `credentials may be refreshed again after a connection`() async throws {
        let tokens = Counter()
        let manager = manager()
        manager.authenticator = TokenAuthenticator(.init("first")) { _ in .init("\(tokens.next())") }
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 1) })
        let refusal = "HTTP/1.1 401 x\r\nContent-Length: 0\r\n\r\n"
        for round in 0..<2 {
            let refused = await channels.channel(round * 2 + 1)
            refused.connect()
            refused.give(refusal)
            let accepted = await channels.open(round * 2 + 2)
            #expect(accepted.handshake.contains("Authorization: Bearer \(round)"))
            try await socket.opened()
            accepted.fail(TransportError(code: .connectionLost))
            await socket.waitFor(round == 0 ? "reconnecting 3" : "closed")
            clock.advance(by: .milliseconds(1))
        }
        #expect(tokens.value == 2)
    }

    @Test func `an authenticator that fails ends the WebSocket`() async throws {
        let manager = manager()
        manager.authenticator = TokenAuthenticator { _ in throw Mishap() }
        let socket = manager.webSocket("/")
        #expect(await sentence { try await socket.opened() } == "the authentication failed: a mishap")
        #expect(channels.count == 0)
    }

    @Test func `a real server gets what middlewares and authenticators add`() async throws {
        guard WebSocketPeer.python != nil else {
            print("not tested: python3-websockets is not installed")
            return
        }
        try await WebSocketPeer.use { peer in
            let manager = RequestManager(host: peer.host)
            manager.middlewares = [Self.adding]
            manager.authenticator = TokenAuthenticator(.init("secret")) { _ in throw Mishap() }
            let socket = manager.webSocket("/echo")
            #expect(try await socket.opened().headers["X-Back"] == "2")
            try await socket.send("hello")
            var messages = socket.messages.makeAsyncIterator()
            #expect(try await messages.next() == "hello")
            try await socket.close()
        }
    }
}

extension WebSocket {
    fileprivate var isOpenNow: Bool { core.withState { $0.isOpen } }
}
