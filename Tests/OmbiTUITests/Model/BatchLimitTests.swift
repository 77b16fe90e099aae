import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// A folder's run that slows down before its server refuses more.
@Suite struct BatchLimitTests {
    private static func batch(_ run: RunPlan = RunPlan()) throws -> Batch {
        let file = OpenFile(Story.loaded(Story.file(requests: 20)))
        return try #require(Batch(BatchPlan(node: .file("demo.json"), run: run), in: file, at: .zero))
    }

    private static func result(_ headers: RequestHeaders) -> SessionResult {
        SessionResult(
            .response(TransportResponse(headers: headers, statusCode: 200)), prepared: SampleRun.sent)
    }

    private static let scarce = result(["X-RateLimit-Remaining": "2", "X-RateLimit-Reset": "30"])

    @Test func `the rest is spread over the time to the next window`() throws {
        var batch = try Self.batch()
        guard case .begin? = batch.takeNext(id: 1, busy: [], at: .zero) else {
            Issue.record("nothing begins")
            return
        }
        #expect(batch.limitText(now: .zero) == nil)
        _ = batch.end(1, Self.scarce, at: .seconds(1))
        let next = batch.takeNext(id: 2, busy: [], at: .seconds(1))
        #expect(next == Batch.Next.wait(.seconds(15)))
        #expect(batch.limitText(now: .seconds(11)) == "127.0.0.1:8765 2 left, 20 s")
        let summary = batch.summary(now: .seconds(11), matching: nil, columns: 200).map(\.text).joined()
        #expect(summary.contains("127.0.0.1:8765 2 left, 20 s"), "\(summary)")
        let asked = batch.takeNext(id: 2, busy: [], at: .seconds(2))
        #expect(asked == nil, "a clock has been asked for")
        batch.wake()
        guard case .begin? = batch.takeNext(id: 2, busy: [], at: .seconds(16)) else {
            Issue.record("nothing begins")
            return
        }
        #expect(batch.limitText(now: .seconds(31)) == nil, "the next window")
    }

    @Test(arguments: [true, false])
    func `enough for all, and limits that are ignored, slow nothing down`(ignores: Bool) throws {
        var plan = RunPlan()
        plan.ignoresRateLimits = ignores
        var batch = try Self.batch(plan)
        _ = batch.takeNext(id: 1, busy: [], at: .zero)
        let plenty = Self.result(["X-RateLimit-Remaining": "19", "X-RateLimit-Reset": "30"])
        _ = batch.end(1, ignores ? Self.scarce : plenty, at: .seconds(1))
        guard case .begin? = batch.takeNext(id: 2, busy: [], at: .seconds(1)) else {
            Issue.record("it waits")
            return
        }
    }

    @Test func `the headers of a response begin with its limit`() {
        var run = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        run.prepare(SampleRun.sent, now: .zero)
        var answer = SampleRun.answer
        answer.headers?.append("412", forKey: "X-RateLimit-Remaining")
        answer.headers?.append("1080", forKey: "X-RateLimit-Reset")
        run.end(SessionResult(.response(answer)), now: .zero)
        #expect(HeadersTab.rows(run).first?.spans.map(\.text).joined() == "Rate limit: 412 left, 18m")
        var plain = RunState(id: 1, item: ItemID(), name: "r", startedAt: .zero)
        plain.end(SessionResult(.response(SampleRun.response(503, ""))), now: .zero)
        #expect(HeadersTab.rows(plain).allSatisfy { !$0.spans.map(\.text).joined().contains("Rate limit") })
    }
}
