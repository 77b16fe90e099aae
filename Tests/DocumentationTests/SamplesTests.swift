import Foundation
import OmbiAuthentication
import Testing

/// Runs those samples that need no server.
@Suite struct SamplesTests {
    private static func manager(
        _ answer: @escaping @Sendable (TransportRequest) -> (Int, String)
    ) -> RequestManager {
        RequestManager(
            host: "http://127.0.0.1:8765",
            transport: StubTransport { request in
                let (status, body) = answer(request)
                return .success(TransportResponse(url: request.url, statusCode: status, body: Data(body.utf8)))
            })
    }

    private static let ada = #"{"id": 42, "name": "Ada"}"#

    @Test func `a request of the shop gives its value, or the error of the shop`() async {
        let manager = Self.manager { request in
            request.headers["X-Client"] == "shop-docs" && request.url.path == "/orders/1000"
                ? (404, #"{"error": {"status": 404, "message": "order 1000 does not exist"}}"#) : (500, "")
        }
        #expect(await GettingStarted.errors(manager) == "the shop says: order 1000 does not exist")
        #expect(
            await GettingStarted.errors(Self.manager { _ in (200, #"{"id": 1, "item": "tea"}"#) }) == "tea was ordered")
        #expect(await GettingStarted.errors(StubSamples.down()).hasPrefix("execution failed: could not connect"))
        #expect(await GettingStarted.errors(Self.manager { _ in (200, "<html>") }).hasPrefix("parsing failed: "))
    }

    @Test func `a fuse that has blown sends nothing`() async throws {
        let stub = StubTransport.stubResponse(statusCode: 200, data: Data("fine".utf8))
        for isBlown in [true, false] {
            let manager = RequestManager(host: "http://127.0.0.1:1", transport: Fuse(base: stub) { isBlown })
            let response = try? await manager.response(for: ComposableRequest<Data, String, HTTPError>())
            #expect(response?.body == (isBlown ? nil : "fine"))
        }
    }

    @Test func `a WebSocket over a transport without channels fails with its reason`() async {
        let socket = WebSockets.reconnecting(Self.manager { _ in (200, "") })
        await WebSockets.refusal(of: socket)
        do throws(WebSocketError) {
            try await socket.send("x")
            Issue.record("sent")
        } catch {
            #expect("\(error)" == "StubTransport opens no channels, which a WebSocket runs over")
        }
    }

    @Test func `what a manager adds is in its requests`() throws {
        let request = try GettingStarted.common().buildRequest(for: UserByID(id: 42))
        #expect(request.url.absoluteString == "https://api.example.com/v1/users/42")
        #expect(request.headers[.authorization] == "Bearer abc" && request.headers["X-Client-Version"] == "7")
        #expect(request.headers["X-Trace"] != nil)
    }

    @Test func `a middleware adds its header, and a body is read in pieces`() async throws {
        let manager = Self.manager { ($0.headers["X-Trace-ID"] == nil ? 500 : 200, Self.ada) }
        manager.middlewares = [Tracing()]
        var data = Data()
        try await Streaming.read(manager, UserByID(id: 42)) { data += $0 }
        #expect(data == Data(Self.ada.utf8))
    }

    @Test func `a response goes into a file`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "ombi-sample-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await Streaming.save(Self.manager { _ in (200, Self.ada) }, UserByID(id: 42), path) { _, _ in }
        #expect(FileManager.default.contents(atPath: path) == Data(Self.ada.utf8))
    }

    @Test func `events are shown until the server has no more`() async throws {
        let record = StubTransport.Record()
        let page = StubTransport.Reply.response(
            data: Data("retry: 1\n\nevent: price\ndata: 7\n\ndata: other\n\n".utf8),
            headers: ["Content-Type": "text/event-stream"])
        let stub = StubTransport.stub(replies: [page, .response(statusCode: 204)]).recording(in: record)
        var shown: [String] = []
        try await Streaming.listen(RequestManager(host: "http://127.0.0.1:1", transport: stub), UserByID(id: 42)) {
            shown.append($0)
        }
        #expect(shown == ["7"] && record.requests.count == 2)
    }

    @Test func `an answer is read event by event, and a stub plays a WebSocket`() async throws {
        let page = StubTransport.Reply.response(
            data: Data("data: {\"text\": \"4\"}\n\ndata: {\"text\": \"2\"}\n\ndata: [DONE]\n\n".utf8),
            headers: ["Content-Type": "text/event-stream"])
        let manager = RequestManager(host: "http://127.0.0.1:1", transport: .stub(replies: [page]))
        #expect(try await answer(to: "?", from: manager) == "42")
        let (prices, subscriptions) = try await StubSamples.prices()
        #expect(prices == ["tea 3.20"] && subscriptions == ["subscribe tea"])
    }

    @Test func `a token is refreshed by a login, and an authenticator of one's own adds its key`() async throws {
        let accounts = Self.manager { request in
            request.url.path == "/login" ? (200, #"{"token": "t", "lifetime": 60}"#) : (200, "k")
        }
        let request = TransportRequest(url: URL(string: "http://127.0.0.1:8765/")!)
        let authenticator = Authenticating.token(accounts, password: "open sesame")
        #expect(try await authenticator.authenticate(request).headers[.authorization] == "Bearer t")
        let own = KeyOfTheDay(keys: accounts)
        #expect(try await own.authenticate(request).headers["X-Key"] == "k")
        let refused = TransportResponse(headers: ["WWW-Authenticate": "Daily error=expired"], statusCode: 401)
        #expect(try await own.refresh(after: refused, to: request))
        let manager = Authenticating.bearer("abc")
        Authenticating.key(manager, "k")
        let built = try manager.buildRequest(for: UserByID(id: 42))
        #expect(built.headers[.authorization] == "Bearer abc" && built.headers["X-Api-Key"] == "k")
        let response = try await Authenticating.basic(
            Self.manager {
                $0.headers[.authorization] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==" ? (200, Self.ada) : (401, "")
            })
        #expect(response.body?.name == "Ada")
    }

    @Test func `a jar is saved, read and edited`() throws {
        let manager = Self.manager { _ in (200, "") }
        KeepingCookies.jar(manager)
        let kept = try #require(manager.cookieJar)
        kept.set(Cookie(name: "n", value: "1", domain: "example.com", expiresAt: .distantFuture))
        let read = try jar(from: try save(kept))
        #expect(read.cookies == kept.cookies && read.cookies.count == 1)
        KeepingCookies.edit(read)
        #expect(read.header(for: URL(string: "http://www.example.com/")!) == "theme=dark")
    }

    @Test func `a link is signed`() async throws {
        let link = try await Signing.aws("wJalrXUtnFEMI")
        #expect(
            link.absoluteString.contains("/report.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE"))
        #expect(link.absoluteString.contains("X-Amz-Expires=3600&X-Amz-SignedHeaders=host&X-Amz-Signature="))
    }

    @Test func `a plain count repeats, and the fallback stands in`() async throws {
        let calls = Calls()
        let manager = Self.manager { request in calls.add(request) < 3 ? (503, "{}") : (200, Self.ada) }
        #expect(try await Retrying.plain(manager).body?.name == "Ada")
        #expect(calls.requests.count == 3)
        #expect(try await Retrying.fallback(StubSamples.down()).body?.name == "somebody")
    }

    @Test func `a policy repeats the statuses that it names`() async throws {
        let calls = Calls()
        let manager = Self.manager { request in calls.add(request) < 2 ? (503, "{}") : (200, Self.ada) }
        var policy = Retrying.policy()
        #expect(policy.retries == 4 && policy.backoff.first == .milliseconds(200))
        policy.backoff = .none
        #expect(try await Retrying.send(manager, policy).body?.name == "Ada")
    }

    @Test func `all attempts of a charge have the same key`() async throws {
        let calls = Calls()
        let manager = Self.manager { request in (calls.add(request) < 3 ? 503 : 201, "{}") }
        _ = try await charge(250, with: manager)
        let keys = calls.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 3 && Set(keys).count == 1 && keys[0] != nil)
        #expect(calls.requests.allSatisfy { $0.body == Data(#"{"cents":250}"#.utf8) })
    }

    @Test func `a run tells its steps and gives a report`() async throws {
        let calls = Calls()
        let manager = Self.manager { request in calls.add(request) < 2 ? (503, "{}") : (200, Self.ada) }
        let task = Watching.callback(manager)
        var lines: [String] = []
        await Watching.events(of: task) { lines.append($0) }
        #expect(
            lines.prefix(4) == [
                "attempt 1 of 4", "503 Service Unavailable", "attempt 2 of 4", "200 OK",
            ])
        var report: [String] = []
        await Watching.report(of: task) { report.append($0) }
        #expect(report.count == 3 && report[2].hasPrefix("succeeded"))
        #expect(try await Watching.result(of: task).name == "Ada")
        Watching.stepIn(task)
    }

    @Test func `short forms of members arrive`() throws {
        let request = try StubSamples.fixed().buildRequest(for: SearchOrders())
        #expect(request.url.absoluteString == "https://api.example.com/orders?page=2&q=tea")
        #expect(request.headers["X-Client"] == "shop-docs" && request.idleTimeout == .seconds(5))
    }

    @Test func `bodies are written as the article says`() throws {
        let manager = StubSamples.fixed()
        let user = Bodies.CreateUser(body: .init(name: "Ada", email: "ada@example.com"))
        let json = try JSONDecoder().decode(AnyJSON.self, from: manager.buildRequest(for: user).body ?? Data())
        #expect(json == ["name": "Ada", "email": "ada@example.com"])
        #expect(Bodies.anyJSON()["quantity"] == 3)
        let form = try manager.buildRequest(for: Bodies.LogIn(name: "a b", password: "&"))
        #expect(form.body == Data("name=a%20b&password=%26&remember=true".utf8))
        let zeros = try manager.buildRequest(for: Bodies.SendZeros())
        #expect(zeros.bodyLength == 1_000_000 && zeros.headers[.contentType] == "application/octet-stream")
        let lines = Bodies.SendLines(
            lines: AsyncStream { lines in
                for line in ["one", "two"] { lines.yield(line) }
                lines.finish()
            })
        let chunked = try manager.buildRequest(for: lines)
        #expect(chunked.method == .post && chunked.bodyStream != nil && chunked.bodyLength == nil)
        let coordinates = try Bodies.Coordinates(fromData: Bodies.Coordinates(latitude: 1.5, longitude: 2).asData())
        #expect(coordinates?.latitude == 1.5 && coordinates?.longitude == 2)
        #expect(throws: CodingFailure.self) { try Bodies.Coordinates(fromData: Data("x".utf8)) }
    }

    @Test func `a stream is sent whole, and a photo with its form`() async throws {
        let calls = Calls()
        let manager = Self.manager { request in (200, "\(calls.add(request))") }
        #expect(try await manager.response(for: Bodies.SendZeros()).body == 1)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
        try Data([0xFF, 0xD8]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let photo = try Bodies.SendPhoto(file: file, title: "a cat")
        #expect(try await manager.response(for: photo).body == 2)
        let text = String(decoding: try photo.body.encoded, as: UTF8.self)
        #expect(text.contains("name=\"title\"\r\n\r\na cat\r\n") && text.contains("Content-Type: image/jpeg"))
    }

    @Test func `dates are read as the request says`() async throws {
        let manager = Self.manager { _ in (200, #"{"date": "1970-01-01T00:01:00Z"}"#) }
        #expect(try await manager.response(for: Bodies.Today()).body?.date == Date(timeIntervalSince1970: 60))
    }

    @Test func `stubs answer as the article says`() async throws {
        #expect(try await StubSamples.fixed().response(for: UserByID(id: 1)).body?.id == 42)
        let routed = StubSamples.routed()
        #expect(try await routed.response(for: UserByID(id: 42)).body?.name == "Ada")
        await #expect(throws: RequestError<HTTPError>.self) { try await routed.response(for: UserByID(id: 1)) }
        #expect(try await StubSamples.replies().response(for: UserByID(id: 42), retries: 2).body?.name == "Ada")
        #expect(try await StubSamples.recorded() == ["/users/42"])
        let cut = StubTransport.stub(replies: Array(StubSamples.slow(Data(repeating: 1, count: 200)).suffix(1)))
        let broken = RequestManager(host: "https://api.example.com", transport: cut)
        let error = await #expect(throws: RequestError<HTTPError>.self) {
            try await broken.response(for: UserByID(id: 1))
        }
        #expect((error?.underlyingError as? TransportError)?.response?.body?.count == 100)
        #expect(try StubSamples.wire(routed) == "GET https://api.example.com/users/42")
        let instant = RequestManager(host: "https://api.example.com", transport: StubSamples.Instant())
        #expect(try await instant.response(for: UserByID(id: 1)).statusCode == 204)
    }

    @Test func `waits are tested by a clock`() async {
        let busy = StubTransport.stubResponse(statusCode: 503, data: Data())
        let report = await waits(TestClock(), busy)
        #expect(report?.attempts.map(\.wait) == [.seconds(10), .seconds(20), nil])
        #expect(report?.duration == .seconds(30))
    }

    @Test @MainActor func `the state of the main actor is set by a callback`() async {
        let model = UserModel()
        model.load(with: StubSamples.fixed())
        while model.user == nil { await Task.yield() }
        #expect(model.user?.name == "Ada")
    }

    @Test func `the ways of other libraries lead to the same`() async throws {
        let headers: RequestHeaders = [.contentType: .contentType(.json)]
        let manager = RequestManager(
            host: "https://api.example.com",
            transport: StubTransport.stubResponse(statusCode: 200, data: Data(Self.ada.utf8), headers: headers))
        #expect(try await ComingFrom.alamofire(manager)?.name == "Ada")
        let publisher = ComingFrom.combineRequest(manager)
        var subscription: AnyCancellable?
        let data = await withCheckedContinuation { continuation in
            subscription = publisher.replaceError(with: Data()).first().sink { continuation.resume(returning: $0) }
        }
        #expect(data == Data(Self.ada.utf8))
        subscription?.cancel()
    }
}

/// The requests that a stub was asked for.
private final class Calls: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [TransportRequest] = []

    /// How many there are now.
    func add(_ request: TransportRequest) -> Int {
        lock.withLock {
            all.append(request)
            return all.count
        }
    }

    var requests: [TransportRequest] { lock.withLock { all } }
}
