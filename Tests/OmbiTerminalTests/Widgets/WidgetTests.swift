import TestSupport
import Testing

@testable import OmbiTerminal

@Suite struct ListPositionTests {
    private static let movements: [Movement] = [
        .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .top, .bottom, .left, .right,
    ]

    @Test(arguments: 0..<40) func `the cursor exists and shows, whatever happens`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var position = ListPosition()
        for _ in 0..<300 {
            let count = Int.random(in: 0...30, using: &random)
            let page = Int.random(in: 1...12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: position.place(at: Int.random(in: -5...40, using: &random), count: count, page: page)
            case 1: position.scroll(by: Int.random(in: -20...20, using: &random), count: count, page: page)
            default: position.move(Self.movements.randomElement(using: &random) ?? .up, count: count, page: page)
            }
            guard position.cursor != 0 || position.offset != 0 else { continue }
            // Left and right move nothing, not even into a list that became shorter.
            position.move(.down, count: count, page: page)
            position.move(.up, count: count, page: page)
            #expect((0..<max(1, count)).contains(position.cursor))
            #expect((position.offset..<position.offset + page).contains(position.cursor))
            #expect(position.offset <= max(0, count - page), "no blank lines at the end of a list that fills the page")
        }
    }

    @Test func `pages overlap by a row`() {
        var position = ListPosition()
        position.move(.pageDown, count: 100, page: 10)
        #expect(position.cursor == 9)
        position.move(.halfPageDown, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (14, 5))
        position.move(.bottom, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (99, 90))
        position.move(.top, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (0, 0))
    }

    @Test func `scrolling takes the cursor along only where it would leave`() {
        var position = ListPosition()
        position.place(at: 5, count: 100, page: 10)
        position.scroll(by: 3, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (5, 3))
        position.scroll(by: 3, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (6, 6))
        position.scroll(by: -99, count: 100, page: 10)
        #expect((position.cursor, position.offset) == (6, 0))
    }
}

@Suite struct TimeTextTests {
    @Test(arguments: [
        (-5, "0 ms"), (0, "0 ms"), (40, "0 ms"), (400, "0.4 ms"), (1000, "1 ms"), (9940, "9.9 ms"), (9960, "10 ms"),
        (143_000, "143 ms"), (999_400, "999 ms"), (999_600, "1 s"), (1_200_000, "1.2 s"), (1_234_000, "1.23 s"),
        (9_960_000, "10 s"), (12_340_000, "12.3 s"), (59_940_000, "59.9 s"), (59_960_000, "1m"),
        (61_000_000, "1m 1s"), (3_600_000_000, "60m"), (86_399_000_000, "1439m 59s"), (86_400_000_000, "1d"),
        (100_000_000_000_000, "1157d 10h"),
    ])
    func `durations have at most three digits`(microseconds: Int, text: String) {
        #expect(TimeText.duration(.microseconds(microseconds)) == text)
    }

    @Test(arguments: [(-1, "0.0 s"), (0, "0.0 s"), (49, "0.0 s"), (50, "0.1 s"), (1240, "1.2 s"), (61_000, "61.0 s")])
    func `a running time counts in tenths of a second`(milliseconds: Int, text: String) {
        #expect(TimeText.running(.milliseconds(milliseconds)) == text)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (2149, "2.1 kB"), (99_949, "99.9 kB"), (99_950, "100 kB"),
        (999_499, "999 kB"), (999_500, "1.0 MB"), (50_000_000, "50.0 MB"), (999_950_000, "1.0 GB"),
        (1_500_000_000_000, "1500 GB"),
    ])
    func `sizes count in thousands`(bytes: Int, text: String) {
        #expect(TimeText.size(bytes) == text)
    }

    @Test(arguments: [
        (0, 0, "0"), (2, 1, "2.0"), (0.05, 1, "0.1"), (1.005, 0, "1"), (12.34, 3, "12.340"), (.infinity, 1, "inf"),
    ])
    func `decimals have the places asked for`(value: Double, places: Int, text: String) {
        #expect(TimeText.decimal(value, places: places) == text)
    }
}

