import Foundation
import Testing

@testable import OmbiCore

/// Server-sent events: how a stream is read, and how a connection is made again.
@Suite struct ServerSentEventsTests {
    typealias Failure = RequestError<HTTPError>

    let clock = ManualClock()

    static func parse(_ text: String, by length: Int = .max) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        var rest = Data(text.utf8)
        var events: [ServerSentEvent] = []
        while !rest.isEmpty {
            events += try parser.parse(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return events
    }

    static let streams: [(String, [ServerSentEvent])] = [
        ("", []),
        ("data: a", []),
        ("data: a\n", []),
        ("data: a\n\n", [ServerSentEvent(data: "a")]),
        ("data: a\r\n\r\n", [ServerSentEvent(data: "a")]),
        ("data: a\r\rdata: b\r\r", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
        ("\n\u{FEFF}data: a\n\n", []),
        ("data:a\ndata: b\ndata:  c\n\n", [ServerSentEvent(data: "a\nb\n c")]),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        (
            ": comment\nevent: add\ndata: 1\n\ndata: 2\n\n",
            [ServerSentEvent(type: "add", data: "1"), ServerSentEvent(data: "2")]
        ),
        ("event: add\n\ndata: 1\n\n", [ServerSentEvent(data: "1")]),
        (
            "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            [
                ServerSentEvent(id: "7", data: "a"), ServerSentEvent(id: "7", data: "b"), ServerSentEvent(data: "c"),
            ]
        ),
        ("id: a\u{0}b\ndata: x\n\n", [ServerSentEvent(data: "x")]),
        ("Data: x\nunknown: y\ndata: ä€😀\n\n", [ServerSentEvent(data: "ä€😀")]),
    ]

    @Test(arguments: streams.indices) func `a stream is read alike in pieces of every length`(index: Int) throws {
        let (text, events) = Self.streams[index]
        for length in [1, 2, 3, 5, .max] { #expect(try Self.parse(text, by: length) == events) }
    }

    @Test func `the time to connect again is in digits`() throws {
        var parser = EventStreamParser()
        _ = try parser.parse(Data("retry: 1500\nretry: 2s\nretry:\nretry: -1\n".utf8))
        #expect(parser.reconnectionTime == .milliseconds(1500))
        _ = try parser.parse(Data("retry: 99999999999999999999999\n".utf8))
        #expect(parser.reconnectionTime == .longest)
    }

    @Test func `an event that is too large is an error`() throws {
        var parser = EventStreamParser()
        let line = Data(("data: " + String(repeating: "x", count: 1000) + "\n").utf8)
        #expect(throws: CodingFailure.self) {
            for _ in 0..<2000 { _ = try parser.parse(line) }
        }
    }

    // MARK: Connections

    static func page(_ text: String) -> StubTransport.Reply {
        .response(data: Data(text.utf8), headers: ["Content-Type": "text/event-stream; charset=utf-8"]).inPieces(of: 4)
    }

    /// A manager, and the requests that its stub gets.
    func manager(_ replies: StubTransport.Reply...) -> (RequestManager, StubTransport.Record) {
        let record = StubTransport.Record()
        let stub = StubTransport.stub(replies: replies).recording(in: record)
        return (RequestManager(host: "http://stub.test", transport: stub, clock: clock), record)
    }

    /// Takes all events, and lets waits pass as soon as they begin.
    func take(_ events: ServerSentEvents<TextRequest>) async throws -> ([ServerSentEvent], waits: [Duration]) {
        let clock = clock
        let ticker = Task {
            var waits: [Duration] = []
            while !Task.isCancelled {
                let before = clock.now
                while clock.timerCount > 0 { clock.advance(by: .milliseconds(500)) }
                if clock.now > before { waits.append(clock.now - before) }
                await Task.yield()
            }
            return waits
        }
        var taken: [ServerSentEvent] = []
        do {
            for try await event in events { taken.append(event) }
        } catch {
            ticker.cancel()
            throw error
        }
        ticker.cancel()
        return (taken, await ticker.value)
    }

    @Test func `a connection is made again after its end until the server has no more`() async throws {
        let (manager, record) = manager(
            Self.page("retry: 1500\nid: 1\ndata: a\n\ndata: cut off"), Self.page("id: 2\ndata: b\n\n"),
            .response(statusCode: 204))
        let (events, waits) = try await take(manager.events(TextRequest()))
        #expect(events.map(\.id) == ["1", "2"] && events.map(\.data) == ["a", "b"])
        #expect(events.map(\.arrivedAt) == [.zero, .milliseconds(1500)])
        #expect(events.map(\.gap) == [nil, .milliseconds(1500)])
        #expect(waits == [.milliseconds(1500), .milliseconds(1500)])
        #expect(record.requests.map { $0.headers["Last-Event-ID"]?.text } == [nil, "1", "2"])
        #expect(record.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
    }

    @Test func `a connection is made again after a break`() async throws {
        let (manager, record) = manager(
            Self.page("data: a\n\n").failing(with: TransportError(code: .connectionLost)),
            .failure(TransportError(code: .cannotConnectToHost)), Self.page("data: b\n\n"), .response(statusCode: 204))
        let (events, _) = try await take(manager.events(TextRequest()))
        #expect(events.map(\.data) == ["a", "b"])
        #expect(record.requests.count == 4)
    }

    @Test func `without retries the events end with their connection`() async throws {
        let (manager, record) = manager(Self.page("data: a\n\n"))
        let (events, waits) = try await take(manager.events(TextRequest(), retry: .never))
        #expect(events.map(\.data) == ["a"] && waits.isEmpty && record.requests.count == 1)
        let (other, posted) = self.manager(Self.page("data: a\n\n"))
        _ = try await take(other.events(TextRequest(method: .post)))
        #expect(posted.requests.count == 1, "a POST is not sent again")
    }

    @Test func `another type and a refused status are errors`() async throws {
        let (manager, _) = manager(.json("{}"))
        do {
            _ = try await take(manager.events(TextRequest()))
            Issue.record("JSON passed")
        } catch let error as Failure {
            #expect(error.stage == .parsing && error.response?.statusCode == 200)
        }
        let (other, record) = self.manager(.response(statusCode: 404, data: Data("gone".utf8)))
        do {
            _ = try await take(other.events(TextRequest()))
            Issue.record("a 404 passed")
        } catch let error as Failure {
            #expect(error == .validationError(.notFound) && error.response?.body == Data("gone".utf8))
        }
        #expect(record.requests.count == 1)
    }

    @Test func `cancelling the task ends the wait`() async throws {
        let (manager, record) = manager(Self.page("data: a\n\n"))
        let task = Task {
            var count = 0
            for try await _ in manager.events(TextRequest()) { count += 1 }
            return count
        }
        #expect(await eventually { clock.timerCount == 1 && record.requests.count == 1 })
        task.cancel()
        await #expect(throws: Failure.cancelled) { _ = try await task.value }
        #expect(await eventually { clock.timerCount == 0 })
    }
}
