import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The traces that attempts name, on the wire.
@Suite struct TraceTests {
    private static let page = "https://jaeger.test/trace/{traceId}?span={spanId}"

    private static func request(
        _ trace: SavedTrace? = SavedTrace(isOn: true, url: page), _ change: (inout SavedRequest) -> Void = { _ in }
    ) -> SavedRequest {
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 3, sla: .seconds(30))
        request.trace = trace
        change(&request)
        return request
    }

    private static func result(
        of request: SavedRequest, at host: String, isWatched: Bool = true
    ) async throws -> SessionResult {
        let order = RunOrder(
            id: 1, request: request,
            collection: Collection(name: "c", environments: [Environment(name: "local", host: host)]),
            environment: "local", file: "/c.json")
        let session = Session(secrets: { _ in SecretReader(environment: { _ in nil }, file: { _ in [] }) })
        guard isWatched else {
            let result = Lock<SessionResult?>(nil)
            _ = await session.run([order], RunPlan()) { _, ended in
                result.withLock { $0 = ended }
                return true
            }
            return try #require(result.withLock { $0 })
        }
        guard case .ended(let result)? = await session.events(of: order).last else { throw CancellationError() }
        return result
    }

    /// Answers two attempts with 503, and those after them with 200.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { $0.number < 3 ? .status(503) : .ok("{}") }
    }

    private static func traces(_ server: LoopbackServer) -> [TraceContext?] {
        server.requests.map { $0.headers["traceparent"].flatMap { TraceContext($0) } }
    }

    @Test(arguments: [true, false])
    func `each attempt has a span of its own in the trace of the run`(isWatched: Bool) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let result = try await Self.result(of: Self.request(), at: server.host, isWatched: isWatched)
        let sent = Self.traces(server).compactMap { $0 }
        try #require(sent.count == 3)
        #expect(Set(sent.map(\.traceID)).count == 1 && Set(sent.map(\.spanID)).count == 3)
        #expect(sent.allSatisfy { $0.header.hasPrefix("00-") && $0.header.hasSuffix("-01") })
        #expect(result.report?.attempts.map(\.trace) == sent)
        // As it was sent last, and as each attempt had it.
        let prepared = try #require(result.prepared)
        let header = prepared.headers.filter { $0.name == "traceparent" }
        #expect(header.map(\.value) == [sent[2].header] && header.map(\.source) == [.ombi])
        let first = prepared.sent(as: sent[0]).headers.filter { $0.name == "traceparent" }
        #expect(first.map(\.value) == [sent[0].header])
        #expect(
            result.tracePage == "https://jaeger.test/trace/\(sent[2].traceID)?span=\(sent[2].spanID)")
    }

    @Test func `another run has another trace`() async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        for _ in 0..<2 { _ = try await Self.result(of: Self.request(), at: server.host) }
        let sent = Self.traces(server).compactMap { $0?.traceID }
        #expect(sent.count == 2 && Set(sent).count == 2)
    }

    @Test func `a request that is made once and sent again has another trace each time`() async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let order = RunOrder(
            id: 1, request: Self.request(),
            collection: Collection(name: "c", environments: [Environment(name: "local", host: server.host)]),
            environment: "local", file: "/c.json")
        let reported = Lock<[TraceContext?]>([])
        let session = Session(secrets: { _ in SecretReader(environment: { _ in nil }, file: { _ in [] }) })
        let tally = await session.run([order], RunPlan(length: .times(3))) { _, result in
            reported.withLock { $0 += result.report?.attempts.map(\.trace) ?? [] }
            return true
        }
        let sent = Self.traces(server).compactMap { $0 }
        let known = reported.withLock { $0 }.compactMap { $0 }
        #expect(tally.passed == 3 && sent.count == 3 && known == sent)
        #expect(Set(sent.map(\.traceID)).count == 3 && Set(sent.map(\.spanID)).count == 3)
    }

    @Test func `a header that is written out is sent as it is, with every attempt`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let own = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
        let result = try await Self.result(
            of: Self.request { $0.headers = [Field("TraceParent", own)] }, at: server.host)
        #expect(server.requests.map { $0.headers["traceparent"] } == [own, own, own])
        #expect(result.report?.attempts.map { $0.trace?.header } == [own, own, own])
    }

    @Test func `a header that is no trace is sent, and named nowhere`() async throws {
        let server = try Self.server()
        defer { server.stop() }
        let result = try await Self.result(
            of: Self.request { $0.headers = [Field("traceparent", "mine")] }, at: server.host)
        #expect(server.requests.map { $0.headers["traceparent"] } == ["mine", "mine", "mine"])
        #expect(result.report?.attempts.allSatisfy { $0.trace == nil } == true && result.tracePage == nil)
    }

    @Test(arguments: [nil, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"])
    func `a redirect to another origin gets no trace but one that is written out`(own: String?) async throws {
        let other = try LoopbackServer { _ in .ok("{}") }
        defer { other.stop() }
        let target = other.host + "/landing"
        let server = try LoopbackServer { $0.target == "/p" ? .redirect(302, to: "/q") : .redirect(302, to: target) }
        defer { server.stop() }
        let request = Self.request { $0.headers = own.map { [Field("traceparent", $0)] } ?? [] }
        let result = try await Self.result(of: request, at: server.host)
        #expect(result.passed && server.requests.map(\.target) == ["/p", "/q"], "\(result.failures)")
        // Within the origin it is the span of the attempt.
        let sent = server.requests.compactMap { $0.headers["traceparent"] }
        #expect(sent.count == 2 && Set(sent).count == 1 && (own == nil || sent.first == own))
        #expect(other.requests.map { $0.headers["traceparent"] } == [own])
        let withheld = result.prepared?.redirects.map { $0.withheld.contains("traceparent") }
        #expect(withheld == [false, own == nil])
    }

    @Test(arguments: [nil, SavedTrace(isOn: false, url: page), SavedTrace(url: page)] as [SavedTrace?])
    func `a request without traces sends none`(trace: SavedTrace?) async throws {
        let server = try Self.server()
        defer { server.stop() }
        let result = try await Self.result(of: Self.request(trace), at: server.host)
        #expect(server.requests.count == 3 && Self.traces(server).allSatisfy { $0 == nil })
        #expect(server.requests.allSatisfy { $0.headers["traceparent"] == nil })
        #expect(result.report?.attempts.allSatisfy { $0.trace == nil } == true && result.tracePage == nil)
    }

    @Test func `the history gives each attempt its trace back, and keeps requests once`() async throws {
        let sample = try HistorySample()
        let transport = StubTransport { _ in .response(statusCode: 503, data: Data("busy".utf8)) }
        for _ in 0..<2 { await sample.send(sample.order(Self.request()), transport) }
        let entries = try await sample.history.entries()
        #expect(entries.count == 2)
        var traces: [String] = []
        for entry in entries {
            let run = try #require(try await sample.history.run(entry.id))
            let attempts = run.result.report?.attempts ?? []
            #expect(attempts.count == 4 && Set(attempts.map { $0.trace?.spanID }).count == 4)
            let trace = try #require(attempts.last?.trace)
            traces.append(trace.traceID)
            let header = run.result.prepared?.headers.filter { $0.name == "traceparent" } ?? []
            #expect(header.map(\.value) == [trace.header])
            #expect(run.result.tracePage?.contains(trace.traceID) == true)
            #expect(run.json.compact.contains("\"traceId\":\"\(trace.traceID)\""))
            #expect(run.json.compact.contains("\"traceURL\":\"https://jaeger.test/trace/\(trace.traceID)"))
        }
        #expect(Set(traces).count == 2)
        // The request, and the body.
        let contents = try Database(path: sample.path).first("SELECT count(*) FROM content") { $0.integer(0) }
        #expect(contents == 2)
    }
}
