import OmbiDocument
import Testing

@testable import OmbiWorkspace

@Suite("A value that is read when it is asked for")
struct StoredTests {
    private static func stored(_ text: String) throws -> (document: SharedDocument, value: Stored<JSONValue>) {
        let document = SharedDocument(try JSONDocument(checking: Bytes(text.utf8)))
        let root = try #require(document.document.firstRoot)
        return (document, Stored(root, in: document) { $0.value(of: $1) })
    }

    @Test func `it is not read before, and the same each time`() throws {
        let document = try Self.stored("[1, 2]").document
        let root = try #require(document.document.firstRoot)
        nonisolated(unsafe) var count = 0
        let value = Stored(root, in: document) { document, node in
            count += 1
            return document.value(of: node)
        }
        #expect(count == 0)
        #expect(value.wrappedValue == .array([.number(1), .number(2)]))
        #expect(value.wrappedValue == .array([.number(1), .number(2)]) && count == 2)
    }

    @Test func `a value that is set is kept, in that copy alone`() throws {
        let first = try Self.stored("[1]").value
        var second = first
        second.wrappedValue = .null
        #expect(first.wrappedValue == .array([.number(1)]) && second.wrappedValue == .null)
        #expect(first != second)
    }

    @Test func `equal are those of one place without being read, and equal values of different files`() throws {
        let (document, value) = try Self.stored("[[1], [1], [2]]")
        let children = Array(document.document.children(of: try #require(document.document.firstRoot)))
        let unread = Stored(children[0], in: document) { _, _ -> JSONValue in
            Issue.record("read to be compared with itself")
            return .null
        }
        #expect(unread == unread)
        let inner = children.map { Stored($0, in: document) { $0.value(of: $1) } }
        #expect(inner[0] == inner[1] && inner[0] != inner[2])
        #expect(try value == Self.stored("[ [1],[1],[2] ]").value)
        #expect(value == Stored(wrappedValue: value.wrappedValue))
    }

    @Test(arguments: [
        ("{\"a\": {\"b\": \"{c}\"}}", false), ("\"\"", false), ("\"{ {x}}\"", false), ("\"\\\\u007b\"", false),
        ("{\"{{a}}\": 1}", true), ("[\"x{{a}}\"]", true), ("\"{\\u007bx}}\"", true), ("\"{{\"", true),
    ])
    func `whether there may be a template is seen in the text of the file`(text: String, may: Bool) throws {
        #expect(try Self.stored(text).value.mayHoldTemplates == may)
    }

    @Test func `a body of a file is one, and lives longer than what was read with it`() throws {
        let text = """
            {"version": 1, "name": "n", "environments": [], "items": [
              {"request": "json", "path": "/", "body": {"json": {"a": ["\\u00e9", 1.50]}}},
              {"request": "text", "path": "/", "body": {"text": "a\\nb", "contentType": "text/x"}},
              {"request": "graphql", "path": "/", "body": {"graphql": "{ me }", "variables": {"id": 7}}}
            ]}
            """
        let bodies = CollectionFile.read(Array(text.utf8), file: "f").collection?.items.compactMap { item in
            if case .request(let request) = item { request.body } else { nil }
        }
        let value = JSONValue.object([.init("a", .array([.string("é"), .number("1.50")]))])
        #expect(
            bodies == [
                .json(JSONContent(value)), .text(TextContent("a\nb", contentType: "text/x")),
                .graphql(GraphQLContent("{ me }", variables: .object([.init("id", .number(7))]))),
            ])
    }
}
