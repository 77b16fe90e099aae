import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Exports of Insomnia 5, and the folder of its Git repositories.
@Suite struct InsomniaFiveTests {
    static let shop = """
        type: collection.insomnia.rest/5.0
        schema_version: "5.1"
        name: Shop
        meta:
          id: wrk_1
          description: All of it
        collection:
          - name: users
            meta:
              id: fld_1
              sortKey: -1
            environment:
              size: 3
            authentication:
              type: basic
              username: ada
              password: hunter2hunter2
            children:
              - url: "{{ _.base }}/users/:id"
                name: One
                meta:
                  id: req_1
                  sortKey: -2
                  description: Reads one
                method: GET
                parameters:
                  - name: on
                    value: 2024-01-01
                pathParameters:
                  - name: id
                    value: "7"
                scripts:
                  afterResponse: |-
                    insomnia.test('ok', () => { insomnia.expect(insomnia.response.code).to.eql(200); });
                settings:
                  followRedirects: off
          - url: "{{ _.base }}/log"
            name: Log
            meta:
              id: req_2
              sortKey: -5
            method: POST
            body:
              mimeType: application/json
              text: '{"a": "{% response ''body'', ''req_1'', ''b64::JC5h::46b'', ''always'', 60 %}"}'
          - url: wss://a.test
            name: Socket
            meta:
              id: ws-req_1
              sortKey: -9
          - url: grpcb.in:9000
            name: Call
            protoMethodName: /a.B/C
        cookieJar:
          name: Jar
          cookies:
            - key: sid
              value: tk4Zr9QmW1xVb7Np2Ls8
        environments:
          name: Base
          data:
            base: https://a.test
            user:
              name: ada
          subEnvironments:
            - name: Stage
              data:
                base: https://stage.test
                expires: 2024-12-31
        spec:
          contents: |
            openapi: 3.0.0
        testSuites:
          - name: Suite
        """

    private static func imported() throws -> (imported: Imported, notes: [ImportNote]) {
        try FolderSample.file(shop, "insomnia.yaml")
    }

    @Test func `the tree has the order of the sort keys`() throws {
        let (imported, _) = try Self.imported()
        #expect(imported.collection.name == "Shop" && imported.collection.description == "All of it")
        #expect(imported.collection.items.map(\.name) == ["Socket", "Log", "users"])
        #expect(imported.collection.requests.first?.isWebSocket == true)
        #expect(imported.requestCount == 3 && imported.folderCount == 1)
        let one = try #require(imported.collection.requests.last)
        #expect(one.description == "Reads one" && one.path == "/users/:id")
        #expect(one.query == [Field("on", "2024-01-01")] && one.pathParameters == [Field("id", "7")])
        #expect(one.connection?.maximumRedirects == 0)
        #expect(one.expect?.status == [StatusPattern("200")].compactMap { $0 })
    }

    @Test func `environments have the values of their base, and dates are texts`() throws {
        let (imported, _) = try Self.imported()
        let stage = try #require(imported.collection.environments.first)
        #expect(imported.collection.environments.count == 1 && stage.name == "Stage")
        #expect(stage.host == "https://stage.test")
        #expect(stage.variables.contains(Field("expires", "2024-12-31")))
        #expect(stage.variables.contains(Field("user.name", "ada")))
    }

    @Test func `credentials of folders are secrets, and a response is a capture`() throws {
        let (imported, _) = try Self.imported()
        guard case .folder(let folder)? = imported.collection.items.last else {
            Issue.record("there is no folder")
            return
        }
        let expected = BasicAuthentication(username: "ada", password: "{{password}}")
        #expect(folder.settings.authentication == .basic(expected))
        #expect(folder.settings.variables == [Field("size", "3")])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2hunter2"))
        #expect(imported.collection.requests.last?.captures.map(\.source) == [.path("$.a")])
    }

    @Test func `what is no request over HTTP is a loss, and stored cookies are nowhere`() throws {
        let (imported, notes) = try Self.imported()
        for subject in ["grpc_request", "spec", "testSuites"] {
            #expect(notes.lose(subject), "\(subject)")
        }
        #expect(notes.first { $0.subject == "grpc_request" }?.position.line == 51)
        let texts = notes.map { "\($0)" } + [imported.written(keeping: .drop).text]
        #expect(!texts.contains { $0.contains("tk4Zr9QmW1xVb7Np2Ls8") })
    }

    @Test func `a unit test is an expectation of its request`() throws {
        let text = """
            type: collection.insomnia.rest/5.0
            name: Shop
            collection:
              - url: https://a.test/x
                method: GET
                name: one
                meta:
                  id: req_1
            testSuites:
              - name: Suite
                tests:
                  - name: is there
                    requestId: req_1
                    code: |-
                      const response1 = await insomnia.send();
                      expect(response1.status).to.equal(200);
            """
        let (imported, notes) = try FolderSample.file(text, "insomnia.yaml")
        #expect(imported.collection.requests.map { $0.expect?.status } == [[.code(200)]])
        #expect(!notes.lose("testSuites") && !notes.lose("unit_test"))
    }

    @Test(arguments: ["collection: []", "environments:\n  name: Base\n  data: {}", ""])
    func `parts that are missing are none`(rest: String) throws {
        let text = "type: collection.insomnia.rest/5.0\nname: Shop\n" + rest
        #expect(try FolderSample.file(text, "a.yaml").imported.requestCount == 0)
    }

    @Test(arguments: ["mock.insomnia.rest/5.0", "collection.insomnia.rest/6.0"])
    func `another kind and another version are refused by name`(type: String) {
        do throws(ImportError) {
            _ = try Importer.read(Array("type: \(type)\nname: a\n".utf8), from: "a.yaml")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains("is not read") && error.position.line == 1, "\(error.message)")
        }
    }

    @Test func `format 4 is read in YAML, too`() throws {
        let (imported, _) = try FolderSample.file(
            """
            _type: export
            __export_format: 4
            resources:
              - _id: r
                _type: request
                parentId: w
                name: One
                url: https://a.test/x
              - _id: w
                _type: workspace
                name: Shop
            """, "a.yaml")
        #expect(imported.collection.requests.map(\.path) == ["/x"])
    }

    // MARK: Git

    static let repository = [
        ".insomnia/Workspace/wrk_1.yml": "_id: wrk_1\ntype: Workspace\nname: Shop\n",
        ".insomnia/RequestGroup/fld_1.yml": "_id: fld_1\ntype: RequestGroup\nname: users\nparentId: wrk_1\n",
        ".insomnia/Request/req_1.yml": """
        _id: req_1
        type: Request
        name: All
        parentId: fld_1
        method: GET
        url: "{{ base }}/users"
        """,
        ".insomnia/Environment/env_1.yml": """
        _id: env_1
        type: Environment
        name: Base
        parentId: wrk_1
        data:
          base: https://a.test
        """,
        ".insomnia/ApiSpec/spc_1.yml": "_id: spc_1\ntype: ApiSpec\ncontents: x\n",
    ]

    @Test(arguments: ["", ".insomnia"]) func `the files of a repository are the resources`(folder: String) throws {
        let (imported, notes) = try FolderSample.imported(Self.repository, folder)
        #expect(imported.collection.name == "Shop" && imported.collection.items.map(\.name) == ["users"])
        #expect(imported.collection.requests.map(\.path) == ["/users"])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(notes.first { $0.subject == "api_spec" }?.file?.hasSuffix("/ApiSpec/spc_1.yml") == true)
    }
}
