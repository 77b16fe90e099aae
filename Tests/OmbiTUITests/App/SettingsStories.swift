import OmbiCore
import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// The settings that folders and collections share with their requests: shown with their source, and edited in place.
@Suite struct SettingsStories {
    private static let file = """
        {
          "version": 1, "name": "demo",
          "authentication": { "basic": { "username": "ada", "password": "{{p}}" } },
          "environments": [
            { "name": "local", "host": "http://127.0.0.1:8765", "additionalHeaders": { "X-Env": "e" } }
          ],
          "items": [
            { "folder": "users", "headers": [{ "name": "X-Team", "value": "core" }], "policy": { "retries": 4 },
              "items": [{ "request": "create", "method": "POST", "path": "/users" }] }
          ]
        }
        """

    private static func story(_ name: String) -> Story {
        var story = Story(file: file)
        story.choose(name)
        return story
    }

    private func folder(_ story: Story) -> Folder? {
        if case .folder(let folder)? = story.state.workbench.file?.collection?.items.first { folder } else { nil }
    }

    @Test func `the rows of a request name the levels that they come from, and Enter goes there`() {
        var story = Self.story("create")
        story.press("2", "]")
        #expect(story.formRows.map(\.name) == ["X-Team", "X-Env"])
        #expect(story.formRows.map(\.note) == ["from folder users", "from environment local"])
        story.press("]", "]")
        #expect(story.formRows.prefix(3).map(\.name) == ["kind", "kind", "username"])
        #expect(story.formRows[1].value == "basic" && story.formRows[1].note == "from the collection")
        #expect(story.screen.contains("Auth ↑basic"))
        story.press("]")
        #expect(story.formRows[0].note == "4 (from folder users)")
        story.press("[", "[", "[", "g", "Down", "Enter")
        #expect(story.state.tree.current?.name == "users" && story.state.focus == .request)
        #expect(story.screen.contains("2 Folder"))
    }

    @Test func `the cursor on a folder shows its settings, and a header is added there`() {
        var story = Self.story("users")
        #expect(story.screen.contains("users  for 1 request in this folder"))
        story.press("2", "]", "a")
        story.type("X-New")
        story.press("Tab")
        story.type("yes")
        story.press("Enter")
        #expect(folder(story)?.settings.headers == [Field("X-Team", "core"), Field("X-New", "yes")])
        story.press("u")
        story.press("u")
        story.press("u")
        #expect(folder(story)?.settings.headers == [Field("X-Team", "core")])
    }

    @Test func `a variable of a folder needs a name that templates can use`() {
        var story = Self.story("users")
        story.press("2", "Down", "Enter")
        story.type("a b")
        story.press("Enter")
        #expect(story.state.notice?.kind == .failure)
        story.replace(with: "id")
        story.press("Tab")
        story.type("7")
        story.press("Enter")
        #expect(folder(story)?.settings.variables == [Field("id", "7")])
        #expect(story.screen.contains("Variables 1"))
    }

    @Test func `the collection is named and described in its own tab`() {
        var story = Self.story("demo")
        story.press("2")
        #expect(story.screen.contains("2 Collection"))
        story.press("g", "Enter")
        #expect(story.formRows.map(\.name) == ["name", "description", "tags"])
        story.press("Down", "Enter")
        story.type("a shop")
        story.press("Enter")
        #expect(story.state.workbench.file?.collection?.description == "a shop")
        #expect(story.state.workbench.dirtyFiles.map(\.path) == ["demo.json"])
    }

    @Test func `a picked kind of authentication belongs to the folder`() {
        var story = Self.story("users")
        story.press("2", "]", "]", "Enter")
        guard case .picker(let picker) = story.topOverlay,
            let item = picker.shown.first(where: { $0.name == "none" })
        else {
            Issue.record("no picker:\n\(story.screen)")
            return
        }
        story.press("Esc")
        story.perform(item.action)
        #expect(folder(story)?.settings.authentication == .noAuthentication)
        #expect(folder(story)?.items.count == 1)
    }
}
