import Dispatch
import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The way from a saved request to its result.
@Suite struct SessionTests {
    private static let environment = Environment(
        name: "local", host: "http://api.test/v1", additionalHeaders: [Field("X-Key", "{{key}}")],
        secrets: [Secret("key", .environment("KEY"))])

    private static func order(
        _ request: SavedRequest = SavedRequest(name: "r", path: "/p"), in environment: Environment = environment,
        id: Int = 1
    ) -> RunOrder {
        RunOrder(
            id: id, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: environment.name, file: "/shop/c.json")
    }

    private static func session(
        _ transport: any Transport, record: @escaping @Sendable (RunOrder, SessionResult) async -> Void = { _, _ in }
    ) -> Session {
        Session(
            transport: transport,
            secrets: { folder in
                SecretReader(environment: { _ in "from \(folder)" }, file: { _ in [] })
            }, steps: SessionSteps(record: record))
    }

    /// Signs by a header, and notes when it is called.
    private struct Signer: Authenticator {
        let note: @Sendable (String) -> Void

        func authenticate(_ request: TransportRequest) async throws -> TransportRequest {
            note("authenticate")
            var request = request
            request.headers["X-Signature"] = "s"
            return request
        }

        func refresh(after response: TransportResponse, to request: TransportRequest) async throws -> Bool { false }
    }

