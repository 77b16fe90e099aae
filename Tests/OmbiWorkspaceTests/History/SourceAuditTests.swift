import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The flows that the history tells of.
@Suite struct SourceAuditTests {
    private static let path = ItemPath(file: "/shop/c.json", path: ["list"])
    private static let api = Destination(text: "https://api.test")

    private static func request(_ parts: [String]) -> PreparedRequest {
        var request = PreparedRequest(
            url: "https://api.test/", method: .get, headers: [], sla: .init(.seconds(1)), attempts: .init(1))
        request.sources = [.init(source: "$TOK", destination: api.text, parts: parts)]
        return request
    }

    private static func run(
        _ id: Int, parts: [String] = ["URL"], headers: RequestHeaders = [:], body: String = "{}",
        sends: Bool = true
    ) -> RecordedRun {
        var prepared = request(parts)
        if !sends { prepared.sources = [] }
        let response = TransportResponse(headers: headers, statusCode: 200, body: Data(body.utf8))
        return RecordedRun(
            entry: HistoryEntry(
                id: id, request: path, environment: nil, startedAt: Date(timeIntervalSince1970: Double(id)),
                duration: .zero, method: "GET", url: prepared.url, outcome: .passed, status: 200, failure: nil,
                attempts: 1, size: body.utf8.count),
            result: SessionResult(.response(response), prepared: prepared))
    }

    @Test func `what a request sends is kept with its run`() throws {
        let request = Self.request(["URL", "header X-Token"])
        let read = try #require(RecordedDetails.request(RecordedDetails.json(request)))
        #expect(read.sources == request.sources)
    }

    @Test func `runs are summed up for each source and destination`() {
        var audit = SourceAudit()
        audit.add(Self.run(9, parts: ["header X"]))
        audit.add(Self.run(4))
        audit.add(Self.run(2, sends: false))
        #expect(
            audit.lines == [
                .init(
                    file: "/shop/c.json", source: "$TOK", destination: "https://api.test", parts: ["header X", "URL"],
                    runs: 2, first: Date(timeIntervalSince1970: 4), last: Date(timeIntervalSince1970: 9))
            ])
        #expect(audit.echoes.isEmpty)
    }

    @Test func `a response that repeats a secret is named with the places, once for each request`() {
        var audit = SourceAudit()
        let body = "{\"a\": [1, {\"b\": \"x\(LogMask.mask)\"}], \"c\": \"plain\"}"
        audit.add(Self.run(9, headers: ["X-Seen": .string(LogMask.mask)], body: body))
        audit.add(Self.run(8, body: body))
        #expect(audit.echoes == [.init(run: 9, request: Self.path, places: ["header X-Seen", "$.a[1].b"])])
        var text = SourceAudit()
        text.add(Self.run(1, body: "no JSON: " + LogMask.mask))
        #expect(text.echoes.map(\.places) == [["body"]])
    }

    @Test func `what no run has sent to a destination is new`() {
        var audit = SourceAudit()
        audit.add(Self.run(1))
        let (known, other) = (Flow(.environment("TOK"), to: Self.api), Flow(.environment("OTHER"), to: Self.api))
        #expect(audit.new([known, other], of: "/shop/c.json") == [other])
        #expect(audit.new([known], of: "/shop/d.json") == [known])
    }
}
