import Dispatch
import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Values that are captured, and requests that are sent first for them.
@Suite struct CaptureTests {
    /// A collection of requests, each with what it captures and what its path names.
    private static func collection(
        _ requests: [(name: String, captures: [Capture], needs: [String])], variables: [Variable] = []
    ) -> Collection {
        Collection(
            name: "c", variables: variables, environments: [Environment(name: "local", host: "http://api.test")],
            items: requests.map { name, captures, needs in
                var request = SavedRequest(
                    name: name, path: "/\(name)/" + needs.map { "{{\($0)}}" }.joined(separator: "/"))
                request.captures = captures
                return .request(request)
            })
    }

    private static func order(_ name: String, in collection: Collection) -> RunOrder {
        RunOrder(
            id: 1, request: collection.requests.first { $0.name == name } ?? SavedRequest(name: "?", path: "/"),
            collection: collection, environment: "local", file: "/c.json")
    }

    private static let noSecrets: @Sendable (String) -> SecretReader = { _ in .none }

    /// Answers each path with its own name as the token, and counts in the order of the requests.
    private static func session(
        _ sent: Lock<[String]>, now: Lock<Duration> = Lock(.zero),
        answer: @escaping @Sendable (String) -> StubTransport.Reply = {
            .response(data: Data("{\"token\": \"of \($0)\", \"n\": 1}".utf8))
        }
    ) -> Session {
        let start = ContinuousClock.now
        return Session(
            transport: StubTransport { request in
                let path = request.url.path()
                sent.withLock { $0.append(path) }
                return answer(path.split(separator: "/").first.map(String.init) ?? "")
            }, secrets: noSecrets, clock: { start + now.withLock { $0 } })
    }

    private static func result(_ session: Session, _ order: RunOrder) async -> SessionResult {
        guard case .ended(let result)? = await session.events(of: order).last else { return SessionResult(.cancelled) }
        return result
    }

    private static let token = Capture("token", .path("$.token"))

