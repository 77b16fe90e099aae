import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Bodies whose length nobody knows, whose bytes come in their own time, and that are sent only when the server wants them.
@Suite struct UploadTests {
    static func request(_ url: String, _ stream: BodyStream, headers: RequestHeaders = [:]) throws -> TransportRequest {
        TransportRequest(url: try #require(URL(string: url)), method: .post, headers: headers, bodyStream: stream)
    }

    /// Has what a test gives it, and then nothing until there is more.
    final class Source: Sendable {
        private struct State {
            var data = Data()
            var hasEnded = false
            var isAsked = 0
            var wake: (@Sendable () -> Void)?
        }

        private let state = Lock(State())

        final class Reader: WaitingBodyReader {
            let source: Source
            init(_ source: Source) { self.source = source }

            func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
                source.state.withLock { state in
                    state.isAsked += 1
                    guard !state.data.isEmpty || state.hasEnded else {
                        state.wake = wake
                        return nil
                    }
                    let count = state.data.copyBytes(to: buffer, count: min(buffer.count, state.data.count))
                    state.data = Data(state.data.dropFirst(count))
                    return count
                }
            }
        }

        var stream: BodyStream { BodyStream(length: nil) { Reader(self) } }
        var isAsked: Int { state.withLock { $0.isAsked } }

        func give(_ data: Data?) {
            let wake = state.withLock { state in
                state.data += data ?? Data()
                state.hasEnded = data == nil
                return state.wake
            }
            wake?()
        }
    }

    @Test(arguments: [0, 1, 70_000, 3_000_000]) func `a body of unknown length goes out in chunks`(length: Int)
        async throws
    {
        let server = try LoopbackServer { .ok("\($0.body.count)") }
        defer { server.stop() }
        let stream = BodyStream(length: nil) { PatternReader(length: length) }
        let events = await CurlTransport().events(of: try Self.request(server.host + "/", stream))
        #expect(events.last?.response?.body == Data("\(length)".utf8), "\(events)")
        let received = try #require(server.requests.first)
        #expect(received.headers["transfer-encoding"] == "chunked")
        #expect(received.headers["content-length"] == nil)
        #expect(received.body.enumerated().allSatisfy { PatternReader.byte(at: $0.offset) == $0.element })
        #expect(events.sent.last == (length == 0 ? nil : TransferProgress(bytes: length, expected: nil)))
        #expect(events.last?.metrics?.bytesSent == length)
        #expect(events.contains(.phase(.wait)))
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `over HTTP/2 it goes out as it is`() async throws {
        let server = try LoopbackServer { .ok("\($0.body.count)") }
        let proxy = try NginxServer(before: server.port)
        defer {
            server.stop()
            proxy.stop()
        }
        let transport = CurlTransport()
        for length in [0, 1, 2_000_000] {
            let stream = BodyStream(length: nil) { PatternReader(length: length) }
            let request = try proxy.request("/behind/") { ($0.method, $0.bodyStream) = (.post, stream) }
            let events = await transport.events(of: request)
            #expect(events.last?.response?.body == Data("\(length)".utf8), "\(events)")
            #expect(events.last?.metrics?.httpVersion == "2")
            #expect(events.last?.metrics?.bytesSent == length)
        }
    }

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"),
        arguments: [false, true])
    func `a reader that has nothing yet is waited for`(overHTTP2: Bool) async throws {
        let server = try LoopbackServer { .ok($0.text) }
        let proxy = try NginxServer(before: server.port)
        defer {
            server.stop()
            proxy.stop()
        }
        let transport = CurlTransport()
        let source = Source()
        let host = overHTTP2 ? proxy.host : server.host
        let upload = try proxy.request("/behind/", at: host) { request in
            (request.method, request.bodyStream) = (.post, source.stream)
            request.idleTimeout = .milliseconds(300)
        }
        async let answered = transport.events(of: upload)
        #expect(await eventually { source.isAsked > 0 })
        for text in ["one ", "two ", "three"] {
            // Others go on, and the time does not count.
            for _ in 0..<3 {
                let other = try proxy.request("/behind/", at: host) { $0.method = .put }
                #expect(await transport.events(of: other).last?.response?.statusCode == 200)
            }
            if text == "two " { try await Task.sleep(for: .milliseconds(500)) }
            let asked = source.isAsked
            source.give(Data(text.utf8))
            #expect(await eventually { source.isAsked > asked + 1 })
        }
        source.give(nil)
        let last = await answered.last
        #expect(last?.response?.body == Data("one two three".utf8), "\(String(describing: last))")
    }

    /// Woken from within, twice, and without need.
    final class Restless: WaitingBodyReader {
        private var left = 200

        func read(into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void) throws -> Int? {
            guard left > 0 else { return 0 }
            left -= 1
            if left % 2 == 0 {
                wake()
                DispatchQueue.global().async(execute: wake)
                return nil
            }
            wake()
            buffer[0] = UInt8(ascii: "x")
            return 1
        }
    }

