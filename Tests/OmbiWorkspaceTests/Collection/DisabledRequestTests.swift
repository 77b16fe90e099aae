import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Requests that runs of their folder leave out.
@Suite struct DisabledRequestTests {
    private static func read(_ value: String) -> (request: SavedRequest?, problems: [String]) {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "disabled": \#(value) }] }"#
        let read = CollectionFile.read(Array(text.utf8), file: "f")
        return (read.collection?.requests.first, read.problems.map(\.description))
    }

    @Test func `a request is disabled by its file, and written so`() throws {
        let (request, problems) = Self.read("true")
        #expect(problems == [])
        #expect(try #require(request).isDisabled)
        #expect(request?.json["disabled"] == .bool(true))
        #expect(SavedRequest(name: "r", path: "/").json["disabled"] == nil)
        #expect(Self.read("false").request?.isDisabled == false)
        #expect(Self.read("1").problems.contains { $0.contains("\"disabled\": expected true or false") })
    }

    @Test func `Hurl skips it, and a file of Hurl that skips one comes back`() throws {
        var request = SavedRequest(name: "r", path: "/")
        request.isDisabled = true
        let environment = Environment(name: "e", host: "https://a.test")
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
        let text = Session.exported([order], as: try #require(Exporter.named("hurl"))).text
        #expect(text.contains("\nskip: true\n"))
        let imported = try Importer.read(Array(text.utf8), from: "c.hurl")
        #expect(imported.collection.requests.map(\.isDisabled) == [true])
        let fetch = Session.exported([order], as: try #require(Exporter.named("fetch")))
        #expect(fetch.losses == ["r: it is disabled: runs of its folder leave it out"])
    }
}
