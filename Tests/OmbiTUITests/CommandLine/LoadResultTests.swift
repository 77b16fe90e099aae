import ArgumentParser
import Foundation
import OmbiCore
import OmbiDocument
import OmbiWorkspace
import TestSupport
import Testing

@testable import OmbiTUI

/// The results of a load, and the command line for one.
@Suite struct LoadResultTests {
    private static let text = """
        {"requests": [
           {"count": 3, "failed": 1, "meanMs": 12.5, "maxMs": 80, "percentiles": {"50": 10, "95": 80, "99.9": 80}},
           {"count": 0, "failed": 0, "meanMs": null, "maxMs": null, "percentiles": {}}],
         "total": {"count": 3, "failed": 1, "meanMs": 12.5, "maxMs": 80, "percentiles": {"50": 10, "95": 80}}}
        """

    @Test func `results are a row for each request, and one for all`() throws {
        let result = try #require(LoadResult(Self.text, names: ["list\u{1B}[2J", "é"]))
        let lines = result.table.split(separator: "\n").map(String.init)
        try #require(lines.count == 4)
        #expect(lines[0].hasSuffix("sent  failed    p50    p95  p99    max"), "\(lines[0])")
        #expect(lines[1].hasSuffix("   3       1  10 ms  80 ms    –  80 ms"), "\(lines[1])")
        #expect(lines[2].hasPrefix("é ") && lines[2].hasSuffix("–"))
        #expect(lines[3].hasPrefix("all ") && !result.table.contains("\u{1B}"))
        #expect(result.total.eventual.map { abs($0 - 2.0 / 3) < 0.001 } == true)
        #expect(result.requests[0].percentile(99.9) == .milliseconds(80))
    }

    @Test func `limits are about all requests`() throws {
        let result = try #require(LoadResult(Self.text, names: ["a", "b"]))
        #expect(try Threshold("p95<100ms").failure(of: result.total) == nil)
        #expect(try Threshold("eventual>=99%").failure(of: result.total)?.hasPrefix("threshold missed") == true)
        #expect(try Threshold("p99<1s").failure(of: result.total) == "p99<1s: nothing was measured")
    }

    @Test(arguments: [
        "", "{}", "[]", "{\"requests\": [], \"total\": {}}", "{\"requests\": [{}, {}]}", "no JSON",
    ])
    func `what is no result is none`(text: String) {
        #expect(LoadResult(text, names: ["a", "b"]) == nil)
    }

    @Test func `numbers that make no sense count as none`() throws {
        let text = """
            {"requests": [{"count": -1, "failed": 1e99, "maxMs": "x", "percentiles": [1]}],
             "total": {"count": 2, "failed": 9}}
            """
        let result = try #require(LoadResult(text, names: ["a"]))
        #expect(result.requests[0] == LoadResult.Figures(name: "a"))
        #expect(result.total.failed == 2)
    }

    @Test func `results follow the schema`() throws {
        let result = try #require(LoadResult(Self.text, names: ["a", "b"]))
        let limits = try ["p95<1s", "p99<1s"].map { try Threshold($0) }
        let json = result.json(.locust, limits.map { ($0, $0.failure(of: result.total)) }, Self.conditions)
        let load = HistoryLoad(id: 3, startedAt: Self.conditions.startedAt, result: json)
        for json in [json, load.json] {
            let failures = try RunSchema().failures(json.compact, "load")
            #expect(failures.isEmpty, "\(failures)\n\(json)")
        }
        let failures = try RunSchema().failures(HistoryJSON.value([], [load]).text, "list")
        #expect(failures.isEmpty, "\(failures)")
    }

    private static let conditions = LoadResult.Conditions(
        startedAt: Date(timeIntervalSince1970: 1_800_000_000), environment: "local",
        plan: LoadPlan(users: 200, duration: .seconds(300), rate: 50), files: ["/shop.json"])

    @Test func `a load of the history has the figures of its result, and a line of its own`() throws {
        let result = try #require(LoadResult(Self.text, names: ["list\u{1B}[2J", "b"]))
        let json = result.json(.k6, [], Self.conditions)
        let load = HistoryLoad(id: 3, startedAt: Self.conditions.startedAt, result: json)
        #expect(LoadResult(load)?.table == result.table)
        #expect(load.words.hasPrefix("k6, 200 users for 5m at 50/s, \(result.total.count) sent"), "\(load.words)")
        let line = HistoryText.line(load)
        #expect(line.hasPrefix("L3 ") && line.contains("load k6, 200 users") && line.hasSuffix("  local"), "\(line)")
        #expect(!line.contains("\u{1B}"))
    }

    @Test func `lost workers are told with the figures, and in the history`() throws {
        let text = "{\"requests\": [], \"lostWorkers\": 2, \"total\": {\"count\": 3}}"
        let result = try #require(LoadResult(text, names: []))
        #expect(result.lossWords == "2 workers ended before the load did: the last requests are not counted")
        let json = result.json(.locust, [], Self.conditions)
        let load = HistoryLoad(id: 3, startedAt: Self.conditions.startedAt, result: json)
        #expect(HistoryText.lines(load).last == result.lossWords)
        #expect(try #require(LoadResult(Self.text, names: ["a", "b"])).lossWords == nil)
    }

    @Test(arguments: [("1042", RecordedNumber.run(1042)), ("L3", .load(3)), ("l3", .load(3)), ("x", nil), ("L", nil)])
    func `runs and loads are named by their numbers`(text: String, number: RecordedNumber?) {
        #expect(RecordedNumber(argument: text) == number)
    }

    private static let load = ["--users", "2", "--duration", "1s", "--engine", "k6"]

    @Test(
        arguments: [
            (["--users", "0", "--duration", "1s", "--engine", "k6"], "--users takes a number from 1 to 1000000."),
            (["--users", "1", "--duration", "0s", "--engine", "k6"], "--duration 0s: write for example"),
            (load + ["--rate", "-1"], "--rate takes a number from 0.001"),
            (load + ["--workers", "2"], "k6 has no workers"), (load + ["--master", "a.test"], "k6 has no workers"),
            (load + ["--threshold", "p95"], "--threshold p95: write a measure"),
            (
                ["--users", "2", "--duration", "1s", "--engine", "locust", "--master", "-x"],
                "--master takes the name or the address of a host."
            ),
            (
                ["--users", "2", "--duration", "1s", "--engine", "locust", "--workers", "2", "--master", "a"],
                "--workers and --master exclude each other."
            ),
        ] as [([String], String)])
    func `a load that cannot be is refused`(arguments: [String], told: String) throws {
        let error = #expect(throws: (any Error).self) { try LoadCommand.parse(arguments) }
        let message = error.map { LoadCommand.message(for: $0) } ?? ""
        #expect(message.hasPrefix(told), "\(message)")
    }
}
