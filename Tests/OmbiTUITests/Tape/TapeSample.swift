import Foundation
import OmbiCore

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Recorded runs for tapes.
enum TapeSample {
    /// An attempt: its status, its body and the milliseconds to its first byte. Without a status nothing came.
    struct Reply {
        var status: Int?
        var body = ""
        var headers: RequestHeaders = [:]
        var wait = 0
        var isPartial = false
    }

    /// A run with an attempt for each reply.
    static func run(
        _ url: String, method: RequestMethod = .get, body: String? = nil, _ replies: [Reply]
    ) -> RecordedRun {
        let attempts = replies.enumerated().map { index, reply -> AttemptReport in
            var attempt = AttemptReport(
                number: index + 1, startedAt: .zero, duration: .milliseconds(reply.wait),
                metrics: TransportMetrics(timings: Timings(wait: .milliseconds(reply.wait))),
                outcome: reply.status == 200 && !reply.isPartial ? .succeeded : .failed(.connection, "failed"))
            attempt.received = reply.status.map {
                TransportResponse(headers: reply.headers, statusCode: $0, body: Data(reply.body.utf8))
            }
            attempt.isPartial = reply.isPartial
            return attempt
        }
        let last = attempts.last?.received
        var result = SessionResult(last.map { SessionResult.Ending.response($0) } ?? .failure("no response"))
        if attempts.last?.isPartial == true {
            result.ending = .failure("it broke")
            result.partial = last
        }
        result.prepared = PreparedRequest(
            url: url, method: method, headers: [], body: body, sla: .init(.seconds(5)), attempts: .init(1))
        result.report = RequestReport(
            attempts: attempts, duration: .milliseconds(1), sla: nil, outcome: .succeeded)
        let entry = HistoryEntry(
            id: 1, request: ItemPath(file: "/c.json", path: ["r"]), environment: nil, startedAt: Date(),
            duration: .milliseconds(1), method: method.rawValue, url: url, outcome: .passed, status: last?.statusCode,
            failure: nil, attempts: attempts.count, size: last?.body?.count)
        return RecordedRun(entry: entry, result: result)
    }
}
