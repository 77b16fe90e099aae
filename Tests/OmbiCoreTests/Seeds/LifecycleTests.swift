import Foundation
import TestSupport
import Testing

@testable import OmbiCore

/// A run from its subscription to its end, against real servers: attempts, limits, fallbacks and delivery.
@Suite struct LifecycleTests {
    typealias Failure = RequestError<HTTPError>

    /// What a publisher gives, in order.
    static func lines<Body>(_ publisher: AnyPublisher<RequestResponse<Body>, Failure>) async -> [String] {
        let transcript = Transcript()
        let cancellable = publisher.sink(
            receiveCompletion: { transcript.end("\($0)") }, receiveValue: { transcript.add("\($0.statusCode ?? 0)") })
        let lines = await transcript.lines
        cancellable.cancel()
        return lines
    }

    @Test func `a manager tells its host and its log`() {
        let log = RequestLog(subsystem: "s", category: "c") { _ in }
        #expect(RequestManager(host: "http://h/a", log: log).host == "http://h/a")
        #expect(RequestManager(host: "http://h", log: log).log?.category == "c")
        #expect(RequestManager(host: "http://h").log == nil)
        #expect(RequestManager(host: "http://h", subsystem: "s").log?.category == "OmbiRequestManager")
    }

    @Test func `each subscription sends once and nothing is sent before`() async throws {
        try await RealServer.scripted({ _ in .ok("hi") }) { (server) async throws in
            let publisher = RequestManager(host: server.host).makeRequest(TextRequest())
            #expect(server.requests.isEmpty)
            #expect(await Self.lines(publisher) == ["200", "finished"])
            #expect(server.requests.count == 1)
            #expect(await Self.lines(publisher) == ["200", "finished"])
            #expect(server.requests.count == 2)
        }
    }

