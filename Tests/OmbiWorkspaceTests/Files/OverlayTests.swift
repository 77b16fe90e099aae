import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// What lies beside a collection file: `NAME.local.json` and `.env` files.
@Suite struct OverlayTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    private func play(_ files: [String: String], _ body: (_ file: String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, text) in files { try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
        try body(folder + "/shop.json")
    }

    private static let shop = """
        { "version": 1, "name": "shop", "variables": { "size": "1" },
          "environments": [
            { "name": "base", "abstract": true, "envFile": ".env", "variables": { "who": "base", "port": "80" } },
            { "name": "local", "inherits": "base", "host": "http://{{who}}.test:{{port}}" } ],
          "items": [{ "request": "list", "path": "/{{size}}", "headers": [{ "name": "X-Token", "value": "{{TOKEN}} {{key}}" }] }] }
        """

    private static let local = """
        { "version": 1, "variables": { "size": "2" }, "secrets": { "key": { "value": "own-key" } },
          "environments": [{ "name": "local", "variables": { "who": "me" } },
            { "name": "mine", "inherits": "local", "host": "http://mine.test" }] }
        """

    private static func prepare(_ loaded: LoadedCollection, _ environment: String) throws -> PreparedRequest {
        let collection = try #require(loaded.collection)
        let folder = loaded.path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        let resolver = Resolver(
            collection: collection, environment: collection.environment(named: environment),
            secrets: .system(folder: folder), folder: folder)
        return PreparedRequest(try resolver.resolve(collection.requests[0]))
    }

    @Test func `a local file that is there and cannot be read keeps requests from going out without it`() throws {
        try play(["shop.json": Self.shop]) { file in
            #expect(CollectionFile.load(file).problems == [])
            try FileManager.default.createDirectory(
                atPath: folder + "/shop.local.json", withIntermediateDirectories: true)
            let loaded = CollectionFile.load(file)
            #expect(loaded.collection == nil)
            #expect(loaded.problems.map(\.file) == [folder + "/shop.local.json"])
        }
    }

    @Test func `the local file and the env file are laid over the collection, and masked`() throws {
        try play(["shop.json": Self.shop, "shop.local.json": Self.local, ".env": "export TOKEN='hush 4711'\nport=81\n"])
        {
            let loaded = CollectionFile.load($0)
            #expect(loaded.problems == [])
            #expect(loaded.collection?.choosableEnvironments.map(\.name) == ["local", "mine"])
            let local = try Self.prepare(loaded, "local")
            #expect(local.url == "http://me.test:••••••/2")
            #expect(local.headers.first { $0.name == "X-Token" }?.value == "•••••• ••••••")
            #expect(try Self.prepare(loaded, "mine").url == "http://mine.test/2")
            // Nothing of it is in the collection.
            #expect(loaded.collection?.text == CollectionFile.read(Array(Self.shop.utf8), file: "").collection?.text)
        }
    }

    @Test func `without them the collection is as it was`() throws {
        try play(["shop.json": Self.shop]) {
            let loaded = CollectionFile.load($0)
            #expect(loaded.problems == [] && loaded.collection?.overlay.isEmpty == true)
            #expect(loaded.collection?.environment(named: "local")?.secrets == [])
            #expect(
                loaded.problemsBeside.map(\.message) == [
                    "the environment base reads .env, which cannot be read: no such file or folder"
                ])
        }
    }

    @Test(arguments: [
        (
            "shop.local.json", "{ \"environments\": [\n  { \"name\": \"locla\" }] }",
            "shop.local.json:2:3: error: the collection has no environment \"locla\", and this one has no host; did you mean \"local\"?"
        ),
        (
            "shop.local.json", "{ \"secrets\": { \"a\": 1 } }",
            "shop.local.json:1:21: error: \"a\": expected an object, found a number; write { \"env\": \"NAME\" }, or in NAME.local.json { \"value\": \"…\" }"
        ),
        (
            "shop.local.json", "{ \"secrets\": { \"a\": { \"value\": 4711 } } }",
            "shop.local.json:1:32: error: \"value\": expected a string, found a number; write it in quotes"
        ),
        ("shop.local.json", "{", "shop.local.json:1:2: error: "),
        (".env", "A=1\nB='hush", ".env:2:3: error: the quote is not closed"),
    ])
    func `an error beside the file is one of the file`(_ name: String, _ text: String, _ expected: String) throws {
        try play(["shop.json": Self.shop, name: text]) { file in
            let loaded = CollectionFile.load(file)
            #expect(loaded.collection == nil)
            let problems = loaded.problems.map { $0.description.replacing(folder + "/", with: "") }
            #expect(problems.count == 1 && problems.first?.hasPrefix(expected) == true, "\(problems)")
            #expect(loaded.problemsWithNamedFiles == loaded.problems, "what a check reports")
        }
    }

    @Test func `an error about an environment of another name says what to do`() throws {
        try play(["shop.json": Self.shop, "shop.local.json": "{ \"environments\": [{ \"name\": \"x\" }] }"]) { file in
            let message = CollectionFile.load(file).problems.first?.message ?? ""
            let advice = ". Rename it here if it was renamed there, or give it a \"host\" of its own"
            #expect(message.hasSuffix("; known: base, local" + advice), "\(message)")
        }
    }

    @Test func `a value stands in the local file alone`() throws {
        let text = Self.shop.replacing(
            "\"envFile\": \".env\"", with: "\"secrets\": { \"key\": { \"value\": \"hush\" } }")
        let problems = CollectionFile.read(Array(text.utf8), file: "shop.json").problems
        #expect(
            problems.map(\.message) == [
                "\"value\": a value does not stand in this file; put the secret into NAME.local.json beside it"
            ])
    }

    @Test func `a local file is no collection, and one that others may read is told`() throws {
        try play(["shop.json": Self.shop, "shop.local.json": Self.local, ".env": ""]) { file in
            #expect(CollectionFinder.load([folder]).map(\.path) == [file])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder + "/shop.local.json")
            #expect(
                CollectionFile.load(file).problemsBeside.map(\.message) == [
                    "others can read this file (mode 644); chmod 600 keeps its secrets private"
                ])
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/shop.local.json")
            #expect(CollectionFile.load(file).problemsBeside == [])
        }
    }

    @Test func `an env file outside the workspace is not read until the local file names it`() throws {
        let outside = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".txt").path
        try "hunter2 is the password\n".write(toFile: outside, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: outside) }
        try play(["shop.json": Self.shop.replacing("\".env\"", with: "\"\(outside)\"")]) { file in
            let loaded = CollectionFile.load(file)
            #expect(loaded.problems.isEmpty && loaded.collection?.overlay.envFiles.isEmpty == true)
            let warnings = loaded.problemsBeside.map(\.message)
            #expect(warnings.count == 1 && warnings[0].contains("is outside the workspace and is not read; name it in"))
            #expect(!warnings.joined().contains("hunter2"))
            let local = "{ \"version\": 1, \"environments\": [{ \"name\": \"base\", \"envFile\": \"\(outside)\" }] }"
            try local.write(toFile: folder + "/shop.local.json", atomically: true, encoding: .utf8)
            let named = CollectionFile.load(file).problems.map(\.description).joined()
            #expect(named.contains("there is no = after the name") && !named.contains("hunter2"), "\(named)")
        }
    }

    @Test func `a collection keeps the name of its env file`() throws {
        let collection = try #require(CollectionFile.read(Array(Self.shop.utf8), file: "").collection)
        #expect(collection.environments[0].envFile == ".env")
        #expect(collection.text.contains("\"envFile\": \".env\""))
    }
}
