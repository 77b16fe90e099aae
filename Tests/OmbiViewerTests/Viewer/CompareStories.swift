import OmbiDocument
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiViewer

/// Marking a body, and comparing others with it.
@Suite struct CompareStories {
    private static let old = "{\"name\": \"Ada\", \"age\": 36, \"tags\": [\"a\"]}"
    private static let new = "{\"tags\": [\"a\"], \"age\": 37, \"name\": \"Ada\"}"

    /// A second body of a person who has marked the first.
    private static func second(_ new: String = new, after old: String = old, columns: Int = 60) -> ViewerStory {
        var first = ViewerStory(old, columns: columns)
        first.viewer.name = "one"
        first.press("M")
        var second = ViewerStory(new, columns: columns, rows: 12)
        second.viewer.name = "two"
        second.viewer.settings = first.viewer.settings
        return second
    }

    @Test func `what shows is compared with what is marked`() {
        var story = Self.second()
        story.press("D")
        #expect(
            Array(story.lines.prefix(9)) == [
                "1 --- one (marked)", "2 +++ two", "3 @@ $.age", "4  {", "5    \"tags\": [\"a\"],", "6 -  \"age\": 36,",
                "7 +  \"age\": 37,", "8    \"name\": \"Ada\"", "9  }",
            ], "\(story.text)")
        #expect(story.foot.hasPrefix("D 1 difference"), "\(story.foot)")
        #expect(story.foot.hasSuffix("  text"), "it has no other form: \(story.foot)")
        story.press("Esc")
        #expect(story.lines[0] == "1 {")
    }

    @Test func `n and N go from difference to difference`() {
        let old = "{\"a\": 1, \"b\": [1, 2, 3, 4, 5, 6, 7, 8], \"c\": \"same\", \"d\": 4}"
        let new = "{\"a\": 2, \"b\": [1, 2, 3, 4, 5, 6, 7, 9], \"c\": \"same\", \"e\": 4}"
        var story = Self.second(new, after: old)
        story.press("D")
        #expect(!story.foot.contains("difference 1"), "\(story.foot)")
        story.press("n")
        #expect(story.current.contains("-  \"a\": 1"), "\(story.text)")
        #expect(story.foot.contains("difference 1 of 4"), "\(story.foot)")
        story.press("n", "n")
        #expect(story.foot.contains("difference 3 of 4"), "\(story.foot)")
        story.press("Down", "N")
        #expect(story.foot.contains("difference 3 of 4") || story.foot.contains("difference 2 of 4"), "\(story.foot)")
        story.press("n", "n", "n", "n")
        #expect(story.foot.contains("difference 4 of 4"), "\(story.foot)")
        story.press("/")
        story.type("same")
        story.press("Enter", "n")
        #expect(!story.current.contains("\"a\""), "a search comes first: \(story.current)")
    }

    @Test func `a comparison is a text like any other: it is searched and wrapped`() {
        var story = Self.second()
        story.press("D", "/")
        story.type("age")
        story.press("Enter")
        #expect(story.foot.contains("1 of 3"), "\(story.foot)")
        #expect(story.current.contains("@@ $.age"))
        story.press("t")
        #expect(story.lines[0].hasPrefix("00000000  2d 2d 2d 20"), "\(story.text)")
    }

    @Test func `what was added and removed is coloured, also where a long line is wrapped`() {
        let long = String(repeating: "x", count: 100)
        var story = Self.second("a\n\(long)2\n", after: "a\n\(long)1\n")
        story.press("D")
        #expect(story.role(of: "-xx") == .removed)
        #expect(story.role(of: "x1") == .removed)
        #expect(story.role(of: "+xx") == .added)
        #expect(story.role(of: "x2") == .added)
        #expect(story.role(of: "@@") == .info)
    }

    @Test(arguments: [
        (old, old, "the same, byte for byte"), (old, " \(old)", "the same: no value differs"),
        ("a\nb\n", "a\r\nb", "the same: no line differs"),
    ])
    func `that nothing differs is said, and the body stays`(old: String, new: String, words: String) {
        var story = Self.second(new, after: old)
        let before = story.text
        story.press("D")
        #expect(story.notice == Notice(.success, words))
        #expect(story.text == before)
    }

    @Test func `JSON with a mistake is compared by lines, and why is said`() {
        var story = Self.second("{\"a\": 1,\n oops", after: "{\"a\": 1,\n \"b\": 2}", columns: 90)
        story.press("D")
        #expect(story.lines[0].hasPrefix("compared by lines: two is not valid JSON: line 2, column 2"), "\(story.text)")
        #expect(story.lines.contains("6 + oops"), "\(story.text)")
    }

    @Test func `JSON and other text are compared by lines, and why is said`() {
        var story = Self.second("Bad gateway\n", columns: 90)
        story.press("D")
        #expect(story.lines[0] == "compared by lines: two is text, and the other JSON", "\(story.text)")
        #expect(story.lines[5] == "5 +Bad gateway", "\(story.text)")
    }

    @Test func `of bytes the first that differs is told`() {
        let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        var first = ViewerStory(head + [1, 2], columns: 90)
        first.press("M")
        var story = ViewerStory(head + [1, 3], columns: 90)
        story.viewer.settings = first.viewer.settings
        story.press("D")
        #expect(story.foot.hasPrefix("D byte 17 is the first that differs"), "\(story.foot)")
        #expect(story.lines[4].hasPrefix("5 +00000010  01 03 "), "\(story.text)")
    }

    @Test func `what a filter gives is compared with what it gave before`() {
        var first = ViewerStory(Self.old)
        first.viewer.name = "one"
        first.press("|")
        first.type("$.age")
        first.press("Enter", "M")
        #expect(first.notice == Notice(.info, "Marked; D compares another body with one | $.age · 1 match"))
        var story = ViewerStory(Self.new)
        story.viewer.settings = first.viewer.settings
        story.press("|")
        story.type("$.age")
        story.press("Enter", "D")
        #expect(story.text.contains("-36"), "\(story.text)")
        #expect(story.text.contains("+37"))
    }

    @Test func `without a mark the response before is the older one, and what is marked goes before it`() {
        var story = Self.second()
        story.viewer.before = NamedBody(name: "zero", document: ViewerStory.document("{\"age\": 1}"))
        story.press("D")
        #expect(story.lines[0] == "1 --- one (marked)")
        story.press("Esc")
        story.viewer.settings.mark = nil
        story.press("D")
        #expect(story.lines[0] == "1 --- zero", "\(story.text)")
        story.press("Esc", "|")
        story.type("$.age")
        story.press("Enter", "D")
        #expect(story.notice?.text.hasPrefix("Nothing to compare with") == true, "a part and a whole")
    }

    @Test func `with nothing to compare with, it is said what to do`() {
        var story = ViewerStory(Self.old)
        story.press("D")
        #expect(story.notice?.text == "Nothing to compare with; M marks this body, then D on another compares both")
        story.press("M", "D")
        #expect(story.notice?.text == "This is the marked body; D on another compares both, M unmarks it")
        story.press("M")
        #expect(story.notice?.text == "No longer marked")
        #expect(story.viewer.settings.mark == nil)
        var other = Self.second()
        other.press("D", "D")
        #expect(other.notice?.text == "This is a comparison; Esc goes back to the body")
    }

    @Test func `a body that is still coming is neither marked nor compared`() {
        var story = ViewerStory(Self.old)
        let indexer = BodyIndexer(contentType: nil)
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(indexer.read(Bytes(Self.old.utf8), isComplete: false, budget: .max)))
        story.press("M", "D")
        #expect(story.notice?.text == "The body is still arriving; compare it once it is complete")
        #expect(story.viewer.settings.mark == nil)
    }

    @Test func `a body of which only a part came is neither marked nor compared`() {
        var story = ViewerStory(Self.old)
        story.viewer.interruption = "cancelled: only this part arrived"
        story.press("M", "D")
        #expect(story.notice?.text == "Not compared: only a part of this body arrived")
        #expect(story.viewer.settings.mark == nil)
    }

    @Test func `two filters that select as many values are not the same`() {
        var story = ViewerStory("{\"a\": [1, 2], \"b\": [1, 3]}", columns: 76)
        story.filter("$.a[*]")
        story.press("M", "Esc")
        story.filter("$.b[*]")
        story.press("D")
        #expect(story.foot.contains("1 difference"), "\(story.text)")
    }

    @Test func `Esc gives a comparison up that is under way`() {
        let story = Self.second()
        var viewer = story.viewer
        guard
            case .order(.compare(let old, let new, let number))? = viewer.perform(.view(.compare))?
                .first
        else {
            Issue.record("nothing is compared")
            return
        }
        #expect(viewer.query?.number == number)
        #expect(viewer.perform(.leave) == [.order(.stopQuery)])
        #expect(viewer.query == nil)
        if let late = BodyComparison(from: old, to: new) {
            _ = viewer.receive(.compared(late, number: number))
        }
        #expect(viewer.result == nil, "what comes late is nobody's")
        #expect(BodyComparison(from: old, to: new) { true } == nil)
    }
}