@Suite struct PercentTests {
    @Test(arguments: [
        (0.0, "0 %", "0%"), (0.000_01, "0.1 %", "1%"), (0.004, "0.4 %", "1%"), (0.5, "50 %", "50%"),
        (0.966_67, "96.7 %", "97%"), (0.287, "28.7 %", "29%"), (0.9994, "99.9 %", "99%"),
        (0.999_96, "99.9 %", "99%"), (1.0, "100 %", "100%"), (2.5, "250 %", "250%"),
    ])
    func `a share is rounded, but neither to all nor to nothing`(share: Double, text: String, short: String) {
        #expect(Percent.text(share) == text && Percent.short(share) == short)
    }

    @Test func `a share that misses a limit does not read as the limit`() {
        #expect(Percent.distinct(0.9846, from: 0.985) == "98.46 %")
        #expect(Percent.distinct(0.75, from: 0.8) == "75 %")
        #expect(Percent.distinct(0.985, from: 0.985) == "98.5 %")
    }
}

@Suite struct SmallWidgetTests {
    @Test(arguments: [
        ("", 10, []), ("  ", 10, []), ("a b", 3, ["a b"]), ("a b", 2, ["a", "b"]),
        ("one  two\nthree", 7, ["one two", "three"]),
        ("longword x", 4, ["longword", "x"]), ("日本 語", 4, ["日本", "語"]), ("a b", 0, ["a", "b"]),
    ])
    func `text is wrapped between its words`(text: String, columns: Int, lines: [String]) {
        #expect(WrappedText.lines(of: text, columns: columns) == lines)
    }

    @Test(arguments: [(0.0, "░░░░"), (0.01, "▓░░░"), (0.5, "▓▓░░"), (1, "▓▓▓▓"), (7, "▓▓▓▓"), (-1, "░░░░")])
    func `a gauge shows what is left`(fraction: Double, text: String) {
        #expect(Gauge.spans(fraction: fraction, columns: 4).map(\.text).joined() == text)
    }

