import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Rows that are renamed, and rows that cannot be.
extension EnvironmentStories {
    @Test func `a row is renamed and deleted in every environment`() {
        var story = Story.environments()
        story.go(to: "Authorization")
        story.press("r")
        story.replace(with: "X-Key")
        story.press("Enter")
        #expect(story.collection?.environments.map { $0.additionalHeaders[0].name } == ["X-Key", "X-Key"])
        story.press("Delete")
        #expect(story.collection?.environments.map(\.additionalHeaders.count) == [1, 0])
        #expect(story.state.notice?.text == "Deleted header X-Key; u brings it back")
    }

    @Test func `what no environment has is renamed where it is set`() {
        var story = Story.environments()
        story.go(to: "page")
        story.press("r")
        #expect(story.cell == nil)
        #expect(story.state.notice?.text == "No environment has page itself; rename it where it is set")
    }

    @Test func `renaming says who uses the old name, and whose place the new one takes`() {
        let file = Story.shop.replacing("{ \"port\": \"443\" }", with: "{ \"port\": \"443\", \"who\": \"Ada\" }")
        var story = Story(columns: 120, rows: 34, file: file)
        story.press("E", "Tab")
        story.go(to: "token")
        story.press("r")
        story.replace(with: "who")
        story.press("Enter")
        #expect(story.collection?.environments[0].variables.map(\.name) == ["port", "who"])
        #expect(
            story.state.notice?.text == "{{token}} is still used by 1 request; who takes the place of the collection's")
    }

    @Test func `Enter on a heading that has no rows of its own says so`() {
        var story = Story.environments()
        story.press("g")
        for _ in 0..<50 where story.state.environmentPane?.row != .heading(nil) { story.press("Down") }
        story.press("Enter")
        #expect(story.state.notice?.text == "A heading; what is below it is edited")
    }
}
