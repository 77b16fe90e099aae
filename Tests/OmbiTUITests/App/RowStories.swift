import OmbiTerminal
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// Rows of the request under edit: where they stand, and what they take.
@Suite struct RowStories {
    @Test func `the other rows stay where they are while a name or a value is typed`() {
        var story = Story.inRequest("list users", tab: .body)
        story.press("Down", "Enter")
        story.type("multi")
        story.press("Enter")
        let column = story.place(of: "multipart")?.column
        story.press("Enter")
        #expect(story.place(of: "multipart ")?.column == column, "\(story.screen)")
        story.type("photo")
        story.press("Tab")
        #expect(story.place(of: "multipart ")?.column == column, "\(story.screen)")
    }

    @Test(arguments: RequestTab.allCases) func `the key line offers only what the row under the cursor can do`(
        tab: RequestTab
    ) {
        var story = Story.inRequest(tab: tab)
        story.state.workbench.editRequest { request in
            request.headers = [Field("X-Team", "core")]
            request.capture("userId", at: "$.id")
            request.expect(.exists(true), at: "$.id")
        }
        let refusals = ["There is nothing", "Rows are added in", "does nothing here"]
        for row in 0...story.formRows.count {
            for hint in story.state.statusLine.hints where hint.scope == .request {
                var next = story
                next.perform(hint.action)
                let text = next.state.notice?.text ?? ""
                #expect(!refusals.contains { text.contains($0) }, "\(hint.label) in row \(row): \(text)")
            }
            story.press("Down")
        }
    }

    @Test func `Tab goes on from row to row, and from the last one to a new one that stays only with a name`() {
        var story = Story.inRequest("list users")
        story.press("a")
        for (name, value) in [("page", "2"), ("size", "20"), ("sort", "name")] {
            story.type(name)
            story.press("Tab")
            story.type(value)
            #expect(story.lines.last?.contains("Tab next") == true)
            story.press("Tab")
            #expect(story.openField == "", "the name of a new row")
        }
        story.press("Esc")
        let fields = [Field("page", "2"), Field("size", "20"), Field("sort", "name")]
        #expect(story.request?.query == fields)
        story.press("Up", "Up", "Enter", "Tab")
        #expect(story.openField == "size", "the next row")
        story.press("Enter")
        story.press("Esc")
        #expect(story.request?.query == fields)
    }

    @Test func `Tab stays in a field that has none after it, so that what is typed next is no command`() {
        var story = Story.inRequest("list users", tab: .policy)
        story.press("Down", "Enter")
        let field = story.openField
        #expect(field != nil && story.lines.last?.contains("Tab next") == false, "\(story.screen)")
        story.press("Tab")
        #expect(story.openField == field)
        story.press("Esc")
        #expect(story.openField == nil)
    }

    @Test(arguments: [
        ("image/jpeg", true), ("text/plain; charset=utf-8", true), ("application/vnd.api+json", true), ("", true),
        ("{{type}}", true), ("image/{{kind}}", true), ("text/plain;charset=utf-8", true), ("a/b", true),
        ("application/x-www-form-urlencoded", true), ("multipart/form-data; boundary=x", true),
        ("photo", false), ("image", false), ("/", false), ("image/", false), ("/jpeg", false), ("a/b/c", false),
        ("image /jpeg", false), ("image/jp eg", false), ("jpeg;image/jpeg", false), ("ä/b", false),
    ])
    func `the content type of a file is one, or is marked`(text: String, isOne: Bool) throws {
        var request = SavedRequest(name: "upload", path: "/")
        request.body = .file(FileContent("./a"))
        let body = try #require(request.body)
        let field = try #require(RequestField.fields(of: body).first { $0.label == "content type" })
        #expect((field.problem(with: text, in: request) == nil) == isOne, "\(text)")
    }

    @Test func `an upload without parts says how one is added, and how a file is named`() {
        var story = Story.inRequest("list users", tab: .body)
        story.press("Down", "Enter")
        story.type("multi")
        story.press("Enter")
        #expect(story.screen.contains("Enter adds a part; @ before a value names a file."), "\(story.screen)")
        story.press("Down", "Enter")
        story.type("photo")
        story.press("Tab")
        story.type("@ada.png")
        story.press("Enter")
        let parts = [MultipartPart("photo", .file("ada.png"))]
        #expect(story.request?.body == .multipart(MultipartContent(parts)))
        #expect(!story.screen.contains("Enter adds a part"))
        story.press("a")
        story.type("note")
        story.press("Tab")
        #expect(story.screen.contains("value or @file"), "with parts, too: \(story.screen)")
    }
}
