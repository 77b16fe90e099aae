import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The descriptions of rows, in the formats that have them.
@Suite struct ExportedDescriptionTests {
    private static let request = SavedRequest(
        name: "r", method: .post, path: "/:id", pathParameters: [Field("id", "7").described("the user")],
        query: [Field("a b", "1").described("words | more"), Field("plain", "2")],
        headers: [Field("X-A", "1").described("two\nlines")],
        body: .form(FormContent([Field("f", "2").described("a field")])))

    private static func exported(_ name: String) throws -> String {
        let environment = Environment(name: "e", host: "https://a.test")
        let order = RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]), environment: "e",
            file: "c.json")
        return Session.exported([order], as: try #require(Exporter.named(name))).text
    }

    @Test(arguments: ["postman", "openapi"]) func `Postman and OpenAPI get them, and they come back`(name: String)
        throws
    {
        let text = try Self.exported(name)
        let imported = try Importer.read(Array(text.utf8), from: "c.json")
        let request = try #require(imported.collection.requests.first)
        #expect(request.query.map(\.description) == ["words | more", nil])
        #expect(request.headers.first { $0.name == "X-A" }?.description == "two\nlines")
        #expect(request.body?.rows?.map(\.description) == ["a field"])
    }

    @Test func `a page has them in its tables`() throws {
        let text = try Self.exported("markdown")
        #expect(text.contains("| Parameter | Description |\n| --- | --- |\n| id | the user |\n"))
        #expect(text.contains("\n| a b | words \\| more |"))
        #expect(text.contains("| X-A | 1 | two lines |"))
        #expect(text.contains("| f | 2 | a field |"))
    }

    @Test(arguments: Exporter.all.map(\.name).filter { !["postman", "openapi", "markdown"].contains($0) })
    func `no other format sends them`(name: String) throws {
        let text = try Self.exported(name)
        #expect(!text.contains("a field"))
    }
}
