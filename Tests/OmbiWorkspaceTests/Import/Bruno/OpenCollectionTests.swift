import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Texts of OpenCollection, and Bruno's exports in JSON.
@Suite struct OpenCollectionTests {
    private static let create = """
        info:
          name: create
          type: http
          seq: 1
          tags: [smoke]
        http:
          method: POST
          url: "{{host}}/users/:id?q=1"
          headers:
            - name: X-A
              value: "1"
              description: one
            - name: X-Off
              value: "2"
              disabled: true
          params:
            - name: q
              value: "2"
              type: query
            - name: id
              value: "7"
              type: path
          body:
            type: json
            data: |-
              {"n": {{n}}}
          auth:
            type: basic
            username: ada
            password: "{{p}}"
        runtime:
          variables:
            - name: n
              value:
                type: number
                data: "3"
          assertions:
            - expression: res.status
              operator: eq
              value: "200"
          actions:
            - type: set-variable
              selector:
                expression: res.body.id
              variable:
                name: id
          scripts:
            - type: after-response
              code: bru.setVar("t", res.headers.etag);
        settings:
          maxRedirects: 2
        docs: Makes one.

        """

    private func check(_ request: SavedRequest) {
        #expect(request.name == "create" && request.method == .post && request.tags == ["smoke"])
        #expect(request.path == "/users/:id" && request.pathParameters == [Field("id", "7")])
        #expect(request.query == [Field("q", "1")], "the URL is what is sent")
        #expect(request.headers == [Field("X-A", "1").described("one"), Field("X-Off", "2", enabled: false)])
        #expect(request.body == .json(JSONContent(.object([.init("n", .string("{{n:json}}"))]))))
        #expect(request.variables == [Field("n", "3")])
        #expect(request.authentication == .basic(BasicAuthentication(username: "ada", password: "{{p}}")))
        #expect(request.expect?.status == [.code(200)] && request.connection?.maximumRedirects == 2)
        #expect(request.captures == [Capture("id", .path("$.id")), Capture("t", .header("etag"))])
        #expect(request.description == "Makes one.")
    }

