import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Rows of a query that are sent as they are written.
@Suite struct RawRowTests {
    private static func query(_ rows: [Field], path: String = "/p") throws -> String? {
        let collection = Collection(name: "c", variables: [Field("text", "a&b c")])
        let environment = Environment(name: "e", host: "https://a.test")
        let secrets = SecretReader(environment: { _ in nil }, file: { _ in [] })
        let resolver = Resolver(collection: collection, environment: environment, secrets: secrets)
        return try resolver.resolve(SavedRequest(name: "r", path: path, query: rows)).query.encoded
    }

    private static let sent: [([Field], String)] = [
        ([.raw("flag", "")], "flag"), ([.raw("a", "1;2+3,4=5")], "a=1;2+3,4=5"),
        ([.raw("a", "%2F b#")], "a=%2F%20b%23"), ([.raw("a", "{{text}};x")], "a=a%26b%20c;x"),
        ([.raw("a", "1", enabled: false), .raw("b", "2")], "b=2"),
        ([Field("a", "1;2"), .raw("b", "1;2")], "a=1%3B2&b=1;2"), ([.raw("a", "1&b=2")], "a=1&b=2"),
    ]

    @Test(arguments: sent)
    func `only what no URL may have is encoded, and the value of a template`(rows: [Field], query: String) throws {
        #expect(try Self.query(rows) == query)
        #expect(try Self.query(rows, path: "/p?z=1") == "z=1&" + query)
    }

    @Test func `a template that has no value names the row`() {
        let error = #expect(throws: ResolveError.self) { try Self.query([Field.raw("a", "{{nobody}}")]) }
        #expect(error?.field == "query \"a\"")
    }

    @Test func `the file has it, for rows of the query and for others`() throws {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/:id",
              "pathParameters": { "id": { "value": "1", "raw": true } },
              "query": [{ "name": "a", "value": "1;2", "raw": true }, { "name": "b", "value": "", "raw": false }] }] }
            """
        let read = CollectionFile.read(Array(text.utf8), file: "c.json")
        let collection = try #require(read.collection, "\(read.problems)")
        let request = try #require(collection.requests.first)
        #expect(request.query == [Field.raw("a", "1;2"), Field("b", "")])
        let again = CollectionFile.read(Array(collection.text.utf8), file: "c.json").collection
        let other = try #require(again?.requests.first)
        #expect(other.query == request.query && other.pathParameters == [Field.raw("id", "1")])
    }

    @Test func `a value that is neither true nor false is an error`() {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "query": [ROW] }] }"#
        let row = #"{ "name": "a", "value": "1", "raw": "yes" }"#
        let read = CollectionFile.read(Array(text.replacing("ROW", with: row).utf8), file: "c.json")
        #expect(read.problems.contains { $0.severity == .error })
    }

    @Test func `exports have the same bytes`() {
        let request = SavedRequest(
            name: "r", path: "https://a.test/p", query: [.raw("flag", ""), .raw("a", "1;2"), Field("b", "1;2")])
        #expect(CurlExport.shown(request, in: nil).contains("https://a.test/p?flag&a=1;2&b=1%3B2"))
        #expect(request.address(host: "", hidesSecrets: true).plain == "https://a.test/p?flag&a=1;2&b=1%3B2")
        let secret = SavedRequest(name: "r", path: "https://a.test/p", query: [.raw("api_key", "hunter2")])
        #expect(!secret.address(host: "", hidesSecrets: true).templates.contains("hunter2"))
        let hidden = SavedRequest(name: "r", path: "https://a.test/p", query: [.raw("a", "1&api_key=hunter2&b=2")])
        let address = hidden.address(host: "", hidesSecrets: true).templates
        #expect(address.hasPrefix("https://a.test/p?a=1&api_key=") && address.hasSuffix("&b=2"))
        #expect(!address.contains("hunter2"))
    }

    @Test(
        arguments: [
            ("a row", "/p", [Field.raw("api_key", "s3cret%2Fp4rt")]),
            ("a second parameter", "/p", [Field.raw("a", "1&api_key=s3cret%2Fp4rt")]),
            ("the path", "/p?api_key=s3cret%2Fp4rt", []),
        ] as [(String, String, [Field])])
    func `a secret that is written encoded is masked as its server reads it`(
        name: String, path: String, rows: [Field]
    ) throws {
        let resolver = Resolver(
            collection: Collection(name: "c"), environment: Environment(name: "e", host: "https://a.test"),
            secrets: SecretReader(environment: { _ in nil }, file: { _ in [] }))
        let resolved = try resolver.resolve(SavedRequest(name: "r", path: path, query: rows))
        #expect(resolved.query.encoded?.contains("api_key=s3cret%2Fp4rt") == true)
        #expect(resolved.redactor.redact("s3cret/p4rt s3cret%2Fp4rt") == "•••••• ••••••", "\(name)")
    }

    private static let written: [(String, [Field]?)] = [
        ("a=1&flag&c=", [Field("a", "1"), .raw("flag", ""), Field("c", "")]), ("b=x;y", [.raw("b", "x;y")]),
        ("x;=", [.raw("x;=", "")]), ("a=1&=2", nil), ("a=%20b", [Field("a", " b")]),
    ]

    @Test(arguments: written)
    func `the parameters of a written query are rows that send the same`(query: String, rows: [Field]?) throws {
        #expect(Field.rows(writtenAs: query) == rows)
        if let rows { #expect(try Self.query(rows) == query) }
    }
}
