import ArgumentParser
import Foundation
import OmbiCore
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The filter of runs as it is typed, on the screen and on the command line.
@Suite struct HistorySearchTests {
    private static let clock = LocalClock(offset: 3600)
    /// 2027-01-15, 09:00 in that zone.
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The parts of a filter that a search sets.
    private static func text(_ filter: HistoryFilter) -> String {
        let outcomes = filter.outcomes.map(\.name).sorted().joined(separator: " ")
        let parts: [(String, String?)] = [
            ("words", filter.words.isEmpty ? nil : filter.words.joined(separator: "|")),
            ("status", filter.status?.description), ("env", filter.environmentStart), ("method", filter.methodStart),
            ("attempts", filter.attempts.map { range($0.lowerBound, $0.upperBound) }),
            ("µs", filter.duration.map { range(microseconds($0.lowerBound), microseconds($0.upperBound)) }),
            ("since", filter.since?.formatted(.iso8601)), ("until", filter.until?.formatted(.iso8601)),
            ("outcome", outcomes.isEmpty ? nil : outcomes),
        ]
        return parts.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: ", ")
    }

    private static func microseconds(_ duration: Duration) -> Int {
        Int(duration.components.seconds) * 1_000_000 + Int(duration.components.attoseconds / 1_000_000_000_000)
    }

    /// `2...`, without the ends that are beyond all runs.
    private static func range(_ lower: Int, _ upper: Int) -> String {
        (lower < -1_000_000 ? "" : "\(lower)") + "..." + (upper > 1_000_000_000_000 ? "" : "\(upper)")
    }

    @Test(arguments: [
        ("", ""), ("   ", ""), ("orders", "words orders"), ("orders list", "words orders|list"),
        ("\"not found\" orders", "words not found|orders"), ("\"status:500\"", "words status:500"),
        ("\"still open", "words still open"), ("\"\"", ""), ("localhost:8080", "words localhost:8080"),
        ("http://api.test/a?status=paid", "words http://api.test/a?status=paid"),
        ("status=paid", "words status=paid"), ("id<5", "words id<5"), ("status:503", "status 503"),
        ("STATUS:5XX", "status 5xx"), ("env:staging", "env staging"), ("environment:\"my env\"", "env my env"),
        ("method:post", "method post"), ("since:2h", "since 2027-01-15T06:00:00Z"),
        ("until:08:30", "until 2027-01-15T07:30:00Z"),
        (
            "since:2027-01-14T14:05 until:2027-01-14T14:20",
            "since 2027-01-14T13:05:00Z, until 2027-01-14T13:20:00Z"
        ),
        ("since:08:30 until:17:00", "since 2027-01-15T07:30:00Z, until 2027-01-15T16:00:00Z"),
        ("until:00:10 since:23:50", "since 2027-01-14T22:50:00Z, until 2027-01-14T23:10:00Z"),
        ("since:23:50", "since 2027-01-14T22:50:00Z"), ("until:14:05", "until 2027-01-14T13:05:00Z"),
        ("attempts>1", "attempts 2..."), ("attempts>=3", "attempts 3..."), ("attempts<3", "attempts ...2"),
        ("attempts<=2", "attempts ...2"), ("attempts:2", "attempts 2...2"), ("attempts=1", "attempts 1...1"),
        ("attempts<0", "attempts ...-1"), ("time>2s", "µs 2000001..."), (">2s", "µs 2000001..."),
        ("<=1.5s a", "words a, µs ...1500000"),
        (">2", "words >2"), ("<b>", "words <b>"), ("time<500ms", "µs ...499999"),
        ("time>=1.5s", "µs 1500000..."), ("time<=0.3ms", "µs ...300"), ("is:failed", "outcome error failed"),
        ("is:passed", "outcome passed"), ("is:retried", "attempts 2..."), ("outcome:failed", "outcome failed"),
        ("is:passed is:cancelled", "outcome cancelled passed"),
        ("  orders   status:5xx  ", "words orders, status 5xx"),
    ])
    func `words and terms become a filter`(typed: String, expected: String) throws {
        let filter = try HistorySearch.filter(typed, now: Self.now, clock: Self.clock)
        #expect(Self.text(filter) == expected)
        #expect(HistorySearch.problem(with: typed) == nil)
    }

    @Test(arguments: [
        ("status:", "status: write a status such as 503, or 5xx"),
        ("status:5", "status:5: write a status such as 503, or 5xx"),
        ("orders status:600", "status:600: write a status such as 503, or 5xx"),
        ("env:", "env: write the start of an environment's name"),
        ("method:", "method: write a method, such as POST"),
        ("since:", "since: write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago)"),
        ("since:yesterday", "since:yesterday: write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago)"),
        ("until:25:00", "until:25:00: write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago)"),
        ("attempts>", "attempts>: write a number of attempts, as in attempts>1"),
        ("attempts>many", "attempts>many: write a number of attempts, as in attempts>1"),
        ("attempts:-1", "attempts:-1: write a number of attempts, as in attempts>1"),
        ("attempts>1000001", "attempts>1000001: write a number of attempts, as in attempts>1"),
        ("attempts<9999999999999999999", "attempts<9999999999999999999: write a number of attempts, as in attempts>1"),
        ("time:2s", "time:2s: write time>500ms or time<2s"), ("time>2", "time>2: write time>500ms or time<2s"),
        ("is:", "is: write passed, failed, error, retried or cancelled"),
        ("is:good", "is:good: write passed, failed, error, retried or cancelled"),
        ("outcome:retried", "outcome:retried: write passed, failed, error or cancelled"),
        ("status:404 status:5xx", "status:5xx: the filter has another one already"),
        ("attempts>1 is:retried", "is:retried: the filter has another one already"),
    ])
    func `a term that is not understood says what to write`(typed: String, told: String) {
        #expect(HistorySearch.problem(with: typed) == told)
    }

    @Test(arguments: [
        ["--filter", "status:5xx", "--status", "200"], ["--filter", "is:passed", "--outcome", "failed"],
        ["--filter", "since:1h", "--since", "2h"], ["--filter", "until:14:05", "--until", "14:10"],
    ])
    func `an option does not replace a term of the filter`(arguments: [String]) throws {
        let both = try HistoryConditions.parse(arguments)
        #expect(throws: ValidationError.self) { try both.filters([], environment: nil) }
        for part in [arguments.prefix(2), arguments.suffix(2)] {
            #expect(try HistoryConditions.parse(Array(part)).filters([], environment: nil).count == 1)
        }
    }

    @Test(arguments: [
        ["--since", "08:30", "--until", "17:00"], ["--filter", "until:17:00", "--since", "08:30"],
        ["--filter", "since:08:30", "--until", "17:00"],
    ])
    func `an end that is a time of day follows its start`(arguments: [String]) throws {
        let now = try #require(HistoryTime.parse("2027-01-15T09:00", now: Self.now))
        let filters = try HistoryConditions.parse(arguments).filters([], environment: nil, now: now)
        let filter = try #require(filters.first)
        #expect(filter.since == HistoryTime.parse("2027-01-15T08:30", now: now))
        #expect(filter.until == HistoryTime.parse("2027-01-15T17:00", now: now))
    }

    @Test func `a filter has a limit`() {
        let words = Array(repeating: "a", count: 17).joined(separator: " ")
        #expect(HistorySearch.problem(with: words) == "a: write at most 16 words")
        let long = String(repeating: "a", count: 501)
        #expect(HistorySearch.problem(with: long) == "The filter: write at most 500 characters")
    }
}
