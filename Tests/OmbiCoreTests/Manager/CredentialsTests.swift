import Foundation
import Testing

@testable import OmbiCore

/// An authenticator within a run: before each attempt, after a 401, and in the reports.
@Suite struct CredentialsTests {
    typealias Failure = RequestError<HTTPError>

    struct Mishap: Error, Equatable {}

    /// Numbers its credentials, and refreshes as told.
    final class Numbered: Authenticator {
        let name: String
        let count = Counter()
        let refreshes = Counter()
        let accepted = Counter()
        private let onAuthenticate: @Sendable () async throws -> Void
        private let onRefresh: @Sendable () async throws -> Bool
        let refused = Lock<[TransportRequest]>([])

        init(
            _ name: String = "n", onAuthenticate: @escaping @Sendable () async throws -> Void = {},
            onRefresh: @escaping @Sendable () async throws -> Bool = { true }
        ) {
            self.name = name
            self.onAuthenticate = onAuthenticate
            self.onRefresh = onRefresh
        }

        func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
            try await onAuthenticate()
            var request = request
            request.headers[.authorization] = .string("\(name) \(count.next())")
            return request
        }

        func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool {
            _ = refreshes.next()
            refused.withLock { $0.append(request) }
            return try await onRefresh()
        }

        func accepted(_ response: TransportResponse, to request: TransportRequest) { _ = accepted.next() }
    }

    let clock = ManualClock()

    func manager(_ transport: any Transport, _ authenticator: (any Authenticator)?) -> RequestManager {
        let manager = RequestManager(host: "http://stub.test", transport: transport, clock: clock)
        manager.authenticator = authenticator
        return manager
    }

    static func credentials(_ transport: ScriptedTransport) -> [String?] {
        transport.requests.map { $0.headers[.authorization]?.text }
    }

    @Test func `every attempt has its own credentials`() async throws {
        let transport = ScriptedTransport(.status(503), .error(.connectionLost), .status(200, [:], "x"))
        let task = manager(transport, Numbered()).send(TextRequest(), retry: RetryPolicy(retries: 3))
        #expect(try await task.value == "x")
        #expect(Self.credentials(transport) == ["n 0", "n 1", "n 2"])
        #expect(await task.report?.request?.headers[.authorization] == "n 2")
    }

    /// It works behind the middlewares, and sees the request as it goes out.
    @Test func `it comes after the middlewares`() async throws {
        struct Tag: RequestMiddleware {
            func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
                var request = request
                request.headers[.authorization] = "none"
                request.headers["X-Tag"] = "1"
                return try await next(request)
            }
        }
        struct Signing: Authenticator {
            func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
                var request = request
                request.headers[.authorization] = .string("signed \(request.headers["X-Tag"]?.text ?? "nothing")")
                return request
            }
            func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool { false }
        }
        let transport = ScriptedTransport(.status(200, [:], "x"))
        let manager = manager(transport, Signing())
        manager.middlewares = [Tag()]
        _ = try await manager.value(for: TextRequest())
        #expect(Self.credentials(transport) == ["signed 1"])
    }

    // MARK: Whose credentials

    struct OwnRequest: HTTPRequest {
        typealias ResponseBody = String
        let path = "/"
        let method = RequestMethod.get
        var authentication: RequestAuthentication?
        var authenticator: (any Authenticator)?
    }

    static func token(_ value: String) -> RequestAuthentication { .token(type: "T", value: value) }

    @Test func `the nearest credentials win`() async throws {
        let transport = ScriptedTransport(.status(200, [:], "x"))
        let manager = manager(transport, Numbered("manager"))
        let own = Numbered("own")
        _ = try await manager.value(for: OwnRequest())
        _ = try await manager.value(for: OwnRequest(authentication: Self.token("request")))
        _ = try await manager.response(for: OwnRequest(), authentication: Self.token("call"))
        manager.requestAuthentication = Self.token("plain")
        _ = try await manager.value(for: OwnRequest())
        _ = try await manager.value(for: OwnRequest(authenticator: own))
        _ = try await manager.response(for: OwnRequest(authenticator: own), authentication: Self.token("call"))
        _ = try await manager.value(for: OwnRequest(authentication: Self.token("request"), authenticator: own))
        _ = try await manager.value(for: AnyRequestable(OwnRequest(authenticator: own)))
        _ = try await manager.value(for: ComposableRequest<NoBody, String, HTTPError>().authenticate(by: own))
        #expect(
            Self.credentials(transport) == [
                "manager 0", "T request", "T call", "T plain", "own 0", "own 1", "own 2", "own 3", "own 4",
            ])
    }

    @Test func `the credentials of a request are read once`() async throws {
        let reads = Counter()
        let request = ComposableRequest<NoBody, String, HTTPError>().authenticate(with: {
            () -> RequestAuthentication? in
            _ = reads.next()
            return nil
        })
        _ = try await manager(ScriptedTransport(.status(200, [:], "x")), Numbered()).value(for: request)
        #expect(reads.value == 1)
    }

    // MARK: After a 401

    @Test func `a 401 is answered with new credentials and one more attempt`() async throws {
        let transport = ScriptedTransport(.status(401), .status(200, [:], "x"))
        let clock = clock
        let authenticator = Numbered(onRefresh: {
            clock.advance(by: .seconds(3))
            return true
        })
        let (recorder, task) = manager(transport, authenticator).record(TextRequest(), retry: .never)
        #expect(try await task.value == "x")
        #expect(Self.credentials(transport) == ["n 0", "n 1"])
        #expect(authenticator.refused.withLock { $0.map { $0.headers[.authorization] } } == ["n 0"])
        #expect(authenticator.accepted.value == 1)
        let report = try #require(await recorder.report)
        #expect(report.attempts.map(\.reason) == [.first, .credentialsRefreshed])
        #expect(report.attempts.map(\.outcome) == [.failed(.status, "401 Unauthorized"), .succeeded])
        #expect(report.attempts.map(\.willRetry) == [true, false])
        #expect(report.attempts.map(\.wait) == [.seconds(3), nil])
        #expect(report.attempts.map(\.waitReason) == [.credentials, nil])
        #expect(report.attempts.map(\.duration) == [.zero, .zero])
        let steps = recorder.events.map(\.name).filter {
            ["wait", "receive", "head", "received"].contains($0) == false
        }
        #expect(
            steps == [
                "started 1 of 1", "authenticating", "refreshing", "failed", "started 2 of 2", "authenticating",
                "succeeded", "finished",
            ])
    }

    @Test func `new credentials are got once in a run`() async throws {
        let transport = ScriptedTransport(.status(401))
        let authenticator = Numbered()
        let task = manager(transport, authenticator).send(TextRequest(), retries: 2)
        await #expect(throws: Failure.validationError(.unauthorized)) { try await task.response }
        #expect(authenticator.refreshes.value == 1)
        #expect(await task.report?.attempts.map(\.reason) == [.first, .credentialsRefreshed, .retry, .retry])
    }

    @Test func `without new credentials the 401 is the response`() async {
        let transport = ScriptedTransport(.status(401, [:], "who?"))
        let authenticator = Numbered(onRefresh: { false })
        do {
            _ = try await manager(transport, authenticator).response(for: TextRequest())
            Issue.record("401 passed")
        } catch {
            #expect(error == .validationError(.unauthorized) && error.response?.body == Data("who?".utf8))
        }
        #expect(transport.requests.count == 1)
    }

    @Test func `plain credentials are not refreshed`() async {
        let authenticator = Numbered()
        let transport = ScriptedTransport(.status(401))
        await #expect(throws: Failure.validationError(.unauthorized)) {
            try await manager(transport, authenticator).response(
                for: TextRequest(), authentication: Self.token("call"))
        }
        #expect(authenticator.refreshes.value == 0 && transport.requests.count == 1)
    }

    // MARK: Failures

    @Test func `an error before an attempt ends the run`() async throws {
        let transport = ScriptedTransport(.status(200))
        let task = manager(transport, Numbered(onAuthenticate: { throw Mishap() })).send(TextRequest(), retries: 3)
        await #expect(throws: Failure.authenticationFailed(Mishap())) { try await task.response }
        #expect(transport.requests.isEmpty)
        let report = try #require(await task.report)
        #expect(report.attempts.count == 1 && report.request != nil)
        guard case .stopped(let sentence) = report.attempts[0].outcome else {
            Issue.record("\(report.attempts[0].outcome)")
            return
        }
        #expect(sentence == "no credentials could be obtained: Mishap()")
    }

    @Test func `an error after a 401 has the response`() async {
        let transport = ScriptedTransport(.status(401, [:], "who?"))
        do {
            _ = try await manager(transport, Numbered(onRefresh: { throw Mishap() })).response(
                for: TextRequest(), retries: 3)
            Issue.record("401 passed")
        } catch {
            #expect(error == .authenticationFailed(Mishap()))
            #expect(error.response?.statusCode == 401 && error.response?.body == Data("who?".utf8))
        }
        #expect(transport.requests.count == 1)
    }

    /// A failure of the network on the way to new credentials is one of the attempt; the next one may get them.
    @Test(arguments: [true, false]) func `a failure of the network is retried`(isWrapped: Bool) async throws {
        let calls = Counter()
        let authenticator = Numbered(onRefresh: {
            guard calls.next() == 0 else { return true }
            let error = TransportError(code: .connectionLost)
            if isWrapped { throw RequestError<NoError>.connectionError(error) }
            throw error
        })
        let transport = ScriptedTransport(.status(401), .status(401), .status(200, [:], "x"))
        let task = manager(transport, authenticator).send(TextRequest(), retry: RetryPolicy(retries: 1))
        #expect(try await task.value == "x")
        #expect(await task.report?.attempts.map(\.reason) == [.first, .retry, .credentialsRefreshed])
        let before = Counter()
        let first = Numbered(onAuthenticate: { if before.next() == 0 { throw TransportError(code: .timedOut) } })
        let again = ScriptedTransport(.status(200, [:], "x"))
        #expect(
            try await manager(again, first).value(for: TextRequest(method: .post), retry: RetryPolicy(retries: 1))
                == "x")
        #expect(again.requests.count == 1)
    }

    /// What the server of the credentials answers is no answer to the request.
    @Test func `a refusal of the credentials is no refusal of the request`() async {
        let refused = Failure.validationError(.badRequest)
        await #expect(throws: Failure.authenticationFailed(refused)) {
            try await manager(ScriptedTransport(.status(200)), Numbered(onAuthenticate: { throw refused })).response(
                for: TextRequest())
        }
    }

    // MARK: Stepping in while credentials are on their way

    /// A refresh that goes on for ever, whatever happens to its task.
    static func deaf(_ begun: Transcript) -> Numbered {
        Numbered(onRefresh: {
            begun.end("begun")
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            return true
        })
    }

    @Test func `a refresh holds up no end`() async throws {
        let begun = Transcript()
        let task = manager(ScriptedTransport(.status(401)), Self.deaf(begun)).send(TextRequest())
        _ = await begun.lines
        task.cancel()
        let report = try #require(await task.report)
        #expect(report.outcome == .cancelled && report.attempts.map(\.response?.statusCode) == [401])
        let again = Transcript()
        let late = manager(ScriptedTransport(.status(401)), Self.deaf(again)).send(TextRequest(), sla: .seconds(1))
        _ = await again.lines
        clock.advance(by: .seconds(1))
        do { _ = try await late.response } catch {
            #expect(error == .slaExceeded() && error.response?.statusCode == 401)
        }
        #expect(await late.report?.outcome == .slaExceeded)
    }

    @Test func `the task of a refresh is cancelled`() async {
        let transcript = Transcript()
        let authenticator = Numbered(onRefresh: {
            transcript.add("begun")
            while !Task.isCancelled { await Task.yield() }
            transcript.end("cancelled")
            return true
        })
        let transport = ScriptedTransport(.status(401), .status(200, [:], "x"))
        let task = manager(transport, authenticator).send(TextRequest())
        #expect(await eventually { transcript.soFar == ["begun"] })
        task.retryNow()
        #expect(await transcript.lines == ["begun", "cancelled"])
        #expect(await task.report?.attempts.map(\.reason) == [.first, .manual])
    }

    @Test func `who gives up in a refresh gets the 401`() async {
        let begun = Transcript()
        let gate = Transcript()
        let authenticator = Numbered(onRefresh: {
            begun.end("begun")
            _ = await gate.lines
            return true
        })
        let transport = ScriptedTransport(.status(401))
        let task = manager(transport, authenticator).send(TextRequest(), retries: 3)
        _ = await begun.lines
        task.giveUp()
        gate.end("open")
        await #expect(throws: Failure.validationError(.unauthorized)) { try await task.response }
        #expect(transport.requests.count == 1)
    }

    @Test func `a stream that is refused waits for new credentials`() async throws {
        let transport = StubTransport.stub(replies: [.response(statusCode: 401), .response(data: Data("a".utf8))])
        let stream = try await manager(transport, Numbered()).stream(TextRequest())
        #expect(stream.head.statusCode == 200)
        for try await piece in stream.body { #expect(piece == Data("a".utf8)) }
    }

    @Test func `credentials are masked in the log and every request is logged`() async throws {
        let log = LogRecorder()
        let manager = RequestManager(
            host: "http://stub.test", transport: ScriptedTransport(.status(401), .status(200, [:], "x")),
            log: RequestLog(subsystem: "s", category: "c", handler: log.add), clock: clock)
        manager.authenticator = Numbered("secret")
        _ = try await manager.value(for: TextRequest())
        let lines = log.entries.map { $0.message.split(separator: "\n").first.map(String.init) ?? "" }
        #expect(
            lines == [
                "GET http://stub.test/", "401 Unauthorized http://stub.test/", "GET http://stub.test/",
                "200 OK http://stub.test/",
            ])
        #expect(log.entries.allSatisfy { !$0.message.contains("secret") })
        #expect(log.entries[0].message.contains("Authorization: "))
    }
}
