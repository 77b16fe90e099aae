import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The headers that each attempt of a run had.
@Suite struct RecordedHeadersTests {
    private static func recorded(_ request: SavedRequest, _ sample: HistorySample) async throws -> [SessionResult] {
        let server = StubTransport { request in
            request.headers[.authorization] == nil
                ? .response(
                    statusCode: 401, headers: ["WWW-Authenticate": "Digest realm=\"r\", qop=\"auth\", nonce=\"n\""])
                : .response(statusCode: 200)
        }
        let result = await sample.send(sample.order(request), server)
        let newest = try await sample.history.entries(HistoryFilter(), limit: 1).first
        let run = try #require(try await sample.history.run(newest?.id ?? 0))
        return [result, run.result]
    }

    @Test func `the attempt before a challenge had no credentials, live and in the history`() async throws {
        let sample = try HistorySample()
        var request = SavedRequest(name: "digest", path: "/p", headers: [Field("X-Own", "1")])
        request.authentication = .digest(DigestAuthentication(username: "u", password: "p"))
        for result in try await Self.recorded(request, sample) {
            let (sent, attempts) = (try #require(result.prepared), try #require(result.report?.attempts))
            try #require(attempts.count == 2)
            let headers = attempts.map { sent.sent(as: $0).headers }
            let names = headers.map { $0.map { $0.name.lowercased() } }
            #expect(!names[0].contains("authorization") && names[1].contains("authorization"), "\(names)")
            #expect(names.allSatisfy { $0.contains("x-own") })
            let shown = headers[1].first { $0.name.lowercased() == "authorization" }
            #expect(shown == sent.headers.first { $0.name.lowercased() == "authorization" })
            let kept = attempts.compactMap { $0.sent?[.authorization]?.text }
            #expect(kept.allSatisfy { $0 == LogMask.mask }, "\(kept)")
        }
    }

    @Test func `a request whose attempts are all the same keeps no headers of them`() async throws {
        let sample = try HistorySample()
        let results = try await Self.recorded(SavedRequest(name: "r", path: "/p"), sample)
        #expect(results.allSatisfy { $0.report?.attempts.contains { $0.sent != nil } == false })
        #expect(results.allSatisfy { RecordedHeaders.json($0, $0.prepared) == nil })
    }
}
