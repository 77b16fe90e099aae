import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Collections of Postman 3, in which each request is a file.
@Suite struct PostmanFolderTests {
    /// A workspace with one collection.
    static let shop = [
        "postman/collections/Shop/.resources/definition.yaml": """
        $kind: collection
        description: All of it
        variables:
          - key: size
            value: "3"
        auth:
          type: bearer
          credentials:
            - key: token
              value: tk4Zr9QmW1xVb7Np2Ls8
        """,
        "postman/collections/Shop/users/.resources/definition.yaml": "$kind: collection\norder: 1000\n",
        "postman/collections/Shop/users/One user.request.yaml": """
        $kind: http-request
        order: 2000
        url: "{{base}}/users/:id?x=1"
        method: GET
        pathVariables:
          id: "7"
        queryParams:
          - key: x
            value: "1"
          - key: y
            value: "2"
            disabled: true
        headers:
          X-Plain: "{{size}}"
        auth:
          type: inherit
        scripts:
          - type: afterResponse
            language: text/javascript
            code: |-
              pm.test("ok", () => { pm.response.to.have.status(200); });
              unknown();
        """,
        "postman/collections/Shop/users/All.request.yaml": """
        $kind: http-request
        order: 1000
        url: "{{base}}/users"
        method: POST
        body:
          type: json
          content: '{"n": {{size}}}'
        settings:
          followRedirects: false
          protocolVersion: http2
        """,
        "postman/collections/Shop/Last.request.yaml": """
        $kind: graphql-request
        name: The last one
        order: 3000
        url: "{{base}}/graphql"
        query: "{ a }"
        variables: '{"b": 1}'
        auth:
          type: noauth
        """,
        "postman/environments/Stage.environment.yaml": """
        name: Stage
        values:
          - key: base
            value: https://stage.test
            enabled: true
          - key: pin
            value: ""
            type: secret
        """,
        "postman/globals/workspace.globals.yaml": """
        name: Globals
        values:
          - key: size
            value: "9"
          - key: color
            value: blue
        """,
    ]

    @Test func `a folder has the tree, the order and the names of its files`() throws {
        let (imported, _) = try FolderSample.imported(Self.shop)
        let collection = imported.collection
        #expect(collection.name == "Shop" && collection.description == "All of it")
        #expect(collection.items.map(\.name) == ["users", "The last one"])
        #expect(collection.requests.map(\.name) == ["All", "One user", "The last one"])
        #expect(imported.requestCount == 3 && imported.folderCount == 1)
        #expect(Set(collection.variables.map(\.name)) == ["size", "color"])
        #expect(collection.variables.contains(Field("size", "3")))
        #expect(collection.environments.map(\.name) == ["Stage"])
        #expect(collection.environments.map(\.host) == ["https://stage.test"])
        #expect(collection.environments.first?.secrets.contains(Secret("pin", .prompt(""))) == true)
    }

    @Test func `rows are lists or mappings, and credentials are secrets`() throws {
        let (imported, _) = try FolderSample.imported(Self.shop)
        let one = try #require(imported.collection.requests.first { $0.name == "One user" })
        #expect(one.path == "/users/:id" && one.pathParameters == [Field("id", "7")])
        #expect(one.query == [Field("x", "1"), Field("y", "2", enabled: false)])
        #expect(one.headers == [Field("X-Plain", "{{size}}")] && one.authentication == nil)
        #expect(imported.collection.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
        #expect(imported.secrets.map(\.name) == ["token"])
        #expect(!imported.written(keeping: .drop).text.contains("tk4Zr9QmW1xVb7Np2Ls8"))
    }

