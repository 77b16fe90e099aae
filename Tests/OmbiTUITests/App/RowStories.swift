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
