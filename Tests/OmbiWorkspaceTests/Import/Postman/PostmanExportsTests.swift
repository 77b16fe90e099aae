import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Folders of files that Postman exported.
@Suite struct PostmanExportsTests {
    private static let schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

    private static func collection(_ name: String, _ url: String) -> String {
        """
        { "info": { "name": "\(name)", "schema": "\(schema)" }, "item": [
          { "name": "ping", "request": { "method": "LINK", "url": "\(url)" },
            "event": [{ "listen": "test", "script": { "exec": ["pm.visualizer.set('a')"] } }] } ] }
        """
    }

    private static let environment = """
        { "name": "staging", "_postman_variable_scope": "environment", "values": [
          { "key": "host", "value": "https://staging.test" },
          { "key": "apiToken", "value": "tk4Zr9QmW1xVb7Np2Ls8", "type": "secret" } ] }
        """

    private static func read(_ files: [String: String]) throws -> Imported {
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.file("exports/\(name)", text) }
        return try Importer.read(folder: folder.path + "/exports")
    }

    @Test func `the collection of a folder has the environments beside it`() throws {
        let read = try Self.read([
            "shop.postman_collection.json": Self.collection("Shop", "{{host}}/ping"),
            "staging.postman_environment.json": Self.environment, "data.json": "[{ \"a\": 1 }]", "notes.md": "# a",
        ])
        let joined = try Imported.joined([read])
        #expect(joined.collection.name == "Shop" && joined.requestCount == 1)
        #expect(joined.collection.environments.map(\.name) == ["staging"])
        let text = joined.written(keeping: .drop).text
        #expect(text.contains("\"apiToken\"") && !text.contains("tk4Zr9QmW1xVb7Np2Ls8"), "\(text)")
        #expect(joined.secrets.map(\.value) == ["tk4Zr9QmW1xVb7Np2Ls8"])
        let loss = try #require(read.losses.first { $0.subject == "test of ping" })
        #expect(loss.file?.hasSuffix("/exports/shop.postman_collection.json") ?? false, "\(read.losses)")
    }

    @Test func `files with nothing but the usual ends of names are those of a folder, too`() throws {
        let joined = try Imported.joined([
            try Self.read([
                "postman_collection.json": Self.collection("Shop", "{{host}}/ping"),
                "Dev_Postman_Environment.json": Self.environment,
            ])
        ])
        #expect(joined.collection.environments.map(\.host) == ["https://staging.test"])
    }

    @Test func `the archive of all data has its collections as folders`() throws {
        let read = try Self.read([
            "archive.json": #"{"collection": {"1": true, "2": true}, "environment": {"3": true}}"#,
            "collection/1.json": Self.collection("Shop", "https://a.test/shop"),
            "collection/2.json": Self.collection("Mail", "https://a.test/mail"), "environment/3.json": Self.environment,
        ])
        let joined = try Imported.joined([read])
        #expect(joined.collection.items.map(\.name) == ["Shop", "Mail"] && joined.requestCount == 2)
        #expect(joined.collection.environments.map(\.name) == ["staging"])
        #expect(!joined.written(keeping: .drop).text.contains("tk4Zr9QmW1xVb7Np2Ls8"))
        #expect(read.losses.contains { $0.file?.hasSuffix("collection/1.json") ?? false }, "\(read.losses)")
    }

    @Test func `several collections are named, and none of them is taken`() throws {
        let error = try #require(throws: ImportError.self) {
            _ = try Self.read([
                "a.postman_collection.json": Self.collection("A", "https://a.test"),
                "b.postman_collection.json": Self.collection("B", "https://b.test"),
            ])
        }
        #expect(error.message.hasSuffix("import one of them: a.postman_collection.json, b.postman_collection.json"))
    }

    @Test func `an error in one of the files has its place`() throws {
        let error = try #require(throws: ImportError.self) {
            _ = try Self.read(["a.postman_collection.json": "{\n  \"info\": 1,\n}"])
        }
        #expect(error.file?.hasSuffix("/exports/a.postman_collection.json") ?? false, "\(error)")
    }

    @Test func `a folder with an export may be opened as a folder of collections`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("a.postman_collection.json", Self.collection("A", "https://a.test"))
        #expect(Importer.recognizing(try #require(ImportFolder(folder.path))) == nil)
    }
}
