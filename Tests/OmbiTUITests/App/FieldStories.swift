import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Fields under edit, as they show.
@Suite struct FieldStories {
    @Test func `a name under edit has half of the row`() {
        var story = Story(columns: 80)
        story.choose("list users")
        story.press("2", "z", "]", "a")
        story.type("X-Request-Identification-Number")
        #expect(story.screen.contains("X-Request-Identification-Number"))
    }

    @Test func `a new request opens with its URL under edit, over its parameters`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "]", "]", "]", "]", "Down", "Down", "1", "a")
        story.type("ping")
        story.press("Enter")
        #expect(story.openField == "/")
        #expect(story.state.requestPane.tab == .params)
    }

    @Test func `a text that will be refused says why while it is typed`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "]", "]", "]", "]", "Down", "Enter")
        story.type("2 we")
        #expect(story.screen.contains("✗ SLA"))
        #expect(story.screen.contains("2 we   \"2 we\" is not a duration"))
        story.replace(with: "2s")
        #expect(!story.screen.contains("✗"))
    }

    @Test func `a click in a field places the cursor`() throws {
        var story = Story()
        story.choose("user by id")
        story.press("2", "Down", "Down", "Enter")
        #expect(story.openField == "orders")
        let row = try #require(story.place(of: "expand  "))
        story.perform(.mouse(.click(Point(column: row.column + 11, row: row.row))))
        story.type("X")
        #expect(story.openField == "oXrders")
    }

    @Test func `F5 submits a field and sends, unless it is refused`() {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.type("/a")
        _ = story.takeEffects()
        story.press("F5")
        #expect(story.openField == nil)
        #expect(story.request?.path == "/users/a")
        #expect(story.takeEffects().contains { if case .send = $0 { true } else { false } })
        story.press("]", "]", "]", "]", "Enter")
        story.type("x")
        story.press("Alt+Enter")
        #expect(story.openField == "x")
        #expect(story.takeEffects().isEmpty)
    }

    @Test func `a field has undo, a selection and the clipboard`() {
        var story = Story()
        story.choose("user by id")
        story.press("2", "Down", "Down", "Enter", "Shift+Home", "Ctrl+X")
        #expect(story.openField == "")
        #expect(story.takeEffects().contains(.copy("orders", named: "the text")))
        story.press("Ctrl+Z")
        #expect(story.openField == "orders")
        story.press("End", "Ctrl+V", "Enter")
        #expect(story.request?.query.first?.value == "ordersorders")
    }

    @Test func `an unknown variable is red in the URL and in a row`() throws {
        var story = Story()
        story.choose("list users")
        story.press("2", "Enter")
        story.paste("/{{nobody}}?a={{nothing}}&b={{token}}")
        story.press("Enter", "1")
        let surface = story.state.draw().surface
        for (text, role) in [
            ("{{nobody}}", Role.unknownVariable), ("{{nothing}}", .unknownVariable), ("{{token}}", .variable),
        ] {
            let point = try #require(story.place(of: text))
            #expect(surface[point.column, point.row].style.role == role)
        }
    }

    @Test func `what the command line sets shows in the URL, in place of the file's`() {
        let file = """
            { "version": 1, "name": "n", "variables": { "port": "1" },
              "environments": [{ "name": "local", "host": "http://127.0.0.1:{{port}}" }],
              "items": [{ "request": "r", "path": "/r" }] }
            """
        let overrides = Overrides(variables: [Variable("port", "4242")])
        let story = Story(files: [("n.json", file)], overrides: overrides)
        #expect(story.screen.contains("    http://127.0.0.1:4242/r"))
        #expect(story.row(0).contains("127.0.0.1:4242"))
    }

    @Test func `the URL that the templates make shows below them, without secrets`() {
        let file = Story.file.replacing(
            #""variables": { "token": "t" }"#,
            with: #""variables": { "token": "t" }, "secrets": { "key": { "env": "OMBI_KEY" } }"#)
        var story = Story(rows: 50, file: file)
        story.choose("user by id")
        #expect(story.screen.contains("http://127.0.0.1:8765/users/42?expand=orders"))
        story.press("2", "Enter")
        story.paste("/{{token}}/{{key}}")
        story.press("Enter")
        #expect(story.screen.contains("http://127.0.0.1:8765/users/42/t/••••••?expand=orders"))
        story.press("Down", "d")
        #expect(!story.screen.contains("/t/"), "without its parameter there is none")
        story.click(on: "Headers")
        #expect(story.state.requestPane.tab == .headers)
    }
}