    @Test(arguments: 9...60) func `the current tab shows at any width, and is found where it was drawn`(columns: Int) {
        let titles = ["Params 3", "Headers", "Body", "Auth", "Policy", "About"]
        for current in titles.indices {
            let bar = TabBar(titles, current: current, columns: columns)
            var surface = Surface(size: Size(columns: columns, rows: 1))
            bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: columns, rows: 1))
            #expect(surface.text().contains(titles[current].prefix { $0 != " " }), "\(surface.text())")
            #expect((0..<columns).contains { bar.index(at: $0) == current })
        }
    }

    @Test(arguments: [
        (5, "Body…"), (9, "Body  …"), (12, "Body  …"), (13, "Body  Sent  …"), (17, "Body  Sent  Trace"),
        (18, "Body  Sent  Trace"),
        (19, "Body · Sent · Trace"),
    ])
    func `tabs without room are told of`(columns: Int, text: String) {
        var surface = Surface(size: Size(columns: columns, rows: 1))
        let bar = TabBar(["Body", "Sent", "Trace"], current: 0, columns: columns)
        bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: columns, rows: 1))
        #expect(surface.text() == text)
    }

    private static let requests: [[String]] = [
        ["Params", "Headers", "Body", "Auth", "Policy", "Capture", "Expect", "Connection", "About"],
        [
            "Params 3", "Headers 11", "Body multipart", "Auth bearer", "Policy 3×", "Capture 2", "Expect 2",
            "Connection", "About",
        ],
        ["Params", "Headers 2", "Body json", "Auth ↑bearer", "Policy", "Capture", "Expect 12", "Connection", "About"],
        [
            "Params 12", "Headers 12", "Body graphql", "Auth ↑env", "Policy 10×", "Capture 12", "Expect 12",
            "Connection", "About",
        ],
        ["Body", "Headers 11", "Expect ✗ 1", "Timeline 3", "History 120", "Statistics", "Cookies 2", "TLS ✗", "Sent"],
        ["Body", "Headers 4", "Expect ✓", "Timeline", "History", "Statistics", "Cookies", "TLS", "Sent"],
    ]

    @Test(arguments: 15...75) func `no tab is cut at any width, and the sign of more goes to the next one`(columns: Int)
    {
        for titles in Self.requests {
            for current in titles.indices {
                let bar = TabBar(titles, current: current, columns: columns)
                var surface = Surface(size: Size(columns: columns, rows: 1))
                bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: columns, rows: 1))
                let words = surface.text().split(separator: " ").filter { $0 != "·" && $0 != "…" }
                let whole = Set(titles.flatMap { $0.split(separator: " ") })
                #expect(words.allSatisfy { whole.contains($0) }, "\(words)")
                guard surface.text().hasSuffix(" …") else { continue }
                let last = titles.indices.last { index in (0..<columns).contains { bar.index(at: $0) == index } }
                #expect(last.map { $0 > current } == true, "\(surface.text())")
            }
        }
    }

    @Test(arguments: requests) func `no tab is cut at 80 columns, and the current one keeps its summary longest`(
        titles: [String]
    ) {
        for columns in [76, 77, 80, 90, 120, 160] {
            for current in titles.indices {
                let bar = TabBar(titles, current: current, columns: columns)
                var surface = Surface(size: Size(columns: columns, rows: 1))
                bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: columns, rows: 1))
                let text = surface.text()
                #expect(!text.contains("…"), "\(text)")
                let hasSummary = titles.contains { $0.contains(" ") && text.contains($0) }
                #expect(text.contains(titles[current]) || columns <= 80 && !hasSummary, "\(text)")
                for title in titles { #expect(text.contains(title.prefix { $0 != " " }), "\(title): \(text)") }
                let found = titles.indices.map { index in (0..<columns).contains { bar.index(at: $0) == index } }
                #expect(!found.contains(false))
            }
        }
    }

    @Test func `the longest summary is left out first`() {
        let bar = TabBar(["Body", "Auth bearer", "Expect ✗ 1"], current: 0, columns: 20)
        var surface = Surface(size: Size(columns: 20, rows: 1))
        bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: 20, rows: 1))
        #expect(surface.text() == "Body · Auth · Expect")
        let wide = TabBar(["Body", "Auth bearer", "Expect ✗ 1"], current: 0, columns: 22)
        surface = Surface(size: Size(columns: 22, rows: 1))
        wide.draw(on: &surface, in: Rect(column: 0, row: 0, columns: 22, rows: 1))
        #expect(surface.text() == "Body  Auth  Expect ✗ 1")
    }

    @Test func `a field that is scrolled has a mark at each end where its text goes on`() {
        for columns in 8...20 {
            var field = TextField("abcdefghijklmnopqrstuvwxyz")
            let place = Rect(column: 0, row: 0, columns: columns, rows: 1)
            func text() -> String {
                var surface = Surface(size: Size(columns: columns, rows: 1))
                _ = field.draw(on: &surface, in: place)
                return surface.text()
            }
            #expect(text().hasPrefix("…") && text().hasSuffix("z"), "\(text())")
            field.perform(.move(.start))
            #expect(text().hasPrefix("a") && text().hasSuffix("…"), "\(text())")
        }
        var short = TextField("abc")
        var surface = Surface(size: Size(columns: 5, rows: 1))
        _ = short.draw(on: &surface, in: Rect(column: 0, row: 0, columns: 5, rows: 1))
        #expect(!surface.text().contains("…"))
        short.perform(.move(.start))
    }

    @Test func `a tab is found where it was drawn`() {
        let titles = ["Body", "日本", "Sent"]
        var surface = Surface(size: Size(columns: 40, rows: 1))
        let bar = TabBar(titles, current: 1, columns: 40)
        bar.draw(on: &surface, in: Rect(column: 0, row: 0, columns: 40, rows: 1))
        #expect(surface.text() == "Body · 日本 · Sent")
        let found = (0..<20).map { bar.index(at: $0) }
        let body = [Int?](repeating: 0, count: 4), japan = [Int?](repeating: 1, count: 4),
            sent = [Int?](repeating: 2, count: 4)
        let gap = [Int?](repeating: nil, count: 3)
        #expect(found == body + gap + japan + gap + sent + [nil, nil])
    }
}
