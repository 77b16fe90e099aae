import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// A document of an API is read next to its requests.
@Suite struct DocumentationStories {
    private static let document = #"""
        { "openapi": "3.0.3", "info": { "title": "Pets", "version": "1" }, "servers": [{ "url": "https://a.test" }],
          "paths": { "/pets": { "get": { "summary": "list pets", "responses": {
            "200": { "description": "all of them", "content": { "application/json": { "schema": {
              "type": "object", "required": ["total"], "properties": { "total": { "type": "integer" } } } } } },
            "429": { "description": "too many requests" } } } } } }
        """#

    private static func story(_ document: String = document) -> Story {
        var story = Story(columns: 140, rows: 44, files: [])
        story.receive(.opened([Story.loaded(document, path: "openapi.json").readInPlace], environment: nil))
        story.choose("list pets")
        return story
    }

    @Test func `before the first run the responses of the document show in place of one`() {
        let story = Self.story()
        for text in ["Not sent yet", "all of them", "application/json", "$.total", "required", "too many requests"] {
            #expect(story.screen.contains(text), "\(text):\n\(story.screen)")
        }
    }

    @Test func `more than there is room for say where all of them are`() {
        let responses = (400..<480).map { "\"\($0)\": { \"description\": \"reason \($0)\" }" }
        let document = """
            { "openapi": "3.0.3", "info": { "title": "Pets", "version": "1" }, "servers": [{ "url": "https://a.test" }],
              "paths": { "/pets": { "get": { "summary": "list pets",
                "responses": { \(responses.joined(separator: ", ")) } } } } }
            """
        let story = Self.story(document)
        #expect(story.screen.contains("reason 400") && !story.screen.contains("reason 479"), "\(story.screen)")
        #expect(story.screen.contains("… : in the request pane shows all"), "\(story.screen)")
    }

    @Test func `afterwards the palette shows them`() {
        var story = Self.story()
        let id = story.send()
        story.finish(id)
        #expect(!story.screen.contains("all of them"), "\(story.screen)")
        story.press("2")
        story.command("Show the documented responses")
        #expect(story.screen.contains("Responses to list pets"), "\(story.screen)")
        #expect(story.screen.contains("all of them") && story.screen.contains("$.total"), "\(story.screen)")
    }

    @Test func `a request that no document describes says so`() {
        var story = Story.inRequest()
        story.command("Show the documented responses")
        #expect(story.state.notice?.text == "No document describes the responses to user by id")
    }
}