    @Test func `a variable that a request captures is filled by sending that first`() async {
        let collection = Self.collection([("use", [], ["token"]), ("login", [Self.token], [])])
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        let events = await session.events(of: Self.order("use", in: collection))
        #expect(sent.withLock { $0 } == ["/login/", "/use/of%20login"])
        guard case .dependency(let first)? = events.first, case .prepared = first.event,
            case .ended(let result)? = events.last
        else {
            Issue.record("\(events)")
            return
        }
        #expect(first.request == "login" && first.variable == "token")
        #expect(result.passed && result.dependencies.map(\.request) == ["login"])
        #expect(
            result.prepared?.variables
                == [UsedVariable(name: "token", value: "of login", source: .captured(by: "login"))])
        // Once captured, it stays.
        _ = await session.events(of: Self.order("use", in: collection))
        #expect(sent.withLock { $0.count } == 3)
    }

    @Test func `a value that came after it was missed is used, and not captured again`() async {
        let collection = Self.collection([("use", [], ["token"]), ("login", [Self.token], [])])
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        // This run has been prepared, and lacks the token; meanwhile another one sends the request that captures it.
        var chain = RunChain(order: Self.order("use", in: collection), start: session.clock())
        _ = await Self.result(session, Self.order("login", in: collection))
        #expect(sent.withLock { $0 } == ["/login/"])
        guard case .filled = await session.fill("token", for: &chain, on: DispatchQueue(label: "test"), { _ in }) else {
            Issue.record("the token was not filled in")
            return
        }
        #expect(sent.withLock { $0 } == ["/login/"])
        #expect(chain.results.isEmpty)
    }

    @Test func `a value that is too old is captured again, also while another is not`() async {
        let young = Capture("young", .path("$.token"), maximumAge: .seconds(60))
        let collection = Self.collection([
            ("a", [young], []), ("b", [Self.token], []), ("use", [], ["young", "token"]),
        ])
        let (sent, now) = (Lock<[String]>([]), Lock(Duration.zero))
        let session = Self.session(sent, now: now)
        for (time, count) in [(0, 3), (60, 4), (61, 6), (122, 8)] {
            now.withLock { $0 = .seconds(time) }
            _ = await session.events(of: Self.order("use", in: collection))
            #expect(sent.withLock { $0.count } == count, "after \(time) s")
        }
    }

    @Test func `an age of zero asks anew for each run, and once for a diamond`() async {
        var root = Capture("base", .path("$.token"))
        root.maximumAge = .zero
        let collection = Self.collection([
            ("base", [root], []), ("left", [Capture("l", .path("$.n"), maximumAge: .zero)], ["base"]),
            ("right", [Capture("r", .path("$.n"), maximumAge: .zero)], ["base"]), ("top", [], ["l", "r"]),
        ])
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        let result = await Self.result(session, Self.order("top", in: collection))
        #expect(result.passed, "\(result.failures)")
        #expect(sent.withLock { $0 } == ["/base/", "/left/of%20base", "/right/of%20base", "/top/1/1"])
        #expect(result.dependencies.map(\.request) == ["base", "left", "right"])
    }

    @Test func `runs that need the same at the same time share one`() async {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let sent = Lock<[String]>([])
        let (waiting, everybodyWaits) = (Lock(0), DispatchSemaphore(value: 0))
        let session = Self.session(sent) { name in
            if name == "login" { everybodyWaits.wait() }
            return .response(data: Data("{\"token\": \"t\"}".utf8))
        }
        let order = Self.order("use", in: collection)
        let results = await withTaskGroup(of: SessionResult.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        session.send(order, on: DispatchQueue(label: "test")) { event in
                            switch event {
                            case .dependency(let first):
                                guard case .prepared = first.event else { break }
                                if waiting.withLock({
                                    $0 += 1
                                    return $0 == 8
                                }) {
                                    everybodyWaits.signal()
                                }
                            case .ended(let result): continuation.resume(returning: result)
                            default: break
                            }
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count { $0.passed } == 8)
        #expect(sent.withLock { $0.count { $0 == "/login/" } } == 1)
        #expect(results.flatMap(\.dependencies).count { !$0.isShared } == 1)
    }

    /// A session in which `login` gets its response once the semaphore lets it.
    private static func session(_ sent: Lock<[String]>, holding login: DispatchSemaphore) -> Session {
        session(sent) { name in
            if name == "login" { login.wait() }
            return .response(data: Data("{\"token\": \"t\"}".utf8))
        }
    }

    @Test func `a request that somebody sends is waited for, and not sent again`() async {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let sent = Lock<[String]>([])
        let isAwaited = DispatchSemaphore(value: 0)
        let session = Self.session(sent, holding: isAwaited)
        let result: SessionResult = await withCheckedContinuation { continuation in
            session.send(Self.order("login", in: collection), on: DispatchQueue(label: "login")) { _ in }
            session.send(Self.order("use", in: collection), on: DispatchQueue(label: "use")) { event in
                switch event {
                case .dependency(let first):
                    if case .prepared = first.event { isAwaited.signal() }
                case .ended(let result): continuation.resume(returning: result)
                default: break
                }
            }
        }
        #expect(result.passed, "\(result.failures)")
        #expect(result.dependencies.map(\.isShared) == [true])
        #expect(sent.withLock { $0 } == ["/login/", "/use/t"])
    }

    @Test func `a request that somebody sends goes on when those that wait for it leave`() async {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let sent = Lock<[String]>([])
        let hasLeft = DispatchSemaphore(value: 0)
        let session = Self.session(sent, holding: hasLeft)
        let (run, ending) = (Lock<SessionRun?>(nil), Lock<SessionResult.Ending?>(nil))
        let login: SessionResult = await withCheckedContinuation { continuation in
            session.send(Self.order("login", in: collection), on: DispatchQueue(label: "login")) { event in
                if case .ended(let result) = event { continuation.resume(returning: result) }
            }
            let queue = DispatchQueue(label: "use")
            queue.sync {
                let use = session.send(Self.order("use", in: collection), on: queue) { event in
                    if case .dependency = event { run.withLock { $0 }?.cancel() }
                    guard case .ended(let result) = event else { return }
                    ending.withLock { $0 = result.ending }
                    hasLeft.signal()
                }
                run.withLock { $0 = use }
            }
        }
        #expect(login.passed && ending.withLock { $0 } == .cancelled)
        #expect(sent.withLock { $0 } == ["/login/"])
    }

    @Test(arguments: [1, 3]) func `a batch sends a request once that others in it need`(concurrency: Int) async {
        let collection = Self.collection([
            ("login", [Self.token], []), ("use", [], ["token"]), ("leave", [], ["token"]),
        ])
        let orders = ["login", "use", "leave"].map { Self.order($0, in: collection) }
        for _ in 0..<20 {
            let sent = Lock<[String]>([])
            let tally = await Self.session(sent).run(orders, RunPlan(concurrency: concurrency)) { _, _ in true }
            #expect(tally == Tally(passed: 3))
            #expect(sent.withLock { $0.sorted() } == ["/leave/of%20login", "/login/", "/use/of%20login"])
        }
    }

    @Test func `requests that need each other are named, and nothing is sent`() async {
        let collection = Self.collection([
            ("a", [Capture("x", .path("$.n"))], ["y"]), ("b", [Capture("y", .path("$.n"))], ["z"]),
            ("c", [Capture("z", .path("$.n"))], ["x"]), ("self", [Capture("own", .path("$.n"))], ["own"]),
        ])
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        let result = await Self.result(session, Self.order("a", in: collection))
        #expect(result.failures.joined().contains("\"a\" → \"b\" → \"c\" → \"a\""), "\(result.failures)")
        let own = await Self.result(session, Self.order("self", in: collection))
        #expect(own.failures.joined().contains("\"self\" → \"self\""), "\(own.failures)")
        #expect(sent.withLock { $0 }.isEmpty)
        #expect(throws: ResolveError.self) { try session.check([Self.order("a", in: collection)]) }
    }

    @Test func `a variable stands in where only the request itself captures it`() async {
        let collection = Self.collection(
            [("refresh", [Capture("token", .path("$.token"))], ["token"])], variables: [Field("token", "first")])
        let sent = Lock<[String]>([])
        let session = Self.session(sent)
        for _ in 0..<2 { _ = await session.events(of: Self.order("refresh", in: collection)) }
        #expect(sent.withLock { $0 } == ["/refresh/first", "/refresh/of%20refresh"])
    }

    @Test func `a request that fails ends those that need it, with its name`() async {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let sent = Lock<[String]>([])
        let session = Self.session(sent) { _ in .response(statusCode: 401) }
        let result = await Self.result(session, Self.order("use", in: collection))
        #expect(result.failures == ["{{token}} comes from \"login\", which failed: 401 Unauthorized"])
        #expect(sent.withLock { $0 } == ["/login/"] && result.dependencies.map(\.statusCode) == [401])
    }

    @Test func `the command line wins over what is captured`() async {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let sent = StubTransport.Record()
        let session = Session(
            transport: StubTransport { _ in .response() }.recording(in: sent),
            overrides: Overrides(variables: [Field("token", "set")]), secrets: Self.noSecrets)
        _ = await session.events(of: Self.order("use", in: collection))
        #expect(sent.requests.map { $0.url.path() } == ["/use/set"])
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled run leaves the one that it waits for, which ends with the last`()
        async
    {
        let collection = Self.collection([("login", [Self.token], []), ("use", [], ["token"])])
        let session = Session(transport: StubTransport { _ in .silence }, secrets: Self.noSecrets)
        let results = Lock<[SessionResult]>([])
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let handle = Lock<SessionRun?>(nil)
                        let run = session.send(
                            Self.order("use", in: collection), on: DispatchQueue(label: "test")
                        ) { event in
                            if case .dependency = event { handle.withLock { $0 }?.cancel() }
                            if case .ended(let result) = event {
                                results.withLock { $0.append(result) }
                                continuation.resume()
                            }
                        }
                        handle.withLock { $0 = run }
                        run.cancel()
                    }
                }
            }
        }
        #expect(results.withLock { $0.map(\.ending) } == [.cancelled, .cancelled, .cancelled])
    }

    @Test func `the plan says what would be sent, and sends nothing`() throws {
        let collection = Self.collection([
            ("login", [Self.token], []), ("cart", [Capture("cart", .path("$.n"))], ["token"]),
            ("pay", [], ["cart", "token"]),
        ])
        let sent = Lock<[String]>([])
        let plan = try Self.session(sent).plan(Self.order("pay", in: collection))
        #expect(plan.map { "\($0.request.name) for \($0.variable)" } == ["login for token", "cart for cart"])
        #expect(sent.withLock { $0 }.isEmpty)
    }

    // MARK: The order, against a slow and simple model

    @Test func `the order of requests agrees with a simple model`() async {
        var random = SeededRandom(seed: 3)
        for _ in 0..<60 {
            let count = Int.random(in: 2...7, using: &random)
            let requests = (0..<count).map { index in
                let needs = (0..<count).filter { $0 != index && Int.random(in: 0..<4, using: &random) == 0 }
                return (
                    name: "r\(index)", captures: [Capture("v\(index)", .path("$.n"))], needs: needs.map { "v\($0)" }
                )
            }
            let collection = Self.collection(requests)
            let sent = Lock<[String]>([])
            let result = await Self.result(Self.session(sent), Self.order("r0", in: collection))
            var model = Model(needs: requests.map { $0.needs.map { Int($0.dropFirst()) ?? 0 } })
            let expected = model.visit(0, []) ? model.sent.map { "r\($0)" } : nil
            let names = sent.withLock { $0 }.map { $0.split(separator: "/")[0] }.map(String.init)
            #expect(result.passed == (expected != nil), "\(requests)")
            if let expected { #expect(names == expected, "\(requests)") }
            #expect(Set(names).count == names.count)
        }
    }

    /// Depth first, each request once; false for a circle.
    private struct Model {
        var needs: [[Int]]
        var sent: [Int] = []

        mutating func visit(_ request: Int, _ path: [Int]) -> Bool {
            if path.contains(request) { return false }
            for next in needs[request] where !sent.contains(next) {
                if !visit(next, path + [request]) { return false }
            }
            sent.append(request)
            return true
        }
    }

    // MARK: Reading

    @Test(arguments: [
        (Capture.Source.path("$.user.name"), "Zoë"), (.path("$['user']['id']"), "42"), (.path("$.ok"), "true"),
        (.path("$.user"), "{\"name\":\"Zoë\",\"id\":42}"), (.header("etag"), "\"e1\""), (.cookie("sid"), "abc"),
        (.status, "200"),
        (.regex("\"id\": (\\d+)"), "42"), (.regex("i[cde]"), "id"),
    ])
    func `a value is taken from its place`(source: Capture.Source, value: String) throws {
        var reader = CaptureReader(Self.response)
        #expect(try reader.value(of: source) == value)
    }

    @Test(arguments: [
        (Capture.Source.path("$.user.mail"), "$.user.mail selects nothing; $.user has name, id"),
        (.path("$.list[5].id"), "$.list[5].id selects nothing; $.list is an array of 2"),
        (.path("$.list[*]"), "$.list[*] selects 2 values; the first is at $.list[0]"),
        (.path("$.gone"), "$.gone is null"),
        (.header("Location"), "the response has no header Location; there are ETag, Set-Cookie"),
        (.cookie("csrf"), "the response sets no cookie csrf; there are sid, lang"),
        (.regex("x(y)z"), "x(y)z matches nothing in the body (no type, 88 bytes)"),
    ])
    func `what is not found says what is there instead`(source: Capture.Source, reason: String) {
        var reader = CaptureReader(Self.response)
        let failure = #expect(throws: CaptureReader.Failure.self) { try reader.value(of: source) }
        #expect(failure?.reason == reason)
    }

    private static let response: TransportResponse = {
        var response = TransportResponse(headers: [:], statusCode: 200)
        response.body = Data(
            "{\"user\": {\"name\": \"Zoë\", \"id\": 42}, \"ok\": true, \"list\": [1, 2], \"gone\": null, \"e\": 1}  "
                .utf8)
        response.headers = ["ETag": "\"e1\""]
        response.headers?.append("sid=abc; Path=/", forKey: "Set-Cookie")
        response.headers?.append("lang=en", forKey: "Set-Cookie")
        return response
    }()

    // MARK: Secrets

    @Test func `a secret capture is masked everywhere but in the body`() async throws {
        var login = Capture("token", .path("$.token"))
        login.isSecret = true
        let collection = Self.collection([
            ("login", [login, Capture("key", .header("X-Key"), isSecret: true)], []), ("use", [], ["token", "key"]),
        ])
        let body = Data("{\"token\": \"tok-1234567\"}".utf8)
        let session = Session(
            transport: StubTransport { request in
                request.url.path().hasPrefix("/login")
                    ? .response(
                        statusCode: 200, data: body, headers: ["X-Key": "key-7654321", "X-Echo": "tok-1234567"])
                    : .response(statusCode: 418, headers: ["X-Echo": "tok-1234567"])
            }, secrets: Self.noSecrets)
        var events = await session.events(of: Self.order("use", in: collection))
        events += await session.events(of: Self.order("login", in: collection))
        let texts = events.filter { event in
            // The events before the end of a response do not know its body yet.
            if case .step(.headReceived) = event { false } else { true }
        }.map { "\($0)".replacing("\(body)", with: "") }
        guard case .ended(let used)? = events.first(where: { if case .ended = $0 { true } else { false } }) else {
            return
        }
        #expect(
            used.prepared?.url == "http://api.test/use/\(LogMask.mask)/\(LogMask.mask)", "\(used.prepared?.url ?? "")")
        #expect(texts.allSatisfy { !$0.contains("key-7654321") })
        #expect("\(used)".contains("tok-1234567") == false)
        guard case .ended(let last)? = events.last else { return }
        #expect(last.response?.headers?["X-Key"]?.text == LogMask.mask)
        #expect(last.response?.headers?["X-Echo"]?.text == LogMask.mask)
        #expect(last.response?.body == body)
        #expect(last.captured.map { $0.value } == [LogMask.mask, LogMask.mask])
    }
}