    @Test func `the first failure of an attempt ends it`() async throws {
        let validated = Counter()
        let request = ComposableRequest<String, [Int], HTTPError>()
            .encodeBody { _ in throw CodingFailure("cannot write") }.body("x")
            .validateResponse { response in
                _ = validated.next()
                return .success(response)
            }
        try await RealServer.scripted({ _ in .status(500, "no JSON") }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            await #expect(throws: Failure.malformedRequest(CodingFailure("cannot write"))) {
                try await manager.response(for: request)
            }
            #expect(server.requests.isEmpty)
            do {
                _ = try await manager.response(for: request.body(nil))
                Issue.record("decoded")
            } catch let error as Failure {
                #expect(error.stage == .parsing)
            }
            #expect(validated.value == 0)
        }
    }

    @Test(arguments: [-1, 0, 1, 3]) func `retries are the attempts after the first`(retries: Int) async throws {
        try await RealServer.scripted({ _ in .status(500) }) { (server) async throws in
            let publisher = RequestManager(host: server.host).makeRequest(TextRequest(method: .post), retries: retries)
            let failed = "failure(the server answered 500 Internal Server Error)"
            #expect(await Self.lines(publisher) == [failed])
            #expect(server.requests.count == max(retries, 0) + 1)
        }
    }

    enum Fault: CaseIterable {
        case connection, timeout, decoding, validation

        var reply: LoopbackReply {
            switch self {
            case .connection: .drop
            case .timeout: .silence
            case .decoding: .ok("no number")
            case .validation: .status(404, "1")
            }
        }
    }

    @Test(arguments: Fault.allCases) func `every failure of an attempt is repeated`(fault: Fault) async throws {
        let request = ComposableRequest<NoBody, Int, HTTPError>().timeoutInterval(fault == .timeout ? 0.05 : 30)
        try await RealServer.scripted({ $0.number < 3 ? fault.reply : .ok("7") }) { (server) async throws in
            let response = try await RequestManager(host: server.host).response(for: request, retries: .max)
            #expect(response.body == 7)
            // On a busy machine an attempt may run out of its time before it arrives.
            #expect(fault == .timeout ? server.requests.count >= 3 : server.requests.count == 3)
        }
    }

    @Test func `what cannot change is not repeated`() async throws {
        let built = Counter()
        let request = ComposableRequest<NoBody, String, HTTPError>().path {
            _ = built.next()
            return "/../secret"
        }
        await #expect(throws: Failure.self) {
            try await RequestManager(host: "http://127.0.0.1:1").response(for: request, retries: 5)
        }
        #expect(built.value == 1)
    }

    @Test func `a cancelled attempt is not repeated`() async throws {
        let arrived = Transcript()
        try await RealServer.scripted({ _ in
            arrived.end("arrived")
            return .silence
        }) { (server) async throws in
            let ended = Transcript()
            let manager = RequestManager(host: server.host)
            let handle = manager.send(TextRequest(), retries: 5) { result in
                guard case .failure(let error) = result else { return ended.end("success") }
                ended.end(error.description)
            }
            _ = await arrived.lines
            handle.cancel()
            #expect(await ended.lines == ["cancelled"])
            #expect(server.requests.count == 1)
        }
    }

    @Test func `the SLA limits all attempts together`() async throws {
        try await RealServer.scripted({ $0.number == 1 ? .status(500) : .silence }) { (server) async throws in
            let clock = ManualClock()
            let manager = RequestManager(host: server.host, transport: CurlTransport(), clock: clock)
            let (recorder, _) = manager.record(TextRequest(), retry: .plain(retries: 50), sla: .seconds(2))
            await recorder.waitForAttempt(2)
            clock.advance(by: .seconds(2))
            await #expect(throws: Failure.slaExceeded()) { try await recorder.outcome?.get() }
            #expect(await recorder.report?.attempts.count == 2)
            let real = RequestManager(host: server.host)
            let lines = await Self.lines(
                real.makeRequest(TextRequest(), sla: .milliseconds(50), on: DispatchQueue.global()))
            // Where it ended depends on how busy the machine is.
            #expect(lines.count == 1 && lines[0].hasPrefix("failure(the SLA of 50ms ended"), "\(lines)")
        }
    }

    @Test func `no time at all sends nothing`() async throws {
        try await RealServer.scripted({ _ in .ok("") }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            for sla in [0, -1, .nan, -Double.infinity] as [Double] {
                await #expect(throws: Failure.slaExceeded()) {
                    try await manager.response(for: TextRequest(), sla: sla)
                }
            }
            #expect(server.requests.isEmpty)
            #expect(try await manager.response(for: TextRequest(), sla: .infinity).statusCode == 200)
        }
    }

    /// The fallback of a call, for each way to fail.
    @Test func `a fallback stands in for every failure`() async throws {
        let fallback = RequestResponse(statusCode: 200, body: 1)
        func request(_ path: String) -> ComposableRequest<NoBody, Int, HTTPError> {
            ComposableRequest<NoBody, Int, HTTPError>().path(path)
        }
        try await RealServer.scripted({ request in
            switch request.target {
            case "/status": .status(404, "1")
            case "/text": .ok("text")
            case "/silence": .silence
            default: .drop
            }
        }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            // Dropped first: libcurl itself sends again when a connection that it has used before turns out closed.
            for path in ["/drop", "/status", "/text", "/../bad"] {
                #expect(
                    try await manager.response(for: request(path), retries: 1, fallbackResponse: fallback) == fallback)
            }
            // Once, after the retries.
            #expect(server.requests.count == 6)
            let timed = request("/silence").timeoutInterval(0.05)
            #expect(try await manager.response(for: timed, fallbackResponse: fallback) == fallback)
            #expect(
                try await manager.response(for: request("/silence"), sla: 0.05, fallbackResponse: fallback) == fallback)
        }
    }

    @Test func `a fallback passes the validator and is not repeated`() async throws {
        try await RealServer.scripted({ _ in .status(500) }) { (server) async throws in
            let missing = RequestResponse(statusCode: 404, body: "x")
            await #expect(throws: Failure.validationError(.notFound)) {
                try await RequestManager(host: server.host).response(
                    for: TextRequest(), retries: 1, fallbackResponse: missing)
            }
            #expect(server.requests.count == 2)
        }
    }

    @Test func `value and end come on the scheduler`() async throws {
        let queue = DispatchQueue(label: "test.delivery")
        try await RealServer.scripted({ _ in .ok("hi") }) { (server) async throws in
            let transcript = Transcript()
            let cancellable = RequestManager(host: server.host).makeRequest(TextRequest(), on: queue).sink(
                receiveCompletion: { _ in
                    dispatchPrecondition(condition: .onQueue(queue))
                    transcript.end("end")
                },
                receiveValue: { _ in
                    dispatchPrecondition(condition: .onQueue(queue))
                    transcript.add("value")
                })
            #expect(await transcript.lines == ["value", "end"])
            cancellable.cancel()
        }
    }

    @Test func `a timeout has its own error and others keep their cause`() async throws {
        try await RealServer.scripted({ $0.target == "/drop" ? .drop : .silence }) { (server) async throws in
            let manager = RequestManager(host: server.host)
            await #expect(throws: Failure.timedOut()) {
                try await manager.response(for: TextRequest(timeoutInterval: 0.05))
            }
            do {
                _ = try await manager.response(for: TextRequest(path: "/drop"))
                Issue.record("a dropped connection gave a response")
            } catch Failure.connectionError(let error) {
                #expect(error.code == .connectionLost)
                #expect(error.description.hasPrefix("the connection to 127.0.0.1:\(server.port) broke"))
            }
        }
    }

    @Test func `requests responses failures and fallbacks are logged`() async throws {
        let levels = Transcript()
        let log = RequestLog(subsystem: "s", category: "c") { entry in
            levels.add("\(entry.level.rawValue): \(entry.message.split(separator: "\n").first ?? "")")
        }
        try await RealServer.scripted({ $0.target == "/ok" ? .ok("x") : .status(500) }) { (server) async throws in
            let manager = RequestManager(host: server.host, log: log)
            let publisher = manager.makeRequest(TextRequest(path: "/ok"))
            #expect(levels.soFar == [])
            _ = await Self.lines(publisher)
            _ = try await manager.response(
                for: TextRequest(path: "/bad"), fallbackResponse: RequestResponse(statusCode: 200))
            #expect(
                levels.soFar == [
                    "debug: GET \(server.host)/ok", "debug: 200 OK \(server.host)/ok", "debug: GET \(server.host)/bad",
                    "debug: 500 Internal Server Error \(server.host)/bad",
                    "error: the server answered 500 Internal Server Error", "error: using the fallback response",
                ])
        }
    }

    @Test func `removed errors leave a publisher that cannot fail`() async throws {
        try await RealServer.scripted({ _ in .status(404) }) { (server) async throws in
            let transcript = Transcript()
            let cancellable = RequestManager(host: server.host).makeRequest(TextRequest()).removeErrors().sink {
                transcript.end("\($0 == .empty)")
            }
            #expect(await transcript.lines == ["true"])
            cancellable.cancel()
        }
    }
}
