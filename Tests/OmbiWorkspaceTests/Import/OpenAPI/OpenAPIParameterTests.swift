import OmbiCore
import Testing

@testable import OmbiWorkspace

/// Rows and parts of paths.
@Suite struct OpenAPIParameterTests {
    private static func query(_ parameter: String, version: String = "3.0.3") throws -> [Field] {
        let row = "{\"name\": \"k\", \"in\": \"query\", \"required\": true, \(parameter)}"
        let (request, _) = try OpenAPISample.only(
            "\"parameters\": [\(row)], \"responses\": {}", version: version)
        return request.query
    }

    private static let list = "\"schema\": {\"type\": \"array\"}, \"example\": [\"a\", \"b\"]"
    private static let object = "\"schema\": {\"type\": \"object\"}, \"example\": {\"R\": 1, \"G\": 2}"

    @Test(arguments: [
        (list, [Field("k", "a"), Field("k", "b")]),
        (list + ", \"explode\": false", [Field("k", "a,b")]),
        (list + ", \"style\": \"pipeDelimited\"", [Field("k", "a|b")]),
        (list + ", \"style\": \"spaceDelimited\"", [Field("k", "a b")]),
        (object, [Field("R", "1"), Field("G", "2")]),
        (object + ", \"explode\": false", [Field("k", "R,1,G,2")]),
        (object + ", \"style\": \"deepObject\"", [Field("k[R]", "1"), Field("k[G]", "2")]),
        ("\"content\": {\"application/json\": {\"example\": {\"a\": 1}}}", [Field("k", "{ \"a\": 1 }")]),
        ("\"schema\": {\"type\": \"string\"}", [Field("k", "")]),
        ("\"schema\": {\"enum\": [\"x\", \"y\"]}", [Field("k", "x")]),
        ("\"examples\": {\"one\": {\"value\": \"v\"}}", [Field("k", "v")]),
    ])
    func `a parameter is sent as its style says`(parameter: String, rows: [Field]) throws {
        let found = try Self.query(parameter)
        #expect(found.map(\.name) == rows.map(\.name))
        #expect(found.map { $0.value.filter { $0 != " " } } == rows.map { $0.value.filter { $0 != " " } })
    }

