import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The responses of attempts that another one followed.
@Suite struct HistoryResponsesTests {
    private static func transport(_ replies: [StubTransport.Reply]) -> StubTransport {
        let count = Lock(0)
        return StubTransport { _ in
            let index = count.withLock {
                $0 += 1
                return $0 - 1
            }
            return replies[min(index, replies.count - 1)]
        }
    }

    /// Sends a request and returns its run as it is recorded.
    private static func recorded(
        _ sample: HistorySample, _ replies: [StubTransport.Reply]
    ) async throws -> RecordedRun {
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: replies.count - 1, sla: .seconds(30))
        await sample.send(sample.order(request), transport(replies))
        let entry = try #require(try await sample.history.entries().first)
        return try #require(try await sample.history.run(entry.id))
    }

    private static func count(_ table: String, _ sample: HistorySample) throws -> Int? {
        try Database(path: sample.path).first("SELECT count(*) FROM \(table)") { $0.integer(0) }
    }

    private static let busy = StubTransport.Reply.response(statusCode: 503, data: Data("too much to do".utf8))

    @Test func `each attempt comes back with its head and its body, equal bodies are kept once, and no secret is`()
        async throws
    {
        let sample = try HistorySample()
        let secret = HistorySample.secret
        let echo = StubTransport.Reply.response(
            statusCode: 503, data: Data("you sent \(secret)".utf8),
            headers: ["X-Echo": .init(Data(secret.utf8).base64EncodedString()), "Set-Cookie": "sid=cookie-value-1"])
        let run = try await Self.recorded(sample, [echo, echo, .response(statusCode: 200, data: Data("ok".utf8))])
        let attempts = run.result.report?.attempts ?? []
        #expect(attempts.map { $0.received?.statusCode } == [503, 503, 200])
        for attempt in attempts.prefix(2) {
            #expect(attempt.received?.body == Data("you sent ••••••".utf8) && !attempt.isPartial)
            #expect(attempt.received?.headers?["X-Echo"]?.text == "••••••")
        }
        // The request, the body of both attempts, and that of the run.
        #expect(try Self.count("content", sample) == 3)
        #expect(try Self.count("response", sample) == 2)
        let readable = "\(run)" + run.json.compact
        for form in [secret, Data(secret.utf8).base64EncodedString(), "cookie-value-1"] {
            #expect(!readable.contains(form))
            for file in sample.files {
                #expect(file.bytes.range(of: Data(form.utf8)) == nil, "\(form) in \(file.path)")
            }
        }
    }

    @Test func `a body that several attempts share is in memory once`() async throws {
        let sample = try HistorySample()
        let page = StubTransport.Reply.response(
            statusCode: 503, data: Data(String(repeating: "busy ", count: 100).utf8))
        let run = try await Self.recorded(sample, [page, page, page, .response(statusCode: 200)])
        let bodies = (run.result.report?.attempts ?? []).prefix(3).compactMap { $0.received?.body }
        let places = Set(bodies.map { body in body.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } })
        #expect(bodies.map(\.count) == [500, 500, 500] && places.count == 1)
    }

    @Test func `the JSON of a run has the response of each attempt that another one followed`() async throws {
        let sample = try HistorySample()
        let run = try await Self.recorded(sample, [Self.busy, .response(statusCode: 200, data: Data("ok".utf8))])
        let attempts = try #require(run.json["attempts"]?.elements)
        #expect(attempts[0]["response"]?["body"] == .string("too much to do"))
        #expect(attempts[0]["response"]?["status"] == .number("503"))
        #expect(attempts[1]["response"] == nil && run.json["response"]?["body"] == .string("ok"))
    }

    @Test func `of an attempt that broke off, what came is kept`() async throws {
        let sample = try HistorySample()
        let part = TransportResponse(headers: ["X-Id": "7"], statusCode: 200, body: Data("half".utf8))
        let broken = TransportError(code: .connectionLost, message: "it broke", response: part)
        let run = try await Self.recorded(sample, [.failure(broken), .response(statusCode: 200)])
        let attempt = try #require(run.result.report?.attempts.first)
        #expect(attempt.isPartial && attempt.response == nil)
        #expect(attempt.received?.body == Data("half".utf8) && attempt.received?.headers?["X-Id"]?.text == "7")
    }

    @Test func `of a body beyond the limit the size is kept`() async throws {
        let sample = try HistorySample(limits: HistoryLimits(maximumBody: 10))
        let run = try await Self.recorded(sample, [Self.busy, .response(statusCode: 200)])
        let attempt = try #require(run.result.report?.attempts.first)
        #expect(attempt.received?.body == nil && attempt.omittedBody == 14)
        #expect(attempt.received?.headers?["Content-Length"]?.text == "14")
    }

    @Test func `responses go with their run`() async throws {
        let sample = try HistorySample()
        _ = try await Self.recorded(sample, [Self.busy, .response(statusCode: 200)])
        #expect(try await sample.history.delete(HistoryFilter()) == 1)
        #expect(try Self.count("content", sample) == 0)
        #expect(try Self.count("response", sample) == 0)
    }

    @Test func `a file of before stays readable`() async throws {
        let sample = try HistorySample()
        let kept = try await Self.recorded(sample, [Self.busy, .response(statusCode: 200, data: Data("ok".utf8))])
        let database = try Database(path: sample.path)
        try database.execute(
            """
            DROP TABLE response; DROP TABLE address_tally; DROP TRIGGER address_removed;
            DROP TABLE mark; DROP TABLE redirect; DROP TABLE load; DROP TABLE journal; PRAGMA user_version = 2
            """)
        try HistorySchema.prepare(database)
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        let run = try #require(try reader.run(kept.entry.id))
        #expect(run.result.response?.body == Data("ok".utf8))
        #expect(run.result.report?.attempts.first?.received == TransportResponse(statusCode: 503))
    }
}