    @Test func `waking is harmless at any time`() async throws {
        let server = try LoopbackServer { .ok("\($0.body.count)") }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<3 {
            let stream = BodyStream(length: nil) { Restless() }
            let last = await transport.events(of: try Self.request(server.host + "/", stream)).last
            #expect(last?.response?.body == Data("100".utf8), "\(String(describing: last))")
        }
    }

    @Test func `a waiting reader is held to its length`() async throws {
        let server = try LoopbackServer { .ok("\($0.body.count)") }
        defer { server.stop() }
        let transport = CurlTransport()
        for (length, code) in [(99, TransportError.Code.requestBodyFailed), (101, .requestBodyFailed), (100, nil)] {
            let stream = BodyStream(length: length) { Restless() }
            let last = await transport.events(of: try Self.request(server.host + "/", stream)).last
            #expect(last?.error?.code == code, "\(length): \(String(describing: last))")
        }
    }

    @Test func `every reader may be read by waiting`() throws {
        #expect(try BodyStream(length: nil) { Restless() }.data.count == 100)
        let chain = BodyStream([BodyStream(data: Data("a".utf8)), BodyStream(length: nil) { Restless() }])
        #expect(try chain.data.count == 101)
        #expect(chain.length == nil)
    }

    @Test func `a stub reads a body that has to be waited for`() async throws {
        let transport = StubTransport.stubResponse(statusCode: 200, data: Data())
        let request = try Self.request("http://stub.test/", BodyStream(length: nil) { Restless() })
        #expect(await transport.events(of: request).last?.response?.statusCode == 200)
    }

    // MARK: Async sequences

    @Test func `an async sequence is a body`() async throws {
        let server = try LoopbackServer { .ok("\($0.body.count)") }
        defer { server.stop() }
        let parts = [Data("a".utf8), Data(), Data(repeating: 7, count: 300_000), Data("b".utf8)]
        let (sequence, continuation) = AsyncStream<Data>.makeStream()
        for part in parts { continuation.yield(part) }
        continuation.finish()
        let last = await CurlTransport().events(of: try Self.request(server.host + "/", BodyStream(sequence))).last
        #expect(last?.response?.body == Data("300002".utf8), "\(String(describing: last))")
        #expect(server.requests.first?.body == parts.reduce(Data(), +))
    }

    @Test func `an element is asked for when the one before has gone`() async throws {
        let mayRead = DispatchSemaphore(value: 0)
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            mayRead.wait()
            var text = ""
            while !text.hasSuffix("0\r\n\r\n") {
                text = String((text + String(decoding: peer.read(1 << 20), as: UTF8.self)).suffix(20))
            }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let made = Counter()
        let sequence = AsyncStream<Data> { made.next() < 100 ? Data(repeating: 120, count: 1 << 20) : nil }
        let request = try Self.request(server.host + "/", BodyStream(sequence))
        let transport = CurlTransport()
        async let events = transport.events(of: request)
        #expect(await eventually { made.value > 1 })
        try await PiecesTests.receiveMuch(on: transport)
        let held = made.value
        #expect(held < 60, "\(held) of 100 elements were made while nobody took them")
        mayRead.signal()
        #expect(await events.last?.response?.statusCode == 200)
        #expect(made.value == 101)
    }

    struct Broken: Error, CustomStringConvertible { let description = "the source is gone" }

