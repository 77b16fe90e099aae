import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The connection beneath WebSockets, with raw servers on 127.0.0.1.
@Suite(.timeLimit(.minutes(10))) struct CurlChannelTests {
    @Test func `nobody there is an error that says so`() async throws {
        let socket = RequestManager(host: "http://127.0.0.1:1").webSocket("/")
        do {
            try await socket.opened()
            Issue.record("opened")
        } catch .connectionError(let error) {
            #expect(error.code == .cannotConnectToHost)
            #expect(error.message == "could not connect to 127.0.0.1:1 (connection refused)")
        }
    }

    @Test func `a name without an address is an error that says so`() async throws {
        let socket = RequestManager(host: "http://no-such-host.invalid").webSocket("/")
        do {
            try await socket.opened()
            Issue.record("opened")
        } catch .connectionError(let error) {
            #expect(error.code == .cannotFindHost)
        }
    }

    @Test func `settings that bytes cannot keep are refused before anything is opened`() async throws {
        let server = try RawServer { $0.waitForEnd() }
        defer { server.stop() }
        let changes: [(inout Connection) -> Void] = [
            { $0.httpVersion = .http2PriorKnowledge }, { $0.maximumReceiveRate = 1000 }, { $0.maximumSendRate = 1 },
        ]
        for change in changes {
            let request = TransportRequest(
                url: try #require(URL(string: server.host)), connection: Connection(change))
            let error: TransportError? = await withCheckedContinuation { continuation in
                let channel = CurlTransport().openChannel(for: request) { result in
                    if case .failure(let error) = result { continuation.resume(returning: error) }
                }
                channel.close()
            }
            #expect(error?.code == .unsupportedOption)
        }
        #expect(server.connectionCount == 0)
    }

    @Test func `what a connection cost is told`() async throws {
        let server = try WebSocketPlayer.server { player in
            player.accept()
            _ = player.readToClose()
        }
        defer { server.stop() }
        let socket = RequestManager(host: server.host).webSocket("/")
        for await event in socket.events {
            guard case .connected(let head, let metrics) = event.kind else { continue }
            #expect(head.statusCode == 101 && metrics.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(metrics.timings.connect > .zero && metrics.timings.wait > .zero && metrics.tls == nil)
            break
        }
        socket.cancel()
    }

    @Test func `a peer that does not read holds up the sender, and cancelling frees it`() async throws {
        let release = DispatchSemaphore(value: 0)
        let server = try WebSocketPlayer.server { player in
            player.accept()
            release.wait()
        }
        defer { server.stop() }
        let socket = RequestManager(host: server.host).webSocket("/")
        let sent = Counter()
        let sending = Task {
            while true {
                try await socket.send(Data(count: 1 << 20))
                _ = sent.next()
            }
        }
        // The buffers of the system take some of it, and then no more.
        while !socket.core.withState({ $0.link?.isSending ?? false }) { await Task.yield() }
        socket.cancel()
        #expect(await sentence { try await sending.value } == "cancelled")
        #expect(sent.value < 64)
        release.signal()
    }

    @Test func `a server that floods a client that does not read is held up`() async throws {
        let written = Lock(0)
        let server = try WebSocketPlayer.server { player in
            player.accept()
            let frame = WireFrame.binary(Array(repeating: 1, count: 60_000)).bytes
            for _ in 0..<4096 where player.connection.send(frame) { written.withLock { $0 += frame.count } }
        }
        defer { server.stop() }
        let socket = RequestManager(host: server.host).webSocket("/")
        try await socket.opened()
        while socket.core.withState({ $0.link?.isReceiving ?? true }) { await Task.yield() }
        #expect(socket.core.withState { $0.inboxBytes } < 512 << 10)
        var messages = socket.messages.makeAsyncIterator()
        for _ in 0..<100 { #expect(try await messages.next()?.count == 60_000) }
        #expect(socket.core.withState { $0.inboxBytes } < 512 << 10)
        socket.cancel()
        #expect(written.withLock { $0 } < 200 << 20)
    }

    @Test func `silent servers delay no other WebSocket`() async throws {
        let silent = try RawServer { $0.waitForEnd() }
        let echo = try WebSocketPlayer.server { player in
            player.accept()
            player.write(.text("here"), .close(1000))
        }
        defer {
            silent.stop()
            echo.stop()
        }
        let transport = CurlTransport()
        let hanging = (0..<100).map { _ in
            RequestManager(host: silent.host, transport: transport).webSocket("/")
        }
        let socket = RequestManager(host: echo.host, transport: transport).webSocket("/")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "here")
        for socket in hanging { socket.cancel() }
    }

    @Test func `a handle that is dropped while it connects leaves no connection`() async throws {
        let gone = DispatchSemaphore(value: 0)
        let server = try RawServer { connection in
            connection.waitForEnd()
            gone.signal()
        }
        defer { server.stop() }
        for number in 1...20 {
            do { _ = RequestManager(host: server.host).webSocket("/") }
            _ = number
        }
        // Those that were connected at all are closed again.
        while server.openCount > 0 { await Task.yield() }
    }
}
