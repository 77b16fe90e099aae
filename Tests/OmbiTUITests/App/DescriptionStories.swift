import OmbiCore
import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The descriptions of rows: seen next to their values, and edited in place.
@Suite struct DescriptionStories {
    @Test func `a row is described, and its description shows next to the value`() {
        var story = Story.inRequest()
        story.press("Down", "Down")
        story.command("Describe the row")
        #expect(story.openField == "")
        story.type("more of it")
        story.press("Enter")
        #expect(story.request?.query.first?.description == "more of it")
        #expect(story.screen.contains("orders  more of it"))
        story.press("Enter")
        story.replace(with: "all")
        story.press("Enter")
        #expect(story.screen.contains("all  more of it"))
        story.command("Describe the row")
        #expect(story.openField == "more of it")
        story.replace(with: "")
        story.press("Enter")
        #expect(story.request?.query == [Field("expand", "all")])
        story.press("u")
        #expect(story.request?.query.first?.description == "more of it")
    }

    @Test func `a path parameter is described`() {
        var story = Story.inRequest()
        story.press("Down")
        #expect(story.formRows[0].note == "in the path")
        story.command("Describe the row")
        story.type("the user")
        story.press("Enter")
        #expect(story.request?.pathParameters.first?.description == "the user")
        #expect(story.formRows[0].note == "the user" && story.formRows[0].value == "42")
    }

    @Test func `lines of a description are one, and a row without one says where there are some`() {
        let file = Story.file.replacing(
            #""value": "orders""#, with: #""value": "orders", "description": "one\ntwo\r\nthree""#)
        var story = Story(file: file)
        story.choose("user by id")
        story.press("2")
        #expect(story.formRows[1].note == "one two three")
        story.press("g")
        story.command("Describe the row")
        #expect(story.openField == nil)
        #expect(story.state.notice?.text == "Rows of Params, Headers, forms and variables have descriptions")
    }

    @Test func `a variable of an environment shows its description`() {
        let file = Story.file.replacing(
            #""variables": { "token": "t" }"#,
            with: #""variables": { "token": { "value": "t", "description": "for tests" } }"#)
        var story = Story(file: file)
        story.perform(.environments(.open))
        #expect(story.screen.contains("t  for tests"), "\(story.screen)")
    }

    @Test func `headers that are edited as a text keep their descriptions`() throws {
        var (one, other) = (Field("X-A", "1"), Field("X-B", "2", enabled: false))
        (one.description, other.description) = ("first", "second")
        var request = SavedRequest(name: "r", path: "/", headers: [one, other])
        try request.setHeadersText("x-b: 3\nX-C: 4\n# X-A: 1\n")
        #expect(request.headers.map(\.description) == ["second", nil, "first"])
        #expect(request.headers.map(\.value) == ["3", "4", "1"])
        try request.setHeadersText("")
        #expect(request.headers.isEmpty)
    }
}

/// Variables of one request, below its captures.
@Suite struct RequestVariableStories {
    @Test func `a variable of a request is added, filled in and completed`() {
        var story = Story.inRequest(tab: .capture)
        story.press("Down", "Down")
        #expect(story.screen.contains("Enter adds a variable of this request."))
        story.press("Enter")
        story.type("size")
        story.press("Enter")
        story.type("7")
        story.press("Enter")
        #expect(story.request?.variables == [Field("size", "7")])
        #expect(story.request?.captures == [])
        story.press("Space")
        #expect(story.request?.variables.first?.enabled == false)
        story.press("Space")
        #expect(story.state.workbench.templateNames(nil)?.contains("size") == true)
        story.press("d")
        #expect(story.request?.variables == [])
        story.press("u")
        #expect(story.request?.variables == [Field("size", "7")])
        story.choose("list users")
        #expect(story.state.workbench.templateNames(nil)?.contains("size") == false)
    }

    @Test func `a name that no template can have is refused`() {
        var story = Story.inRequest(tab: .capture)
        story.press("Down", "Down", "Enter")
        story.type("a b")
        story.press("Enter")
        #expect(story.state.notice?.kind == .failure)
        #expect(story.openField == "a b")
    }
}
