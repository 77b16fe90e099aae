import Foundation
import OmbiCore
import TestSupport
import Testing

/// Requests put together step by step.
@Suite struct ComposedRequestTests {
    typealias Composed = ComposableRequest<String, String, HTTPError>

    @Test func `every step gives a changed copy`() {
        let first = Composed().path("/a")
        let second = first.path("/b").method(.put)
        #expect(first.path == "/a" && first.method == .get)
        #expect(second.path == "/b" && second.method == .put)
    }

    @Test func `nothing said is a get of the root`() async throws {
        let request = Composed()
        #expect(request.timeoutInterval == 120 && request.authentication == nil && request.fallbackResponse == nil)
        let arrived = try await RealServer.arrival(of: request) { $0.shouldInjectDefaultHeaders = false }
        #expect(arrived.method == "GET" && arrived.target == "/" && arrived.body.isEmpty)
        #expect(arrived.headers.keys.sorted() == ["host"])
    }

    static let byValue = Composed()
        .path("/p").method(.post).query(URLQueryItem(name: "a", value: "1")).header(key: "X-A", value: "1")
        .body("text").authenticate(with: .token(type: .bearer, value: "t")).timeoutInterval(9)
        .fallbackResponse(RequestResponse(statusCode: 200, body: "fallback"))

    static let byClosure = Composed()
        .path { "/p" }.method { .post }.query { URLQueryItem(name: "a", value: "1") }.header { ("X-A", "1") }
        .body { "text" }.authenticate { .token(type: .bearer, value: "t") }.timeoutInterval { 9 }
        .fallbackResponse { RequestResponse(statusCode: 200, body: "fallback") }