    @Test func `bodies, settings and GraphQL are those of format 2`() throws {
        let (imported, _) = try FolderSample.imported(Self.shop)
        let requests = imported.collection.requests
        #expect(requests[0].body == .json(JSONContent(.object([.init("n", .string("{{size:json}}"))]))))
        #expect(requests[0].connection?.maximumRedirects == 0 && requests[0].connection?.httpVersion == .http2)
        let variables = JSONValue.object([.init("b", .number("1"))])
        #expect(requests[2].body == .graphql(GraphQLContent("{ a }", variables: variables)))
        #expect(requests[2].authentication == .noAuthentication && requests[2].method == .post)
    }

    @Test func `a script becomes expectations, and what is left has its file and its line`() throws {
        let (imported, notes) = try FolderSample.imported(Self.shop)
        let one = try #require(imported.collection.requests.first { $0.name == "One user" })
        #expect(one.expect?.status == [StatusPattern("200")].compactMap { $0 })
        let note = try #require(notes.first { $0.subject == "test of One user" })
        #expect(note.file?.hasSuffix("/users/One user.request.yaml") == true)
        #expect(note.position.line == 18, "\(note.position)")
    }

    @Test(arguments: ["postman", "postman/collections", "postman/collections/Shop", "postman/collections/Shop/users"])
    func `any folder of the workspace is imported`(folder: String) throws {
        let (imported, _) = try FolderSample.imported(Self.shop, folder)
        #expect(imported.requestCount == (folder.hasSuffix("users") ? 2 : 3))
    }

    @Test(arguments: ["", "postman", "postman/collections", "postman/collections/API"])
    func `a collection of nothing but folders is one`(folder: String) throws {
        let files = [
            "postman/collections/API/Queries/all.request.yaml":
                "$kind: graphql-request\nurl: https://a.test/graphql\nquery: '{ a }'\nschema:\n  source: auto\n",
            "postman/collections/API/Mutations/add.request.yaml": "$kind: http-request\nurl: https://a.test/b\n",
        ]
        let (imported, notes) = try FolderSample.imported(files, folder)
        #expect(imported.requestCount == 2 && !notes.lose("schema"))
    }

    @Test func `several collections are folders of one`() throws {
        var files = Self.shop
        files["postman/collections/Other/a.request.yaml"] = "$kind: http-request\nurl: https://a.test/x\n"
        let (imported, _) = try FolderSample.imported(files)
        #expect(imported.collection.items.map(\.name) == ["Other", "Shop"] && imported.requestCount == 4)
    }