    @Test func `a folder of YAML is a collection`() throws {
        let files = [
            "opencollection.yml": """
            opencollection: 1.0.0
            info:
              name: Shop
            request:
              headers:
                - name: X-All
                  value: "1"
            docs:
              content: All of it.

            """,
            "users/folder.yml": "info:\n  name: Users\n  type: folder\n", "users/create.yml": Self.create,
            "environments/dev.yml":
                "name: Dev\nvariables:\n  - name: host\n    value: https://a.test\n  - secret: true\n    name: key\n",
            "compose.yml": "services:\n  a: 1\n", "bad.yml": "info:\n  a: 1\n  a: 2\n",
        ]
        try BrunoSample.play(files) { folder in
            let (imported, notes) = try BrunoSample.imported(folder: folder)
            let collection = imported.collection
            #expect(collection.name == "Shop" && collection.description == "All of it.")
            #expect(collection.headers == [Field("X-All", "1")] && collection.items.map(\.name) == ["Users"])
            check(try #require(collection.requests.first))
            let environment = try #require(collection.environments.first)
            #expect(environment.name == "Dev" && environment.host == "https://a.test")
            #expect(environment.secrets == [Secret("key", .prompt(""))])
            #expect(notes.contains { $0.file?.hasSuffix("/bad.yml") == true && $0.message.contains("duplicate key") })
            #expect(notes.contains { $0.file?.hasSuffix("/compose.yml") == true && $0.kind == .remark })
            #expect(CollectionFinder.load([folder]).first?.readInPlace.collection?.requests.count == 1)
        }
    }

    @Test func `a collection may be one text`() throws {
        let item = Self.create.split(separator: "\n").enumerated().map { index, line in
            (index == 0 ? "      - " : "        ") + String(line)
        }
        let text = """
            opencollection: "1.0.0"
            info:
              name: Shop
            bundled: true
            config:
              environments:
                - name: Dev
                  variables:
                    - name: host
                      value:
                        - { title: a, value: "https://x.test" }
                        - { title: b, value: "https://a.test", selected: true }
            items:
              - info: { type: grpc, name: g }
                grpc: { url: x }
              - info: { type: folder, name: Users }
                items:

            """
        let (imported, notes) = try BrunoSample.imported(text + item.joined(separator: "\n"), path: "shop.yml")
        #expect(imported.requestCount == 1 && imported.folderCount == 1)
        check(try #require(imported.collection.requests.first))
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(notes.contains { $0.kind == .loss && $0.subject == "grpc" })
    }

    @Test(arguments: [
        "message:\n    - title: one\n      message: { type: text, data: hello }",
        "message: { type: text, data: hello }",
    ])
    func `a WebSocket has one message or a list of them`(message: String) throws {
        let text = "info: { type: websocket, name: w }\nwebsocket:\n  url: wss://a.test/w\n  \(message)\n"
        let (imported, _) = try BrunoSample.imported(text, path: "w.yml")
        let request = try #require(imported.collection.requests.first)
        #expect(request.isWebSocket && request.webSocket?.messages.map(\.text) == ["hello"])
    }

    @Test func `another version is refused`() {
        do throws(ImportError) {
            _ = try Importer.read(Array("opencollection: 2.0.0\n".utf8), from: "a.yml")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains("version 2.0.0 of OpenCollection"), "\(error.message)")
        }
    }

    // MARK: Exports

    private static func export(_ items: String, _ more: String = "") -> String {
        #"{"name": "Shop", "version": "1", "items": [\#(items)], "brunoConfig": {}\#(more)}"#
    }

    @Test func `an export in JSON is a collection`() throws {
        let (imported, notes) = try BrunoSample.imported(
            Self.export(
                #"""
                {"type": "folder", "name": "Users", "root": {"request": {"auth": {"mode": "bearer",
                "bearer": {"token": "{{t}}"}}}}, "items": [{"type": "http", "name": "create", "request": {
                "url": "{{host}}/users/:id?q=2", "method": "POST",
                "headers": [{"name": "X-A", "value": "1", "enabled": false}],
                "params": [{"name": "q", "value": "2", "type": "query", "enabled": true},
                {"name": "id", "value": "7", "type": "path"}],
                "body": {"mode": "formUrlEncoded", "json": "{}", "formUrlEncoded": [{"name": "a", "value": "b"}]},
                "auth": {"mode": "inherit"}, "vars": {"res": [{"name": "id", "value": "res.body.id"}]},
                "assertions": [{"name": "res.status", "value": "eq 200"}],
                "script": {"res": "bru.setVar('t', res.body.t);"}, "docs": "Makes one."}}]},
                {"type": "grpc", "name": "g"}, {"type": "http-request", "name": "empty"},
                {"type": "ws-request", "name": "w", "request": {"url": "wss://a.test/w", "body": {"mode": "ws",
                "ws": [{"name": "hi", "type": "text", "content": "hello"}]}}}
                """#,
                #", "environments": [{"name": "Dev", "variables": [{"name": "host", "value": "https://a.test"}, "#
                    + #"{"name": "key", "value": "", "secret": true}]}]"#), path: "export.json")
        #expect(imported.requestCount == 3 && imported.folderCount == 1)
        #expect(imported.collection.requests.last?.webSocket?.messages == [SavedMessage(name: "hi", text: "hello")])
        let request = try #require(imported.collection.requests.first)
        #expect(request.path == "/users/:id" && request.pathParameters == [Field("id", "7")])
        #expect(request.query == [Field("q", "2")] && request.headers == [Field("X-A", "1", enabled: false)])
        #expect(request.body == .form(FormContent([Field("a", "b")])) && request.authentication == nil)
        #expect(request.captures == [Capture("id", .path("$.id")), Capture("t", .path("$.t"))])
        #expect(request.expect?.status == [.code(200)] && request.description == "Makes one.")
        #expect(imported.collection.environments.first?.secrets == [Secret("key", .prompt(""))])
        let losses = Set(notes.filter { $0.kind == .loss }.map(\.subject))
        #expect(losses.isSuperset(of: ["grpc", "body:json", "url"]))
    }

    @Test func `environments that are exported alone are joined to a collection`() throws {
        let environment =
            #"{"name": "Dev", "variables": [{"name": "host", "value": "https://a.test", "enabled": true}], "#
            + #""info": {"type": "bruno-environment"}}"#
        let file = BrunoSample.request("", url: "{{host}}/x")
        let files = [
            try Importer.read(Array(file.utf8), from: "r.bru"),
            try Importer.read(Array(environment.utf8), from: "dev.json"),
        ]
        let collection = try Imported.joined(files).collection
        #expect(collection.environments.map(\.name) == ["Dev"] && collection.environments[0].host == "https://a.test")
        #expect(collection.requests.map(\.path) == ["/x"])
    }

    @Test func `wrong kinds of values are no requests, and no crash`() throws {
        let (imported, _) = try BrunoSample.imported(
            Self.export(
                #"{"type": "http", "request": {"url": "https://a.test/x", "headers": "x", "params": null, "#
                    + #""body": [], "auth": 1, "script": "x", "vars": 2, "assertions": {}, "tests": 4, "#
                    + #""docs": true}}, 5, null, "a""#,
                #", "environments": {"a": 1}, "root": []"#), path: "export.json")
        #expect(imported.requestCount == 1)
    }

    @Test func `another version of an export is refused, and too many folders are`() {
        let deep = String(repeating: #"{"type": "folder", "items": ["#, count: 150)
        let texts = [
            (#"{"version": "3", "items": [], "brunoConfig": {}}"#, "version 3"),
            (Self.export(deep + String(repeating: "]}", count: 150)), "100 folders"),
        ]
        for (text, reason) in texts {
            do throws(ImportError) {
                _ = try Importer.read(Array(text.utf8), from: "a.json")
                Issue.record("it was read")
            } catch {
                #expect(error.message.contains(reason), "\(error.message)")
            }
        }
    }
}
