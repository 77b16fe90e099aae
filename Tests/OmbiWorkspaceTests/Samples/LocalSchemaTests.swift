import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The schema of `NAME.local.json`.
@Suite struct LocalSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static func schema(_ path: String) throws -> JSONValue {
        try JSONValue.parse(try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }

    private static func failures(_ text: String) throws -> [String] {
        SchemaValidator(root: try schema("schema/local.schema.json")).failures(try JSONValue.parse(text))
    }

    private static let everything = """
        {
          "$schema": "/home/me/.local/share/ombi/schema/local.schema.json",
          "variables": { "userId": "7", "old": { "value": "1", "enabled": false } },
          "secrets": {
            "token": { "value": "hush" }, "other": { "env": "TOKEN" },
            "third": { "command": ["pass", "show", "x"], "maximumAge": "50m" }
          },
          "environments": [
            { "name": "local", "host": "http://127.0.0.1:9000", "variables": { "page": "2" } },
            { "name": "mine", "inherits": "local", "host": "http://mine.test", "policy": { "retries": 2 },
              "secrets": { "token": { "value": "mine" } }, "authentication": { "bearer": "{{token}}" } }
          ]
        }
        """

    @Test func `it holds for a file with everything, which is read without a problem`() throws {
        #expect(try Self.failures(Self.everything) == [])
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-local-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let collection = """
            { "version": 1, "name": "shop", "environments": [{ "name": "local", "host": "http://a.test" }], "items": [] }
            """
        try Data(collection.utf8).write(to: folder.appending(path: "shop.json"))
        try Data(Self.everything.utf8).write(to: folder.appending(path: "shop.local.json"))
        let loaded = CollectionFinder.load([folder.appending(path: "shop.json").path])
        #expect(loaded.flatMap(\.problems).map(\.description) == [])
        #expect(loaded.first?.collection?.overlay.environments.map(\.name) == ["local", "mine"])
    }

    @Test(arguments: [
        "[]", #"{"items": []}"#, #"{"variables": {"a": 1}}"#, #"{"secrets": {"a": {"value": "x", "env": "Y"}}}"#,
        #"{"secrets": {"a": {"value": ""}}}"#, #"{"secrets": {"a": {}}}"#, #"{"environments": [{"host": "http://a"}]}"#,
    ]) func `it refuses what does not belong there`(text: String) throws {
        #expect(try !Self.failures(text).isEmpty)
    }

    @Test func `what both files have is the same in both schemas`() throws {
        let local = try #require(Self.definitions(try Self.schema("schema/local.schema.json")))
        let whole = try #require(Self.definitions(try Self.schema("collections/ombi.schema.json")))
        // These differ: an environment may be a part, and a secret may have its value here.
        for definition in local where !["environment", "secret", "secrets"].contains(definition.key) {
            #expect(whole.first { $0.key == definition.key }?.value == definition.value, "\(definition.key)")
        }
        for name in ["environment", "secret"] {
            let here = try #require(Self.properties(name, local))
            let there = try #require(Self.properties(name, whole))
            #expect(here.filter { $0.key != "value" } == there, "\(name)")
        }
    }

    private static func members(_ value: JSONValue?) -> [JSONValue.Member]? {
        if case .object(let members)? = value { members } else { nil }
    }

    private static func definitions(_ schema: JSONValue) -> [JSONValue.Member]? {
        members(members(schema)?.first { $0.key == "$defs" }?.value)
    }

    private static func properties(_ name: String, _ definitions: [JSONValue.Member]) -> [JSONValue.Member]? {
        let definition = members(definitions.first { $0.key == name }?.value)
        return members(definition?.first { $0.key == "properties" }?.value)
    }
}
