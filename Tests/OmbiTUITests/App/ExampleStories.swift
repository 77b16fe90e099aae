import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Saved responses are read from the palette.
@Suite struct ExampleStories {
    private static func story(_ examples: String) -> Story {
        var story = Story(
            file: #"""
                { "version": 1, "name": "demo", "items": [{ "request": "r", "path": "/", "examples": [\#(examples)] }] }
                """#)
        story.choose("r")
        story.press("2")
        return story
    }

    @Test func `the only one shows at once, its JSON spread over lines`() {
        var story = Self.story(
            #"""
            { "name": "gone", "status": 410, "headers": [{ "name": "X-A", "value": "1" }], "body": "{\"a\":[7]}" }
            """#)
        story.command("Show the saved examples")
        #expect(story.screen.contains("410 Gone") && story.screen.contains("X-A: 1"), "\(story.screen)")
        #expect(story.screen.contains("\"a\": ["))
        story.press("Esc")
        #expect(story.state.overlays.isEmpty)
    }

    @Test func `several are offered`() {
        var story = Self.story(
            #"{ "name": "first", "status": 200 }, { "name": "second", "status": 404, "file": "./b.json" }"#)
        story.command("Show the saved examples")
        story.type("second")
        story.press("Enter")
        #expect(story.screen.contains("404 Not Found") && story.screen.contains("The body is in ./b.json."))
    }

    @Test func `a request without any says so`() {
        var story = Story.inRequest()
        story.command("Show the saved examples")
        #expect(story.state.notice?.text == "user by id has no saved examples")
    }
}
