import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// The descriptions of rows, from the formats that have them.
@Suite struct RowDescriptionImportTests {
    /// The first request of a file, no part of whose descriptions is lost.
    private static func request(_ text: String, from path: String) throws -> SavedRequest {
        let imported = try Imported.joined([Importer.read(Array(text.utf8), from: path)])
        #expect(!imported.notes.contains { $0.subject == "description" }, "\(imported.notes)")
        return try #require(imported.collection.requests.first)
    }

    private static func expect(_ request: SavedRequest, part: String) {
        #expect(request.pathParameters.map(\.description) == ["the user"])
        #expect(request.query.first { $0.name == "q" }?.description == "words")
        #expect(request.headers.first { $0.name == "X-A" }?.description == "two\nlines")
        #expect(request.body?.rows?.map(\.description) == [part])
    }

    @Test func `those of Postman come with their rows`() throws {
        let request = try Self.request(
            #"""
            { "info": { "name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "variable": [{ "key": "a", "value": "1", "description": { "content": "a variable" } }],
              "item": [{ "name": "r", "request": { "method": "POST",
              "url": { "raw": "https://a.test/users/:id?q=a&r=1", "query": [
                { "key": "q", "value": "a", "description": "words" }, { "key": "r", "value": "1" },
                { "key": "off", "value": "2", "description": "off", "disabled": true }
              ], "variable": [{ "key": "id", "value": "7", "description": "the user" }] },
              "header": [{ "key": "X-A", "value": "1", "description": "two\nlines" }],
              "body": { "mode": "urlencoded", "urlencoded": [{ "key": "f", "value": "2", "description": "a field" }] }
              } }] }
            """#, from: "c.json")
        Self.expect(request, part: "a field")
        #expect(request.query.map(\.description) == ["words", nil, "off"])
    }

    @Test func `one of a parameter without a value comes with a row that is sent as it is written`() throws {
        let text = #"""
            { "info": { "name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "item": [{ "name": "r", "request": { "url": { "raw": "https://a.test/x?flag", "query": [
                { "key": "flag", "description": "on" }
              ] } } }] }
            """#
        let imported = try Importer.read(Array(text.utf8), from: "c.json")
        let row = Field.raw("flag", "").described("on")
        #expect(imported.collection.requests.first?.query == [row])
        #expect(imported.collection.requests.first?.path.hasSuffix("/x") == true)
    }

    @Test func `those of Insomnia come with their rows`() throws {
        let request = try Self.request(
            #"""
            { "_type": "export", "__export_format": 4, "resources": [
              { "_id": "wrk_1", "_type": "workspace", "name": "w", "parentId": null },
              { "_id": "req_1", "_type": "request", "parentId": "wrk_1", "name": "r", "method": "POST",
                "url": "https://a.test/users/:id",
                "headers": [{ "name": "X-A", "value": "1", "description": "two\nlines" }],
                "parameters": [{ "name": "q", "value": "a", "description": "words" }],
                "pathParameters": [{ "name": "id", "value": "7", "description": "the user" }],
                "body": { "mimeType": "multipart/form-data", "params": [
                  { "name": "f", "value": "2", "description": "a part" }
                ] } }
            ] }
            """#, from: "insomnia.json")
        Self.expect(request, part: "a part")
    }

    @Test func `those of OpenAPI come with their rows, of cookies, too`() throws {
        let request = try Self.request(
            #"""
            { "openapi": "3.0.0", "info": { "title": "t", "version": "1" }, "servers": [{ "url": "https://a.test" }],
              "paths": { "/users/{id}": { "post": { "operationId": "x", "parameters": [
                { "name": "id", "in": "path", "required": true, "description": "the user",
                  "schema": { "type": "string" } },
                { "name": "q", "in": "query", "description": "words", "schema": { "type": "string" } },
                { "name": "X-A", "in": "header", "description": "two\nlines", "schema": { "type": "string" } },
                { "name": "a", "in": "cookie", "required": true, "description": "one", "schema": { "type": "string" } },
                { "name": "b", "in": "cookie", "required": true, "description": "two", "schema": { "type": "string" } }
              ], "requestBody": { "content": { "application/x-www-form-urlencoded": { "schema": {
                "type": "object", "required": ["f"],
                "properties": { "f": { "type": "string", "description": "a field" } } } } } },
              "responses": { "200": { "description": "ok" } } } } } }
            """#, from: "api.json")
        Self.expect(request, part: "a field")
        #expect(request.cookies == [Field("a", "").described("one"), Field("b", "").described("two")])
        #expect(!request.headers.contains { $0.name == "Cookie" })
    }

    @Test func `those of Bruno come with their rows`() throws {
        let request = try Self.request(
            """
            meta {
              name: r
              type: http
            }

            post {
              url: https://a.test/users/:id?q=a
              body: form-urlencoded
              auth: none
            }

            params:query {
              @description('words')
              q: a
            }

            params:path {
              @description("the user")
              id: 7
            }

            headers {
              @description('''
                two
                lines
              ''')
              X-A: 1
            }

            body:form-urlencoded {
              @description(a field)
              f: 2
            }

            """, from: "r.bru")
        Self.expect(request, part: "a field")
    }

    @Test func `a comment of a recording is one`() throws {
        let request = try Self.request(
            #"""
            {"log": {"version": "1.2", "entries": [{"request": {"method": "GET", "url": "https://a.test/x",
             "headers": [{"name": "X-A", "value": "1", "comment": "a header"}],
             "queryString": [{"name": "q", "value": "2", "comment": "words"}]}, "response": {"status": 200}}]}}
            """#, from: "session.har")
        #expect(request.headers.first { $0.name == "X-A" }?.description == "a header")
        #expect(request.query.map(\.description) == ["words"])
    }

    @Test func `one that repeats a credential is masked`() throws {
        let token = "tk4Zr9QmW1xVb7Np2Ls8"
        let request = try Self.request(
            #"""
            { "info": { "name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
              "item": [{ "name": "r", "request": { "url": "https://a.test/x",
                "auth": { "type": "bearer", "bearer": [{ "key": "token", "value": "\#(token)" }] },
                "header": [{ "key": "X-A", "value": "1", "description": "Send \#(token)." }] } }] }
            """#, from: "c.json")
        #expect(request.headers.first?.description == "Send ••••••.")
    }
}
