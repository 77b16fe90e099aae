import Foundation
import Testing

@testable import OmbiWorkspace

@Suite struct TroubledTimeTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static let outcomes: [Character: RecordedOutcome] = ["✗": .failed, "!": .error, "-": .cancelled]

    /// A run a minute, the oldest first: `.` is quick, `s` slow, `✗` failed, `!` without a response, `-` cancelled.
    private static func find(_ runs: String) -> String? {
        let entries = runs.enumerated().map { minute, kind in
            HistoryEntry(
                id: minute, request: ItemPath(file: "f"), environment: nil,
                startedAt: start.addingTimeInterval(Double(minute) * 60),
                duration: .milliseconds(kind == "s" ? 61 : 60),
                method: "GET", url: "", outcome: outcomes[kind] ?? .passed,
                status: nil, failure: nil, attempts: 1, size: nil)
        }
        return TroubledTime(in: entries.reversed(), median: .milliseconds(20)).map { trouble in
            let minutes = [trouble.start, trouble.end].map { "\(Int($0.timeIntervalSince(start) / 60))" }
            return minutes.joined(separator: "-") + " \(trouble.troubled)/\(trouble.runs)" + (trouble.goesOn ? "…" : "")
        }
    }

    @Test(arguments: [
        ("", nil), ("....", nil), (".s.✗..", nil), ("..sss..", "2-4 3/3"), ("..s..s..s....", "2-8 3/7"),
        ("s...s...s", nil), ("...✗✗✗✗", "3-6 4/4…"), ("sss......✗✗✗✗...", "9-12 4/4"), ("s-ss-", "0-3 3/3…"),
        ("✗✗✗✗...sss", "0-3 4/4"), ("..!!!..", "2-4 3/3"), ("..✗!s..", "2-4 3/3"),
    ])
    func `the longest trouble is found`(runs: String, found: String?) {
        #expect(Self.find(runs) == found)
    }
}
