import Foundation
import Testing

@testable import OmbiWorkspace

/// The requests that an edit of a collection file is about.
@Suite struct RequestChangesTests {
    private static let text = """
        { "version": 1, "name": "shop", "headers": [{ "name": "X-All", "value": "1" }],
          "variables": { "size": "{{unit}}", "unit": "kg", "spare": "1" },
          "environments": [
            { "name": "local", "host": "http://l", "secrets": { "key": { "env": "KEY" } } },
            { "name": "live", "host": "https://h" }],
          "items": [
            { "request": "plain", "path": "/a", "headers": [{ "name": "X-All", "value": "own" }] },
            { "request": "sized", "path": "/s", "query": [{ "name": "size", "value": "{{size}}" }] },
            { "request": "log in", "path": "/in", "capture": { "token": { "path": "$.t" } } },
            { "folder": "users", "items": [
              { "request": "list", "path": "/l", "headers": [{ "name": "X-Key", "value": "{{key}}" }] },
              { "request": "own", "path": "/o", "query": [{ "name": "token", "value": "{{token}}" }] } ] }] }
        """

    private static func read(_ text: String) throws -> Collection {
        try #require(CollectionFile.read(Array(text.utf8), file: "f").collection, "\(text)")
    }

    private static func changed(_ from: String, _ to: String, environment: String? = "local") throws -> [String] {
        let edited = text.replacing(from, with: to)
        try #require(edited != text)
        let new = try read(edited)
        let changes = RequestChanges(from: try read(text), to: new, environment: environment)
        return new.requests.filter { changes.isChanged($0.id) }.map(\.name)
    }

    @Test func `the same file in another layout changes nothing`() throws {
        #expect(try Self.changed("\n", "\n   ") == [])
    }

    private static let edits: [(from: String, to: String, requests: [String])] = [
        // Its own parts.
        ("\"/a\"", "\"/b\"", ["plain"]), ("\"/in\"", "\"/on\"", ["log in", "own"]),
        // Inherited ones, unless a nearer level has its own.
        ("\"value\": \"1\"", "\"value\": \"2\"", ["sized", "log in", "list", "own"]),
        (
            "\"folder\": \"users\",", "\"folder\": \"users\", \"headers\": [{ \"name\": \"X-F\", \"value\": \"\" }],",
            ["list", "own"]
        ),
        (
            "\"name\": \"shop\",", "\"name\": \"shop\", \"policy\": { \"retries\": 2 },",
            ["plain", "sized", "log in", "list", "own"]
        ),
        // Variables and secrets, also by way of others.
        ("\"kg\"", "\"g\"", ["sized"]), ("\"spare\": \"1\"", "\"spare\": \"2\"", []),
        ("\"env\": \"KEY\"", "\"env\": \"KEY2\"", ["list"]), ("\"$.t\"", "\"$.u\"", ["log in", "own"]),
        // The environment that is used.
        ("http://l", "http://m", ["plain", "sized", "log in", "list", "own"]), ("https://h", "https://i", []),
        // Names alone.
        ("\"request\": \"plain\"", "\"request\": \"other\"", []),
        ("\"folder\": \"users\"", "\"folder\": \"people\"", []),
        ("\"name\": \"shop\"", "\"name\": \"store\"", []),
        ("\"request\": \"plain\",", "\"request\": \"plain\", \"tags\": [\"x\"], \"description\": \"y\",", []),
        // A new one.
        (
            "\"items\": [\n    {", "\"items\": [ { \"request\": \"new\", \"path\": \"/n\" },\n    {", ["new"]
        ),
    ]

    @Test(arguments: edits) func `an edit is about the requests that use it`(
        from: String, to: String, requests: [String]
    ) throws {
        #expect(try Self.changed(from, to) == requests)
    }

    @Test func `an environment that was not there makes all requests others`() throws {
        #expect(try Self.changed("\"name\": \"local\"", "\"name\": \"mine\"", environment: "mine").count == 5)
    }

    @Test func `a request that moved is the same`() throws {
        let old = try Self.read(Self.text)
        var new = old
        let plain = try #require(new.item(atPath: ["plain"]))
        new.remove(plain.id)
        new.items.append(plain)
        let changes = RequestChanges(from: old, to: new, environment: "local")
        #expect(new.requests.filter { changes.isChanged($0.id) }.isEmpty)
    }
}