    @Test(arguments: [byValue, byClosure]) func `a part is a value or a closure`(request: Composed) async throws {
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.method == "POST" && arrived.target == "/p?a=1" && arrived.text == "text")
        #expect(arrived.headers["x-a"] == "1" && arrived.headers["authorization"] == "Bearer t")
        #expect(request.timeoutInterval == 9 && request.fallbackResponse?.body == "fallback")
    }

    @Test func `whole sets are values or closures too`() async throws {
        let items = [URLQueryItem(name: "b", value: "2"), URLQueryItem(name: "a", value: "1")]
        for request in [
            Composed().queries(items).headers(["X-A": "1"]), Composed().queries { items }.headers { ["X-A": "1"] },
        ] {
            let arrived = try await RealServer.arrival(of: request)
            #expect(arrived.target == "/?b=2&a=1" && arrived.headers["x-a"] == "1")
        }
    }

    /// The parts are made once for a subscription; a retry sends the same request.
    @Test func `closures run once when the request is made`() async throws {
        let runs = Transcript()
        let request = Composed()
            .path { runs.note("path", "/") }
            .method { runs.note("method", .post) }
            .headers { runs.note("headers", [:]) }
            .header { runs.note("header", ("X", "1")) }
            .query { runs.note("query", URLQueryItem(name: "a", value: nil)) }
            .body { runs.note("body", "text") }
            .timeoutInterval { runs.note("timeout", 30) }
            .authenticate { runs.note("authentication", nil) }
            .fallbackResponse { runs.note("fallback", nil) }
        #expect(runs.soFar == [])
        let once = ["authentication", "body", "header", "headers", "method", "path", "query", "timeout"]
        try await RealServer.scripted({ .status($0.number < 3 ? 500 : 200) }) { (server) async throws in
            let log = RequestLog(subsystem: "s", category: "c") { _ in }
            let manager = RequestManager(host: server.host, log: log)
            _ = try await manager.response(for: request, retries: 5)
            #expect(server.requests.count == 3)
            #expect(runs.soFar.sorted() == once)
            _ = try await manager.response(for: request)
            #expect(runs.soFar.sorted() == (once + once).sorted())
        }
    }

    @Test func `steps add or replace`() async throws {
        let request = Composed()
            .query(URLQueryItem(name: "dropped", value: "1"))
            .queries([URLQueryItem(name: "a", value: "1")])
            .query(URLQueryItem(name: "b", value: "2"), URLQueryItem(name: "c", value: "3"))
            .header(key: "X-Dropped", value: "1")
            .headers(["X-A": "1", "X-B": "1", "X-C": "1"])
            .headers((key: "X-B", value: "2"), (key: "X-D", value: "4"))
            .headers([(key: "X-E", value: "5")])
            .header(key: "x-c", value: nil)
        let arrived = try await RealServer.arrival(of: request)
        #expect(arrived.target == "/?a=1&b=2&c=3")
        let fields = arrived.headers.filter { $0.key.hasPrefix("x-") }
        #expect(fields == ["x-a": "1", "x-b": "2", "x-d": "4", "x-e": "5"])
    }

    /// Added fields apply after the base set, also where that is a closure.
    @Test func `an added header applies after the base set`() {
        let request = Composed().headers { ["A": "base", "B": "base"] }.header { ("a", nil) }
        #expect(request.headers == ["B": "base"])
    }

    @Test func `credentials have shorthands`() async throws {
        let basic = Composed().path("/auth/basic").authenticate(withUsername: "demo", password: "demo")
        let bearer = Composed().path("/auth/bearer").authenticate(withToken: "demo-token", type: .bearer)
        try await RealServer.demo { (host) async throws in
            let manager = RequestManager(host: host)
            #expect(try await manager.response(for: basic).statusCode == 200)
            #expect(try await manager.response(for: bearer).statusCode == 200)
            await #expect(throws: RequestError<HTTPError>.validationError(.unauthorized)) {
                try await manager.response(for: bearer.authenticate(with: nil))
            }
        }
    }

    @Test func `coders and validator are replaced by values or closures`() async throws {
        let teapot = ResponseValidator<String, HTTPError> { .failure(.error4xx($0.statusCode ?? 0)) }
        let requests = [
            Composed().encodeBody(with: BodyEncoder { $0.map { Data($0.uppercased().utf8) } })
                .decodeBody(with: BodyDecoder { $0.map { "\($0.count) bytes" } })
                .validateResponse(
                    with: ResponseValidator { .success(RequestResponse(body: $0.body.map { $0 + "!" })) }),
            Composed().encodeBody { $0.map { Data($0.uppercased().utf8) } }.decodeBody {
                $0.map { "\($0.count) bytes" }
            }
            .validateResponse { .success(RequestResponse(body: $0.body.map { $0 + "!" })) },
        ]
        for request in requests {
            try await RealServer.scripted({ .ok($0.text + $0.text) }) { (server) async throws in
                let response = try await RequestManager(host: server.host).response(
                    for: request.method(.put).body("ab"))
                #expect(server.requests.first?.text == "AB")
                #expect(response == RequestResponse(body: "4 bytes!"))
                await #expect(throws: RequestError<HTTPError>.validationError(.error4xx(200))) {
                    try await RequestManager(host: server.host).response(for: request.validateResponse(with: teapot))
                }
            }
        }
    }

    final class NoCoders: Sendable {}

    @Test func `a type without coders is a typed error`() async throws {
        let writes = ComposableRequest<NoCoders, String, HTTPError>().body(NoCoders())
        let reads = ComposableRequest<String, NoCoders, HTTPError>()
        try await RealServer.scripted({ _ in .ok("x") }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            let writing = CodingFailure("NoCoders has no encoder; give one with encodeBody(with:)")
            await #expect(throws: RequestError<HTTPError>.malformedRequest(writing)) {
                try await manager.response(for: writes)
            }
            #expect(server.requests.isEmpty)
            let reading = CodingFailure("NoCoders has no decoder; give one with decodeBody(with:)")
            await #expect(throws: RequestError<HTTPError>.decodingError(reading)) {
                try await manager.response(for: reads)
            }
        }
    }

    @Test func `every form of send sends`() async throws {
        let logged = Transcript()
        let log = RequestLog(subsystem: "s", category: "c") { logged.add($0.message) }
        let queue = DispatchQueue(label: "test.delivery")
        let request = Composed().path("/flaky?failures=1").timeoutInterval(30)
        try await RealServer.demo { (host) async throws in
            let onGlobal = [
                request.send(on: host, retries: 1), request.send(on: host, retries: 1, sla: 60),
                request.send(on: host, retries: 1, log: log),
            ]
            for publisher in onGlobal { #expect(await Self.statuses(publisher) == ["200", "finished"]) }
            #expect(logged.soFar.count == 3)
            let onQueue = [
                request.send(on: host, retries: 1, using: queue),
                request.send(on: host, retries: 1, sla: .seconds(60), using: queue, log: log),
            ]
            for publisher in onQueue {
                #expect(await Self.statuses(publisher, on: queue) == ["200", "finished"])
            }
        }
    }

    @Test func `send takes a transport`() async {
        let stub = StubTransport { _ in .response(data: Data("hello".utf8)) }
        let queue = DispatchQueue(label: "test.delivery")
        let request = Composed()
        #expect(
            await Self.statuses(request.send(on: "https://stub.test", transport: stub)) == ["200", "finished"])
        let onQueue = request.send(on: "https://stub.test", using: queue, transport: stub)
        #expect(await Self.statuses(onQueue, on: queue) == ["200", "finished"])
    }

    static func statuses(
        _ publisher: AnyPublisher<RequestResponse<String>, RequestError<HTTPError>>, on queue: DispatchQueue? = nil
    ) async -> [String] {
        let transcript = Transcript()
        let cancellable = publisher.sink(
            receiveCompletion: { completion in
                if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
                transcript.end("\(completion)")
            },
            receiveValue: { response in
                if let queue { dispatchPrecondition(condition: .onQueue(queue)) }
                transcript.add("\(response.statusCode ?? 0)")
            })
        let lines = await transcript.lines
        cancellable.cancel()
        return lines
    }
}
