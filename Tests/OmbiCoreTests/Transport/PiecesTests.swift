import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Responses that are handed over in pieces and not kept.
@Suite struct PiecesTests {
    static let piece = Data((0..<1 << 20).map { PatternReader.byte(at: $0) })

    static func request(_ url: String, _ change: (inout TransportRequest) -> Void = { _ in }) throws -> TransportRequest
    {
        var request = TransportRequest(url: try #require(URL(string: url)), responseDelivery: .pieces)
        change(&request)
        return request
    }

    /// What a reader gets, in order; it may pause and resume.
    final class Reader: Sendable {
        private struct State {
            var data = Data()
            var pieces = 0
            var events: [TransportEvent] = []
            var task: (any TransportTask)?
            var isOver = false
        }

        private let state = Lock(State())
        private let onPiece: @Sendable (Reader, Int) -> Void
        /// The first piece may come before `start` has given the task.
        private let hasTask = DispatchSemaphore(value: 0)

        init(onPiece: @escaping @Sendable (Reader, Int) -> Void = { _, _ in }) { self.onPiece = onPiece }

        func start(_ request: TransportRequest, on transport: any Transport) {
            let task = transport.start(request) { event in
                if case .data(let data) = event {
                    let number = self.state.withLock { state in
                        state.data += data
                        state.pieces += 1
                        return state.pieces
                    }
                    self.hasTask.wait()
                    self.hasTask.signal()
                    self.onPiece(self, number)
                } else {
                    self.state.withLock { state in
                        state.events.append(event)
                        state.isOver = event.isLast
                    }
                }
            }
            state.withLock { $0.task = task }
            hasTask.signal()
        }

        var task: (any TransportTask)? { state.withLock { $0.task } }
        var data: Data { state.withLock { $0.data } }
        var pieces: Int { state.withLock { $0.pieces } }
        var events: [TransportEvent] { state.withLock { $0.events } }
        var last: TransportEvent? {
            get async { await eventually { state.withLock { $0.isOver } } ? events.last : nil }
        }
    }

    @Test func `they come in order and nothing is kept`() async throws {
        let server = try LoopbackServer { _ in .repeated(Self.piece, times: 20) }
        defer { server.stop() }
        let reader = Reader()
        // The limit is one of what is kept.
        let transport = CurlTransport(configuration: .init(maximumResponseBytes: 1000))
        reader.start(try Self.request(server.host + "/"), on: transport)
        let last = await reader.last
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        #expect(last?.response?.body == nil && last?.response?[.contentLength]?.text == "\(20 << 20)")
        #expect(reader.data.count == 20 << 20)
        #expect(reader.data.withUnsafeBytes(ResponseStoreTests.isPattern))
        #expect(reader.events.store == nil)
        #expect(reader.events.received.last == TransferProgress(bytes: 20 << 20, expected: 20 << 20))
        #expect(reader.events.count { if case .head = $0 { true } else { false } } == 1)
    }

    /// Writes until it is held up, and counts.
    static func flood(_ pieces: Int, written: Lock<Int>) throws -> ConversationServer {
        try ConversationServer { peer, _ in
            guard peer.readHead() != nil else { return }
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: \(pieces * piece.count)\r\n\r\n")
            for _ in 0..<pieces {
                guard peer.write(piece) else { return }
                written.withLock { $0 += 1 }
            }
            peer.waitForEnd()
        }
    }

    /// Receives 64 MiB on the same loop: what nobody holds up gets as far meanwhile.
    static func receiveMuch(on transport: CurlTransport) async throws {
        let server = try flood(64, written: Lock(0))
        defer { server.stop() }
        let reader = Reader()
        reader.start(try request(server.host + "/"), on: transport)
        #expect(await reader.last?.response?.statusCode == 200)
    }

    @Test func `pausing holds the server up`() async throws {
        let written = Lock(0)
        let server = try Self.flood(64, written: written)
        defer { server.stop() }
        let reader = Reader { reader, number in if number == 1 { reader.task?.pause() } }
        let transport = CurlTransport()
        reader.start(try Self.request(server.host + "/"), on: transport)
        #expect(await eventually { reader.pieces == 1 })
        try await Self.receiveMuch(on: transport)
        let held = written.withLock { $0 }
        #expect(held < 48, "the server has written \(held) of 64 pieces")
        #expect(reader.pieces < 4, "\(reader.pieces) pieces came")
        reader.task?.resume()
        #expect(await reader.last?.response?.statusCode == 200)
        #expect(reader.data.count == 64 << 20)
        #expect(reader.data.withUnsafeBytes(ResponseStoreTests.isPattern))
    }

    @Test func `after a pause no more pieces come than that under way`() async throws {
        let server = try Self.flood(8, written: Lock(0))
        defer { server.stop() }
        try await Self.readPieceByPiece(try Self.request(server.host + "/"), length: 8 << 20)
    }

    /// All of the body arrives at once, and is a thousand times as large when it has been decoded.
    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `a pause holds back what is still encoded`() async throws {
        let server = try NginxServer(file: Data(count: 8 << 20))
        defer { server.stop() }
        let request = try server.request("/file") { request in
            request.responseDelivery = .pieces
            request.headers[.acceptEncoding] = "gzip"
        }
        try await Self.readPieceByPiece(request, length: 8 << 20)
    }

    /// Pauses at each piece, and goes on when it has come.
    static func readPieceByPiece(_ request: TransportRequest, length: Int) async throws {
        let task = Lock<(any TransportTask)?>(nil)
        let counts = Lock((pieces: 0, bytes: 0, isOver: false))
        let mayGo = DispatchSemaphore(value: 0)
        let handle = CurlTransport().start(request) { event in
            if case .data(let data) = event {
                if counts.withLock({ $0.pieces }) == 0 { mayGo.wait() }
                counts.withLock { $0 = ($0.pieces + 1, $0.bytes + data.count, false) }
                task.withLock { $0 }?.pause()
            }
            if event.isLast { counts.withLock { $0.isOver = true } }
        }
        task.withLock { $0 = handle }
        mayGo.signal()
        var last = 0
        while await eventually({ counts.withLock { $0.pieces > last || $0.isOver } }) {
            let (pieces, bytes, isOver) = counts.withLock { $0 }
            #expect(pieces <= last + 1)
            guard !isOver else {
                #expect(bytes == length)
                break
            }
            last = pieces
            handle.resume()
        }
    }

    @Test(arguments: ["plain", "chunked", "gzip"]) func `pauses lose nothing`(kind: String) async throws {
        let body = Self.piece + Self.piece + Self.piece
        let reply: Data
        switch kind {
        case "chunked":
            var text = Data("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            for start in stride(from: 0, to: body.count, by: 50_000) {
                let part = body[start..<min(start + 50_000, body.count)]
                text += Data("\(String(part.count, radix: 16))\r\n".utf8) + part + Data("\r\n".utf8)
            }
            reply = text + Data("0\r\n\r\n".utf8)
        case "gzip":
            let encoded = Gzip.stored(body)
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(encoded.count)\r\n\r\n"
            reply = Data(head.utf8) + encoded
        default: reply = Data("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        }
        let server = try LoopbackServer { _ in .raw(reply) }
        defer { server.stop() }
        let reader = Reader { reader, _ in
            reader.task?.pause()
            DispatchQueue.global().async { reader.task?.resume() }
        }
        reader.start(try Self.request(server.host + "/"), on: CurlTransport())
        let last = await reader.last
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        expectSame(reader.data, body)
    }

    @Test(
        .enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"),
        arguments: [true, false])
    func `pauses lose nothing over HTTP/2`(isCompressed: Bool) async throws {
        let body = (0..<24).reduce(into: Data()) { data, _ in data += Self.piece }
        let server = try NginxServer(file: body)
        defer { server.stop() }
        let transport = CurlTransport()
        let reader = Reader { reader, number in
            guard number % 16 == 0 else { return }
            reader.task?.pause()
            DispatchQueue.global().async { reader.task?.resume() }
        }
        reader.start(
            try server.request("/file") { request in
                request.responseDelivery = .pieces
                if isCompressed { request.headers[.acceptEncoding] = "gzip" }
            }, on: transport)
        let last = await reader.last
        #expect(last?.response?.statusCode == 200, "\(String(describing: last))")
        #expect(last?.response?[.contentEncoding] == (isCompressed ? "gzip" : nil))
        #expect(last?.metrics?.httpVersion == "2")
        expectSame(reader.data, body)
    }

    /// On the same connection.
    @Test(.enabled(if: NginxServer.isInstalled, "nginx is not installed: apt-get install nginx-light"))
    func `a paused response holds up no other over HTTP/2`() async throws {
        let body = (0..<64).reduce(into: Data()) { data, _ in data += Self.piece }
        let server = try NginxServer(file: body)
        defer { server.stop() }
        let transport = CurlTransport()
        let reader = Reader { reader, number in if number == 1 { reader.task?.pause() } }
        reader.start(try server.request("/file") { $0.responseDelivery = .pieces }, on: transport)
        #expect(await eventually { reader.pieces == 1 })
        let other = try server.request("/other")
        for _ in 0..<50 {
            let last = await transport.events(of: other).last
            #expect(last?.response?.statusCode == 200)
            #expect(last?.metrics?.reusedConnection == true)
        }
        #expect(reader.pieces < 4)
        reader.task?.resume()
        #expect(await reader.last?.response?.statusCode == 200)
        expectSame(reader.data, body)
    }

    @Test func `cancelling works while paused`() async throws {
        let written = Lock(0)
        let server = try Self.flood(64, written: written)
        defer { server.stop() }
        let reader = Reader { reader, number in if number == 1 { reader.task?.pause() } }
        let transport = CurlTransport()
        reader.start(try Self.request(server.host + "/"), on: transport)
        #expect(await eventually { reader.pieces == 1 })
        try await Self.receiveMuch(on: transport)
        reader.task?.cancel()
        #expect(await reader.last?.error?.code == .cancelled)
        reader.task?.resume()
        let next = try LoopbackServer { _ in .ok("next") }
        defer { next.stop() }
        let request = TransportRequest(url: try #require(URL(string: next.host + "/")))
        #expect(await transport.events(of: request).last?.response?.body == Data("next".utf8))
    }

    @Test func `a pause does not count as idle`() async throws {
        let server = try LoopbackServer { _ in .stalled(length: 2048, sent: 512) }
        defer { server.stop() }
        let reader = Reader { reader, number in if number == 1 { reader.task?.pause() } }
        let transport = CurlTransport()
        let request = try Self.request(server.host + "/") { $0.idleTimeout = .milliseconds(200) }
        reader.start(request, on: transport)
        #expect(await eventually { reader.pieces == 1 })
        // Two that are not paused reach their limits, one after the other.
        for _ in 0..<2 {
            let other = Reader()
            other.start(request, on: transport)
            #expect(await other.last?.error?.code == .timedOut)
        }
        #expect(!reader.events.contains { $0.isLast })
        reader.task?.resume()
        let error = await reader.last?.error
        #expect(
            error?.withoutResponse
                == TransportError(
                    code: .timedOut,
                    message: "the response from 127.0.0.1:\(server.port) stalled for 200ms (512 of 2048 bytes)"))
        #expect(error?.response?.statusCode == 200 && error?.response?.body == nil)
    }

    @Test func `of a redirect nothing comes`() async throws {
        let server = try LoopbackServer { $0.target == "/" ? .redirect(302, to: "/end") : .ok("there") }
        defer { server.stop() }
        let reader = Reader()
        reader.start(try Self.request(server.host + "/"), on: CurlTransport())
        #expect(await reader.last?.response?.statusCode == 200)
        #expect(reader.data == Data("there".utf8))
    }

    @Test func `a whole response takes no notice of pauses`() async throws {
        let server = try LoopbackServer { _ in .repeated(Self.piece, times: 8) }
        defer { server.stop() }
        let (events, told) = AsyncStream<TransportEvent>.makeStream()
        let url = try #require(URL(string: server.host + "/"))
        let task = CurlTransport().start(TransportRequest(url: url)) { event in
            told.yield(event)
            if event.isLast { told.finish() }
        }
        task.pause()
        var last: TransportEvent?
        for await event in events { last = event }
        #expect(last?.response?.body?.count == 8 << 20)
        task.resume()
    }
}

/// gzip without compression (RFC 1952, with stored blocks of RFC 1951).
enum Gzip {
    static func stored(_ data: Data) -> Data {
        var result = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        for start in stride(from: 0, to: max(data.count, 1), by: 65_535) {
            let block = data.dropFirst(start).prefix(65_535)
            let length = UInt16(block.count)
            result.append(start + block.count == data.count ? 1 : 0)
            for word in [length, ~length] { result += [UInt8(word & 255), UInt8(word >> 8)] }
            result += block
        }
        for word in [crc(data), UInt32(truncatingIfNeeded: data.count)] {
            result += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return result
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func crc(_ data: Data) -> UInt32 {
        ~data.reduce(~UInt32(0)) { table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
    }
}
