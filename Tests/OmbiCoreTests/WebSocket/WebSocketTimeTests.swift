import Foundation
import Testing

@testable import OmbiCore

/// Time limits, keep-alive pings and reconnects, by a clock that stands still.
@Suite struct WebSocketTimeTests {
    private let channels = ManualChannels()
    private let clock = ManualClock()

    private func socket(
        timeout: TimeInterval = 10, _ change: (inout WebSocketOptions) -> Void = { _ in }
    ) -> WebSocket {
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
        let request = ComposableRequest<NoBody, NoBody, NoError>().timeoutInterval(timeout)
        return manager.webSocket(for: request, options: WebSocketOptions(change))
    }

    private static let lost = "127.0.0.1:9000 closed the connection without a close frame"

    // Opening.

    @Test func `the limit of the opening holds for the connection`() async throws {
        let socket = socket(timeout: 10)
        let channel = await channels.channel()
        clock.advance(by: .seconds(10))
        #expect(await sentence { try await socket.opened() } == "no connection to 127.0.0.1:9000 within 10s")
        #expect(channel.isClosed && clock.timerCount == 0)
    }

    @Test func `the limit of the opening holds for the answer, which may drip`() async throws {
        let socket = socket(timeout: 10)
        let channel = await channels.channel()
        clock.advance(by: .seconds(4))
        channel.connect()
        for letter in "HTTP/1" {
            channel.give(String(letter))
            clock.advance(by: .seconds(1))
        }
        #expect(
            await sentence { try await socket.opened() }
                == "no answer to the opening handshake from 127.0.0.1:9000 within 10s")
        do { try await socket.opened() } catch .connectionError(let error) { #expect(error.code == .timedOut) }
    }

    @Test func `a refusal whose page does not end is still a refusal`() async throws {
        let socket = socket(timeout: 10)
        let channel = await channels.channel()
        channel.connect()
        channel.give("HTTP/1.1 403 Forbidden\r\n\r\nhalf a page")
        clock.advance(by: .seconds(10))
        do {
            try await socket.opened()
            Issue.record("opened")
        } catch {
            #expect("\(error)" == "127.0.0.1:9000 refused the WebSocket: 403 Forbidden")
            #expect(error.response?.body == Data("half a page".utf8))
        }
    }

    @Test func `how long the handshake took is in the event`() async throws {
        let socket = socket()
        let channel = await channels.channel()
        channel.connect(TransportMetrics(timings: Timings(connect: .milliseconds(3)), remoteAddress: "127.0.0.1:9000"))
        clock.advance(by: .milliseconds(20))
        channel.accept()
        for await event in socket.events {
            guard case .connected(_, let metrics) = event.kind else { continue }
            #expect(metrics.timings.connect == .milliseconds(3) && metrics.timings.wait == .milliseconds(20))
            #expect(metrics.remoteAddress == "127.0.0.1:9000" && event.at == .milliseconds(20))
            return
        }
    }

    // Pings.

    @Test func `a ping gives the round trip, and the newest pong answers all pings before it`() async throws {
        let socket = socket()
        let channel = await channels.open()
        let first = Task { try await socket.ping() }
        _ = await channel.frames(count: 1)
        clock.advance(by: .milliseconds(5))
        let second = Task { try await socket.ping() }
        let pings = await channel.frames(count: 2)
        clock.advance(by: .milliseconds(7))
        channel.give(.pong([1]), .pong(Array("unknown!".utf8)), .pong(pings[1].payload))
        #expect(try await second.value == .milliseconds(7))
        #expect(try await first.value == .milliseconds(12))
        channel.give(.pong(pings[0].payload))
        #expect(socket.core.withState { $0.pingTimes.isEmpty })
    }

