import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Responses that are kept with a request.
@Suite struct SavedExampleTests {
    private static let text = #"""
        {
          "version": 1,
          "name": "c",
          "items": [
            {
              "request": "r", "method": "GET", "path": "/",
              "examples": [
                { "name": "ok", "status": 200, "headers": [{ "name": "Content-Type", "value": "application/json" }],
                  "body": "{\"a\": \"{{nobody}}\"}" },
                { "name": "gone", "status": 410, "file": "./gone.json" },
                { "name": "empty", "status": 204 }
              ]
            }
          ]
        }
        """#

    private static func read(_ text: String = text) -> (collection: Collection?, problems: [String]) {
        let read = CollectionFile.read(Array(text.utf8), file: "f")
        return (read.collection, read.problems.map(\.description))
    }

    private static func order(_ request: SavedRequest) -> RunOrder {
        let environment = Environment(name: "e", host: "https://a.test")
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
    }

    @Test func `a body in a file of the workspace is read, and none from elsewhere`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("c/c.json", "{}")
        _ = try folder.file("c/gone.json", "[1]")
        _ = try folder.file("outside.json", "no")
        let inside = SavedExample("gone", status: 410, file: "./gone.json")
        #expect(try inside.content(beside: file) == Array("[1]".utf8))
        #expect(try SavedExample("ok", status: 200, body: "text").content(beside: file) == Array("text".utf8))
        for path in ["../outside.json", "./none.json", ""] {
            let example = SavedExample("x", status: 200, file: path)
            #expect(throws: TemplateFileError.self) { try example.content(beside: file) }
        }
    }

    @Test func `examples are read, and written as they were`() throws {
        let (collection, problems) = Self.read()
        #expect(problems == [])
        #expect(try #require(collection).json == JSONValue.parse(Self.text))
        let examples = try #require(collection?.requests.first?.examples)
        #expect(examples.map(\.name) == ["ok", "gone", "empty"] && examples.map(\.status) == [200, 410, 204])
        #expect(examples[0].contentType == "application/json" && examples[0].body == #"{"a": "{{nobody}}"}"#)
        #expect(examples[1].file == "./gone.json" && examples[1].body.isEmpty)
    }

    @Test(arguments: [
        (#"{ "status": 200 }"#, "missing key \"name\""),
        (#"{ "name": "a", "status": 99 }"#, "expected a whole number from 100 to 599"),
        (#"{ "name": "a", "body": "x", "file": "./y" }"#, "an example has a \"body\" or a \"file\", not both"),
        (#"{ "name": "a", "body": 1 }"#, "\"body\": expected a string"),
    ]) func `one that is none is an error`(example: String, message: String) {
        let text =
            #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "examples": [\#(example)] }] }"#
        #expect(Self.read(text).problems.contains { $0.contains(message) }, "\(Self.read(text).problems)")
    }

    @Test func `a template in one is no use of a variable`() throws {
        let problems = CollectionCheck.problems(in: Array(Self.text.utf8), file: "f").map(\.description)
        #expect(!problems.contains { $0.contains("nobody") })
        #expect(VariableUses(try #require(Self.read().collection)).requests.isEmpty)
    }

    @Test func `Postman gets them, and they come back`() throws {
        var request = try #require(Self.read().collection?.requests.first)
        request.examples?.remove(at: 1)
        let text = Session.exported([Self.order(request)], as: try #require(Exporter.named("postman"))).text
        let imported = try Importer.read(Array(text.utf8), from: "c.json")
        let examples = try #require(imported.collection.requests.first?.examples)
        #expect(examples == request.examples)
    }

    @Test func `a page has the first one where no run is asked for`() throws {
        let request = try #require(Self.read().collection?.requests.first)
        let text = Session.exported([Self.order(request)], as: try #require(Exporter.named("markdown"))).text
        #expect(text.contains("Response: 200 OK\n\n```json\n{\n  \"a\": \"{{nobody}}\"\n}\n```"), "\(text)")
    }

    @Test func `what cannot be read of another tool is a loss, and credentials are left out`() throws {
        let token = "tk4Zr9QmW1xVb7Np2Ls8"
        let text = #"""
            { "info": { "name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "item": [{ "name": "r", "request": { "url": "https://a.test/x",
                "auth": { "type": "bearer", "bearer": [{ "key": "token", "value": "\#(token)" }] } },
                "response": [
                  { "name": "ok", "code": 201, "status": "Created",
                    "body": "{\"a\":\"\#(token)\",\"access_token\":\"short\",\"b\":1}",
                    "header": [{ "key": "X-A", "value": "1" }, { "key": "Set-Cookie", "value": "a=secret" }] },
                  { "name": "none" }
                ] }] }
            """#
        let read = try Importer.read(Array(text.utf8), from: "c.json")
        let imported = try Imported.joined([read])
        let examples = try #require(imported.collection.requests.first?.examples)
        #expect(examples.map(\.name) == ["ok"] && examples[0].status == 201)
        #expect(examples[0].headers == [Field("X-A", "1")])
        #expect(!imported.written(keeping: .drop).text.contains(token) && !examples[0].body.contains("short"))
        #expect(examples[0].body.hasSuffix(",\"b\":1}"), "\(examples[0].body)")
        #expect(read.notes.contains { $0.kind == .loss && $0.subject == "response" })
    }

    @Test func `a token in one is masked, and what is masked is no secret to keep`() throws {
        let text = #"""
            { "info": { "name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "item": [{ "name": "r", "request": { "url": "https://a.test/x" },
                "response": [{ "name": "ok", "code": 200, "body": "{\"access_token\":\"q8Zr4Lm2Xv7T\"}" }] }] }
            """#
        let imported = try Imported.joined([Importer.read(Array(text.utf8), from: "c.json")])
        #expect(imported.secrets.isEmpty)
        #expect(imported.collection.requests.first?.examples?.first?.body == #"{"access_token":"••••••"}"#)
    }

    @Test func `Bruno has them in its export`() throws {
        let text = #"""
            { "name": "c", "version": "1", "exportedUsing": "Bruno", "environments": [], "items": [
              { "type": "http", "name": "r", "seq": 1, "request": { "url": "https://a.test/x", "method": "GET" },
                "examples": [{ "name": "ok", "response": { "status": 200, "statusText": "OK",
                  "headers": [{ "name": "X-A", "value": "1" }], "body": { "type": "json", "content": "[1]" } } }] }
            ] }
            """#
        let imported = try Importer.read(Array(text.utf8), from: "c.json")
        let examples = try #require(imported.collection.requests.first?.examples)
        #expect(examples == [SavedExample("ok", status: 200, headers: [Field("X-A", "1")], body: "[1]")])
    }

    @Test func `Bruno has them in its own language`() throws {
        let text = #"""
            get {
              url: https://a.test/x
            }

            example {
              name: ok
              request: {
                method: get
              }

              response: {
                headers: {
                  X-A: 1: 2
                  Set-Cookie: a=secret
                }
                status: {
                  code: 201
                }
                body: {
                  type: json
                  content: '''
                    {
                      "a": { "b": 1 },
                      "access_token": "q8Zr4Lm2"
                    }
                  '''
                }
              }
            }

            example {
              name: none
              response: {
              }
            }
            """#
        let imported = try Importer.read(Array(text.utf8), from: "c.bru")
        let examples = try #require(imported.collection.requests.first?.examples)
        #expect(examples.map(\.name) == ["ok"] && examples[0].status == 201)
        #expect(examples[0].headers == [Field("X-A", "1: 2")])
        #expect(examples[0].body.hasPrefix("{\n  \"a\": { \"b\": 1 },\n  \"access_token\": \"•"))
        #expect(!examples[0].body.contains("q8Zr4Lm2"))
        #expect(imported.notes.contains { $0.kind == .loss && $0.subject == "example" })
    }
}
