import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The attempts of each address in words.
@Suite struct HistoryAddressWordsTests {
    private static func times(_ milliseconds: Int...) -> HistoryStatistics.Percentiles? {
        .init(milliseconds.map { Duration.milliseconds($0) })
    }

    private static var statistics: HistoryStatistics {
        let run = HistoryStatistics.Run(
            startedAt: Date(timeIntervalSince1970: 1_800_000_000), duration: .seconds(2), outcome: .failed, attempts: 2)
        var statistics = HistoryStatistics(runs: [run], attempts: [], now: run.startedAt)
        statistics.addresses = [
            HistoryAddress(
                "10.0.3.7:443", attempts: 100, failures: [.init("status 503", 41), .init("timeout", 2)],
                times: times(180, 2100), new: .init(attempts: 12, times: times(200)),
                reused: .init(attempts: 88, times: times(180, 2100)),
                phases: times(170, 2000).map { [.init(.wait, attempts: 100, times: $0)] } ?? []),
            HistoryAddress("10.0.3.8:443", attempts: 3, new: .init(attempts: 3)),
            HistoryAddress(nil, attempts: 1, failures: [.init("DNS", 1)]),
        ]
        return statistics
    }

    @Test func `an address has its failures, percentiles, connections and phases`() {
        let lines = HistoryText.hosts(Self.statistics)
        #expect(lines.first == "10.0.3.7:443   41 % status 503, 2 % timeout, p50 180 ms, p95 2.1 s", "\(lines)")
        #expect(lines.contains("  attempts  100: 12 new, p50 200 ms, p95 200 ms; 88 reused, p50 180 ms, p95 2.1 s"))
        #expect(lines.contains { $0.hasPrefix("  wait") && $0.contains("p99 2") })
        #expect(lines.contains("10.0.3.8:443   0 % failed") && lines.contains("no connection  100 % DNS"))
    }

    @Test func `Statistics tells addresses apart where there are several`() {
        var history = RequestHistory(
            request: ItemPath(file: "/c.json", path: ["r"]), entries: [], count: 1, statistics: Self.statistics)
        func text() -> String {
            StatisticsTab.rows(history, columns: 120).map { $0.spans.map(\.text).joined() }.joined(separator: "\n")
        }
        #expect(text().contains("by address        10.0.3.7:443  41 % status 503"), "\(text())")
        #expect(text().contains("attempts          10.0.3.7:443  100: 12 new, p50 200 ms"), "\(text())")
        let lines = text().split(separator: "\n")
        let place = lines.firstIndex { $0.contains("by address") } ?? lines.count
        #expect(
            place < lines.firstIndex { $0.contains("time of") } ?? lines.count, "the backend that fails comes first")
        history.statistics.addresses.removeLast(2)
        #expect(!text().contains("by address"))
    }

    @Test func `an address is text of a file that reaches no terminal as it is`() {
        var statistics = Self.statistics
        statistics.addresses = [HistoryAddress("\u{1B}]52;c;aGk=\u{07}", attempts: 1)]
        #expect(HistoryText.hosts(statistics).allSatisfy { !$0.unicodeScalars.contains { $0.value < 0x20 } })
    }
}
