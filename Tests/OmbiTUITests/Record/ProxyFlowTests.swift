import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The buffers of a recording proxy: they hold little, and the faster side waits.
@Suite struct ProxyFlowTests {
    /// A transport that is told what to say, and counts.
    private final class ScriptedTransport: Transport {
        struct State {
            var onEvent: (@Sendable (TransportEvent) -> Void)?
            var calls: [String] = []
        }

        let state = Lock(State())

        private struct Attempt: TransportTask {
            let state: Lock<State>

            func cancel() { state.withLock { $0.calls.append("cancel") } }
            func pause() { state.withLock { $0.calls.append("pause") } }
            func resume() { state.withLock { $0.calls.append("resume") } }
        }

        func start(
            _ request: TransportRequest, onEvent: @escaping @Sendable (TransportEvent) -> Void
        ) -> any TransportTask {
            state.withLock { $0.onEvent = onEvent }
            return Attempt(state: state)
        }

        func say(_ event: TransportEvent) { state.withLock { $0.onEvent }?(event) }

        var calls: [String] { state.withLock { $0.calls } }
    }

    private static func exchange(_ transport: ScriptedTransport) throws -> ProxyExchange {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let exchange = ProxyExchange(onNews: {})
        exchange.start(TransportRequest(url: url), over: transport)
        return exchange
    }

    @Test func `the target waits while the client does not read`() throws {
        let transport = ScriptedTransport()
        let exchange = try Self.exchange(transport)
        let piece = Data(repeating: 1, count: 100 << 10)
        for _ in 0..<2 { transport.say(.data(piece)) }
        #expect(transport.calls == [])
        transport.say(.data(piece))
        #expect(transport.calls == ["pause"])
        transport.say(.finished(TransportResponse(statusCode: 200), TransportMetrics()))
        #expect(exchange.take(room: 1).pieces.count == 1)
        let rest = exchange.take(room: 1 << 20)
        #expect(rest.pieces.count == 2 && rest.end != nil)
    }

    @Test func `the target goes on once a quarter is left`() throws {
        let transport = ScriptedTransport()
        let exchange = try Self.exchange(transport)
        for _ in 0..<3 { transport.say(.data(Data(repeating: 1, count: 100 << 10))) }
        #expect(exchange.take(room: 1).pieces.count == 1)
        #expect(transport.calls == ["pause"])
        #expect(exchange.take(room: 1 << 20).pieces.count == 2)
        #expect(transport.calls == ["pause", "resume"])
        exchange.cancel()
        transport.say(.data(Data([1])))
        #expect(exchange.take(room: 1).pieces.isEmpty && transport.calls.last == "cancel")
    }

    @Test func `the end comes with the last piece, and a head once`() throws {
        let transport = ScriptedTransport()
        let exchange = try Self.exchange(transport)
        let url = try #require(URL(string: "http://127.0.0.1/"))
        transport.say(.head(ResponseHead(url: url, statusCode: 200, headers: [:])))
        transport.say(.data(Data([1, 2])))
        transport.say(.data(Data([3])))
        transport.say(.failed(TransportError(code: .connectionLost), TransportMetrics()))
        let first = exchange.take(room: 1)
        #expect(first.head?.statusCode == 200 && first.pieces == [Data([1, 2])] && first.end == nil)
        let second = exchange.take(room: 1)
        #expect(second.head == nil && second.pieces == [Data([3])])
        guard case .failed(let error, _) = second.end else {
            Issue.record("no end")
            return
        }
        #expect(error.code == .connectionLost)
    }

    /// The events of a client that goes with the first so many bytes of a body of four.
    private static func events(
        after count: Int, _ ending: (ProxyConnection, ScriptedTransport) -> Void
    ) throws -> [ProxyConnection.Event] {
        let transport = ScriptedTransport()
        let target = try #require(ProxyTarget("http://127.0.0.1:1", transport: transport))
        let events = Lock<[ProxyConnection.Event]>([])
        let now = ContinuousClock.now
        let connection = ProxyConnection(target, at: now, wake: {}) { event in events.withLock { $0.append(event) } }
        connection.receive(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), at: now)
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        transport.say(.head(ResponseHead(url: url, statusCode: 200, headers: ["Content-Length": "4"])))
        transport.say(.data(Data(repeating: 1, count: count)))
        connection.advance(at: now)
        connection.didSend(connection.unsent.count, at: now)
        connection.receiveEnd()
        ending(connection, transport)
        #expect(connection.isEnded)
        return events.withLock { $0 }
    }

    private static func isCancelled(_ events: [ProxyConnection.Event]) -> Bool? {
        guard events.count == 1, case .passed(let exchange)? = events.first else { return nil }
        return exchange.isCancelled
    }

    @Test func `a client that goes with a whole response has got it, whenever the transport says so`() throws {
        let said = try Self.events(after: 4) { connection, transport in
            #expect(!connection.isEnded && !connection.isReading)
            transport.say(.finished(TransportResponse(statusCode: 200), TransportMetrics()))
            connection.advance(at: ContinuousClock.now)
        }
        let ended = try Self.events(after: 4) { connection, _ in connection.end() }
        let early = try Self.events(after: 3) { _, _ in }
        #expect(Self.isCancelled(said) == false && Self.isCancelled(ended) == false)
        #expect(Self.isCancelled(early) == true)
    }

    // MARK: Uploads

    private static func read(
        _ reader: any BodyReader, _ count: Int, wake: @escaping @Sendable () -> Void = {}
    ) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try bytes.withUnsafeMutableBytes { buffer -> Int? in
            guard let waiting = reader as? any WaitingBodyReader else { return 0 }
            return try waiting.read(into: buffer, wake: wake)
        }
        return read.map { Array(bytes[..<$0]) }
    }

    @Test func `the client waits while the target does not read`() throws {
        let rooms = Lock(0)
        let upload = ProxyUpload(onRoom: { rooms.withLock { $0 += 1 } })
        let reader = try upload.stream(length: nil).open()
        upload.append([UInt8](repeating: 7, count: 300 << 10))
        #expect(!upload.hasRoom)
        #expect(try Self.read(reader, 10)?.count == 10)
        #expect(!upload.hasRoom && rooms.withLock { $0 } == 0)
        #expect(try Self.read(reader, 100 << 10)?.count == 100 << 10)
        #expect(upload.hasRoom && rooms.withLock { $0 } == 1)
    }

    @Test func `a reader without bytes is woken once, by more or by the end`() throws {
        let wakes = Lock(0)
        let upload = ProxyUpload(onRoom: {})
        let reader = try upload.stream(length: nil).open()
        let wake: @Sendable () -> Void = { wakes.withLock { $0 += 1 } }
        #expect(try Self.read(reader, 4, wake: wake) == nil)
        upload.append([1, 2])
        upload.append([3])
        #expect(wakes.withLock { $0 } == 1)
        #expect(try Self.read(reader, 4, wake: wake) == [1, 2, 3])
        #expect(try Self.read(reader, 4, wake: wake) == nil)
        upload.end()
        #expect(wakes.withLock { $0 } == 2)
        #expect(try Self.read(reader, 4, wake: wake) == [])
    }

    @Test func `a body that breaks off fails, and one that was read is not sent again`() throws {
        let upload = ProxyUpload(onRoom: {})
        let stream = upload.stream(length: 4)
        let reader = try stream.open()
        upload.append([1, 2])
        #expect(try Self.read(reader, 4) == [1, 2])
        #expect(throws: BodyStreamError.readBefore) { try stream.open() }
        upload.breakOff()
        #expect(throws: BodyStreamError.self) { try Self.read(reader, 4) }
    }
}
