import OmbiDocument
import Testing

@testable import OmbiTUI

/// Finding and filtering in a body.
@Suite struct FindStories {
    private static let people = ViewerStories.people

    // MARK: Finding

    @Test func `what is typed is found and marked at once, counted, and gone through`() {
        var story = ViewerStory(Self.people, columns: 76, rows: 9)
        story.press("/")
        story.type("zip")
        #expect(story.current.contains("\"zip\""), "\(story.text)")
        #expect(story.marks == ["zip"])
        #expect(story.foot.contains("Esc clear"))
        story.press("Enter")
        #expect(story.foot.contains("/zip 1 of 2"), "\(story.foot)")
        story.press("n")
        #expect(story.foot.contains("2 of 2"))
        #expect(story.foot.contains("$.people[1].address.zip"))
        story.press("n")
        #expect(story.foot.contains("1 of 2"))
        #expect(story.notice?.text == "from the start again")
        story.press("N")
        #expect(story.foot.contains("2 of 2"))
        #expect(story.notice?.text == "from the end again")
        story.press("Esc")
        #expect(story.marks.isEmpty)
    }

    @Test func `Esc goes back to where the search began`() {
        var story = ViewerStory(Self.people)
        story.press("Down", "/")
        story.type("count")
        #expect(story.current.contains("count"))
        story.press("Esc")
        #expect(story.current.contains("people"), "\(story.text)")
    }

    @Test func `a regular expression is a key away, and its mistakes are shown`() {
        var story = ViewerStory("ab12\ncd345\n", columns: 76)
        story.press("/")
        story.type("[0-9")
        story.press("Tab")
        #expect(story.foot.contains("^"), "\(story.text)")
        story.type("]{3}")
        #expect(story.marks == ["345"], "\(story.text)")
        story.press("Enter", "/")
        #expect(story.foot.contains("regex"), "it stays what it was: \(story.foot)")
    }

    @Test func `what was typed before comes back`() {
        var story = ViewerStory("one two three")
        for word in ["one", "two"] {
            story.press("/")
            story.type(word)
            story.press("Enter")
        }
        story.press("/", "Up", "Up")
        #expect(story.viewer.line?.field.text == "one")
        #expect(story.marks == ["one"])
        story.press("Down", "Down")
        #expect(story.viewer.line?.field.text.isEmpty == true)
    }

    @Test func `a match that is folded away is unfolded`() {
        var story = ViewerStory(Self.people)
        story.press("-", "/")
        story.type("London")
        #expect(story.current.contains("London"), "\(story.text)")
    }

    @Test(arguments: [
        ("text/plain", "one\ntwo\n"), ("text/csv", "id,name\n1,two\n"), ("text/xml", "<a><b>1</b><c>two</c></a>"),
        ("application/x-www-form-urlencoded", "a=1&b=two"), ("text/event-stream", "data: 1\n\ndata: two\n\n"),
    ])
    func `every kind of body is searched`(type: String, body: String) {
        var story = ViewerStory(body, type: type)
        story.press("/")
        story.type("two")
        story.press("Enter")
        #expect(story.current.contains("two"), "\(story.text)")
        #expect(story.marks.contains { $0.contains("two") }, "\(story.marks)")
        #expect(story.foot.contains("1 of 1"))
    }

    @Test func `bytes are found in hexadecimal`() {
        var story = ViewerStory([0, 1, 0xDE, 0xAD, 0], columns: 80)
        story.press("/", "Tab")
        story.type("de ad")
        #expect(story.marks.contains("de"), "\(story.marks)")
    }

    @Test func `nothing found says so, and n without a search, too`() {
        var story = ViewerStory("abc")
        story.press("n")
        #expect(story.notice?.text == "nothing was looked for; / finds")
        story.press("/")
        story.type("x")
        story.press("Enter")
        #expect(story.foot.contains("/x no match"))
    }

    // MARK: Filtering

    @Test func `a filter shows what it selects with its paths, as it is typed`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("|")
        story.type("$..city")
        #expect(story.lines[1].contains("\"$['people'][0]['address']['city']\": \"London\""), "\(story.text)")
        story.press("Enter")
        #expect(story.foot.hasPrefix("| $..city · 2 matches"))
        story.press("Esc")
        #expect(story.lines[1].contains("people"))
    }

    @Test func `a mistake in a filter is shown under its column, and Esc leaves`() {
        var story = ViewerStory(Self.people, columns: 76)
        story.press("|")
        story.type("$.a[")
        #expect(story.lines[story.size.rows - 2].hasPrefix("| $.a["), "\(story.text)")
        #expect(story.foot.hasPrefix("      ^"), "\(story.text)")
        story.press("Enter")
        #expect(story.viewer.line != nil, "what is wrong is not kept")
        story.press("Esc")
        #expect(story.viewer.line == nil)
        #expect(story.viewer.result == nil)
    }

    @Test func `an answer to an older filter is not shown`() {
        var story = ViewerStory(Self.people)
        story.receive(.filtered(.matches("$", .empty, count: 0, isCut: false), number: 99))
        #expect(story.viewer.result == nil)
    }
}
