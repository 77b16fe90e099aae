import Dispatch
import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// What others learn of a run: no secret but in the body of a response.
@Suite struct SessionMaskTests {
    private static let secret = "Ab+c/d=="

    /// Everything that a run tells, written out.
    private struct Told: Sendable {
        var events: [SessionEvent] = []

        var text: String { "\(events)" }
        var result: SessionResult? { if case .ended(let result)? = events.last { result } else { nil } }
        var sent: PreparedRequest? { result?.prepared }
    }

    private func send(_ request: SavedRequest, _ reply: StubTransport.Reply) async throws -> Told {
        let environment = Environment(name: "e", host: "http://api.test", secrets: [Secret("s", .environment("S"))])
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
        let session = Session(transport: StubTransport { _ in reply }, secrets: { _ in Self.secrets })
        return Told(events: await session.events(of: order))
    }

    private static let secrets = SecretReader(environment: { _ in secret }, file: { _ in [] })

    private static func tells(_ text: String) -> Bool {
        ["Ab+c/d", "Ab%2Bc", "ab+c", "Ab%2bc"].contains { text.contains($0) }
    }

    @Test func `a failure that names the secret is masked`() async throws {
        let message = "could not find the host ab+c/d==.test, nor http://api.test/?q=Ab%2Bc/d=="
        let error = TransportError(code: .cannotFindHost, message: message)
        let told = try await send(SavedRequest(name: "r", path: "/{{s}}"), .failure(error))
        #expect(told.result?.ending == .failure("could not find the host ••••••.test, nor http://api.test/?q=••••••"))
        #expect(!Self.tells(told.text), "\(told.text)")
    }

    @Test func `a host that is only the start of the secret is masked`() async throws {
        let error = TransportError(code: .cannotFindHost, message: "could not find the host ab+c")
        let told = try await send(SavedRequest(name: "r", path: "http://{{s}}/echo"), .failure(error))
        #expect(told.result?.ending == .failure("could not find the host ••••••"))
        #expect(!Self.tells(told.text), "\(told.text)")
    }

    @Test func `a secret in the path of a socket or of a file is in no source and no destination`() throws {
        let connection = SavedConnection { $0.unixSocket = "/tmp/{{s}}/x.sock" }
        let environment = Environment(
            name: "e", host: "http://api.test", secrets: [Secret("s", .environment("S"))], connection: connection)
        let collection = Collection(
            name: "c", environments: [environment], items: [.request(SavedRequest(name: "r", path: "/p"))])
        let flows = Session(secrets: { _ in Self.secrets }).flows(of: collection, file: "c.json").map(\.text)
        #expect(flows.contains { $0.hasPrefix("the socket \"/tmp/••••••/x.sock (") }, "\(flows)")
        #expect(flows.allSatisfy { !Self.tells($0) }, "\(flows)")
        let files = ["/tmp/\(Self.secret)", "/tmp/\(Self.secret)/\(Self.secret)"].map { path in
            Source.file(path).masked { _ in "/tmp/••••••" }.text
        }
        #expect(files[0] != files[1] && files.allSatisfy { !Self.tells($0) }, "\(files)")
        #expect(Source.file("/tmp/a").masked { $0 } == .file("/tmp/a"))
    }

    @Test func `a secret in the user info of a URL is masked, and does not end it`() async throws {
        let told = try await send(SavedRequest(name: "r", path: "http://u:{{s}}@other.test:81/echo"), .response())
        #expect(told.sent?.url == "http://u:••••••@other.test:81/echo")
        #expect(!Self.tells(told.text), "\(told.text)")
    }

    @Test func `the URL that the response came from is masked, and told where it is another`() async throws {
        let request = SavedRequest(name: "r", path: "/p", query: [Field("token", "{{s}}")])
        let same = try await send(request, .response(headers: ["X-Echo": .init(Self.secret)]))
        #expect(same.sent?.url == "http://api.test/p?token=••••••")
        #expect(same.sent?.redirectedTo == nil)
        #expect(!Self.tells(same.text), "\(same.text)")
        let elsewhere = try #require(URL(string: "http://other.test/?q=Ab%2Bc/d=="))
        let led = try await send(request, .success(TransportResponse(url: elsewhere, headers: [:], statusCode: 200)))
        #expect(led.sent?.redirectedTo == "http://other.test/?q=••••••")
        #expect(!Self.tells(led.text), "\(led.text)")
    }

    @Test func `a secret that the request does not use is masked where a server repeats it`() async throws {
        let told = try await send(
            SavedRequest(name: "r", path: "/p"), .response(headers: ["X-Echo": .init(Self.secret)]))
        #expect(told.result?.response?.headers?["X-Echo"]?.text == "••••••")
        #expect(!Self.tells(told.text), "\(told.text)")
    }

