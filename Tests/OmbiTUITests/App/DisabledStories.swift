import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Requests that runs of their folder leave out.
@Suite struct DisabledStories {
    private static let file = Story.file.replacing(
        "\"path\": \"/users\" }", with: "\"path\": \"/users\", \"disabled\": true }")

    @Test func `a run of the folder leaves a disabled request out, and says so`() {
        var story = Story(file: Self.file)
        story.run("users", atOnce: 3)
        #expect(story.takeOrders().map(\.request.name) == ["user by id", "create user"])
        #expect(story.screen.contains("1 disabled"))
    }

    @Test func `chosen by itself it is sent`() {
        var story = Story(file: Self.file)
        story.choose("list users")
        story.press("s")
        #expect(story.takeOrders().map(\.request.name) == ["list users"])
    }

    @Test func `a folder of disabled requests has nothing to run`() {
        var story = Story(
            file: #"""
                { "version": 1, "name": "n", "items": [{ "folder": "off", "items": [
                { "request": "r", "path": "/", "disabled": true }] }] }
                """#)
        story.choose("off")
        story.press("s")
        #expect(story.state.notice == Notice(.info, "off: all requests are disabled"))
        #expect(story.takeOrders().isEmpty)
    }

    @Test func `the tree marks it, and the tab About enables it`() throws {
        var story = Story(file: Self.file)
        let rows = story.state.tree.rows
        #expect(rows.filter(\.isDisabled).map(\.name) == ["list users"])
        story.choose("list users")
        #expect(story.lines.contains { $0.contains("·") && $0.contains("list users") })
        var request = SavedRequest(name: "r", path: "/")
        let field = try #require(RequestField.alone.first { $0.label == "folder runs" })
        try field.write(&request, "no")
        #expect(request.isDisabled && field.read(request) == "no")
        try field.write(&request, "yes")
        #expect(request == SavedRequest(id: request.id, name: "r", path: "/"))
    }
}