    @Test func `silence is asked about, and a sign of life is enough`() async throws {
        let socket = socket {
            $0.pingInterval = .seconds(30)
            $0.pingTimeout = .seconds(5)
        }
        let channel = await channels.open()
        clock.advance(by: .seconds(29))
        channel.give(.text("alive"))
        clock.advance(by: .seconds(29))
        #expect(channel.frames.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(channel.frames.map(\.opcode) == [9])
        clock.advance(by: .seconds(4))
        channel.give(.text("still alive"))
        clock.advance(by: .seconds(29))
        #expect(channel.frames.count == 1)
        clock.advance(by: .seconds(1))
        channel.give(.pong(channel.frames[1].payload))
        clock.advance(by: .seconds(30))
        #expect(channel.frames.map(\.opcode) == [9, 9, 9] && !channel.isClosed)
        #expect(socket.core.withState { $0.pingTimes.count } == 1, "unanswered ones are not kept")
        clock.advance(by: .seconds(5))
        #expect(
            await sentence { for try await _ in socket.messages {} }
                == "no sign of life from 127.0.0.1:9000 within 5s of a ping")
        #expect(channel.isClosed && clock.timerCount == 0)
    }

    @Test func `a peer to which nothing can be sent has a time to say its last words`() async throws {
        let socket = socket { $0.closeTimeout = .seconds(2) }
        let channel = await channels.open()
        channel.holdWrites()
        let sending = Task { try await socket.send("late") }
        await channel.wait { $0.isWriting }
        channel.letWriteThrough(.failure(TransportError(code: .connectionLost, message: "broken pipe")))
        #expect(await sentence { try await sending.value } == "broken pipe")
        clock.advance(by: .seconds(1))
        channel.give(.text("word"))
        clock.advance(by: .milliseconds(1999))
        #expect(!channel.isClosed)
        clock.advance(by: .milliseconds(1))
        #expect(await sentence { for try await _ in socket.messages {} } == "broken pipe")
        #expect(channel.isClosed && clock.timerCount == 0)
    }

    @Test func `without an interval nobody is asked`() async throws {
        let socket = socket { $0.pingInterval = nil }
        let channel = await channels.open()
        clock.advance(by: .seconds(1_000_000))
        #expect(channel.frames.isEmpty && clock.timerCount == 0)
        socket.cancel()
    }

    @Test func `a peer that is held up by a slow reader is not taken for dead`() async throws {
        let socket = socket { $0.bufferBytes = 100 }
        let channel = await channels.open()
        channel.give(.binary(Array(repeating: 0, count: 200)))
        #expect(!channel.isReading)
        clock.advance(by: .seconds(3600))
        #expect(!channel.isClosed && channel.frames.isEmpty)
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        clock.advance(by: .seconds(29))
        #expect(channel.isReading && channel.frames.isEmpty)
        clock.advance(by: .seconds(1))
        #expect(channel.frames.map(\.opcode) == [9])
    }

    @Test func `a ping that is asked for before the peer is held up gets its full time afterwards`() async throws {
        let socket = socket { $0.bufferBytes = 100 }
        let channel = await channels.open()
        clock.advance(by: .seconds(30))
        #expect(channel.frames.map(\.opcode) == [9])
        clock.advance(by: .seconds(19))
        channel.give(.binary(Array(repeating: 0, count: 200)))
        clock.advance(by: .seconds(100))
        var messages = socket.messages.makeAsyncIterator()
        _ = try await messages.next()
        clock.advance(by: .seconds(19))
        #expect(!channel.isClosed)
    }

    // Reconnecting.

    @Test func `a lost connection is made anew, and the messages go on`() async throws {
        let socket = socket {
            $0.reconnect = RetryPolicy(retries: 5, backoff: .exponential(first: .seconds(1)))
            $0.firstMessages = { ["subscribe"] }
        }
        let first = await channels.open()
        first.give(.text("one"))
        first.end()
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "one")
        let sending = Task { try await socket.send("later") }
        await socket.waitFor("reconnecting")
        clock.advance(by: .seconds(1))
        let second = await channels.channel(2)
        second.fail(TransportError(code: .cannotConnectToHost, message: "refused"))
        await socket.waitFor("reconnecting 3")
        clock.advance(by: .seconds(2))
        let third = await channels.open(3)
        third.give(.text("two"))
        #expect(try await messages.next() == "two")
        try await sending.value
        #expect(first.frames.map(\.text) == ["subscribe"] && third.frames.map(\.text) == ["subscribe", "later"])
        socket.cancel()
        let story = await socket.story
        #expect(
            story.filter { $0.contains("connect") } == [
                "connecting 1", "connected 101", "reconnecting 2 after 1.0 seconds: \(Self.lost)", "connecting 2",
                "reconnecting 3 after 2.0 seconds: refused", "connecting 3", "connected 101",
            ])
    }

    @Test func `the count begins anew after a connection that stood, and not after one that fell`() async throws {
        let socket = socket {
            $0.reconnect = RetryPolicy(retries: 2)
            $0.pingInterval = nil
        }
        for number in 1...2 {
            let channel = await channels.open(number)
            clock.advance(by: .seconds(29))
            channel.end()
            clock.advance(by: .zero)
        }
        let stable = await channels.open(3)
        clock.advance(by: .seconds(30))
        stable.end()
        for number in 4...5 {
            clock.advance(by: .zero)
            await channels.channel(number).fail(
                TransportError(code: .cannotConnectToHost, message: "refused \(number)"))
        }
        #expect(await sentence { try await socket.opened() } == "refused 5")
        #expect(channels.count == 5 && clock.timerCount == 0)
    }

    @Test(arguments: [
        (1001, true), (1011, true), (1012, true), (1013, true), (1000, false), (1008, false), (4000, false),
    ])
    func `the code of the peer decides whether to connect anew`(code: UInt16, reconnects: Bool) async throws {
        let socket = socket { $0.reconnect = RetryPolicy(retries: 1) }
        let channel = await channels.open()
        channel.give(.close(code))
        channel.end()
        await socket.waitFor(reconnects ? "reconnecting 2" : "closed")
        clock.advance(by: .zero)
        #expect(channels.count == (reconnects ? 2 : 1))
    }

    @Test func `a refusal is repeated by its status, after the wait that it asks for`() async throws {
        let socket = socket { $0.reconnect = RetryPolicy(retries: 1, backoff: .constant(.seconds(1))) }
        let first = await channels.channel()
        first.connect()
        first.give("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n")
        await socket.waitFor("reconnecting 2 after 7.0 seconds")
        clock.advance(by: .seconds(7))
        let second = await channels.channel(2)
        second.connect()
        second.give("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        #expect(
            await sentence { try await socket.opened() } == "127.0.0.1:9000 refused the WebSocket: 403 Forbidden")
        #expect(channels.count == 2)
    }

    @Test func `a server cannot make the next attempt wait for years`() async {
        let socket = socket { $0.reconnect = RetryPolicy(retries: 1) }
        let channel = await channels.channel()
        channel.connect()
        channel.give("HTTP/1.1 503 Busy\r\nRetry-After: 1000000000\r\nContent-Length: 0\r\n\r\n")
        #expect(
            await sentence { try await socket.opened() }
                == "127.0.0.1:9000 refused the WebSocket: 503 Service Unavailable")
    }

    @Test func `what another attempt cannot mend is not repeated`() async throws {
        let policy = RetryPolicy(retries: 3)
        let broken = socket { $0.reconnect = policy }
        await channels.open(1).give(WireFrame(opcode: 3, payload: []))
        await channels.channel(1).end()
        #expect(
            await sentence { for try await _ in broken.messages {} }
                == "127.0.0.1:9000 sent a frame with the unknown opcode 3")
        let untrusted = socket { $0.reconnect = policy }
        await channels.channel(2).fail(TransportError(code: .certificateNotTrusted, message: "no trust"))
        #expect(await sentence { try await untrusted.opened() } == "no trust")
        #expect(channels.count == 2)
    }

    @Test func `the request is made anew for each connection`() async throws {
        let calls = Counter()
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
        manager.requestInterceptors = [
            RequestInterceptor { request in
                var request = request
                request.headers["X-Number"] = .string("\(calls.next())")
                return request
            }
        ]
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 1) })
        await channels.open().end()
        clock.advance(by: .zero)
        #expect(await channels.open(2).handshake.contains("X-Number: 1"))
        socket.cancel()
    }

    @Test func `closing and cancelling end the wait before a connection`() async throws {
        let failure = TransportError(code: .cannotConnectToHost, message: "refused")
        for ends in [{ try await $0.close() }, { $0.cancel() }] as [@Sendable (WebSocket) async throws -> Void] {
            let manager = RequestManager(
                host: "http://127.0.0.1:9000", transport: ManualChannels(failure: failure), clock: clock)
            let socket = manager.webSocket(
                "/",
                options: WebSocketOptions {
                    $0.reconnect = RetryPolicy(retries: .max, backoff: .constant(.seconds(9)))
                })
            await socket.waitFor("reconnecting 2")
            try await ends(socket)
            #expect(await socket.story.last?.hasPrefix("closed") == true && clock.timerCount == 0)
            clock.advance(by: .seconds(100))
            #expect(await socket.story.count == 3)
        }
    }

    @Test func `ten thousand failures in a row keep nothing but the newest events`() async throws {
        let channels = ManualChannels(failure: TransportError(code: .cannotConnectToHost, message: "refused"))
        let manager = RequestManager(host: "http://127.0.0.1:9000", transport: channels, clock: clock)
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 10_000) })
        while clock.timerCount > 0 { clock.advance(by: .zero) }
        #expect(await sentence { try await socket.opened() } == "refused")
        #expect(channels.count == 10_001)
        let story = await socket.story
        // Two for each failure, and the end in place of the last "reconnecting".
        #expect(story.count == 257 && story[0] == "skipped \(2 * 10_001 - 256)" && story.last == "closed: refused")
    }
}
