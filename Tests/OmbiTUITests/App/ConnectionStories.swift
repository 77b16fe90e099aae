import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The way to a server on the screen: settings of each level, and what is not verified.
@Suite struct ConnectionStories {
    private static let file = """
        {
          "version": 1, "name": "demo",
          "connection": { "connectTimeout": "3s" },
          "environments": [
            {
              "name": "local", "host": "https://127.0.0.1:8765", "verifyTLS": false,
              "connection": { "caFile": "./ca.pem", "proxy": "http://ada:secret@proxy.test:3128" }
            }
          ],
          "items": [
            {
              "folder": "users", "connection": { "httpVersion": "1.1", "cookies": true },
              "items": [{ "request": "create", "method": "POST", "path": "/users" }]
            }
          ]
        }
        """

    private static func story(_ name: String) -> Story {
        var story = Story(file: file)
        story.choose(name)
        story.press("2")
        while story.state.requestPane.tab != .connection { story.press("]") }
        return story
    }

    private func note(_ story: Story, _ name: String) -> String? { story.formRows.first { $0.name == name }?.note }

    @Test func `the rows of a request name the levels that they come from, or the default`() {
        let story = Self.story("create")
        #expect(note(story, "connect within") == "3s (from the collection)")
        #expect(note(story, "CA file") == "./ca.pem (from environment local)")
        #expect(note(story, "proxy") == "http://ada:••••••@proxy.test:3128 (from environment local)")
        #expect(note(story, "HTTP version") == "1.1 (from folder users)")
        #expect(note(story, "cookies") == "yes (from folder users)")
        #expect(note(story, "redirects") == "20 (default)")
        #expect(note(story, "unix socket") == "none (default)")
        #expect(!story.screen.contains("secret"))
    }

    @Test func `a setting of a request is typed, refused with a reason, saved and undone`() {
        var story = Self.story("create")
        story.press("Enter")
        story.type("soon")
        story.press("Enter")
        #expect(story.state.notice?.text == "\"soon\" is not a duration; " + DurationText.form)
        story.replace(with: "500ms")
        story.press("Enter")
        #expect(story.state.workbench.request?.connection?.connectTimeout == .milliseconds(500))
        #expect(story.formRows.first?.value == "500ms" && story.formRows.first?.note == "")
        story.press("u")
        #expect(story.state.workbench.request?.connection == nil)
    }

    @Test func `a version is picked, also for a whole folder`() {
        var story = Self.story("users")
        #expect(story.formRows.first { $0.name == "HTTP version" }?.value == "1.1")
        let row = story.formRows.firstIndex { $0.name == "HTTP version" } ?? 0
        story.press("Down", times: row)
        story.press("Enter")
        guard case .picker(let picker) = story.topOverlay,
            let item = picker.shown.first(where: { $0.name == "2" })
        else {
            Issue.record("no picker:\n\(story.screen)")
            return
        }
        story.press("Esc")
        story.perform(item.action)
        guard case .folder(let folder)? = story.state.workbench.file?.collection?.items.first else { return }
        #expect(folder.settings.connection?.httpVersion == .http2 && folder.settings.connection?.cookies == true)
    }

    @Test func `environments have the same rows, with what they inherit`() {
        var story = Story(columns: 120, rows: 60, file: Self.file)
        story.press("E", "Tab")
        #expect(story.lines.contains { $0.contains("connect within") && $0.contains("↑ 3s") })
        #expect(story.lines.contains { $0.contains("CA file") && $0.contains("./ca.pem") })
        #expect(story.lines.contains { $0.contains("proxy") && $0.contains("http://ada:••••••@proxy.test:3128") })
        #expect(!story.screen.contains("secret@"))
    }

    @Test func `the header says that certificates are not verified, and that of another host does not`() {
        var story = Self.story("create")
        #expect(story.row(0).contains("TLS not verified"))
        story = Story(file: Self.file.replacing("https://127.0.0.1", with: "http://127.0.0.1"))
        #expect(!story.row(0).contains("TLS not verified"))
        story = Story(file: Self.file.replacing("\"verifyTLS\": false,", with: ""))
        #expect(!story.row(0).contains("TLS not verified"))
    }
}