    @Test func `what is no request over HTTP and saved responses are losses`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.request.yaml": "$kind: http-request\nurl: https://a.test/x\n",
            ".resources/a.resources/examples/ok.example.yaml": "$kind: http-example\nbody: \"1\"\n",
            "b.request.yaml": "$kind: grpc-request\nurl: grpc://a.test\n",
            "c.request.yaml": "$kind: http-request\nurl: https://a.test/y\nfuture: 1\n",
        ])
        #expect(imported.collection.requests.map(\.name) == ["a", "c"])
        #expect(notes.lose("grpc-request") && notes.lose("response") && notes.lose("future"))
    }

    @Test func `of several credentials the first is taken, which is a loss`() throws {
        let auth = "auth:\n  - type: basic\n    credentials: { username: ada, password: \"{{p}}\" }\n  - type: noauth\n"
        let (imported, notes) = try FolderSample.imported([
            "a.request.yaml": "$kind: http-request\nurl: https://a.test/x\n" + auth
        ])
        let expected = BasicAuthentication(username: "ada", password: "{{p}}")
        #expect(imported.collection.requests.map(\.authentication) == [.basic(expected)] && notes.lose("auth"))
    }

    @Test func `saved responses may be in a folder that the request names`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.request.yaml": "$kind: http-request\nurl: https://a.test/x\nexamples: ./.resources/all/\n",
            ".resources/all/ok.example.yaml":
                "$kind: http-example\nresponse:\n  statusCode: 201\n  headers: { X-A: 1 }\n  body: { content: done }\n",
        ])
        let example = try #require(imported.collection.requests.first?.examples?.first)
        #expect(example.name == "ok" && example.status == 201 && example.headers == [Field("X-A", "1")])
        #expect(!notes.contains { $0.kind == .loss })
    }

    @Test func `a WebSocket has its messages, in their order`() throws {
        let (imported, notes) = try FolderSample.imported(
            [
                "talk/echo.request.yaml": "$kind: websocket-request\nurl: wss://a.test/echo\nmessages: ./messages/\n",
                "talk/.resources/echo.resources/messages/a.message.yaml": "order: 2\ncontent: \"{{name}}\"\n",
                "talk/.resources/echo.resources/messages/b.message.yaml": "order: 1\ncontent: hello\n",
                "talk/.resources/echo.resources/messages/c.message.yaml": "order: 3\n",
            ], "talk")
        let echo = try #require(imported.collection.requests.first)
        #expect(echo.path.hasSuffix("/echo") && echo.isWebSocket)
        #expect(echo.webSocket?.messages.map(\.name) == ["b", "a"])
        #expect(echo.webSocket?.messages.map(\.text) == ["hello", "{{name}}"])
        #expect(notes.lose("message"))
    }

    @Test func `braces without quotes are named with their file, and the other requests stay`() throws {
        let (imported, notes) = try FolderSample.imported([
            "a.request.yaml": "$kind: http-request\nurl: {{base}}/x\nmethod: GET\n",
            "b.request.yaml": "$kind: http-request\nurl: https://a.test/x\n",
        ])
        #expect(imported.collection.requests.map(\.name) == ["b"])
        let note = try #require(notes.first { $0.subject == "a.request.yaml" })
        #expect(note.kind == .loss && note.message.contains("write quotes"), "\(note)")
        #expect(note.file?.hasSuffix("/a.request.yaml") == true)
    }

    @Test func `a folder in which no file can be read is an error with its place`() throws {
        let files = ["a.request.yaml": "$kind: http-request\nurl: {{base}}/x\n"]
        let error = try #require(try FolderSample.error(of: files))
        #expect(error.file?.hasSuffix("/a.request.yaml") == true && error.message.contains("write quotes"))
    }

    @Test func `links are not followed`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("shop/a.request.yaml", "$kind: http-request\nurl: https://a.test/x\n")
        _ = try folder.file("other/b.request.yaml", "$kind: http-request\nurl: https://a.test/y\n")
        for (link, target) in [("shop/c.request.yaml", "other/b.request.yaml"), ("shop/inner", "other")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + link, withDestinationPath: folder.path + "/" + target)
        }
        let read = try Importer.read(folder: folder.path + "/shop")
        #expect(read.requestCount == 1)
        #expect(read.notes.lose("c.request.yaml", "links") && read.notes.lose("inner", "links"))
    }

    @Test func `the file of one request is imported alone, that of a collection is not`() throws {
        let text = "$kind: http-request\nurl: https://a.test/x\nmethod: DELETE\n"
        let (imported, _) = try FolderSample.file(text, "files/Remove.request.yaml")
        #expect(imported.collection.requests.map(\.name) == ["Remove"])
        #expect(imported.collection.requests.map(\.method) == [.delete])
        #expect(throws: ImportError.self) { try FolderSample.file("$kind: collection\n", "files/definition.yaml") }
    }

    @Test func `a collection that is named by itself has the environments beside it in the repository`() throws {
        let values = "values:\n  - key: base\n    value: https://own.test\n"
        let files = [
            ".git/HEAD": "", "postman/environments/own.environment.yaml": "name: own\n" + values,
            "postman/collections/Shop/One.request.yaml":
                "$kind: http-request\nurl: '{{base}}/one'\nmethod: GET\n",
        ]
        let (imported, notes) = try FolderSample.imported(files, "postman/collections/Shop")
        #expect(imported.collection.environments.map(\.name) == ["own"])
        #expect(imported.collection.environments.map(\.host) == ["https://own.test"] && notes.isEmpty, "\(notes)")
        #expect(imported.collection.requests.map(\.path) == ["/one"])
    }
}
