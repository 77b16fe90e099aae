import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Runs that resemble each other, on their way into the history.
@Suite struct RunBatchTests {
    private static let path = ItemPath(file: "/c.json", path: ["r"])

    private static func shared(_ path: String = "/items") throws -> SharedRequest {
        let request = SavedRequest(name: "r", path: path)
        let environment = Environment(name: "local", host: "http://a.test")
        let collection = Collection(name: "c", environments: [environment])
        let resolver = Resolver.preview(collection, environment, Overrides())
        return SharedRequest(try resolver.resolve(request))
    }

    private static func run(
        of shared: SharedRequest, _ body: String, type: String = "application/json", secrets: [String] = [],
        found: String = "200"
    ) throws -> EndedRun {
        let response = TransportResponse(
            headers: ["Content-Type": .init(type), "X-Token": "hidden"], statusCode: 200, body: Data(body.utf8))
        let attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: .milliseconds(3), outcome: .succeeded, response: response)
        let url = try #require(URL(string: "http://a.test/items"))
        let report = RequestReport(
            attempts: [attempt], duration: .milliseconds(4), sla: nil, outcome: .succeeded,
            request: TransportRequest(url: url))
        let redactor = Redactor(secrets)
        var result = SessionResult(
            .response(response), SentRequest(shared, report, redactor, expiresAt: nil), expectation: nil,
            report: report, redactor: redactor)
        result.expectations = [
            ExpectationResult(.status, "status", expected: "status 200", found: found, isMet: found == "200")
        ]
        return (
            RunToRecord(request: path, startedAt: Date(timeIntervalSince1970: 7), method: "GET", of: result), result
        )
    }

    private static func texts(_ excerpt: HistoryExcerpt) -> [String] {
        excerpt.runs.map { run in
            run.body.map { String(decoding: excerpt.contents[$0], as: UTF8.self) } ?? "none"
        }
    }

    @Test func `runs of a request share its form and equal bodies, in each batch anew`() throws {
        var batch = RunBatch(limits: HistoryLimits())
        let shared = try Self.shared()
        for _ in 0..<2 {
            for _ in 0..<3 { _ = batch.add([try Self.run(of: shared, #"{"id":1}"#)]) }
            let excerpt = try batch.take().excerpt
            #expect(excerpt.contents.count == 2)
            #expect(Set(excerpt.runs.map(\.prepared)).count == 1 && Set(excerpt.runs.map(\.details)).count == 1)
            #expect(Self.texts(excerpt) == Array(repeating: #"{"id":1}"#, count: 3))
            let place = try #require(excerpt.runs[0].prepared)
            let form = try JSONValue.parse(String(decoding: excerpt.contents[place], as: UTF8.self))
            #expect(form["url"]?.stringValue == "http://a.test/items")
        }
    }

    @Test func `an equal body of another type, or with another secret, is masked on its own`() throws {
        var batch = RunBatch(limits: HistoryLimits())
        let (shared, body) = (try Self.shared(), #"{"token":"abc","name":"secret-7"}"#)
        for _ in 0..<2 {
            _ = batch.add([try Self.run(of: shared, body)])
            _ = batch.add([try Self.run(of: shared, body, type: "text/plain")])
            _ = batch.add([try Self.run(of: shared, body, secrets: ["secret-7"])])
        }
        let masked = [
            #"{"token":"••••••","name":"secret-7"}"#, body, #"{"token":"••••••","name":"••••••"}"#,
        ]
        #expect(Self.texts(try batch.take().excerpt) == masked + masked)
    }

    @Test func `each run has its own verdict, and headers without secrets`() throws {
        var batch = RunBatch(limits: HistoryLimits())
        let requests = [try Self.shared(), try Self.shared("/others")]
        for found in ["200", "200", "201", "e\u{301}", "\u{e9}", "200"] {
            for request in requests { _ = batch.add([try Self.run(of: request, "[]", found: found)]) }
        }
        let details = try batch.take().excerpt.runs.map { try JSONValue.parse($0.details) }
        let read = details.map { Array(($0["expectations"]?.elements?.first?["found"]?.stringValue ?? "").utf8) }
        let found = ["200", "200", "201", "e\u{301}", "\u{e9}", "200"].flatMap { [Array($0.utf8), Array($0.utf8)] }
        #expect(read == found)
        let headers: JSONValue = [
            ["Content-Type", "application/json"], ["X-Token", .string(LogMask.mask)],
        ]
        #expect(details.allSatisfy { $0["headers"] == headers })
    }

    @Test func `large bodies are there once, also of several requests`() throws {
        var batch = RunBatch(limits: HistoryLimits())
        let body = "[" + String(repeating: "1,", count: 5000) + "1]"
        for _ in 0..<2 {
            _ = batch.add(try ["/a", "/b", "/a"].map { try Self.run(of: Self.shared($0), body) })
            let excerpt = try batch.take().excerpt
            #expect(excerpt.contents.filter { $0.count == body.utf8.count }.count == 1)
            #expect(Self.texts(excerpt) == [body, body, body])
        }
    }

    @Test func `bodies that differ each time are told apart, and one that stays is shared again`() throws {
        var batch = RunBatch(limits: HistoryLimits())
        let shared = try Self.shared()
        let bodies = (0..<40).map { "[\($0)]" } + Array(repeating: "[40]", count: 40)
        for body in bodies { _ = batch.add([try Self.run(of: shared, body)]) }
        let excerpt = try batch.take().excerpt
        #expect(Self.texts(excerpt) == bodies)
        #expect(excerpt.contents.count == 49, "one in eight is kept for the next one")
    }
}