    @Test func `a sequence that fails ends the attempt`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let (sequence, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.yield(Data("half".utf8))
        continuation.finish(throwing: Broken())
        let error = await CurlTransport().events(of: try Self.request(server.host + "/", BodyStream(sequence))).last?
            .error
        #expect(
            error
                == TransportError(
                    code: .requestBodyFailed, message: "the body could not be read: the source is gone"))
        #expect(server.requests.isEmpty)
    }

    /// A body of one piece and more to come, which nobody else holds: it tells when it is read, and when it is let go.
    private static func half(onRead: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable () -> Void)
        -> BodyStream
    {
        let (sequence, continuation) = AsyncStream<Data>.makeStream()
        continuation.onTermination = { reason in if case .cancelled = reason { onEnd() } }
        continuation.yield(Data("half".utf8))
        return BodyStream(
            sequence.map { piece in
                onRead()
                return piece
            })
    }

    @Test func `a sequence is let go when the attempt ends`() async throws {
        let server = try LoopbackServer { _ in .ok("") }
        defer { server.stop() }
        let (ended, isRead, isCancelled) = (Lock<TransportEvent?>(nil), Lock(false), Lock(false))
        let task = CurlTransport().start(
            try Self.request(
                server.host + "/",
                Self.half {
                    isRead.withLock { $0 = true }
                } onEnd: {
                    isCancelled.withLock { $0 = true }
                })
        ) { event in
            if event.isLast { ended.withLock { $0 = event } }
        }
        #expect(await eventually { isRead.withLock { $0 } })
        task.cancel()
        #expect(await eventually { ended.withLock { $0?.error?.code } == .cancelled })
        #expect(await eventually { isCancelled.withLock { $0 } })
    }

    @Test func `what can be read once is not sent twice`() async throws {
        let server = try LoopbackServer { $0.target == "/a" ? .redirect(307, to: "/b") : .ok($0.text) }
        defer { server.stop() }
        let (sequence, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("once".utf8))
        continuation.finish()
        let once = try Self.request(server.host + "/a", BodyStream(sequence))
        let error = await CurlTransport().events(of: once).last?.error
        #expect(error?.code == .requestBodyFailed && error?.message == "\(BodyStreamError.readBefore)")
        #expect(server.requests.map(\.text) == ["once"])

        let stream = BodyStream(sequence: {
            AsyncStream<Data> { continuation in
                continuation.yield(Data("again".utf8))
                continuation.finish()
            }
        })
        let last = await CurlTransport().events(of: try Self.request(server.host + "/a", stream)).last
        #expect(last?.response?.body == Data("again".utf8))
    }

    // MARK: Expect: 100-continue

    @Test func `the body waits for the server's consent`() async throws {
        let order = Transcript()
        let server = try ConversationServer { peer, _ in
            guard let head = peer.readHead() else { return }
            order.add(head.lowercased().contains("expect: 100-continue") ? "asked" : "not asked")
            order.add("consent")
            peer.write("HTTP/1.1 100 Continue\r\n\r\n")
            order.add(String(decoding: peer.read(4), as: UTF8.self))
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let stream = BodyStream(length: 4) {
            order.add("read")
            return DataReader(Data("body".utf8))
        }
        let request = try Self.request(server.host + "/", stream, headers: ["Expect": "100-continue"])
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.statusCode == 200, "\(events)")
        #expect(events.count { if case .head = $0 { true } else { false } } == 1)
        #expect(order.soFar.filter { $0 != "read" } == ["asked", "consent", "body"])
    }

    @Test func `a server that says nothing gets the body after a while`() async throws {
        let server = try LoopbackServer { .ok($0.text) }
        defer { server.stop() }
        let stream = BodyStream(length: 4) { DataReader(Data("body".utf8)) }
        let request = try Self.request(server.host + "/", stream, headers: ["Expect": "100-continue"])
        let last = await CurlTransport().events(of: request).last
        #expect(last?.response?.body == Data("body".utf8))
        #expect(server.requests.first?.headers["expect"] == "100-continue")
    }

    @Test func `a server that refuses gets no body`() async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno")
            #expect(peer.read(100).isEmpty)
        }
        defer { server.stop() }
        let stream = BodyStream(length: 1 << 20) { PatternReader(length: 1 << 20) }
        let request = try Self.request(server.host + "/", stream, headers: ["Expect": "100-continue"])
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.statusCode == 401, "\(events)")
        #expect(events.last?.response?.body == Data("no".utf8))
        #expect(events.sent.isEmpty)
    }

    @Test(arguments: [nil, 4]) func `a server that does not know it is asked without it`(length: Int?) async throws {
        let heads = Transcript()
        let server = try ConversationServer { peer, _ in
            while let head = peer.readHead()?.lowercased() {
                heads.add(head.contains("expect:") ? "with" : "without")
                if head.contains("expect:") {
                    peer.write("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 3\r\n\r\nwhy")
                } else {
                    _ = length == nil ? peer.read(through: "0\r\n\r\n") : peer.read(through: "body")
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                }
            }
        }
        defer { server.stop() }
        let stream = BodyStream(length: length) { DataReader(Data("body".utf8)) }
        let request = try Self.request(server.host + "/", stream, headers: ["Expect": "100-continue"])
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.body == Data("ok".utf8), "\(events)")
        #expect(events.compactMap { if case .head(let head) = $0 { head.statusCode } else { nil } } == [200])
        #expect(heads.soFar == ["with", "without"])
    }

    /// The body had gone out already, so that nothing is left to be sent again.
    @Test func `a refusal that comes late is the response`() async throws {
        let server = try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 100 Continue\r\n\r\n")
            _ = peer.read(through: "body")
            peer.write("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 3\r\n\r\nwhy")
            peer.waitForEnd()
        }
        defer { server.stop() }
        let stream = BodyStream(length: 4) { DataReader(Data("body".utf8)) }
        let request = try Self.request(server.host + "/", stream, headers: ["Expect": "100-continue"])
        let events = await CurlTransport().events(of: request)
        #expect(events.last?.response?.statusCode == 417, "\(events)")
        #expect(events.last?.response?.body == Data("why".utf8))
        #expect(events.compactMap { if case .head(let head) = $0 { head.statusCode } else { nil } } == [417])
    }
}
