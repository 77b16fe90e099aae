import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Tokens that a program writes, and that a server refuses after some time.
@Suite struct SecretRenewalTests {
    /// A program that writes another token each time it runs: `token-1`, `token-2`, …
    private final class Program {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-renewal-\(UUID())").path
        let isSteady: Bool

        init(isSteady: Bool = false) throws {
            self.isSteady = isSteady
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        var words: [String] {
            let number = isSteady ? "1" : "$(wc -l < '\(folder)/runs' | tr -d ' ')"
            return ["/bin/sh", "-c", "echo x >> '\(folder)/runs'; echo token-\(number)"]
        }

        var runs: Int { (try? String(contentsOfFile: folder + "/runs", encoding: .utf8).count / 2) ?? 0 }
    }

    /// A clock that tests set.
    private final class Time: Sendable {
        private let state = Lock(ContinuousClock.now)
        var now: ContinuousClock.Instant { state.withLock { $0 } }
        func pass(_ duration: Duration) { state.withLock { $0 += duration } }
    }

    private static func order(
        _ program: Program, maximumAge: Duration? = nil, environmentHeader: Bool = false
    ) -> RunOrder {
        var environment = Environment(name: "local", host: "http://api.test")
        environment.secrets = [Secret("token", .command(program.words, maximumAge: maximumAge))]
        if environmentHeader { environment.additionalHeaders = [Field("X-Key", "k {{token}}")] }
        let request = SavedRequest(
            name: "list", path: "/",
            authentication: environmentHeader ? nil : .bearer(BearerAuthentication(token: "{{token}}")))
        let collection = Collection(name: "shop", environments: [environment], items: [.request(request)])
        return RunOrder(id: 1, request: request, collection: collection, environment: "local", file: "/shop/s.json")
    }

    /// A server that accepts one token, which changes.
    private final class Server: Sendable {
        let accepted = Lock("token-1")
        let seen = Lock<[String]>([])

        func session(_ time: Time) -> Session {
            Session(
                transport: StubTransport { [self] request in
                    let text = (request.headers[.authorization] ?? request.headers["X-Key"])?.text ?? ""
                    seen.withLock { $0.append(text) }
                    return .response(statusCode: text.hasSuffix(accepted.withLock { $0 }) ? 200 : 401)
                }, clock: { time.now })
        }
    }

    private static func result(_ events: [SessionEvent]) -> SessionResult? {
        if case .ended(let result)? = events.last { result } else { nil }
    }

    @Test(arguments: [false, true]) func `a 401 runs the command once more, as an attempt with its reason`(
        environmentHeader: Bool
    ) async throws {
        let (program, server, time) = (try Program(), Server(), Time())
        let session = server.session(time)
        let order = Self.order(program, environmentHeader: environmentHeader)
        #expect(Self.result(await session.events(of: order))?.failures == [])
        time.pass(.seconds(3600))
        server.accepted.withLock { $0 = "token-2" }
        let events = await session.events(of: order)
        let result = try #require(Self.result(events))
        #expect(result.response?.statusCode == 200 && result.failures == [])
        #expect(result.report?.attempts.map(\.reason).last == .credentialsRefreshed)
        let kind = environmentHeader ? "k" : "Bearer"
        #expect(server.seen.withLock { $0 } == ["\(kind) token-1", "\(kind) token-1", "\(kind) token-2"])
        #expect(!"\(events)".contains("token-1") && !"\(events)".contains("token-2"), "both are masked")
        // The next request has the new one at once.
        _ = await session.events(of: order)
        #expect(program.runs == 2 && server.seen.withLock { $0.count } == 4)
    }

    @Test func `a secret in the path, the query and the body is renewed, too`() async throws {
        let (program, time) = (try Program(), Time())
        var order = Self.order(program)
        order.request = SavedRequest(
            name: "post", method: .post, path: "/{{token}}", query: [Field("key", "{{token}}")],
            body: SavedBody(.text, text: "key {{token}}"))
        let (seen, accepted) = (Lock<[String]>([]), Lock("token-1"))
        let session = Session(
            transport: StubTransport { request in
                let body = String(decoding: request.body ?? Data(), as: UTF8.self)
                let text = "\(request.url.path())?\(request.url.query() ?? "") \(body)"
                seen.withLock { $0.append(text) }
                return .response(statusCode: text.contains(accepted.withLock { $0 }) ? 200 : 401)
            }, clock: { time.now })
        _ = await session.events(of: order)
        time.pass(.seconds(3600))
        accepted.withLock { $0 = "token-2" }
        let events = await session.events(of: order)
        #expect(seen.withLock { $0.last } == "/token-2?key=token-2 key token-2")
        #expect(Self.result(events)?.response?.statusCode == 200)
        #expect(Self.result(events)?.report?.attempts.last?.reason == .credentialsRefreshed)
        #expect(!"\(events)".contains("token-1") && !"\(events)".contains("token-2"), "both are masked")
    }

