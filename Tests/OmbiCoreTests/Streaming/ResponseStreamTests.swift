import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// Responses that are read while they arrive.
@Suite struct ResponseStreamTests {
    typealias Failure = RequestError<HTTPError>

    let clock = ManualClock()
    let pieces = PieceTransport()

    func manager(_ transport: any Transport) -> RequestManager {
        RequestManager(host: "http://stub.test", transport: transport, clock: clock)
    }

    static func head(_ status: Int = 200) throws -> TransportEvent {
        .head(
            ResponseHead(url: try #require(URL(string: "http://stub.test/")), statusCode: status, headers: ["X": "1"]))
    }

    static let finished = TransportEvent.finished(TransportResponse(statusCode: 200), TransportMetrics())

    /// A stream whose head has come; the rest is up to the test.
    func stream(sla: Duration? = nil) async throws -> ResponseStream<HTTPError> {
        let manager = manager(pieces)
        async let stream = manager.stream(TextRequest(), sla: sla)
        #expect(await eventually { pieces.isStarted })
        pieces.tell(.phase(.receive), try Self.head())
        return try await stream
    }

    static func read<E>(_ stream: ResponseStream<E>) async throws -> Data {
        var data = Data()
        for try await piece in stream.body { data += piece }
        return data
    }

    @Test func `the head comes before the body`() async throws {
        let stream = try await stream()
        #expect(stream.head.statusCode == 200 && stream.head.headers["X"] == "1")
        #expect(pieces.requests.map(\.responseDelivery) == [.pieces])
        var body = stream.body.makeAsyncIterator()
        pieces.tell(.data(Data("a".utf8)), .data(Data()))
        #expect(try await body.next() == Data("a".utf8))
        pieces.tell(.data(Data("b".utf8)), .data(Data("c".utf8)), Self.finished)
        #expect(try await body.next() == Data("b".utf8))
        #expect(try await body.next() == Data("c".utf8))
        #expect(try await body.next() == nil)
        #expect(try await body.next() == nil)
    }

    @Test func `a reader that falls behind pauses the transfer`() async throws {
        let stream = try await stream()
        #expect(await eventually { pieces.calls.soFar == ["pause", "resume"] }, "held until the head is accepted")
        let piece = Data(count: 100 * 1024)
        pieces.tell(.data(piece), .data(piece))
        #expect(pieces.calls.soFar.count == 2)
        pieces.tell(.data(piece))
        #expect(pieces.calls.soFar.last == "pause")
        var body = stream.body.makeAsyncIterator()
        for count in 1...3 {
            #expect(try await body.next()?.count == piece.count)
            #expect(pieces.calls.soFar.last == (count < 3 ? "pause" : "resume"))
        }
    }

    @Test func `attempts are repeated until a head is accepted`() async throws {
        let record = StubTransport.Record()
        let stub = StubTransport.stub(replies: [
            .failure(TransportError(code: .connectionLost)), .response(statusCode: 503, data: Data("busy".utf8)),
            .response(data: Data("the whole body".utf8)).inPieces(of: 3),
        ]).recording(in: record)
        let stream = try await manager(stub).stream(TextRequest(), retry: RetryPolicy(retries: 2))
        #expect(try await Self.read(stream) == Data("the whole body".utf8))
        #expect(record.requests.count == 3)
    }

    @Test func `a refused head gives an error with its body`() async throws {
        let page = Data(repeating: 0x78, count: 3 << 20)
        for (body, kept) in [(Data("gone".utf8), 4), (page, 1 << 20)] {
            let stub = StubTransport.stub(replies: [.response(statusCode: 404, data: body).inPieces(of: 65_000)])
            do {
                _ = try await manager(stub).stream(TextRequest())
                Issue.record("a 404 passed")
            } catch {
                #expect(error == Failure.validationError(.notFound))
                expectSame(error.response?.body, body.prefix(kept))
            }
        }
    }

    @Test func `a break is an error of the body`() async throws {
        let stub = StubTransport.stub(replies: [
            .response(data: Data("half".utf8)).inPieces(of: 2).failing(with: TransportError(code: .connectionLost))
        ])
        let stream = try await manager(stub).stream(TextRequest(), retry: RetryPolicy(retries: 3))
        var body = stream.body.makeAsyncIterator()
        #expect(try await body.next() == Data("ha".utf8))
        #expect(try await body.next() == Data("lf".utf8))
        do {
            _ = try await body.next()
            Issue.record("the body ended")
        } catch {
            guard case .connectionError(let cause) = error, cause.code == .connectionLost else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `dropping a stream cancels the transfer`() async throws {
        do {
            let stream = try await stream()
            #expect(await eventually { pieces.calls.soFar == ["pause", "resume"] })
            withExtendedLifetime(stream) {}
        }
        #expect(await eventually { pieces.calls.soFar.last == "cancel" })
        pieces.tell(.data(Data("late".utf8)), Self.finished)
    }

    @Test func `cancelling the reader cancels the transfer`() async throws {
        let stream = try await stream()
        let reader = Task { try await Self.read(stream) }
        pieces.tell(.data(Data("a".utf8)))
        reader.cancel()
        await #expect(throws: Failure.cancelled) { try await reader.value }
        #expect(await eventually { pieces.calls.soFar.last == "cancel" })
    }

    @Test func `cancelling the call sends nothing further`() async throws {
        let manager = manager(pieces)
        let task = Task { try await manager.stream(TextRequest()) }
        #expect(await eventually { pieces.isStarted })
        task.cancel()
        await #expect(throws: Failure.cancelled) { _ = try await task.value }
        #expect(await eventually { pieces.calls.soFar.last == "cancel" })
        pieces.tell(try Self.head(), .data(Data("late".utf8)), Self.finished)
    }

    @Test func `the SLA is that of the head`() async throws {
        let stream = try await stream(sla: .seconds(1))
        clock.advance(by: .seconds(100))
        pieces.tell(.data(Data("late".utf8)), Self.finished)
        #expect(try await Self.read(stream) == Data("late".utf8))
        let silent = PieceTransport()
        let other = manager(silent)
        let task = Task { try await other.stream(TextRequest(), sla: .seconds(1)) }
        #expect(await eventually { silent.isStarted })
        clock.advance(by: .seconds(1))
        await #expect(throws: Failure.slaExceeded()) { _ = try await task.value }
        #expect(await eventually { silent.calls.soFar == ["cancel"] })
    }

    @Test func `middlewares and credentials apply to the head`() async throws {
        let record = StubTransport.Record()
        let stub = StubTransport.stub(replies: [
            .response(statusCode: 401), .response(data: Data("x".utf8)),
        ]).recording(in: record)
        let manager = manager(stub)
        manager.authenticator = CredentialsTests.Numbered()
        let seen = Lock<[Data?]>([])
        manager.middlewares = [
            MiddlewareTests.Around { request, next in
                var response = try await next(request)
                if response.statusCode == 200 { seen.withLock { $0.append(response.body) } }
                response.headers?["X-Seen"] = "1"
                return response
            }
        ]
        let stream = try await manager.stream(TextRequest())
        #expect(stream.head.headers["X-Seen"] == "1")
        #expect(try await Self.read(stream) == Data("x".utf8))
        #expect(seen.withLock { $0 } == [nil])
        #expect(record.requests.map { $0.headers[.authorization] } == ["n 0", "n 1"])
    }

    @Test func `a middleware may give the body`() async throws {
        let manager = manager(pieces)
        manager.middlewares = [
            MiddlewareTests.Around { request, _ in
                TransportResponse(url: request.url, statusCode: 200, body: Data("cached".utf8))
            }
        ]
        #expect(try await Self.read(manager.stream(TextRequest())) == Data("cached".utf8))
        #expect(!pieces.isStarted)
    }

    @Test func `nothing outlives a stream`() async throws {
        weak var manager: RequestManager?
        let tokens = LiveCount()
        do {
            let token = tokens.token()
            let own = self.manager(
                StubTransport { _ in
                    withExtendedLifetime(token) { .response(data: Data("body".utf8)) }
                })
            manager = own
            let stream = try await own.stream(TextRequest())
            #expect(try await Self.read(stream) == Data("body".utf8))
        }
        #expect(await eventually { manager == nil && tokens.value == 0 })
    }

    /// More than the sockets and the buffer hold, so that the transfer is paused and taken up again.
    @Test func `a long body comes whole from a server`() async throws {
        let text = String(repeating: "0123456789abcdef", count: 1 << 19)
        try await RealServer.scripted({ _ in .ok(text) }) { (server) async throws in
            let stream = try await RequestManager(host: server.host).stream(TextRequest())
            #expect(try await Self.read(stream) == Data(text.utf8))
        }
    }
}
