import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Responses that stand in for those that fail.
@Suite struct FallbackTests {
    private static func request(_ source: SavedFallback.Source, path: String = "/rates") -> SavedRequest {
        var request = SavedRequest(name: "rates", path: path)
        request.fallback = SavedFallback(source)
        request.policy = RequestPolicy(retries: 0)
        return request
    }

    /// Sends a request, and waits until its run is recorded.
    private static func send(
        _ sample: HistorySample, _ request: SavedRequest, in environment: Environment = HistorySample.environment,
        _ reply: StubTransport.Reply
    ) async -> SessionResult {
        let history = sample.history
        var steps = SessionSteps(record: { await history.record($0, $1) })
        steps.now = { sample.time.withLock { $0 } }
        steps.lastGood = { order, request in
            do throws(HistoryError) {
                let run = try await history.lastGood(order.itemPath, environment: order.environment, request)
                guard let run, let response = run.result.response else { return nil }
                let now = sample.time.withLock { $0 }
                return .response(
                    FallbackResponse(.run(run.entry.id), date: run.entry.startedAt, now: now, response: response))
            } catch { return .missing(error.description) }
        }
        let session = Session(
            transport: StubTransport { _ in reply },
            secrets: { _ in SecretReader(environment: { _ in "s" }, file: { _ in [] }) }, steps: steps)
        let events = await session.events(of: sample.order(request, in: environment))
        history.finish()
        guard case .ended(let result)? = events.last else { return SessionResult(.cancelled) }
        return result
    }

    private static let good = StubTransport.Reply.json("{\"rate\": 1}")
    private static let busy = StubTransport.Reply.response(statusCode: 503, data: Data("busy".utf8))
    private static let refused = StubTransport.Reply.failure(
        TransportError(code: .cannotConnectToHost, message: "refused"))

    @Test func `the last good response stands in with its age, and the run fails all the same`() async throws {
        let sample = try HistorySample()
        let request = Self.request(.history(maximumAge: nil))
        #expect(await Self.send(sample, request, Self.good).fallback == nil)
        sample.pass(86_400)
        let failed = await Self.send(sample, request, Self.busy)
        #expect(failed.response?.statusCode == 503 && failed.failures == ["503 Service Unavailable"])
        let used = try #require(failed.fallback?.response)
        #expect(used.source == .run(1) && used.response.body == Data("{\"rate\": 1}".utf8))
        #expect(used.response.statusCode == 200 && used.ageWords == "1 d")
        sample.pass(60)
        // A run with a fallback is no good response itself.
        let refused = await Self.send(sample, request, Self.refused)
        #expect(refused.response == nil && refused.fallback?.response?.source == .run(1))
        let runs = try await sample.history.entries()
        #expect(runs.map(\.outcome) == [.error, .failed, .passed])
        let kept = try #require(try await sample.history.run(2)?.result.fallback?.response)
        #expect(kept.source == used.source && kept.response.body == nil && kept.response.statusCode == 200)
        #expect(abs(kept.date.timeIntervalSince(used.date)) < 0.001 && kept.ageWords == "1 d")
    }

    @Test func `only the same request in the same environment has a fallback`() async throws {
        let sample = try HistorySample()
        let source = SavedFallback.Source.history(maximumAge: nil)
        #expect(await Self.send(sample, Self.request(source), Self.good).passed)
        let missing = Fallback.missing("the history has no good response to this request")
        #expect(await Self.send(sample, Self.request(source, path: "/other"), Self.busy).fallback == missing)
        var other = HistorySample.environment
        other.name = "other"
        #expect(await Self.send(sample, Self.request(source), in: other, Self.busy).fallback == missing)
        var posted = Self.request(source)
        (posted.method, posted.body) = (.post, .json(JSONContent(.object([.init("a", .number(1))]))))
        #expect(await Self.send(sample, posted, Self.good).passed)
        #expect(await Self.send(sample, posted, Self.busy).fallback?.response != nil)
        posted.body = .json(JSONContent(.object([.init("a", .number(2))])))
        #expect(await Self.send(sample, posted, Self.busy).fallback == missing)
    }

    @Test func `a response that is too old is none, and a clock that was set back makes no negative age`() async throws
    {
        let sample = try HistorySample()
        let request = Self.request(.history(maximumAge: .seconds(3600)))
        #expect(await Self.send(sample, request, Self.good).passed)
        sample.pass(7200)
        let old = await Self.send(sample, request, Self.busy)
        #expect(old.fallback == .missing("the last good response is 2 h old, older than 1h"))
        sample.pass(-86_400)
        #expect(await Self.send(sample, request, Self.busy).fallback?.response?.age == .zero)
    }

    @Test func `a file stands in, and one that cannot be read says why`() async throws {
        let sample = try HistorySample()
        try Data("[1]".utf8).write(to: URL(filePath: sample.folder + "/rates.json"))
        let used = await Self.send(sample, Self.request(.file("./rates.json")), Self.refused).fallback?.response
        #expect(used?.source == .file("./rates.json") && used?.response.body == Data("[1]".utf8))
        let gone = await Self.send(sample, Self.request(.file("./gone.json")), Self.refused)
        #expect(gone.fallback?.words.contains("cannot read ./gone.json") == true)
        let outside = await Self.send(sample, Self.request(.file("/etc/passwd")), Self.refused)
        #expect(outside.fallback?.words.contains("outside the workspace") == true)
    }

    @Test func `an expectation that was not met, and an error before sending, have no fallback`() async throws {
        let sample = try HistorySample()
        var request = Self.request(.history(maximumAge: nil))
        #expect(await Self.send(sample, request, Self.good).passed)
        request.expect = Expectation(status: [.code(201)])
        #expect(await Self.send(sample, request, Self.good).fallback == nil)
        request.path = "/{{missing}}"
        #expect(await Self.send(sample, request, Self.good).fallback == nil)
    }
}
