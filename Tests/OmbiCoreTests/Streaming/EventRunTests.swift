import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// The run of a stream of events: its connections are attempts.
@Suite struct EventRunTests {
    typealias Failure = RequestError<HTTPError>

    let clock = ManualClock()
    let log = LogRecorder()

    /// A manager that talks to the server, by the clock of the test.
    func manager(_ server: LoopbackServer) -> RequestManager {
        RequestManager(
            host: server.host, transport: CurlTransport.shared,
            log: RequestLog(subsystem: "test", category: "events", handler: log.add), clock: clock)
    }

    /// Ends with its connection.
    static func page(_ text: String) -> LoopbackReply {
        .raw(Data("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n\(text)".utf8))
    }

    /// Announces more than comes.
    static func broken(_ text: String) -> LoopbackReply {
        .raw(
            Data(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 999\r\n\r\n\(text)".utf8))
    }

    static let first = page("retry: 700\nid: 1\ndata: a\n\n")

    /// Lets each wait pass as soon as it has begun.
    func passWaits(_ handle: any RequestHandle) -> Task<Void, Never> {
        let clock = clock
        return Task {
            for await event in handle.events {
                if case .waiting(_, let until, _, let at) = event { clock.advance(by: until - at) }
            }
        }
    }

    @Test(arguments: [false, true]) func `a run has its connections as attempts`(hasMiddleware: Bool) async throws {
        let replies = [Self.first, Self.broken("id: 2\ndata: b\n\n"), .drop, .status(204)]
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            let policy = RetryPolicy(retries: 3, backoff: .constant(.seconds(5)))
            let manager = manager(server)
            if hasMiddleware { manager.middlewares = [MiddlewareTests.Around { try await $1($0) }] }
            let events = manager.events(TextRequest(), retry: policy)
            let ticker = passWaits(events.handle)
            var data: [String] = []
            for try await event in events { data.append(event.data) }
            #expect(data == ["a", "b"])
            let report = try #require(await events.handle.report)
            #expect(report.outcome == .succeeded && report.attemptCount == 4)
            #expect(report.attempts.map(\.reason) == [.first, .reconnect, .reconnect, .retry])
            #expect(report.attempts.map(\.waitReason) == [.reconnection, .reconnection, .backoff, nil])
            #expect(
                report.attempts.map(\.wait) == [.milliseconds(700), .milliseconds(700), .seconds(5), nil])
            #expect(report.attempts.map(\.response?.statusCode) == [200, nil, nil, 204])
            #expect(report.attempts[0].outcome == .succeeded && report.attempts[3].outcome == .succeeded)
            for attempt in report.attempts[1...2] {
                guard case .failed(.connection, _) = attempt.outcome else {
                    Issue.record("\(attempt.outcome)")
                    continue
                }
            }
            #expect(server.requests.map { $0.headers["last-event-id"] } == [nil, "1", "2", "2"])
            let sent = log.entries.map(\.message).filter { $0.hasPrefix("GET ") }
            #expect(sent.count == 4 && sent[1].contains("Last-Event-ID: 1"), "each connection is logged")
            await ticker.value
        }
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `events that a middleware answers by itself arrive`(scope: MiddlewareScope) async throws {
        let manager = RequestManager(host: "http://stub.test", transport: StubTransport { _ in .silence })
        manager.middlewares = [
            MiddlewareTests.Around(scope: scope) { request, _ in
                TransportResponse(
                    url: request.url, headers: ["Content-Type": "text/event-stream"], statusCode: 200,
                    body: Data("id: 1\ndata: a\n\nevent: e\ndata: b\n\n".utf8))
            }
        ]
        var data: [String] = []
        for try await event in manager.events(TextRequest()) { data.append(event.type + event.data) }
        #expect(data == ["messagea", "eb"])
    }

    @Test func `a loop in a cancelled task sends nothing`() async throws {
        let record = StubTransport.Record()
        let manager = RequestManager(
            host: "http://stub.test", transport: StubTransport { _ in .silence }.recording(in: record))
        for _ in 0..<100 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                for try await _ in manager.events(TextRequest()) {}
            }
            await #expect(throws: Failure.cancelled) { try await task.value }
        }
        #expect(record.requests.isEmpty && manager.runCount == 0)
    }

    @Test func `the reconnection time of a server is shortened to what the policy allows`() async throws {
        let replies = [Self.page("retry: 1000000000000\ndata: a\n\n"), .status(204)]
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            var policy = RetryPolicy(retries: 1)
            policy.maximumRetryAfter = .seconds(60)
            let events = manager(server).events(TextRequest(), retry: policy)
            let ticker = passWaits(events.handle)
            for try await _ in events {}
            #expect(await events.handle.report?.attempts.map(\.wait) == [.seconds(60), nil])
            await ticker.value
        }
    }

    @Test func `a connection that stood resets the count of retries`() async throws {
        let replies = [LoopbackReply.drop, Self.first, .drop, Self.first, .drop, .drop]
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            let policy = RetryPolicy(retries: 1, backoff: .exponential(first: .seconds(1)))
            let events = manager(server).events(TextRequest(), retry: policy)
            let ticker = passWaits(events.handle)
            await #expect(throws: Failure.self) { for try await _ in events {} }
            let waits = await events.handle.report?.attempts.map(\.wait)
            let retry: Duration = .milliseconds(700)
            #expect(waits == [.seconds(1), retry, .seconds(1), retry, .seconds(1), nil])
            await ticker.value
        }
    }

    @Test func `skipping the wait connects at once`() async throws {
        let replies = [Self.first, .status(204)]
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            let events = manager(server).events(TextRequest())
            let handle = events.handle
            let task = Task {
                for await case .waiting in handle.events { handle.skipWait() }
            }
            for try await _ in events {}
            await task.value
            #expect(clock.now == .zero)
            #expect(await handle.report?.attempts.map(\.reason) == [.first, .reconnect])
        }
    }

    @Test func `giving up in the wait ends the events`() async throws {
        try await RealServer.scripted({ _ in Self.first }) { server in
            let events = manager(server).events(TextRequest())
            let handle = events.handle
            let task = Task {
                for await case .waiting in handle.events { handle.giveUp() }
            }
            var count = 0
            for try await _ in events { count += 1 }
            await task.value
            #expect(count == 1 && server.requests.count == 1)
        }
    }

    @Test func `dropping the events ends the run`() async throws {
        let stalled = LoopbackReply.stalled(length: 10, sent: 0)
        try await RealServer.scripted({ $0.number == 1 ? Self.first : stalled }) { server in
            let manager = manager(server)
            var events: ServerSentEvents? = manager.events(TextRequest())
            let handle = try #require(events?.handle)
            var iterator = events?.makeAsyncIterator()
            #expect(try await iterator?.next()?.data == "a")
            #expect(manager.runningRequests.count == 1)
            (events, iterator) = (nil, nil)
            #expect(await handle.report?.outcome == .cancelled)
            #expect(manager.runningRequests.isEmpty)
        }
    }

    @Test func `new credentials are got after each connection`() async throws {
        let tokens = Counter()
        let replies = [.status(401), Self.first, .status(401), .status(204)]
        try await RealServer.scripted({ replies[min($0.number, replies.count) - 1] }) { server in
            let manager = manager(server)
            manager.authenticator = TokenAuthenticator(.init("first")) { _ in .init("\(tokens.next())") }
            let events = manager.events(TextRequest())
            let ticker = passWaits(events.handle)
            var count = 0
            for try await _ in events { count += 1 }
            #expect(count == 1)
            #expect(
                await events.handle.report?.attempts.map(\.reason)
                    == [.first, .credentialsRefreshed, .reconnect, .credentialsRefreshed])
            await ticker.value
        }
    }

    @Test func `a reader that is behind holds up the connection`() async throws {
        let piece = Data("data: \(String(repeating: "x", count: 1000))\n\n".utf8)
        let transport = PieceTransport()
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        let events = manager.events(TextRequest())
        var iterator = events.makeAsyncIterator()
        let first = Task { [iterator] in
            var iterator = iterator
            return try await iterator.next()
        }
        #expect(await eventually { transport.isStarted })
        let url = try #require(URL(string: "http://stub.test"))
        transport.tell(
            .head(ResponseHead(url: url, statusCode: 200, headers: ["Content-Type": "text/event-stream"])))
        for _ in 0..<600 { transport.tell(.data(piece)) }
        // The reader that waits may have let it go on already.
        #expect(await eventually { transport.calls.soFar.contains("pause") })
        _ = try await first.value
        for _ in 0..<599 { _ = try await iterator.next() }
        #expect(await eventually { transport.calls.soFar.last == "resume" })
    }

    @Test func `many connections leave memory flat`() async throws {
        let record = StubTransport.Record()
        let count = 1000
        let replies =
            (0..<count).map { number in
                StubTransport.Reply.response(
                    data: Data("retry: 0\nid: \(number)\ndata: a\n\n".utf8),
                    headers: ["Content-Type": "text/event-stream"])
            } + [.response(statusCode: 204)]
        let stub = StubTransport.stub(replies: replies).recording(in: record)
        let manager = RequestManager(host: "http://stub.test", transport: stub)
        let events = manager.events(TextRequest())
        var gaps = 0
        for try await event in events where event.gap != nil { gaps += 1 }
        #expect(gaps == count - 1 && record.requests.last?.headers["Last-Event-ID"]?.text == "\(count - 1)")
        let report = try #require(await events.handle.report)
        #expect(report.attemptCount == count + 1 && report.attempts.count == AttemptHistory.maximumAttempts)
        var kept = 0
        for await _ in events.handle.events { kept += 1 }
        #expect(kept < 1500, "the events of old attempts are dropped")
    }
}
