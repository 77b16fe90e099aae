import Foundation
import Testing

@testable import OmbiCore

/// Opening, sending, receiving and closing, with a test as the server and a clock that stands still.
@Suite struct WebSocketTests {
    private let channels = ManualChannels()
    private let clock = ManualClock()
    private let log = LogRecorder()

    private var manager: RequestManager {
        RequestManager(
            host: "http://127.0.0.1:9000/v1", transport: channels,
            log: RequestLog(subsystem: "test", category: "test", handler: log.add), clock: clock)
    }

    @Test func `the request, the manager and the options make the handshake`() async throws {
        let manager = manager
        manager.additionalHeaders = ["X-Manager": "m"]
        manager.requestAuthentication = .token(type: .bearer, value: "secret")
        manager.requestInterceptors = [
            RequestInterceptor { request in
                var request = request
                request.headers["X-Intercepted"] = "yes"
                return request
            }
        ]
        let request = ComposableRequest<NoBody, NoBody, NoError>().path("/chat").query(
            URLQueryItem(name: "a", value: "b")
        )
        .header(key: "X-Own", value: "o")
        let socket = manager.webSocket(for: request, options: WebSocketOptions { $0.subprotocols = ["v2", "v1"] })
        let channel = await channels.open(fields: ["Sec-WebSocket-Protocol: v1", "X-Server: s"])
        #expect(channel.request.url.absoluteString == "http://127.0.0.1:9000/v1/chat?a=b")
        let lines = channel.handshake
        #expect(lines[0] == "GET /v1/chat?a=b HTTP/1.1" && lines[1] == "Host: 127.0.0.1:9000")
        for line in [
            "X-Manager: m", "Authorization: Bearer secret", "X-Intercepted: yes", "X-Own: o",
            "Sec-WebSocket-Protocol: v2, v1", "Sec-WebSocket-Version: 13",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        let head = try await socket.opened()
        #expect(head.statusCode == 101 && head.headers["X-Server"] == "s" && socket.subprotocol == "v1")
        #expect(log.entries.count == 2 && !log.entries[0].message.contains("secret"))
    }

    @Test func `cookies of the jar go along, and those of every response are kept`() async throws {
        let manager = manager
        let jar = CookieJar()
        manager.cookieJar = jar
        jar.store(["id=1; Path=/v1"], from: try #require(URL(string: "http://127.0.0.1:9000/v1/")))
        let socket = manager.webSocket("/a")
        let channel = await channels.open(fields: ["Set-Cookie: seat=7"])
        try await socket.opened()
        #expect(channel.handshake.contains("Cookie: id=1"))
        let refused = manager.webSocket("/b")
        let second = await channels.channel(2)
        second.connect()
        #expect(second.handshake.contains { $0.hasPrefix("Cookie: ") && $0.contains("id=1") && $0.contains("seat=7") })
        second.give("HTTP/1.1 403 x\r\nSet-Cookie: seen=yes\r\nContent-Length: 0\r\n\r\n")
        _ = await sentence { try await refused.opened() }
        #expect(jar.header(for: channel.request.url)?.contains("seen=yes") == true)
    }

    @Test func `messages go both ways, also those that wait for the connection`() async throws {
        let socket = manager.webSocket("/")
        async let sent: Void = socket.send("early")
        let channel = await channels.open()
        try await sent
        try await socket.send(Data([1, 2]))
        #expect(channel.frames.map(\.text).first == "early" && channel.frames.last?.payload == [1, 2])
        #expect(channel.frames.allSatisfy { $0.mask != nil })
        channel.give(.text("one"), .binary([2]))
        channel.give(.text("thr", isFinal: false), .ping([9]), .continuation(Array("ee".utf8)))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "one")
        #expect(try await messages.next() == .binary(Data([2])))
        #expect(try await messages.next() == "three")
        #expect(
            channel.frames.last == WireFrame(opcode: 10, mask: channel.frames.last?.mask, payload: [9], lengthBytes: 0))
    }