    @Test func `each property of an object is a row, and those without a value are not sent`() throws {
        let properties = #"""
            "properties": {"q": {"type": "string", "description": "words"}, "n": {"type": "integer", "default": 3},
            "id": {"type": "string", "readOnly": true}, "tags": {"type": "array", "items": {"type": "string"}}}
            """#
        let schema = "\"schema\": {\"type\": \"object\", \(properties)}"
        let rows = try Self.query(schema)
        #expect(rows.map(\.name) == ["q", "n", "tags"] && rows.map(\.value) == ["", "3", ""])
        #expect(rows.map(\.enabled) == [false, true, false] && rows.first?.description == "words")
        let deep = try Self.query(schema + ", \"style\": \"deepObject\"")
        #expect(deep.map(\.name) == ["k[q]", "k[n]", "k[tags]"])
        let empty = try Self.query("\"schema\": {\"properties\": {\"q\": {\"type\": \"string\"}}}")
        #expect(empty.map(\.name) == ["q"] && empty.map(\.enabled) == [false])
        #expect(try Self.query(schema + ", \"explode\": false").map(\.name) == ["k"])
    }

    @Test func `reserved characters are not encoded where the document allows them`() throws {
        let reserved = "\"schema\": {\"type\": \"string\"}, \"allowReserved\": true"
        #expect(try Self.query(reserved + ", \"example\": \"a/b;c&d\"") == [Field.raw("k", "a/b;c%26d")])
        #expect(try Self.query(reserved) == [Field("k", "")])
    }

    @Test func `a list of OpenAPI 2.0 has the format of its collection`() throws {
        let list = "\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"default\": [\"a\", \"b\"]"
        #expect(try Self.query(list, version: "2.0") == [Field("k", "a,b")])
        #expect(try Self.query(list + ", \"collectionFormat\": \"pipes\"", version: "2.0") == [Field("k", "a|b")])
        #expect(try Self.query(list + ", \"collectionFormat\": \"ssv\"", version: "2.0") == [Field("k", "a b")])
        #expect(try Self.query(list + ", \"collectionFormat\": \"tsv\"", version: "2.0") == [Field("k", "a\tb")])
        let both = [Field("k", "a"), Field("k", "b")]
        #expect(try Self.query(list + ", \"collectionFormat\": \"multi\"", version: "2.0") == both)
        #expect(try Self.query("\"type\": \"string\", \"x-example\": \"v\"", version: "2.0") == [Field("k", "v")])
    }

    @Test(arguments: [("2.0", "", true), ("2.0", "\"security\": [{\"k\": []}], ", false), ("3.0.3", "", false)])
    func `only OpenAPI 2.0 has credentials as a parameter`(version: String, security: String, isTaken: Bool) throws {
        let type = version == "2.0" ? "\"type\": \"string\"" : "\"schema\": {\"type\": \"string\"}"
        let row = "{\"name\": \"Authorization\", \"in\": \"header\", \"required\": true, \(type)}"
        let (request, _) = try OpenAPISample.only(
            "\(security)\"parameters\": [\(row)], \"responses\": {}", version: version)
        #expect(request.headers.map(\.name).contains("Authorization") == isTaken)
    }

    @Test func `headers and paths of OpenAPI 2.0 have the format of their collections, too`() throws {
        let list = #""type": "array", "collectionFormat": "pipes", "default": ["a", "b"], "required": true"#
        let parameters = #"{"name": "X-A", "in": "header", \#(list)}, {"name": "id", "in": "path", \#(list)}"#
        let operation = #"{"get": {"parameters": [\#(parameters)], "responses": {}}}"#
        let document = OpenAPISample.document(#""/x/{id}": \#(operation)"#, version: "2.0")
        let request = try #require(try OpenAPISample.imported(document).imported.collection.requests.first)
        #expect(request.headers == [Field("X-A", "a|b")] && request.variables == [Field("id", "a%7Cb")])
    }

    @Test(arguments: [
        ("/a/{id}", "/a/:id"), ("/a/{pet-id}.json", "/a/:pet_id.json"), ("/a/{id}x", "/a/{{id}}x"),
        ("/a/{from}..{to}", "/a/:from..{{to}}"), ("/:literal", "/%3Aliteral"), ("/", "/"), ("/a/", "/a/"),
        ("a/b", "/a/b"),
    ])
    func `a part of a path in braces is a parameter`(written: String, path: String) throws {
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"\(written)\": {\"get\": {\"responses\": {}}}", ", \"servers\": [{\"url\": \"https://a.test\"}]"))
        #expect(imported.collection.requests.map(\.path) == [path])
    }

    @Test func `no part of a path is lost without a word`() throws {
        let (imported, notes) = try OpenAPISample.imported(
            OpenAPISample.document(
                "\"/a#b\": {\"GET\": {\"responses\": {}}}, \"/c\": [1], \"/d\": null",
                ", \"servers\": [{\"url\": \"https://a.test\"}]"))
        #expect(imported.collection.requests.map(\.method) == [.get])
        #expect(notes.lose("/c", "it is no object") && notes.contains { $0.subject == "/a#b" && $0.kind == .remark })
        #expect(!notes.contains { $0.subject == "/d" })
    }

    @Test(arguments: [
        ("{proxy+}", "proxy", "/x/:proxy"), ("{id:int}", "id", "/x/:id"), ("{*id}", "id", "/x/:id"),
        ("{.id*}", "id", "/x/:id"), ("{id}{?q}", "id", "/x/:id"),
    ])
    func `marks around a name in a path are none of it`(written: String, name: String, path: String) throws {
        let parameters =
            #"[{"name": "\#(name)", "in": "path", "required": true, "schema": {"example": "a"}}, "#
            + #"{"name": "q", "in": "query"}]"#
        let operation = #""/x/\#(written)": {"get": {"parameters": \#(parameters), "responses": {}}}"#
        let (imported, notes) = try OpenAPISample.imported(OpenAPISample.document(operation))
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == path && request.pathParameters == [Field(name, "a")])
        #expect(notes.filter { $0.subject != "servers" }.isEmpty, "\(notes)")
    }

    @Test func `a parameter that the path does not name is a loss, and one that OpenAPI ignores is noted`() throws {
        let parameters = """
            {"name": "none", "in": "path", "required": true, "example": 1},
            {"name": "accept", "in": "header", "required": true, "example": "a/b"},
            {"name": "e", "in": "query", "required": true, "allowEmptyValue": true}
            """
        let operation = "{\"get\": {\"parameters\": [\(parameters)], \"responses\": {\"default\": {}}}}"
        let (imported, notes) = try OpenAPISample.imported(OpenAPISample.document("\"/x/{id}\": \(operation)"))
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == "/x/:id" && request.pathParameters == [Field("id", "")])
        #expect(request.query == [Field("e", "")] && request.headers.isEmpty)
        #expect(request.expect?.status.isEmpty ?? true)
        #expect(notes.lose("none", "the path does not name it"))
        #expect(notes.contains { $0.kind == .remark && $0.subject == "{id}" })
        #expect(notes.contains { $0.kind == .remark && $0.subject == "accept" })
    }

    @Test func `a parameter of an operation replaces that of its path`() throws {
        let (imported, _) = try OpenAPISample.imported(
            OpenAPISample.document(
                """
                "/x": {"parameters": [{"name": "X-A", "in": "header", "example": "1"}], "get": {"parameters": [
                {"name": "x-a", "in": "header", "example": "2", "required": true}], "responses": {}}}
                """))
        #expect(imported.collection.requests.first?.headers == [Field("x-a", "2")])
    }
}
