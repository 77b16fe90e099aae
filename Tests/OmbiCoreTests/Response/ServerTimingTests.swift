import Testing

@testable import OmbiCore

/// The metrics that servers report about their time.
@Suite struct ServerTimingTests {
    private static func metrics(_ values: [String]) -> [ServerTiming] {
        var headers = RequestHeaders()
        for value in values { headers.append(.string(value), forKey: "server-timing") }
        return ServerTiming.metrics(in: headers)
    }

    private static let db = ServerTiming("db", .milliseconds(53))
    static let cases: [(values: [String], metrics: [ServerTiming])] = [
        ([], []), ([""], []), ([" , ,, "], []), (["db;dur=53"], [db]), (["db; dur = 53 "], [db]), (["db;DUR=53"], [db]),
        (["db;dur=\"53\""], [db]), (["db;dur=53;dur=9"], [db]), (["db;;;dur=53;"], [db]), (["db;dur=53,"], [db]),
        (["db;dur=5.3e1"], [db]), (["db;other;dur=53"], [db]),
        (["miss"], [ServerTiming("miss")]),
        (
            ["db;dur=53;desc=\"Post;gres, \\\"x\\\"\""],
            [ServerTiming("db", .milliseconds(53), description: "Post;gres, \"x\"")]
        ),
        (["cache;desc=hit"], [ServerTiming("cache", description: "hit")]),
        (["cache;desc=\"\""], [ServerTiming("cache")]),
        (["db;dur=53, app;dur=2.5"], [db, ServerTiming("app", .microseconds(2500))]),
        (["db;dur=53", "app;dur=0"], [db, ServerTiming("app", .zero)]),
        (["db;dur=-1"], [ServerTiming("db")]), (["db;dur=nan"], [ServerTiming("db")]),
        (["db;dur=inf"], [ServerTiming("db")]), (["db;dur=1e999"], [ServerTiming("db")]),
        (["db;dur=0x10"], [ServerTiming("db")]), (["db;dur="], [ServerTiming("db")]),
        (["db;dur"], [ServerTiming("db")]),
        (["db dur=53, app"], [ServerTiming("db"), ServerTiming("app")]),
        (["\"db\";dur=53, app"], [ServerTiming("app")]), ([";dur=53, app"], [ServerTiming("app")]),
        (["db;desc=\"open, app;dur=1"], [ServerTiming("db", description: "open, app;dur=1")]),
    ]

    @Test(arguments: cases.indices) func `metrics are read as the specification writes them`(index: Int) {
        let (values, metrics) = Self.cases[index]
        #expect(Self.metrics(values) == metrics, "\(values)")
    }

    @Test func `controls in names and descriptions are escaped`() {
        let found = Self.metrics(["db;desc=\"a\u{1B}[2Jb\u{202E}\""])
        #expect(found.count == 1 && found[0].description?.hasPrefix("a") == true)
        #expect(found[0].description?.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } == false)
    }

    @Test func `no more than 64 metrics are kept, however many come`() {
        let many = (0..<500).map { "m\($0);dur=1" }
        #expect(Self.metrics([many.joined(separator: ",")]).count == 64)
        #expect(Self.metrics(many).map(\.name) == (0..<64).map { "m\($0)" })
        #expect(Self.metrics([String(repeating: ",", count: 100_000)]).isEmpty)
        let (name, text) = (String(repeating: "a", count: 5000), String(repeating: "b", count: 5000))
        let long = Self.metrics(["\(name);desc=\"\(text)"])
        #expect(long.count == 1 && long[0].name.count <= 81 && (long[0].description?.count ?? 0) <= 201)
    }

    @Test func `a duration beyond all measure is cut`() {
        #expect(Self.metrics(["db;dur=1e300"]).first?.duration == .longest)
    }
}
