import Foundation
import Testing

@testable import OmbiCore

/// Code around requests: in which order, how often, and what becomes of what it returns and throws.
@Suite struct MiddlewareTests {
    typealias Failure = RequestError<HTTPError>

    /// A middleware from a closure.
    struct Around: RequestMiddleware {
        var scope = MiddlewareScope.attempt
        let body: @Sendable (TransportRequest, Next) async throws -> TransportResponse

        func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
            try await body(request, next)
        }
    }

    struct Mishap: Error, Equatable, CustomStringConvertible {
        let description = "a mishap"
    }

    let clock = ManualClock()

    func manager(_ transport: any Transport, _ middlewares: any RequestMiddleware...) -> RequestManager {
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        manager.middlewares = middlewares
        return manager
    }

    static func noting(_ name: String, _ transcript: Transcript, _ scope: MiddlewareScope = .attempt) -> Around {
        Around(scope: scope) { request, next in
            transcript.add("\(name) out")
            let response = try await next(request)
            transcript.add("\(name) in")
            return response
        }
    }

    @Test func `they run from the outermost to the network and back`() async throws {
        let transcript = Transcript()
        let manager = manager(
            ScriptedTransport(.status(200, [:], "x")), Self.noting("a", transcript),
            Self.noting("r", transcript, .run), Self.noting("b", transcript), Self.noting("s", transcript, .run))
        #expect(try await manager.value(for: TextRequest()) == "x")
        #expect(
            transcript.soFar == ["r out", "s out", "a out", "b out", "b in", "a in", "s in", "r in"])
    }

    /// Without them nothing is asynchronous: the request is on its way when `send` returns.
    @Test func `without them the request is sent at once`() {
        let transport = ScriptedTransport(.silence)
        let task = manager(transport).send(TextRequest())
        #expect(transport.requests.count == 1)
        task.cancel()
    }

    @Test func `they run for each attempt or once per run`() async throws {
        let transcript = Transcript()
        let transport = ScriptedTransport(.status(503), .error(.connectionLost), .status(200, [:], "x"))
        let manager = manager(
            transport, Self.noting("run", transcript, .run),
            Around { request, next in
                transcript.add("attempt")
                return try await next(request)
            })
        #expect(try await manager.value(for: TextRequest(), retry: RetryPolicy(retries: 5)) == "x")
        #expect(transcript.soFar == ["run out", "attempt", "attempt", "attempt", "run in"])
        #expect(transport.requests.count == 3)
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `they change request and response`(scope: MiddlewareScope) async throws {
        let transport = ScriptedTransport(.status(404, ["X": "1"], "gone"))
        let manager = manager(
            transport,
            Around(scope: scope) { request, next in
                var request = request
                request.headers["X-Trace"] = "7"
                request.method = .post
                var response = try await next(request)
                response.statusCode = 200
                response.body = Data("here".utf8)
                return response
            })
        let task = manager.send(TextRequest())
        #expect(
            try await task.response
                == RequestResponse(
                    url: URL(string: "http://stub.test/"), headers: ["X": "1", "Content-Length": "4"], statusCode: 200,
                    body: "here"))
        #expect(transport.requests.map { $0.headers["X-Trace"] } == ["7"] && transport.requests[0].method == .post)
        #expect(await task.report?.request?.headers["X-Trace"] == "7")
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `they answer without the network`(scope: MiddlewareScope) async throws {
        let transport = ScriptedTransport(.silence)
        let manager = manager(
            transport,
            Around(scope: scope) { request, _ in
                TransportResponse(url: request.url, statusCode: 200, body: Data("cached".utf8))
            })
        #expect(try await manager.value(for: TextRequest()) == "cached")
        #expect(transport.requests.isEmpty)
    }

    /// A response of their own is decoded and validated like any other.
    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `what they answer is validated`(scope: MiddlewareScope) async {
        let manager = manager(
            ScriptedTransport(.status(200)),
            Around(scope: scope) { _, next in
                _ = try await next(TransportRequest(url: URL(filePath: "/")))
                return TransportResponse(statusCode: 404)
            }, Around(scope: scope) { _, _ in TransportResponse(statusCode: 200) })
        await #expect(throws: Failure.validationError(.notFound)) { try await manager.response(for: TextRequest()) }
    }

    /// A response that comes back unchanged is not decoded a second time.
    @Test func `an unchanged response is decoded once`() async throws {
        let decoded = Counter()
        let body = String(repeating: "x", count: 1000)
        let request = ComposableRequest<NoBody, String, HTTPError>().decodeBody { data in
            _ = decoded.next()
            return data.map { String(decoding: $0, as: UTF8.self) }
        }
        let manager = manager(
            ScriptedTransport(.status(200, [:], body)), Around(scope: .run) { try await $1($0) })
        #expect(try await manager.value(for: request) == body)
        #expect(decoded.value == 1)
    }

    @Test func `a middleware of an attempt may call next again`() async throws {
        let transport = ScriptedTransport(.status(500), .status(200, [:], "x"))
        let manager = manager(
            transport,
            Around { request, next in
                let response = try await next(request)
                return response.statusCode == 500 ? try await next(request) : response
            })
        let task = manager.send(TextRequest())
        #expect(try await task.value == "x")
        #expect(await task.report?.attempts.count == 1 && transport.requests.count == 2)
    }

    @Test func `a middleware of the run may call next once`() async {
        let manager = manager(
            ScriptedTransport(.status(200)),
            Around(scope: .run) { request, next in
                _ = try await next(request)
                return try await next(request)
            })
        do {
            _ = try await manager.response(for: TextRequest())
            Issue.record("next was called twice")
        } catch {
            #expect(error.description == "a middleware around a run called next a second time")
            #expect(error.response?.statusCode == 200)
        }
    }

    // MARK: Errors

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `an error of its own ends the run`(scope: MiddlewareScope) async throws {
        let transport = ScriptedTransport(.status(200, [:], "x"))
        let manager = manager(
            transport,
            Around(scope: scope) { request, next in
                _ = try await next(request)
                throw Mishap()
            })
        let task = manager.send(TextRequest(), retries: 3)
        await #expect(throws: Failure.middlewareFailed(Mishap())) { try await task.response }
        do { _ = try await task.response } catch {
            #expect(error.stage == .execution && error.underlyingError is Mishap && error.description == "a mishap")
            #expect(error.response?.body == Data("x".utf8))
        }
        #expect(transport.requests.count == 1)
        let report = try #require(await task.report)
        #expect(report.outcome == .failed("a mishap"))
        #expect(report.attempts.map(\.outcome) == (scope == .attempt ? [.stopped("a mishap")] : [.succeeded]))
    }

    @Test func `a fallback stands in for an error of a middleware`() async throws {
        let manager = manager(ScriptedTransport(.silence), Around { _, _ in throw Mishap() })
        let fallback = RequestResponse(statusCode: 200, body: "old")
        #expect(try await manager.value(for: TextRequest(), fallbackResponse: fallback) == "old")
    }

    /// A failure of the network is retried as the policy says, whoever throws it.
    @Test func `a failure of the network that it throws is retried`() async throws {
        let calls = Counter()
        let manager = manager(
            ScriptedTransport(.status(200, [:], "x")),
            Around { request, next in
                if calls.next() < 2 { throw TransportError(code: .connectionLost) }
                return try await next(request)
            })
        let task = manager.send(TextRequest(method: .post), retry: RetryPolicy(retries: 2))
        #expect(try await task.value == "x", "nothing was sent by the first two, so a POST is safe")
        #expect(await task.report?.attempts.map(\.reason) == [.first, .retry, .retry])
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `an error of the request is that error`(scope: MiddlewareScope) async {
        let manager = manager(
            ScriptedTransport(.status(200)), Around(scope: scope) { _, _ in throw Failure.validationError(.forbidden) })
        await #expect(throws: Failure.validationError(.forbidden)) { try await manager.response(for: TextRequest()) }
        let other = self.manager(
            ScriptedTransport(.status(200)),
            Around(scope: scope) { _, _ in throw RequestError<NoError>.timedOut(TransportError(code: .timedOut)) })
        await #expect(throws: Failure.timedOut()) { try await other.response(for: TextRequest()) }
        let foreign = self.manager(
            ScriptedTransport(.status(200)), Around(scope: scope) { _, _ in throw RequestError<NoError>.unknownError })
        await #expect(throws: Failure.middlewareFailed(RequestError<NoError>.unknownError)) {
            try await foreign.response(for: TextRequest())
        }
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `next throws what the network did`(scope: MiddlewareScope) async {
        let thrown = Lock<[String]>([])
        let manager = manager(
            ScriptedTransport(.error(.cannotFindHost)),
            Around(scope: scope) { request, next in
                do { return try await next(request) } catch {
                    thrown.withLock { $0.append("\((error as? TransportError)?.code.rawValue ?? "\(error)")") }
                    throw error
                }
            })
        await #expect(throws: Failure.connectionError(TransportError(code: .cannotFindHost))) {
            try await manager.response(for: TextRequest())
        }
        #expect(thrown.withLock { $0 } == ["cannotFindHost"])
    }

    @Test func `a middleware of the run sees a response that is refused`() async {
        let seen = Lock<[Int?]>([])
        let manager = manager(
            ScriptedTransport(.status(404)),
            Around(scope: .run) { request, next in
                let response = try await next(request)
                seen.withLock { $0.append(response.statusCode) }
                return response
            })
        await #expect(throws: Failure.validationError(.notFound)) { try await manager.response(for: TextRequest()) }
        #expect(seen.withLock { $0 } == [404])
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `what it sends is checked`(scope: MiddlewareScope) async {
        let transport = ScriptedTransport(.status(200))
        let manager = manager(
            transport,
            Around(scope: scope) { request, next in
                var request = request
                request.headers["X"] = "a\r\nEvil: 1"
                return try await next(request)
            })
        do {
            _ = try await manager.response(for: TextRequest())
            Issue.record("a line break was sent")
        } catch {
            #expect(error.stage == .creation && error.underlyingError is MalformedRequest)
        }
        #expect(transport.requests.isEmpty)
    }

    // MARK: Ends from outside

    /// Waits for ever, whatever happens to its task; and says when it has begun.
    static func deaf(_ begun: Transcript, _ scope: MiddlewareScope = .attempt) -> Around {
        Around(scope: scope) { _, _ in
            begun.end("begun")
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return TransportResponse(statusCode: 200)
        }
    }

    @Test(arguments: [MiddlewareScope.attempt, .run])
    func `a deaf middleware holds up no end`(scope: MiddlewareScope) async {
        let begun = Transcript()
        let cancelled = manager(ScriptedTransport(.silence), Self.deaf(begun, scope)).send(TextRequest())
        _ = await begun.lines
        cancelled.cancel()
        #expect(await cancelled.report?.outcome == .cancelled)
        let late = Transcript()
        let task = manager(ScriptedTransport(.silence), Self.deaf(late, scope)).send(TextRequest(), sla: .seconds(1))
        _ = await late.lines
        clock.advance(by: .seconds(1))
        #expect(await task.report?.outcome == .slaExceeded)
    }

    /// Waits for its task to be cancelled.
    static func patient(_ transcript: Transcript, _ scope: MiddlewareScope = .attempt) -> Around {
        Around(scope: scope) { request, next in
            transcript.add("begun")
            do { return try await next(request) } catch {
                transcript.add("\(Task.isCancelled), \((error as? TransportError)?.code.rawValue ?? "\(error)")")
                throw error
            }
        }
    }

    @Test(arguments: [MiddlewareScope.attempt, .run], [true, false])
    func `the task is cancelled with the run`(scope: MiddlewareScope, byHand: Bool) async {
        let transcript = Transcript()
        let transport = ScriptedTransport(.silence)
        let task = manager(transport, Self.patient(transcript, scope)).send(TextRequest(), sla: .seconds(1))
        #expect(await eventually { transport.requests.count == 1 })
        if byHand { task.cancel() } else { clock.advance(by: .seconds(1)) }
        #expect(await task.report?.outcome == (byHand ? .cancelled : .slaExceeded))
        #expect(await eventually { transcript.soFar == ["begun", "true, cancelled"] })
        #expect(await eventually { transport.cancelCount == 1 })
    }

    @Test func `an abandoned attempt is cancelled and the next begins`() async throws {
        let transcript = Transcript()
        let transport = ScriptedTransport(.silence, .status(200, [:], "x"))
        let task = manager(transport, Self.patient(transcript)).send(TextRequest())
        #expect(await eventually { transport.requests.count == 1 })
        task.retryNow()
        #expect(try await task.value == "x")
        #expect(await task.report?.attempts.map(\.reason) == [.first, .manual])
        #expect(await eventually { transcript.soFar.contains("true, cancelled") })
    }

    /// What a middleware still sends after the end of its attempt does not go out.
    @Test func `nothing is sent after the end`() async {
        let gate = Transcript()
        let over = Transcript()
        let transport = ScriptedTransport(.status(200))
        let manager = manager(
            transport,
            Around { request, next in
                over.add("begun")
                _ = await gate.lines
                do { _ = try await next(request) } catch { over.end("\(error)") }
                return TransportResponse(statusCode: 200)
            })
        let task = manager.send(TextRequest())
        #expect(await eventually { over.soFar == ["begun"] })
        task.cancel()
        #expect(await task.report?.outcome == .cancelled)
        gate.end("open")
        #expect(await over.lines == ["begun", "cancelled"])
        #expect(transport.requests.isEmpty)
    }

    /// The loop over attempts has ended, and the middleware of the run is still busy: there is nothing to step into.
    @Test func `stepping in after the last attempt changes nothing`() async throws {
        let gate = Transcript()
        let attempted = Transcript()
        let transport = ScriptedTransport(.status(200, [:], "x"))
        let manager = manager(
            transport,
            Around(scope: .run) { request, next in
                let response = try await next(request)
                attempted.end("attempted")
                _ = await gate.lines
                return response
            })
        let task = manager.send(TextRequest())
        _ = await attempted.lines
        task.retryNow()
        task.skipWait()
        task.giveUp()
        gate.end("open")
        #expect(try await task.value == "x")
        #expect(transport.requests.count == 1)
    }

    @Test func `events come in order`() async {
        let transport = ScriptedTransport(.error(.connectionLost), .status(200, [:], "ok"))
        let manager = manager(transport, Around { try await $1($0) }, Around(scope: .run) { try await $1($0) })
        let (recorder, _) = manager.record(TextRequest(), retry: .plain(retries: 1))
        _ = await recorder.outcome
        #expect(
            recorder.events.map(\.name) == [
                "started 1 of 2", "failed", "started 2 of 2", "wait", "receive", "head", "received", "succeeded",
                "finished",
            ])
    }

    @Test func `nothing outlives a run with middlewares`() async {
        weak var manager: RequestManager?
        let tokens = LiveCount()
        do {
            let token = tokens.token()
            let own = self.manager(
                ScriptedTransport(.status(200, [:], "x")),
                Around { request, next in
                    withExtendedLifetime(token) {}
                    return try await next(request)
                },
                Around(scope: .run) { try await $1($0) })
            manager = own
            _ = try? await own.value(for: TextRequest())
        }
        #expect(await eventually { manager == nil && tokens.value == 0 })
    }
}