    @Test func `send returns when the bytes are handed over`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.holdWrites()
        let hasReturned = Counter()
        let task = Task {
            try await socket.send("slow")
            _ = hasReturned.next()
        }
        await channel.wait { $0.isWriting }
        #expect(hasReturned.value == 0)
        channel.letWriteThrough()
        try await task.value
        #expect(hasReturned.value == 1)
    }

    @Test func `a regular close by the peer ends the messages, the code and the reason are kept`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.give(.text("last"), .close(1000, "done"))
        channel.end()
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "last")
        #expect(try await messages.next() == nil)
        #expect(try await messages.next() == nil)
        #expect(socket.closeCode == .normal && socket.closeReason == "done" && channel.isClosed)
        #expect(channel.frames.map(\.closeCode) == [1000])
        #expect(
            await sentence { try await socket.send("late") }
                == #"the WebSocket was closed with 1000 normal closure ("done")"#)
        #expect(
            await sentence { try await socket.ping() } == #"the WebSocket was closed with 1000 normal closure ("done")"#
        )
        try await socket.close()
        #expect(
            await socket.story == [
                "connecting 1", "connected 101", "received text 4", "closing 1000 done<", "closed",
            ])
        #expect(clock.timerCount == 0)
    }

    @Test(arguments: [
        (1011, "the WebSocket was closed with 1011 internal error (\"why\")"),
        (1008, "the WebSocket was closed with 1008 policy violation (\"why\")"),
        (4321, "the WebSocket was closed with 4321 (\"why\")"),
    ])
    func `another close by the peer is an error of the messages, once`(code: UInt16, expected: String) async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.give(.close(code, "why"))
        channel.end()
        var messages = socket.messages.makeAsyncIterator()
        #expect(await sentence { try await messages.next() } == expected)
        #expect(try await messages.next() == nil)
        var others = socket.messages.makeAsyncIterator()
        #expect(await sentence { try await others.next() } == expected)
        #expect(log.entries.last?.level == .error && log.entries.last?.message == expected)
    }

    @Test func `closing sends what is on its way, then a close frame, and waits for the end`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.give(.text("read later"))
        channel.holdWrites()
        let first = Task { try await socket.send("first") }
        await channel.wait { $0.isWriting }
        let second = Task { try await socket.send("second") }
        // The message is in the outbox as soon as the task waits.
        while socket.core.withState({ $0.outgoing.count }) < 2 { await Task.yield() }
        let closing = Task { try await socket.close(code: .goingAway, reason: "bye") }
        await socket.waitFor("closing 1001 bye>")
        channel.letWriteThrough()
        await channel.wait { $0.isWriting }
        channel.letWriteThrough()
        try await first.value
        try await second.value
        let frames = await channel.frames(count: 3)
        #expect(frames.map(\.text).prefix(2) == ["first", "second"] && frames.last?.closeCode == 1001)
        channel.give(.text("too late"), .close(1001))
        #expect(!channel.isClosed, "the server ends the connection")
        channel.end()
        try await closing.value
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "read later")
        #expect(try await messages.next() == nil)
        #expect(socket.closeCode == .goingAway && channel.isClosed)
        #expect(
            await sentence { try await socket.send("x") } == #"the WebSocket was closed with 1001 going away ("bye")"#)
    }

    @Test func `a peer that does not answer the close is left after the limit`() async throws {
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.closeTimeout = .seconds(3) })
        let channel = await channels.open()
        let closing = Task { try await socket.close() }
        await socket.waitFor("closing")
        clock.advance(by: .milliseconds(2999))
        #expect(!channel.isClosed)
        clock.advance(by: .milliseconds(1))
        try await closing.value
        #expect(channel.isClosed && socket.closeCode == .abnormal && socket.closeReason == "")
        #expect(await socket.story.last == "closed" && clock.timerCount == 0)
    }

    @Test func `a close that cannot be sent is refused and changes nothing`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        #expect(
            await sentence { try await socket.close(code: .noStatus) }
                == "the close code 1005 no status received cannot be sent")
        #expect(
            await sentence { try await socket.close(reason: String(repeating: "ü", count: 62)) }
                == "the reason is 124 bytes long; a close frame has room for 123")
        try await socket.send("still open")
        #expect(channel.frames.count == 1)
    }

    @Test(arguments: [
        (WireFrame(opcode: 1, payload: [0xC3, 0x28]), 1007, "127.0.0.1:9000 sent a text message that is not UTF-8"),
        (WireFrame.continuation([]), 1002, "127.0.0.1:9000 sent a continuation frame without a message to continue"),
        (
            WireFrame(opcode: 2, payload: [], claimedLength: 1 << 40), 1009,
            "127.0.0.1:9000 sent a frame of 1099511627776 bytes; the limit is 16777216"
        ),
    ])
    func `a peer that breaks the protocol is told so, and left`(frame: WireFrame, code: Int, expected: String)
        async throws
    {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.give(.text("good"), frame, .text("never"))
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == "good")
        #expect(channel.frames.map(\.closeCode) == [code])
        #expect(!channel.isClosed, "the close frame must get a chance to arrive")
        channel.give(.text("whatever"))
        channel.end()
        #expect(await sentence { try await messages.next() } == expected)
        #expect(channel.isClosed && socket.closeCode == .abnormal)
        #expect(await sentence { try await socket.send("x") } == expected)
    }

    @Test func `a connection that ends without a close frame is lost`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        let pinging = Task { try await socket.ping() }
        _ = await channel.frames(count: 1)
        channel.end()
        let lost = "127.0.0.1:9000 closed the connection without a close frame"
        #expect(await sentence { try await pinging.value } == lost)
        #expect(await sentence { for try await _ in socket.messages {} } == lost)
        #expect(socket.closeCode == .abnormal)
    }

    @Test func `a message that is on its way when the connection breaks fails`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.holdWrites()
        let sending = Task { try await socket.send("lost") }
        await channel.wait { $0.isWriting }
        channel.letWriteThrough(.failure(TransportError(code: .connectionLost, message: "broken pipe")))
        #expect(await sentence { try await sending.value } == "broken pipe")
    }

    @Test(arguments: [true, false])
    func `what the peer sent before it closed is read, though nothing can be sent to it`(hasClosed: Bool) async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        channel.holdWrites()
        let sending = Task { try await socket.send("late") }
        await channel.wait { $0.isWriting }
        channel.letWriteThrough(.failure(TransportError(code: .connectionLost, message: "broken pipe")))
        #expect(await sentence { try await sending.value } == "broken pipe")
        let later = Task { try await socket.send("later") }
        channel.give(.text("first"))
        if hasClosed { channel.give(.text("last"), .close(1000)) } else { channel.give(.text("last")) }
        channel.end()
        var texts: [String] = []
        let end = await sentence { for try await message in socket.messages { texts.append(message.text ?? "") } }
        #expect(texts == ["first", "last"])
        #expect(end == (hasClosed ? "no error" : "broken pipe"))
        #expect(socket.closeCode == (hasClosed ? .normal : .abnormal) && channel.isClosed)
        #expect(await sentence { try await later.value } != "no error", "there is no other connection")
        #expect(channel.frames.map(\.opcode) == [1], "nothing is sent on it any more")
    }

    @Test func `a refused handshake is an error of everything, with the response`() async throws {
        let socket = manager.webSocket("/")
        let sending = Task { try await socket.send("x") }
        let channel = await channels.channel()
        channel.connect()
        channel.give("HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nkeys")
        let expected = "127.0.0.1:9000 refused the WebSocket: 401 Unauthorized"
        #expect(await sentence { try await sending.value } == expected)
        do {
            for try await _ in socket.messages {}
            Issue.record("no error")
        } catch {
            #expect("\(error)" == expected)
            #expect(error.response?.statusCode == 401 && error.response?.body == Data("keys".utf8))
        }
        #expect(channel.isClosed && channel.frames.isEmpty)
        #expect(await socket.story == ["connecting 1", "closed: \(expected)"])
    }

    @Test(arguments: [false, true]) func `an end that comes first keeps neither the head nor messages from the caller`(
        isRegular: Bool
    ) async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open(fields: ["X-Server: s"])
        channel.give(.text("hello"))
        if isRegular { channel.give(.close(1000)) }
        channel.end()
        await socket.waitFor("closed")
        #expect(try await socket.opened().headers["X-Server"] == "s")
        var messages: [WebSocketMessage] = []
        let expected =
            isRegular
            ? "the WebSocket was closed with 1000 normal closure"
            : "127.0.0.1:9000 closed the connection without a close frame"
        do throws(WebSocketError) {
            for try await message in socket.messages { messages.append(message) }
            #expect(isRegular)
        } catch {
            #expect("\(error)" == expected)
        }
        #expect(messages == ["hello"])
        #expect(await sentence { try await socket.opened() } == expected)
        #expect(await sentence { try await socket.send("late") } == expected)
    }

    @Test func `what cannot be made is an error, and nothing is opened`() async throws {
        let request = ComposableRequest<NoBody, NoBody, NoError>().header(key: "Upgrade", value: "h2c")
        let socket = manager.webSocket(for: request)
        #expect(
            await sentence { try await socket.opened() }
                == "the opening handshake could not be built: the header Upgrade belongs to the opening handshake; leave it out"
        )
        #expect(channels.count == 0)
    }

    @Test func `a transport without channels says so`() async throws {
        let manager = RequestManager(host: "http://127.0.0.1", transport: ScriptedTransport(.silence))
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.reconnect = RetryPolicy(retries: 3) })
        #expect(
            await sentence { try await socket.opened() }
                == "ScriptedTransport opens no channels, which a WebSocket runs over")
    }

    @Test func `cancelling drops the connection, whatever waits`() async throws {
        let socket = manager.webSocket("/")
        let channel = await channels.open()
        let pinging = Task { try await socket.ping() }
        let reading = Task { for try await _ in socket.messages {} }
        _ = await channel.frames(count: 1)
        socket.cancel()
        #expect(await sentence { try await pinging.value } == "cancelled")
        #expect(await sentence { try await reading.value } == "cancelled")
        #expect(channel.isClosed && channel.frames.map(\.opcode) == [9])
        socket.cancel()
        #expect(await socket.story.last == "closed: cancelled" && clock.timerCount == 0)
    }

    @Test func `long messages go out in fragments where the options say so`() async throws {
        let socket = manager.webSocket("/", options: WebSocketOptions { $0.fragmentBytes = 4 })
        let channel = await channels.open()
        try await socket.send("123456789")
        try await socket.send("1234")
        let frames = channel.frames
        #expect(frames.map(\.text) == ["1234", "5678", "9", "1234"])
        #expect(frames.map(\.opcode) == [1, 0, 0, 1] && frames.map(\.isFinal) == [false, false, true, true])
    }
}
