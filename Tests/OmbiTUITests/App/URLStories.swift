import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The URL of a request in its pane: what is typed, saved and shown.
@Suite struct URLStories {
    @Test func `a method in front of a URL is no problem while it is typed`() {
        let request = SavedRequest(name: "r", path: "/users")
        for typed in ["POST /a", "delete {{host}}/a", "PUT https://a.test/b"] {
            #expect(RequestField.url.problem(with: typed, in: request) == nil)
        }
        for typed in ["POST /a HTTP/1.1", "/a HTTP/1.1", "GET //a.test/b", "//a.test/b"] {
            #expect(RequestField.url.problem(with: typed, in: request) != nil)
        }
    }

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

    @Test(arguments: [
        ("localhost:9922/x", "http://localhost:9922/x"), ("127.0.0.1:9922", "http://127.0.0.1:9922"),
        ("api.example.com/x", "http://api.example.com/x"), ("https://a.test/x", "https://a.test/x"),
        ("users", "/users"), ("/users", "/users"), ("index.php", "/index.php"), ("v1.2.3/users", "/v1.2.3/users"),
    ])
    func `a URL typed after the slash of a new request keeps its host`(typed: String, path: String) {
        var story = Story()
        story.press("Ctrl+N")
        story.type(typed)
        story.press("Enter")
        #expect(story.request?.path == path)
    }

    @Test func `a misspelled URL typed after the slash of a new request stays in the field`() {
        var story = Story()
        story.press("Ctrl+N")
        story.type("htp://127.0.0.1:9922/x")
        story.press("Enter")
        #expect(story.state.notice?.kind == .failure && story.request?.path == "/")
    }

    @Test func `a misspelled URL of a file is marked below it`() {
        var story = Story(file: Story.file.replacing("\"/users\" }", with: "\"htp://a.test/x\" }"))
        story.choose("list users")
        #expect(story.screen.contains("\"htp://a.test/x\" cannot be requested; write http://"))
        #expect(!story.screen.contains("8765htp"))
    }

    @Test(arguments: [(80, 24), (120, 34), (200, 60)])
    func `a long URL shows its start and its end`(columns: Int, rows: Int) {
        let path = "/start/" + String(repeating: "x", count: 300) + "/end"
        let file = Story.file.replacing("\"/users\" }", with: "\"\(path)\" }")
        var story = Story(columns: columns, rows: rows, file: file)
        story.choose("list users")
        story.press("2")
        let start = story.lines.firstIndex { $0.contains("GET http://127.0.0.1:8765/start/xxx") } ?? 0
        #expect(story.row(start + 1).contains("…xxx") && story.row(start + 1).contains("xxx/end"), "\(story.screen)")
        story.choose("user by id")
        #expect(!story.screen.contains("…xxx"))
    }

    @Test func `a template that stands for a host shows no other host before it`() {
        let file = Story.file.replacing("\"/users\" }", with: "\"{{nope}}/users\" }")
        var story = Story(file: file)
        story.choose("list users")
        #expect(!story.screen.contains("8765{{nope}}") && story.screen.contains("GET {{nope}}/users"))
    }
}
