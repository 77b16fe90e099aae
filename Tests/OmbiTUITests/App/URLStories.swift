import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The URL of a request in its pane: what is typed, saved and shown.
@Suite struct URLStories {
    @Test(arguments: [
        ("localhost:9922/x", "http://localhost:9922/x"), ("login", "/login"), (" /a ", "/a"),
        ("api.example.com/x", "http://api.example.com/x"), ("{{host}}/a", "{{host}}/a"),
        ("[::1]:80", "http://[::1]:80"),
    ])
    func `a typed URL is saved as it is sent`(typed: String, path: String) {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.press("Ctrl+U")
        story.paste(typed)
        story.press("Enter")
        #expect(story.request?.path == path)
    }

    @Test(arguments: ["htp://127.0.0.1:9922/x", "http:/127.0.0.1:9922/x", "localhost:99999"])
    func `a misspelled URL stays in the field`(typed: String) {
        var story = Story.inRequest("list users")
        story.press("Enter")
        story.replace(with: typed)
        story.press("Enter")
        #expect(story.state.notice?.kind == .failure && story.request?.path == "/users")
    }

    @Test func `a misspelled URL of a file is marked below it`() {
        var story = Story(file: Story.file.replacing("\"/users\" }", with: "\"htp://a.test/x\" }"))
        story.choose("list users")
        #expect(story.screen.contains("\"htp://a.test/x\" cannot be requested; write http://"))
        #expect(!story.screen.contains("8765htp"))
    }

    @Test func `a template that stands for a host shows no other host before it`() {
        let file = Story.file.replacing("\"/users\" }", with: "\"{{nope}}/users\" }")
        var story = Story(file: file)
        story.choose("list users")
        #expect(!story.screen.contains("8765{{nope}}") && story.screen.contains("GET {{nope}}/users"))
    }
}
