import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Descriptions of headers, parameters, fields, parts and variables.
@Suite struct RowDescriptionTests {
    private static let text = #"""
        {
          "version": 1,
          "name": "c",
          "variables": { "limit": { "value": "10", "description": "rows of a page" }, "other": "1" },
          "items": [
            {
              "request": "r", "method": "POST", "path": "/users/:id",
              "pathParameters": { "id": { "value": "7", "description": "of {{nobody}}" } },
              "query": [{ "name": "q", "value": "a", "description": "words", "enabled": false }],
              "headers": [{ "name": "X-A", "value": "1", "description": "two\nlines" }],
              "body": { "form": [{ "name": "f", "value": "2", "description": "a field of {{nobody}}" }] }
            },
            {
              "request": "parts", "method": "POST", "path": "/",
              "body": {
                "multipart": [
                  { "name": "a", "value": "1", "contentType": "text/csv", "description": "a text" },
                  { "name": "b", "file": "./b.png", "description": "a picture", "enabled": false }
                ]
              }
            }
          ]
        }
        """#

    private static func collection() throws -> Collection {
        try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
    }

    @Test func `a file with descriptions is read, and written as it was`() throws {
        let (collection, problems) = CollectionFile.read(Array(Self.text.utf8), file: "f")
        #expect(problems == [])
        #expect(try #require(collection).json == JSONValue.parse(Self.text))
        let request = try #require(collection?.requests.first)
        #expect(request.query.first?.description == "words" && request.headers.first?.description == "two\nlines")
        #expect(request.pathParameters.first?.description == "of {{nobody}}")
        #expect(collection?.variables.map(\.description) == ["rows of a page", nil])
    }

    @Test func `a description that is no text is an error`() {
        let text = #"""
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "headers": [
            { "name": "X-A", "value": "1", "description": 3 }] }] }
            """#
        let problems = CollectionFile.read(Array(text.utf8), file: "f").problems.map(\.description)
        #expect(problems == ["f:2:47: error: \"description\": expected a string, found a number; write \"3\""])
    }

    @Test func `a template in a description is none`() {
        let problems = { (text: String) in
            CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
        }
        #expect(!problems(Self.text).contains { $0.contains("nobody") })
        // Next to it there is one.
        let unknown = Self.text.replacing(#""value": "2""#, with: #""value": "{{nobody}}""#)
        #expect(problems(unknown).contains { $0.contains("nobody") })
    }

    @Test func `an edit of a value keeps the description`() throws {
        var collection = try Self.collection()
        let id = try #require(collection.requests.first?.id)
        collection.update(id) { request in
            request.query[0].value = "b"
            request.pathParameters[0].value = "8"
            request.body?.rows?[0].value = "3"
        }
        let expected = Self.text.replacing(#""value": "a""#, with: #""value": "b""#)
            .replacing(#""value": "7""#, with: #""value": "8""#).replacing(#""value": "2""#, with: #""value": "3""#)
        #expect(try collection.json == JSONValue.parse(expected))
    }

    @Test func `a body of another kind keeps the descriptions of its rows`() throws {
        let requests = try Self.collection().requests
        let form = try #require(requests.first?.body)
        #expect(form.converted(to: .multipart).rows?.map(\.description) == ["a field of {{nobody}}"])
        #expect(form.converted(to: .multipart).converted(to: .form) == form)
        let parts = try #require(requests.last?.body)
        #expect(parts.rows?.map(\.description) == ["a text", "a picture"])
        var edited = parts
        edited.rows = parts.rows
        #expect(edited == parts)
    }

    @Test func `a description that changed on disk is merged`() throws {
        let base = try Self.collection()
        var (mine, theirs) = (base, base)
        let ids = base.requests.map(\.id)
        mine.update(ids[1]) { $0.path = "/parts" }
        theirs.update(ids[0]) { $0.headers[0].description = nil }
        let merge = mine.merging(theirs, since: base)
        #expect(merge.conflicts.isEmpty)
        #expect(merge.collection.requests[0].headers[0].description == nil)
        #expect(merge.collection.requests[1].path == "/parts")
    }
}
