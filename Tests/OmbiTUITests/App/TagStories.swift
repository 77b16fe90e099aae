import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Requests that are found by their tags.
@Suite struct TagStories {
    private static let file = """
        { "version": 1, "name": "shop", "items": [
          { "folder": "users", "tags": ["smoke"], "items": [
            { "request": "list", "path": "/users" }, { "request": "report", "path": "/report", "tags": ["slow"] } ] },
          { "request": "health", "path": "/health" } ] }
        """

    @Test func `the search of the requests finds tags, inherited ones, too`() {
        var story = Story(file: Self.file)
        story.press("1", "/")
        story.type("#smoke")
        #expect(story.state.tree.rows.map(\.name) == ["list", "report"])
        story.replace(with: "#slow")
        #expect(story.state.tree.rows.map(\.name) == ["report"])
    }

    @Test func `the palette finds them, too`() {
        var story = Story(file: Self.file)
        story.press(":")
        story.type("#slow")
        #expect(story.screen.contains("users › report"), "\(story.screen)")
        story.press("Enter")
        #expect(story.request?.name == "report")
    }

    /// Opens the About tab of the request that is shown, and goes to its row of tags.
    private static func about(_ story: inout Story) {
        story.press("2", "[", "G")
    }

    @Test func `they are edited in About, below which stand those of the folder`() {
        var story = Story(file: Self.file)
        story.choose("report")
        Self.about(&story)
        #expect(story.formRows.last?.name == "tags" && story.formRows.last?.value == "slow")
        #expect(story.formRows.last?.note == "smoke (from folder users)")
        story.press("Enter")
        story.replace(with: "slow nightly")
        story.press("Enter")
        #expect(story.request?.tags == ["slow", "nightly"])
        story.press("u")
        #expect(story.request?.tags == ["slow"])
    }

    @Test func `a folder has its own`() {
        var story = Story(file: Self.file)
        story.choose("users")
        Self.about(&story)
        story.press("Enter")
        story.replace(with: "smoke, api")
        story.press("Enter")
        #expect(story.state.workbench.subject?.tags == ["smoke", "api"])
    }

    @Test func `what is no tag is refused`() {
        var story = Story(file: Self.file)
        story.choose("report")
        Self.about(&story)
        story.press("Enter")
        story.replace(with: "!slow")
        story.press("Enter")
        #expect(story.screen.contains("a tag is a word without spaces"), "\(story.screen)")
        #expect(story.request?.tags == ["slow"])
    }
}
