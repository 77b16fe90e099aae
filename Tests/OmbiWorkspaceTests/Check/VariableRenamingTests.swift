import Testing

@testable import OmbiWorkspace

/// A variable that gets another name, wherever it is set, captured and used.
@Suite struct VariableRenamingTests {
    private static func collection(_ text: String) throws -> Collection {
        try #require(CollectionFile.read(Array(text.utf8), file: "f").collection)
    }

    /// A collection with a variable of that name in all places, and `t` in places where it is no variable.
    private static func everything(_ name: String) -> String {
        #"""
        {
          "version": 1, "name": "{{t}}", "description": "{{t}}",
          "variables": { "NAME": "1", "tt": "{{ NAME }}" },
          "headers": [{ "name": "X-{{NAME}}", "value": "{{NAME:number}}" }],
          "authentication": { "bearer": "{{NAME}}" },
          "environments": [
            { "name": "t", "host": "https://{{NAME}}.test", "additionalHeaders": { "X-{{NAME}}": "{{NAME}}" },
              "variables": { "NAME": "2" }, "connection": { "proxy": "http://{{NAME}}:1" } },
            { "name": "live", "host": "https://live.test", "secrets": { "NAME": { "env": "t" } } }
          ],
          "items": [
            { "folder": "t", "variables": { "NAME": "3" }, "headers": [{ "name": "t", "value": "{{NAME}}" }], "items": [
              { "request": "t", "description": "{{t}}", "method": "POST", "path": "/{{NAME}}/:t?t={{tt}}",
                "pathParameters": { "t": "{{NAME}}" },
                "query": [{ "name": "{{NAME}}", "value": "\\{{t}} {{$hash( 't' ,NAME)}} {{$a($b(NAME))}} {{t t}} {{",
                  "description": "{{t}}" }],
                "headers": [{ "name": "t", "value": "{{NAME}}", "enabled": false }],
                "body": { "json": { "{{NAME}}": ["{{NAME:json}}", "\u007b{NAME}}", "t"] } },
                "capture": { "NAME": { "path": "$.t" } },
                "expect": { "body": [{ "path": "$.t", "equals": "{{t}}" }] } }
            ] },
            { "request": "parts", "method": "POST", "path": "/",
              "body": { "multipart": [
                { "name": "{{NAME}}", "value": "{{NAME}}", "description": "{{t}}" }, { "name": "f", "file": "{{NAME}}" }
              ] } },
            { "request": "other", "path": "/{{tt}}" }
          ]
        }
        """#.replacing("NAME", with: name)
    }

    @Test func `a variable is renamed wherever it is set, captured and used, and nowhere else`() throws {
        let collection = try Self.collection(Self.everything("t"))
        let renamed = try #require(collection.renaming(variable: "t", to: "région"))
        #expect(try renamed.text == Self.collection(Self.everything("région")).text)
        #expect(renamed.ids == collection.ids)
        #expect(renamed.requestCount(changedSince: collection) == 2)
    }

    @Test(arguments: ["tt", "t"])
    func `a name that a variable has is refused`(name: String) throws {
        let collection = try Self.collection(Self.everything("t"))
        #expect(collection.renaming(variable: "t", to: name) == nil)
    }

    @Test func `a variable that the local file sets keeps its name`() throws {
        var collection = try Self.collection(Self.everything("t"))
        collection.addLocal([Secret("t", .environment("T"))])
        #expect(collection.renaming(variable: "t", to: "u") == nil)
    }
}