    @Test func `a command that writes the same again leaves the 401 as it is`() async throws {
        let (program, server, time) = (try Program(isSteady: true), Server(), Time())
        server.accepted.withLock { $0 = "other" }
        let session = server.session(time)
        _ = await session.events(of: Self.order(program))
        #expect(program.runs == 1, "a value that was obtained just now is wrong, not too old")
        time.pass(.seconds(60))
        let result = try #require(Self.result(await session.events(of: Self.order(program))))
        #expect(result.response?.statusCode == 401 && result.report?.attempts.count == 1)
        #expect(program.runs == 2)
    }

    @Test func `a 401 runs no program whose value something else stands in for`() async throws {
        let (program, server, time) = (try Program(), Server(), Time())
        server.accepted.withLock { $0 = "other" }
        var order = Self.order(program)
        order.request.variables = [Variable("token", "mine")]
        _ = await server.session(time).events(of: order)
        #expect(server.seen.withLock { $0 } == ["Bearer mine"])
        #expect(program.runs == 0)
    }

    @Test func `a value older than its maximum age is obtained anew, before a server refuses it`() async throws {
        let (program, server, time) = (try Program(), Server(), Time())
        let session = server.session(time)
        let order = Self.order(program, maximumAge: .seconds(3000))
        for (wait, token) in [(0, 1), (2999, 1), (2, 2), (100, 2)] {
            time.pass(.seconds(wait))
            server.accepted.withLock { $0 = "token-\(token)" }
            let result = try #require(Self.result(await session.events(of: order)))
            #expect(result.failures == [] && result.report?.attempts.count == 1)
        }
        #expect(program.runs == 2)
    }

    @Test func `an age shorter than a run does not run the command forever`() async throws {
        let (program, server, time) = (try Program(), Server(), Time())
        let order = Self.order(program, maximumAge: .nanoseconds(1))
        #expect(Self.result(await server.session(time).events(of: order))?.failures == [])
        #expect(program.runs == 1)
    }

    @Test(arguments: [
        ("command every 50m gcloud auth", Secret.Source.command(["gcloud", "auth"], maximumAge: .seconds(3000))),
        ("command every day", .command(["every", "day"])), ("command every 5m", .command(["every", "5m"])),
        ("command pass show x", .command(["pass", "show", "x"])),
    ]) func `the age is edited on the screen as part of the source`(text: String, source: Secret.Source) throws {
        #expect(try Secret.Source(text) == source)
        #expect(source.text == text)
    }

    // MARK: Captured tokens

    /// A log-in that gives `token-1`, `token-2`, …, and a request that needs one.
    private static func captured(isSecret: Bool = true) -> RunOrder {
        var login = SavedRequest(name: "log in", method: .post, path: "/login")
        login.captures = [Capture("token", .path("$.token"), isSecret: isSecret)]
        let list = SavedRequest(
            name: "list", path: "/", authentication: .bearer(BearerAuthentication(token: "{{token}}")))
        let collection = Collection(
            name: "shop", environments: [Environment(name: "local", host: "http://api.test")],
            items: [.request(login), .request(list)])
        return RunOrder(id: 1, request: list, collection: collection, environment: "local", file: "/shop/s.json")
    }

    /// - Parameters:
    ///   - accepted: the number of the token that the server accepts.
    ///   - delay: the time that a request with a token takes.
    ///   - isSame: true for a log-in that always gives `token-1`.
    private static func session(
        _ seen: Lock<[String]>, _ accepted: Lock<Int>, _ time: Time, delay: Duration = .zero, isSame: Bool = false
    ) -> Session {
        let logins = Lock(0)
        return Session(
            transport: StubTransport { request in
                if request.url.path() == "/login" {
                    let number = logins.withLock { count in
                        count = isSame ? 1 : count + 1
                        return count
                    }
                    return .response(data: Data("{\"token\": \"token-\(number)\"}".utf8))
                }
                time.pass(delay)
                let text = request.headers[.authorization]?.text ?? ""
                seen.withLock { $0.append(text) }
                return .response(statusCode: text == "Bearer token-\(accepted.withLock { $0 })" ? 200 : 401)
            }, clock: { time.now })
    }