    @Test func `only what can be had without a program, and is no address, is masked where it is not used`()
        async throws
    {
        let environment = Environment(
            name: "e", host: "http://api.test",
            secrets: [
                Secret("url", .environment("URL")), Secret("short", .environment("SHORT")),
                Secret("file", .file("f")), Secret("mode", .envFile(".env", name: "LOG_MODE")),
                Secret("key", .envFile(".env", name: "API_KEY")), Secret("command", .command(["no-such-program"])),
                Secret("missing", .environment("MISSING")),
            ])
        let reads = Lock(0)
        let reader = SecretReader { name in
            ["URL": "http://api.test/p", "SHORT": "ab"][name]
        } file: { path in
            reads.withLock { $0 += 1 }
            return Array((path == "f" ? "file-4711" : "LOG_MODE=verbose-4711\nAPI_KEY=key-4711\n").utf8)
        }
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: "/p"),
            collection: Collection(name: "c", environments: [environment]), environment: "e", file: "c.json")
        let echo: RequestHeaders = ["X-Echo": "file-4711 verbose-4711 key-4711 ab http://api.test/p"]
        let session = Session(transport: StubTransport { _ in .response(headers: echo) }, secrets: { _ in reader })
        let told = Told(events: await session.events(of: order))
        #expect(
            told.result?.response?.headers?["X-Echo"]?.text == "•••••• verbose-4711 •••••• ab http://api.test/p")
        #expect(reads.withLock { $0 } == 2)
    }

    @Test func `the body of a response is the server's own`() async throws {
        let body = Data(Self.secret.utf8)
        let told = try await send(SavedRequest(name: "r", path: "/"), .response(data: body))
        #expect(told.result?.response?.body == body)
    }

    @Test func `the body of an attempt that another one followed is masked, and that of the last is the server's own`()
        async throws
    {
        var request = SavedRequest(name: "r", path: "/")
        request.policy = RequestPolicy(retries: 1)
        request.captures = [Capture("token", .path("$.token"), isSecret: true)]
        let environment = Environment(name: "e", host: "http://api.test", secrets: [Secret("s", .environment("S"))])
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
        let count = Lock(0)
        let last = Data(#"{"token": "captured-0123456789", "echo": "\#(Self.secret)"}"#.utf8)
        let transport = StubTransport { _ in
            let isFirst = count.withLock {
                $0 += 1
                return $0 == 1
            }
            return isFirst
                ? .response(statusCode: 503, data: Data("\(Self.secret) captured-0123456789".utf8))
                : .response(data: last)
        }
        let session = Session(transport: transport, secrets: { _ in Self.secrets })
        let told = Told(events: await session.events(of: order))
        #expect(told.result?.report?.attempts.first?.received?.body == Data("•••••• ••••••".utf8))
        #expect(told.result?.response?.body == last)
        for case .step(.attemptFinished(let report)) in told.events where report.number == 1 {
            #expect(report.received?.body == Data("•••••• captured-0123456789".utf8))
        }
    }

    @Test func `a secret that is captured from the body is masked in all steps before, too`() async throws {
        var request = SavedRequest(name: "r", path: "/")
        request.captures = [Capture("token", .path("$.token"), isSecret: true)]
        let body = Data("{\"token\": \"\(Self.secret)\"}".utf8)
        let headers: RequestHeaders = [
            "X-Token": .init(Self.secret), "X-Trace": "t-1", "Content-Type": "application/json",
        ]
        let told = try await send(request, .response(data: body, headers: headers))
        let heads = told.events.compactMap { event -> RequestHeaders? in
            if case .step(.headReceived(_, let head, _)) = event { head.headers } else { nil }
        }
        #expect(heads.first?["X-Token"]?.text == "••••••")
        #expect(heads.first?["Content-Type"]?.text == "application/json")
        #expect(told.result?.response?.headers?["X-Token"]?.text == "••••••")
        #expect(told.result?.response?.headers?["X-Trace"]?.text == "t-1")
        #expect(told.result?.report?.attempts.first?.response?.headers?["X-Token"]?.text == "••••••")
        for event in told.events {
            switch event {
            case .step(.attemptFinished(let report)):
                #expect(report.response?.headers?["X-Token"]?.text == "••••••")
            case .step(.finished(let report)):
                #expect(report.attempts.first?.response?.headers?["X-Token"]?.text == "••••••")
            default: break
            }
        }
    }

    @Test func `a captured secret is masked in the runs after it, whether they use it or not`() async throws {
        var login = SavedRequest(name: "login", path: "/login")
        login.captures = [Capture("token", .path("$.token"), isSecret: true)]
        let other = SavedRequest(name: "other", path: "/other")
        let environment = Environment(name: "e", host: "http://api.test")
        let collection = Collection(
            name: "c", environments: [environment], items: [.request(login), .request(other)])
        let session = Session(
            transport: StubTransport { _ in
                .response(
                    data: Data("{\"token\": \"\(Self.secret)\"}".utf8), headers: ["X-Token": .init(Self.secret)])
            }, secrets: { _ in .none })
        for (request, value) in [(other, Self.secret), (login, "••••••"), (other, "••••••")] {
            let order = RunOrder(
                id: 1, request: request, collection: collection, environment: "e", file: "c.json")
            let told = Told(events: await session.events(of: order))
            #expect(told.result?.response?.headers?["X-Token"]?.text == value, "\(request.name)")
        }
    }

    @Test func `an error in the connection does not quote the secret in it`() throws {
        var request = SavedRequest(name: "r", path: "/")
        request.connection = SavedConnection { $0.proxy = "http://proxy.test:{{s}}" }
        let environment = Environment(name: "e", host: "http://api.test", secrets: [Secret("s", .environment("S"))])
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
        let session = Session(transport: StubTransport { _ in .response() }, secrets: { _ in Self.secrets })
        let error = #expect(throws: ResolveError.self) { try session.check([order]) }
        #expect(error?.reason.contains("is no port of a proxy") == true)
        #expect(!Self.tells("\(error?.description ?? "")"), "\(error?.description ?? "")")
    }

    @Test func `a message has a length that people read`() async throws {
        let error = TransportError(code: .unknown, message: String(repeating: "x", count: 5000))
        let told = try await send(SavedRequest(name: "r", path: "/"), .failure(error))
        #expect(told.result?.ending == .failure(String(repeating: "x", count: 1000) + "…"))
    }
}
