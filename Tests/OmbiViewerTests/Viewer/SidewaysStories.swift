import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiViewer

/// What is too wide for the screen.
@Suite struct SidewaysStories {
    private static let words = (0..<30).map { "word\($0)" }.joined(separator: " ")

    private static let wide: [(type: String, body: String, end: String)] = [
        ("application/json", "{\"a\": \"\(words)\"}", "word29\""),
        ("application/json", "[[\(Array(repeating: "10", count: 12).joined(separator: ",")), 99]]", "99]"),
        ("application/xml", "<a><b c='\(words)'/></a>", "word29'/>"),
        ("text/event-stream", "data: \(words)\n\n", "word29"),
        ("application/x-www-form-urlencoded", "a=\(words)", "word29"),
        ("text/csv", "id,text\n1,\(words.prefix(59))\n", "word8 word9"),
        ("application/octet-stream", "\u{0}\u{1}", ".."),
    ]

    @Test(arguments: wide) func `every kind is scrolled to its end and no further`(
        type: String, body: String, end: String
    ) {
        var story = ViewerStory(body, type: type, columns: 40)
        #expect(!story.lines.contains { $0.hasSuffix(end) }, "\(story.text)")
        for _ in 0..<60 { story.press(">") }
        #expect(story.lines.contains { $0.hasSuffix(end) }, "\(story.text)")
        #expect(story.lines.contains { TextWidth.of($0) == 40 }, "the longest row fills the screen:\n\(story.text)")
        #expect(story.foot.contains("column "), "\(story.foot)")
        let before = story.text
        story.press(">")
        #expect(story.text == before, "there is nothing behind the end")
        story.press("0")
        #expect(!story.foot.contains("column"), "\(story.foot)")
    }

    @Test func `what fits is not scrolled`() {
        for (type, body) in [
            ("text/plain", "short\n\(Self.words)"), ("application/json", "[1]"), ("text/csv", "a,b\n1,2\n"),
        ] {
            var story = ViewerStory(body, type: type)
            let before = story.text
            story.press(">", ">")
            #expect(story.text == before, "\(type)")
        }
    }

    @Test func `a step less goes back, and the top is at the first column`() {
        var story = ViewerStory(Self.words, columns: 40)
        story.press("W", ">", ">", "<")
        #expect(story.foot.contains("column 9 "), "\(story.foot)")
        story.press("g")
        #expect(story.lines[0].hasPrefix("1 word0 "), "\(story.text)")
    }

    @Test func `rows that all lie out of sight come back`() {
        let short = (0..<30).map { "row \($0)" }.joined(separator: "\n")
        var story = ViewerStory(Self.words + "\n" + short, columns: 40)
        story.press("W", ">", ">")
        #expect(story.foot.contains("column 17"), "\(story.foot)")
        story.press("G")
        #expect(story.lines[0].contains("row 2"), "\(story.text)")
    }

    @Test func `a wide letter that is cut leaves a blank`() {
        let story = [TextSpan(text: "日本x", style: .plain, range: 0..<7, columns: 5)].dropping(columns: 1)
        #expect(story == [TextSpan(text: " 本x", style: .plain, range: 0..<7, columns: 4)])
    }

    @Test(arguments: [
        ("application/json", "{\"a\": \"\(words)\"}"),
        ("text/csv", "id,\(words.split(separator: " ").joined(separator: ","))\n"),
        ("application/xml", "<a><b c='\(words)'/></a>"),
    ])
    func `what is found is in sight, and so is what is found next`(type: String, body: String) {
        var story = ViewerStory(body, type: type, columns: 40)
        story.press("/")
        story.type("word2")
        #expect(story.marks.contains("word2"), "\(story.text)")
        story.press("Enter")
        for _ in 0..<9 { story.press("n") }
        #expect(story.foot.contains("10 of 11"), "\(story.foot)")
        #expect(story.text.contains("word28"), "\(story.text)")
        story.press("n", "n")
        #expect(!story.foot.contains("column"), "back at the first one:\n\(story.text)")
    }

    // MARK: Tables

    private static let people = "id,name\n" + (1...40).map { "\($0),Name \($0)\n" }.joined()

    @Test func `the header stays while the rows scroll, down and sideways`() {
        var story = ViewerStory(Self.people, type: "text/csv", columns: 13)
        #expect(story.lines.prefix(2) == ["   id  name", " 1  1  Name 1"], "\(story.text)")
        story.press("G")
        #expect(story.lines.prefix(2) == ["   id  name", "33 33  Name …"], "\(story.text)")
        story.press(">")
        #expect(story.lines.prefix(2) == ["   d  name", "33 3  Name 33"], "\(story.text)")
    }

    @Test func `a click is on the row under the pointer, header or not`() {
        var story = ViewerStory(Self.people, type: "text/csv", columns: 40)
        story.viewer.click(Point(column: 0, row: 3))
        #expect(story.current.contains("Name 3"), "\(story.text)")
        story.viewer.click(Point(column: 0, row: 0))
        #expect(story.current.contains("Name 3"), "the header is no row:\n\(story.text)")
    }

    @Test(arguments: [
        ("1,2.5,x\n2,3.5,y\n", ["1 1  2.5  x", "2 2  3.5  y"]),
        ("year,2020,2021\nfr,1.5,2.5\n", ["  year  2020  2021", "1 fr     1.5   2.5"]),
        ("a,b\n", ["1 a  b"]),
        ("a,b\n,\n", ["  a  b", "1"]),
    ])
    func `a first row of numbers is data, years are names`(body: String, wanted: [String]) {
        let story = ViewerStory(body, type: "text/csv")
        #expect(Array(story.lines.prefix(wanted.count)) == wanted, "\(story.text)")
    }

    @Test func `what is looked for is found in the header as well`() {
        var story = ViewerStory(Self.people, type: "text/csv")
        story.press("/")
        story.type("name")
        #expect(story.marks.contains("name"), "\(story.text)")
    }

    @Test func `a long cell is cut, but for the last one of its row`() {
        let long = String(repeating: "long ", count: 20) + "end"
        var story = ViewerStory("a,b\n\(long),x\n1,\(long)\n", type: "text/csv", columns: 180)
        #expect(story.lines[1].hasSuffix("long long…  x"), "\(story.text)")
        #expect(story.lines[2].hasSuffix("long end"), "\(story.text)")
        story = ViewerStory("a,b\n1,\(String(repeating: "0123456789", count: 60))\n", type: "text/csv", columns: 600)
        #expect(story.lines[1].hasSuffix("1…"), "\(story.text)")
    }

    @Test func `a name far to the right in the header is gone to`() {
        let names = (0..<100).map { "name\($0)" }.joined(separator: ",")
        var story = ViewerStory(
            names + "\n" + String(repeating: "x,", count: 99) + "x\n", type: "text/csv", columns: 40)
        story.press("/")
        story.type("name77")
        #expect(story.marks.contains("name77"), "\(story.text)")
    }

    @Test func `a table of a thousand columns is gone through from column to column`() {
        let rows = (0..<50).map { row in (0..<1000).map { "c\(row)x\($0)" }.joined(separator: ",") }
        var story = ViewerStory(rows.joined(separator: "\n"), type: "text/csv", columns: 40)
        story.press(">", ">", ">")
        #expect(story.lines[0].hasPrefix("   c0x3 "), "\(story.text)")
        for _ in 0..<1000 { story.press(">") }
        #expect(story.lines[1].hasSuffix("c1x999"), "\(story.text)")
    }
}