    @Test func `the steps follow each other: prepare, authenticate, send, capture, verdict, record`() async throws {
        let order = Lock<[String]>([])
        let note: @Sendable (String) -> Void = { step in order.withLock { $0.append(step) } }
        let jar = CookieJar()
        let session = Session(
            transport: StubTransport { request in
                note("send \(request.headers["X-Signature"]?.text ?? "unsigned") \(request.cookieJar === jar)")
                return .response(statusCode: 200, data: Data("{\"id\": 7}".utf8))
            },
            secrets: { _ in
                SecretReader(
                    environment: { _ in
                        note("prepare")
                        return "k"
                    }, file: { _ in [] })
            },
            steps: SessionSteps(
                authenticator: { _ in Signer(note: note) }, cookieJar: { _ in jar },
                record: { _, result in note("record \(result.captured.map(\.value)) \(result.failures)") }))
        var request = SavedRequest(name: "r", path: "/p")
        request.captures = [Capture("id", .path("$.id")), Capture("tag", .header("ETag"))]
        let events = await session.events(of: Self.order(request))
        #expect(
            order.withLock { $0 } == [
                "prepare", "authenticate", "send s true",
                "record [\"7\"] [\"could not capture tag: the response has no header ETag; there are Content-Length\"]",
            ])
        guard case .prepared? = events.first, case .ended? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(
            events.dropLast().last
                == .captured([CapturedValue(name: "id", value: "7", request: "r", source: "$.id")]))
        #expect(events.contains { if case .step(.authenticating) = $0 { true } else { false } })
    }

    @Test func `a run is prepared, sent, judged and recorded, in this order`() async throws {
        let recorded = Lock<[String]>([])
        let session = Self.session(.stubResponse(statusCode: 503, data: Data("no".utf8))) { order, result in
            recorded.withLock { $0.append("\(order.id): \(result.failures)") }
        }
        let events = await session.events(of: Self.order(id: 7))
        guard case .prepared(let prepared)? = events.first, case .ended(let result)? = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(prepared.url == "http://api.test/v1/p")
        let steps = events.dropFirst().dropLast().map { if case .step = $0 { true } else { false } }
        #expect(!steps.isEmpty && steps.allSatisfy(\.self))
        #expect(result.failures == ["503 Service Unavailable"])
        #expect(result.response?.body == Data("no".utf8) && result.report?.attempts.count == 1)
        #expect(recorded.withLock { $0 } == ["7: [\"503 Service Unavailable\"]"])
    }

    @Test func `a request that lacks something sends nothing, and is not recorded`() async {
        let sent = StubTransport.Record()
        let recorded = Lock<[SessionResult]>([])
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent)) { _, result in
            recorded.withLock { $0.append(result) }
        }
        let events = await session.events(of: Self.order(SavedRequest(name: "r", path: "/{{x}}")))
        let reason =
            "r: path: unknown variable \"x\" at column 2; known: key; define it in an environment or in the collection"
        let failure = SessionResult(.failure(reason))
        #expect(events == [.ended(failure)])
        #expect(recorded.withLock { $0 }.isEmpty && sent.requests.isEmpty)
    }

    @Test func `the environment's headers belong to its origin, and secrets to the folder of the file`() async {
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent))
        _ = await session.events(of: Self.order())
        _ = await session.events(of: Self.order(SavedRequest(name: "r", path: "https://other.test/")))
        #expect(sent.requests.map { $0.headers["X-Key"]?.text } == ["from /shop", nil])
        #expect(sent.requests.map(\.originHeaders) == [["X-Key"], []])
    }

    @Test func `an environment that is edited counts from the next run on`() async {
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in .response() }.recording(in: sent))
        var edited = Self.environment
        _ = await session.events(of: Self.order(in: edited))
        edited.host = "http://next.test"
        _ = await session.events(of: Self.order(in: edited))
        edited.verifyTLS = false
        _ = await session.events(of: Self.order(in: edited))
        #expect(sent.requests.map { $0.url.host() } == ["api.test", "next.test", "next.test"])
        #expect(sent.requests.map(\.connection.tls.verifiesServer) == [true, true, false])
    }

    @Test(.timeLimit(.minutes(1))) func `a secret that does not come holds up no cancellation`() async {
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        let session = Session(
            transport: .stubResponse(statusCode: 200, data: Data()),
            secrets: { _ in
                SecretReader(
                    environment: { _ in
                        gate.wait()
                        return "late"
                    }, file: { _ in [] })
            })
        let result = await withCheckedContinuation { continuation in
            let run = session.send(Self.order(), on: DispatchQueue(label: "test")) { event in
                if case .ended(let result) = event { continuation.resume(returning: result) }
            }
            run.cancel()
        }
        #expect(result == SessionResult(.cancelled))
    }

    @Test func `a run is cancelled, and given more attempts, by its handle`() async {
        let session = Self.session(StubTransport { _ in .response(statusCode: 500) })
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 1)
        let report = await withCheckedContinuation { continuation in
            let run = session.send(Self.order(request), on: DispatchQueue(label: "test")) { event in
                if case .ended(let result) = event { continuation.resume(returning: result.report) }
            }
            // Before or after the request is on its way.
            run.addAttempts(2)
        }
        #expect((2...4).contains(report?.attempts.count ?? 0))
        let silent = Self.session(StubTransport { _ in .silence })
        let ending = await withCheckedContinuation { continuation in
            let handle = Lock<SessionRun?>(nil)
            let run = silent.send(Self.order(), on: DispatchQueue(label: "test")) { event in
                if case .step(.attemptStarted) = event { handle.withLock { $0 }?.cancel() }
                if case .ended(let result) = event { continuation.resume(returning: result.ending) }
            }
            handle.withLock { $0 = run }
            run.retryNow()
            run.cancel()
        }
        #expect(ending == .cancelled)
    }

    // MARK: Many

    @Test func `many requests run a few at a time, and each result comes once`() async {
        let running = Lock((now: 0, most: 0))
        let transport = StubTransport { _ in
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            usleep(500)
            running.withLock { $0.now -= 1 }
            return .response()
        }
        let session = Self.session(transport)
        let orders = [Self.order(id: 1), Self.order(SavedRequest(name: "lacks", path: "/{{x}}"), id: 2)]
        let ended = Lock<[Int: [String]]>([:])
        let tally = await session.run(orders, RunPlan(length: .times(20), concurrency: 3)) { turn, result in
            ended.withLock { results in
                #expect(results[turn.number] == nil)
                results[turn.number] = result.failures
            }
            return true
        }
        let results = ended.withLock { $0 }
        #expect(tally == Tally(passed: 20, failed: 20) && tally.count == 40)
        #expect(results.count == 40 && results[19] == [] && results[20]?.count == 1)
        #expect((1...3).contains(running.withLock { $0.most }))
    }

    /// - Parameter count: more than a transport has for one host by default.
    @Test(arguments: [(20, false), (120, true)])
    func `as many requests reach a server at a time as a plan says`(count: Int, overHTTP2: Bool) async throws {
        let arrived = Lock(0)
        let all = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _ in
            let number = arrived.withLock { arrived in
                arrived += 1
                return arrived
            }
            if number == count { for _ in 0..<count { all.signal() } }
            return all.wait(timeout: .now() + 10) == .success ? .ok("") : .status(503)
        }
        defer { server.stop() }
        let proxy = try overHTTP2 ? NginxServer(before: server.port) : nil
        defer { proxy?.stop() }
        let host = proxy.map { "https://127.0.0.1:\($0.port)" } ?? server.host
        let environment = Environment(name: "local", host: host, verifyTLS: false)
        let order = Self.order(SavedRequest(name: "all", path: "/behind/"), in: environment)
        let plan = RunPlan(length: .times(count), concurrency: count)
        #expect(await Session().run([order], plan) { _, _ in true } == Tally(passed: count))
    }

    @Test(arguments: [true, false])
    func `what is cancelled starts nothing more`(byTask: Bool) async {
        let sent = StubTransport.Record()
        let session = Self.session(StubTransport { _ in byTask ? .silence : .response() }.recording(in: sent))
        let run = Task {
            await session.run([Self.order()], RunPlan(length: .times(1_000_000), concurrency: 2)) { _, _ in false }
        }
        if byTask {
            while sent.requests.count < 2 { await Task.yield() }
            run.cancel()
        }
        let tally = await run.value
        #expect((1...3).contains(tally.count))
        #expect(sent.requests.count <= 3)
    }
}
