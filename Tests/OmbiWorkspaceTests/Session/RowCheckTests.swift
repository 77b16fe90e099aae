import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The rows of a file of data, before anything is sent.
@Suite struct RowCheckTests {
    /// Prepares a request with each row; the number of times that it was filled in, and the error.
    private static func prepare(
        _ rows: [[Variable]], _ members: String, host: String = "http://api.test"
    ) async throws -> (count: Int, error: String?) {
        let text = """
            { "version": 1, "name": "c", "environments": [{ "name": "e", "host": "\(host)",
                "secrets": { "s": { "env": "S" } } }],
              "items": [{ "request": "r", "headers": [{ "name": "X-S", "value": "{{s}}" }], \(members) }] }
            """
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let count = Lock(0)
        let reader = SecretReader { _ in
            count.withLock { $0 += 1 }
            return "s"
        } file: { _ in
            []
        }
        let session = Session(transport: StubTransport { _ in .response() }, secrets: { _ in reader })
        let orders = rows.enumerated().map { number, variables in
            RunOrder(
                id: number, request: collection.requests[0], collection: collection, environment: "e", file: "c.json",
                folders: nil, row: DataRow(number: number + 1, variables: variables))
        }
        var failure: String?
        do throws(ResolveError) { try await session.prepare(orders) } catch { failure = error.description }
        return (count.withLock { $0 }, failure)
    }

    private static func row(_ id: String, _ name: String = "Ada") -> [Variable] {
        [Variable("id", id), Variable("name", name), Variable("other", "{{nope}}\u{7}")]
    }

    private static let plain = """
        "path": "/users/:id", "pathParameters": { "id": "{{id}}" }, "query": [{ "name": "q", "value": "{{name}}" }],
        "method": "POST", "body": { "json": { "id": "{{id:number}}", "name": "{{name}}" } }
        """

    @Test func `rows that are alike are checked once`() async throws {
        let names = ["Ada", "Zoe-2", "two words"]
        let rows = (0..<3000).map { Self.row("\($0)", names[$0 % 3]) }
        let (count, error) = try await Self.prepare(rows, Self.plain)
        #expect(count == 2 && error == nil, "\(count) \(error ?? "")")
    }

    @Test func `an error names its row`() async throws {
        let (_, error) = try await Self.prepare([Self.row("1"), Self.row("x7"), Self.row("2")], Self.plain)
        #expect(error?.hasSuffix(" (row 2 of the data)") == true, "\(error ?? "")")
    }

    @Test(arguments: ["x7", "", "007", "{{gone}}", "Zoë", "true"]) func `a row that is another is checked`(
        _ id: String
    ) async throws {
        let rows = (1...500).map { Self.row("\($0)") } + [Self.row(id)] + (1...500).map { Self.row("\($0)") }
        let (count, error) = try await Self.prepare(rows, Self.plain)
        #expect(count <= 2 && error != nil)
    }

    @Test(arguments: [
        "\"path\": \"/{{id}}\"",
        "\"path\": \"/\", \"query\": [{ \"name\": \"q\", \"value\": \"{{$randomString(id)}}\" }]",
        "\"path\": \"/\", \"connection\": { \"caFile\": \"{{id}}\" }",
        "\"path\": \"/\", \"authentication\": { \"bearer\": \"{{id}}\" }",
        "\"path\": \"/\", \"expect\": { \"body\": [{ \"path\": \"$\", \"equals\": \"{{id}}\" }] }",
        "\"path\": \"/\", \"body\": { \"multipart\": [{ \"name\": \"{{id}}\", \"value\": \"x\" }] }",
    ]) func `where the value itself may count, each row is checked`(_ members: String) async throws {
        let (count, error) = try await Self.prepare((1...20).map { Self.row("\($0)") }, members)
        #expect(count == 20 && error == nil, "\(count) \(error ?? "")")
    }
}