    @Test func `a 401 sends the request that captured the token, and then the refused one once more`() async throws {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(1), Time())
        let (session, order) = (Self.session(seen, accepted, time), Self.captured())
        #expect(Self.result(await session.events(of: order))?.failures == [])
        time.pass(.seconds(3600))
        accepted.withLock { $0 = 2 }
        let result = try #require(Self.result(await session.events(of: order)))
        #expect(result.response?.statusCode == 200 && result.failures == [])
        #expect(result.report?.attempts.last?.reason == .credentialsRefreshed)
        #expect(result.dependencies.map(\.request) == ["log in"])
        #expect(seen.withLock { $0 } == ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
        // The next request has the new one at once.
        let next = try #require(Self.result(await session.events(of: order)))
        #expect(next.response?.statusCode == 200 && next.report?.attempts.count == 1 && next.dependencies.isEmpty)
    }

    @Test func `a 401 that the request expects sends no log-in`() async throws {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(1), Time())
        var order = Self.captured()
        order.request.expect = OmbiWorkspace.Expectation(status: [.code(401)])
        let session = Self.session(seen, accepted, time)
        _ = await session.events(of: order)
        time.pass(.seconds(3600))
        accepted.withLock { $0 = 2 }
        let result = try #require(Self.result(await session.events(of: order)))
        #expect(result.passed && result.report?.attempts.count == 1 && result.dependencies.isEmpty)
        #expect(seen.withLock { $0.count } == 2)
    }

    @Test func `a captured token that is refused at once is wrong, and one that is refused again ends the run`()
        async throws
    {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(9), Time())
        let (session, order) = (Self.session(seen, accepted, time), Self.captured())
        let first = try #require(Self.result(await session.events(of: order)))
        #expect(first.response?.statusCode == 401 && first.report?.attempts.count == 1)
        time.pass(.seconds(60))
        let second = try #require(Self.result(await session.events(of: order)))
        #expect(second.response?.statusCode == 401 && second.report?.attempts.count == 2)
        #expect(seen.withLock { $0 } == ["Bearer token-1", "Bearer token-1", "Bearer token-2"])
    }

    @Test func `a captured value that is no secret is not captured again for a 401`() async throws {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(1), Time())
        let (session, order) = (Self.session(seen, accepted, time), Self.captured(isSecret: false))
        _ = await session.events(of: order)
        time.pass(.seconds(3600))
        accepted.withLock { $0 = 2 }
        let result = try #require(Self.result(await session.events(of: order)))
        #expect(result.response?.statusCode == 401 && result.dependencies.isEmpty)
        #expect(seen.withLock { $0.count } == 2)
    }

    @Test func `a 401 long after the log-in of the same run sends that once more`() async throws {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(2), Time())
        let session = Self.session(seen, accepted, time, delay: .seconds(60))
        let result = try #require(Self.result(await session.events(of: Self.captured())))
        #expect(result.response?.statusCode == 200 && result.dependencies.map(\.request) == ["log in", "log in"])
        #expect(seen.withLock { $0 } == ["Bearer token-1", "Bearer token-2"])
    }

    @Test func `a request whose token is the same again is not repeated for its generated values`() async throws {
        let (seen, accepted, time) = (Lock<[String]>([]), Lock(1), Time())
        let session = Self.session(seen, accepted, time, isSame: true)
        var order = Self.captured()
        order.request.headers = [Field("X-Request-Id", "{{$uuid}}")]
        #expect(Self.result(await session.events(of: order))?.failures == [])
        time.pass(.seconds(3600))
        accepted.withLock { $0 = 2 }
        let result = try #require(Self.result(await session.events(of: order)))
        #expect(result.response?.statusCode == 401 && result.report?.attempts.count == 1)
        #expect(result.dependencies.map(\.request) == ["log in"])
        #expect(seen.withLock { $0.count } == 2)
    }

    @Test(arguments: [false, true])
    func `another value by now stands for the refused one only if it is a secret`(isSecret: Bool) {
        let order = Self.captured(isSecret: isSecret)
        let value = CapturedValue(
            name: "token", value: "new", isSecret: isSecret, request: "log in", source: "$.token")
        var store = CaptureStore()
        let time = ContinuousClock.now
        store.add([(Capture("token", .path("$.token"), isSecret: isSecret), value)], of: order, at: time)
        let isGone = store.forget("token", refused: "old", of: order, at: time + .seconds(60))
        #expect(isGone == isSecret)
    }
}
