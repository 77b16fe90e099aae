import OmbiTerminal
import Testing

@testable import OmbiTUI
@testable import OmbiWorkspace

/// Rows that are renamed, and rows that cannot be.
extension EnvironmentStories {
    @Test func `a row is renamed and deleted in every environment`() {
        var story = Story.environments()
        story.go(to: "Authorization")
        story.press("R")
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
        story.press("R")
        #expect(story.cell == nil)
        #expect(story.state.notice?.text == "No environment has page itself; rename it where it is set")
    }

    @Test func `renaming says who uses the old name, and whose place the new one takes`() {
        let file = Story.shop.replacing("{ \"port\": \"443\" }", with: "{ \"port\": \"443\", \"who\": \"Ada\" }")
        var story = Story(columns: 120, rows: 34, file: file)
        story.press("E", "Tab")
        story.go(to: "token")
        story.press("R")
        story.replace(with: "who")
        story.press("Enter")
        #expect(story.collection?.environments[0].variables.map(\.name) == ["port", "who"])
        #expect(
            story.state.notice?.text == "{{token}} is still used by 1 request; who takes the place of the collection's")
    }

    @Test func `a variable that is used elsewhere is renamed there, too, as one edit`() {
        var story = Story.environments()
        let before = story.collection?.text
        story.go(to: "token")
        story.press("R")
        story.replace(with: "key")
        story.press("Enter")
        #expect(story.screen.contains("Rename {{token}} in 1 request, too?"))
        story.press("Esc")
        #expect(story.cell == "key", "the name can still be changed")
        story.press("Enter", "y")
        #expect(story.state.notice?.text == "Renamed {{token}} to {{key}} in 1 request; u undoes it")
        #expect(story.collection?.text == before?.replacing("token", with: "key"))
        story.press("u")
        #expect(story.collection?.text == before)
    }

    @Test func `scratch requests in the environments of the collection follow a new name, too`() {
        var story = Story(file: Story.shop)
        story.paste("https://a.test/{{token}}")
        let path = story.request?.path
        #expect(path?.contains("{{token}}") == true)
        story.choose("list")
        story.press("E", "Tab")
        story.go(to: "token")
        story.press("R")
        story.replace(with: "key")
        story.press("Enter")
        #expect(story.screen.contains("Rename {{token}} in 2 requests, too?"))
        story.press("y")
        let renamed = story.state.workbench.scratch?.collection?.requests.first?.path
        #expect(renamed == path?.replacing("token", with: "key"))
        story.press("u")
        #expect(story.state.workbench.scratch?.collection?.requests.first?.path == path)
        #expect(story.collection?.environments[0].variables.map(\.name) == ["port", "token"])
    }

    @Test func `a row alone is renamed where its uses are left as they are`() {
        var story = Story.environments()
        story.go(to: "token")
        story.press("R")
        story.replace(with: "key")
        story.press("Enter", "n")
        #expect(story.cell == nil)
        #expect(story.state.notice?.text == "{{token}} is still used by 1 request")
        #expect(story.collection?.requests.last?.body == Story.environments().collection?.requests.last?.body)
    }

    @Test func `Enter on a heading that has no rows of its own says so`() {
        var story = Story.environments()
        story.press("g")
        for _ in 0..<50 where story.state.environmentPane?.row != .heading("Policy", nil) { story.press("Down") }
        story.press("Enter")
        #expect(story.state.notice?.text == "A heading; what is below it is edited")
    }
}
