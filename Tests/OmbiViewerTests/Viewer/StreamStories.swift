import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiViewer

/// Events in a viewer while they arrive.
@Suite struct StreamStories {
    /// A stream of tokens, as language models send them.
    private static let tokens = ["Hel", "lo", ", wor", "ld"].map { "data: {\"delta\":{\"content\":\"\($0)\"}}\n\n" }

    private static func document(
        _ text: String, type: String = "text/event-stream", isComplete: Bool = false, at times: [(Int, Int)] = []
    ) -> BodyDocument {
        var document = BodyIndexer(contentType: type).read(Bytes(text.utf8), isComplete: isComplete, budget: .max)
        guard !times.isEmpty else { return document }
        var arrivals = BodyArrivals()
        for (end, milliseconds) in times { arrivals.add(end: end, at: .milliseconds(milliseconds)) }
        document.arrivals = arrivals
        return document
    }

    private static func story(_ document: BodyDocument, columns: Int = 60, rows: Int = 6) -> ViewerStory {
        var story = ViewerStory("", columns: columns, rows: rows)
        story.viewer = Viewer(id: 7, size: story.size)
        story.receive(.read(document))
        return story
    }

    private static func ticks(_ count: Int) -> String {
        (1...count).map { "id: \($0)\ndata: {\"tick\":\($0)}\n\n" }.joined()
    }

    @Test func `each event has its time, the gap to the one before and its id`() {
        let text = "event: up\nid: 7\ndata: 1\n\ndata: 2\n\n"
        let story = Self.story(Self.document(text, at: [(26, 81), (text.utf8.count, 1250)]))
        #expect(
            story.text == """
                       time      gap  event
                1   0.081 s           up #7  1
                2   1.250 s  +1.17 s  message  2


                event 2 of 2                     following · events · 34 B…
                """, "\(story.text)")
    }

    @Test func `a stream is followed until the cursor leaves its end, and again from there`() {
        var story = Self.story(Self.document(Self.ticks(9)))
        #expect(story.current.contains("{\"tick\":9}"))
        story.press("Up")
        #expect(story.foot.contains("paused"))
        story.receive(.read(Self.document(Self.ticks(30))))
        #expect(story.current.contains("{\"tick\":8}"), "\(story.text)")
        story.press("F")
        #expect(story.current.contains("{\"tick\":30}") && story.foot.contains("following"))
        story.press("F")
        story.receive(.read(Self.document(Self.ticks(31))))
        #expect(story.current.contains("{\"tick\":30}"))
        story.press("G")
        story.receive(.read(Self.document(Self.ticks(40), isComplete: true)))
        #expect(story.current.contains("{\"tick\":40}"))
        #expect(!story.foot.contains("following"))
        story.press("F")
        #expect(story.notice?.text == "All of it is here; G goes to the end")
    }

    @Test func `other bodies stay where they are, unless they are told to follow`() {
        let lines = { (count: Int) in (1...count).map { "line \($0)\n" }.joined() }
        var story = Self.story(Self.document(lines(3), type: "text/plain"))
        story.receive(.read(Self.document(lines(20), type: "text/plain")))
        #expect(story.current.contains("line 1"))
        #expect(!story.foot.contains("paused"))
        story.press("F")
        story.receive(.read(Self.document(lines(50), type: "text/plain")))
        #expect(story.current.contains("line 50"), "\(story.text)")
    }

    @Test func `a JSONPath selects from the data of each event, also of those that come later`() {
        var story = Self.story(Self.document(": hi\n\n" + Self.ticks(2) + "data: [DONE]\n\ndata: plain\n\n"), rows: 8)
        story.filter("$.tick")
        #expect(story.text.hasPrefix("1 #1 $.tick: 1\n2 #2 $.tick: 2\n"), "\(story.text)")
        story.receive(.read(Self.document(Self.ticks(4))))
        #expect(story.text.contains("4 #4 $.tick: 4\n"), "\(story.text)")
        #expect(story.foot.contains("ick · 4 matches"))
        story.press("Esc")
        #expect(story.text.contains("#4  {\"tick\":4}"))
    }

    @Test func `a path is joined to running text, which grows`() {
        var story = Self.story(Self.document(Self.tokens[..<2].joined()))
        story.press("J")
        story.type("$.delta.content")
        story.press("Enter")
        #expect(story.text.hasPrefix("1 Hello\n"), "\(story.text)")
        story.receive(.read(Self.document(Self.tokens.joined() + "data: [DONE]\n\n", isComplete: true)))
        #expect(story.text.hasPrefix("1 Hello, world\n"), "\(story.text)")
        #expect(story.foot.hasPrefix("J $.delta.content"))
        story.press("Esc")
        #expect(story.text.contains("[DONE]"))
    }

    @Test func `what a filter selected is joined without a question, what is null left out`() {
        let text = ["\"a\\nb\"", "null", "7"].map { "{\"t\":\($0)}\n" }.joined()
        var story = Self.story(Self.document(text, type: "application/x-ndjson", isComplete: true))
        story.filter("$.t")
        story.press("J")
        #expect(story.text.hasPrefix("1 a\n2 b7\n"), "\(story.text)")
    }

    @Test func `without JSON there is nothing to join`() {
        var story = Self.story(Self.document("words", type: "text/plain", isComplete: true))
        story.press("J")
        #expect(story.notice?.text == "Only values of JSON can be joined")
    }

    @Test func `an event is complete with its empty line`() {
        let story = Self.story(Self.document("data: 1\n\n"))
        #expect(!story.text.contains("unfinished"), "\(story.text)")
    }
}
