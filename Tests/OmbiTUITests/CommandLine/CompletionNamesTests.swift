import Foundation
import OmbiWorkspace
import Testing

@testable import OmbiTUI

/// The names that a word of a command line can become.
@Suite struct CompletionNamesTests {
    private static let names = CompletionNames(collections: [
        LoadedCollection(path: "broken.json", collection: nil, fingerprint: .absent),
        LoadedCollection(path: "shop.json", collection: shop, fingerprint: .absent),
        LoadedCollection(path: "collections/demo.json", collection: demo, fingerprint: .absent),
    ])

    private static var shop: OmbiWorkspace.Collection {
        var logIn = SavedRequest(name: "log in", path: "/")
        logIn.tags = ["smoke"]
        var settings = SharedSettings(variables: [Variable("page", "1")])
        settings.tags = ["slow"]
        let users = Folder(
            name: "users", settings: settings,
            items: [
                request("list users"), request("list users"), request("it's \"quoted\""),
                .folder(Folder(name: "old/ones", items: [request("a")])),
            ])
        return OmbiWorkspace.Collection(
            name: "My Shop", variables: [Variable("user id", "7")],
            environments: [
                Environment(name: "base", host: "", isAbstract: true),
                Environment(name: "local", host: "http://127.0.0.1", variables: [Variable("token", "x")]),
            ],
            items: [
                .request(logIn), .folder(users), request("GET /users"),
                .folder(Folder(name: "🛒 cart", items: [request("add")])), request("bell\u{7}"),
            ])
    }

    private static var demo: OmbiWorkspace.Collection {
        OmbiWorkspace.Collection(
            name: "demo", environments: [Environment(name: "live", host: "http://127.0.0.1")],
            items: [request("hello"), request("e\u{301}tude")])
    }

    private static func request(_ name: String) -> CollectionItem { .request(SavedRequest(name: name, path: "/")) }

    @Test(arguments: ["json", "har"])
    func `the requests in a file of another tool are completed as those of a collection`(ending: String) throws {
        let name = "names-\(UUID().uuidString).\(ending)"
        let path = FileManager.default.temporaryDirectory.appending(path: name).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = """
            {"info": {"name": "Shop",
            "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
            "item": [{"name": "one", "request": {"url": "https://a.test/x"}}]}
            """
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let word = path + "/"
        #expect(CompletionLine(["ombi", "run", word], at: 2).selectable().selections(word) == [word + "one"])
    }

    @Test(arguments: [
        ("", ["My Shop/", "demo/"]), ("M", ["My Shop/"]), ("My S", ["My Shop/"]), ("demo", ["demo/"]), ("x", []),
        (
            "My Shop/",
            ["My Shop/log in", "My Shop/users/", "My Shop/GET /users", "My Shop/🛒 cart/", "My Shop/bell␇"]
        ),
        ("My Shop/us", ["My Shop/users/"]), ("My Shop/log in", ["My Shop/log in"]), ("My Shop/log in/", []),
        (
            "My Shop/users/",
            ["My Shop/users/list users", "My Shop/users/it's \"quoted\"", "My Shop/users/old/ones/"]
        ),
        ("My Shop/users/old/", ["My Shop/users/old/ones/"]),
        ("My Shop/users/old/ones/", ["My Shop/users/old/ones/a"]), ("My Shop/GET /", ["My Shop/GET /users"]),
        ("My Shop/🛒", ["My Shop/🛒 cart/"]), ("My Shop/🛒 cart/", ["My Shop/🛒 cart/add"]),
        ("sh", ["shop.json"]), ("shop.json/us", ["shop.json/users/"]), ("shop/us", ["shop/users/"]),
        ("demo.json/h", ["demo.json/hello"]), ("col", ["collections/demo.json"]),
        ("collections/demo.json/h", ["collections/demo.json/hello"]), ("b", ["broken.json"]), ("broken.json/", []),
        // A shell completes to where names differ, which may be in the middle of a character.
        ("demo/e", ["demo/e\u{301}tude"]),
    ])
    func `a selection goes on as ombi list prints it, a level at a time`(word: String, names: [String]) {
        #expect(Self.names.selections(word) == names)
    }

    @Test func `environments are those that requests can be sent to`() {
        #expect(Self.names.environments("") == ["local", "live"])
        #expect(Self.names.environments("lo") == ["local"])
        #expect(Self.names.environments("b") == [])
    }

    @Test(arguments: [("", ["smoke", "slow"]), ("sl", ["slow"]), ("!s", ["!smoke", "!slow"]), ("!sm", ["!smoke"])])
    func `tags are those of requests and folders, also to leave them out`(word: String, names: [String]) {
        #expect(Self.names.tags(word) == names)
    }

    @Test(arguments: [
        ("", ["user id=", "token=", "page="]), ("us", ["user id="]), ("token", ["token="]), ("token=", ["token="]),
        ("token=a", []),
    ])
    func `variables are those of all levels, up to the value`(word: String, names: [String]) {
        #expect(Self.names.variables(word) == names)
    }

    @Test(arguments: [
        (["demo/hello"], ["live"]), (["My Shop"], ["local"]), (["shop.json/users"], ["local"]),
        (["shop/", "demo"], ["local", "live"]), (["--tag", "slow"], ["local", "live"]), (["dem"], ["local", "live"]),
        (["broken.json"], ["local", "live"]), ([], ["local", "live"]),
    ])
    func `selected collections alone have names, where any is selected`(words: [String], names: [String]) {
        #expect(Self.names.selected(by: words).environments("") == names)
    }

    @Test func `a path goes on with folders and files that may be collections`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "ombi-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "api v2"), withIntermediateDirectories: true)
        for name in ["a.json", "b.json", "a.txt", ".a.json", "ombi.schema.json", "a\u{1B}.json"] {
            try Data("{}".utf8).write(to: folder.appending(path: name))
        }
        let path = folder.path + "/"
        #expect(CompletionNames.files(path) == ["a.json", "api v2/", "b.json"].map { path + $0 })
        #expect(CompletionNames.files(path + "ap") == [path + "api v2/"])
        #expect(CompletionNames.files(path + "missing/") == [])
    }
}
