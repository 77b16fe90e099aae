import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Collections and environments of ATAC.
@Suite struct ATACImportTests {
    private static func request(_ members: String, url: String = "{{HOST}}/x", body: String = "\"no_body\"") -> String {
        """
        {"name": "r", "url": "\(url)", "auth": "no_auth", "headers": [], "params": [],
        "protocol": {"type": "http", "method": "POST", "body": \(body)}\(members.isEmpty ? "" : ", " + members)}
        """
    }

    private static func collection(_ requests: String) -> String {
        "{\"name\": \"Shop\", \"last_position\": 0, \"requests\": [\(requests)]}"
    }

    private func only(_ request: String) throws -> (SavedRequest, notes: [ImportNote]) {
        let (imported, notes) = try BrunoSample.imported(Self.collection(request), path: "shop.json")
        return (try #require(imported.collection.requests.first), notes)
    }

    @Test func `rows, path parameters and settings`() throws {
        let text = """
            {"name": "a", "url": "https://a.test/{user-id}/x", "auth": "no_auth",
            "params": [{"enabled": true, "data": ["{user-id}", "7"]}, {"enabled": false, "data": ["q", "a b"]}],
            "headers": [{"enabled": true, "data": ["user-agent", "ATAC/v0.20.2"]},
            {"enabled": true, "data": ["accept-encoding", "gzip"]}, {"enabled": true, "data": ["X-A", "{{NAME}}"]}],
            "scripts": {"pre_request_script": "a()", "post_request_script": null},
            "settings": {"allow_redirects": false, "timeout": 3000, "accept_invalid_certs": true},
            "protocol": {"type": "http", "method": "GET", "body": "no_body"}}
            """
        let (request, notes) = try only(text)
        #expect(request.path == "/:user_id/x" && request.pathParameters == [Field("user_id", "7")])
        #expect(request.query == [Field("q", "a b", enabled: false)] && request.headers == [Field("X-A", "{{NAME}}")])
        #expect(request.connection?.maximumRedirects == 0 && request.policy?.timeout == .seconds(3))
        let losses = Set(notes.filter { $0.kind == .loss }.map(\.subject))
        #expect(losses == ["pre_request_script", "accept_invalid_certs"])
    }

    @Test(arguments: [
        ("/f/{p}", "7", "/f/:p"), ("/f/{p}.json", "a b", "/f/:p.json"), ("/f/{p}?x={p}", "7", "/f/:p?x=7"),
        ("/f/{p}", "a/b", "/f/a/b"), ("/f/{p}", "a%2Fb", "/f/a%2Fb"), ("/f/{p}_2", "7", "/f/7_2"),
        ("/f/x{p}", "7", "/f/x7"), ("/f/1?y=/{p}", "7", "/f/1?y=/7"),
    ])
    func `a value of the path is sent as ATAC inserts it`(url: String, value: String, path: String) throws {
        let text = Self.request("", url: "https://a.test" + url)
            .replacing("\"params\": []", with: "\"params\": [{\"enabled\": true, \"data\": [\"{p}\", \"\(value)\"]}]")
        let request = try only(text).0
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        #expect(request.path + (query.isEmpty ? "" : "?" + query) == path)
        #expect(request.pathParameters == (path.contains(":p") ? [Field("p", value)] : []))
    }

    /// Each value has the name of the next twice: the query would double with each of them.
    @Test(.timeLimit(.minutes(2))) func `values with the names of others in them do not grow without end`() throws {
        let names = (10..<50).map { "{p\($0)}" }
        let rows = zip(names, names.dropFirst()).map { name, next in
            "{\"enabled\": true, \"data\": [\"\(name)\", \"\(next)\(next)\"]}"
        }
        let url = "https://a.test/" + names.joined(separator: "/") + "?q=" + names[0]
        let text = Self.request("", url: url)
            .replacing("\"params\": []", with: "\"params\": [\(rows.joined(separator: ", "))]")
        let request = try only(text).0
        #expect(request.path.hasPrefix("/:p10/:p11/"))
        #expect(request.query.allSatisfy { $0.value.utf8.count < 100_000 })
    }

    @Test func `the values that ATAC has in any environment are functions`() throws {
        let (request, notes) = try only(
            Self.request(
                #""settings": {}"#, url: "https://a.test/{{UUIDv4}}?t={{TIMESTAMP}}",
                body: #"{"json": "{\"a\": \"{{NOW}}\", \"b\": \"{{UUIDv7}}\"}"}"#))
        #expect(request.path == "/{{$uuid}}" && request.query == [Field("t", "{{$timestamp}}")])
        let now = "{{$now('%Y-%m-%d %H:%M:%S UTC')}}"
        #expect(
            request.body
                == .json(JSONContent(.object([.init("a", .string(now)), .init("b", .string("{{$uuid}}"))]))))
        #expect(notes.filter { $0.kind == .remark }.map(\.subject) == ["{{NOW}}", "{{UUIDv7}}"])
    }

    @Test(
        arguments: [
            (#"{"json": "{\"a\": {{N}}}"}"#, .json(JSONContent(.object([.init("a", .string("{{N:json}}"))])))),
            (#"{"raw": "a"}"#, .text(TextContent("a", contentType: "text/plain"))),
            (#"{"xml": "<a/>"}"#, .text(TextContent("<a/>", contentType: "application/xml"))),
            (
                #"{"form": [{"enabled": false, "data": ["a", "b"]}]}"#,
                .form(FormContent([Field("a", "b", enabled: false)]))
            ),
            (
                #"{"multipart": [{"enabled": true, "data": ["a", "b"]}, {"enabled": true, "data": ["f", "!!c.png"]}]}"#,
                .multipart(MultipartContent([MultipartPart("a", .text("b")), MultipartPart("f", .file("c.png"))]))
            ),
            (#"{"file": "a.bin"}"#, .file(FileContent("a.bin"))), (#""no_body""#, nil),
        ] as [(String, SavedBody?)])
    func `a body has its kind`(body: String, saved: SavedBody?) throws {
        #expect(try only(Self.request("", body: body)).0.body == saved)
    }

    @Test(
        arguments: [
            (
                #"{"basic_auth": {"username": "ada", "password": "{{P}}"}}"#,
                .basic(BasicAuthentication(username: "ada", password: "{{P}}"))
            ),
            (
                #"{"digest": {"username": "ada", "password": "{{P}}", "nonce": ""}}"#,
                .digest(DigestAuthentication(username: "ada", password: "{{P}}"))
            ),
            (#"{"bearer_token": {"token": "{{T}}"}}"#, .bearer(BearerAuthentication(token: "{{T}}"))),
            (#"{"jwt_token": {"algorithm": "HS256", "secret": "1234"}}"#, .noAuthentication),
        ] as [(String, SavedAuthentication)])
    func `credentials are those of Ombi`(written: String, saved: SavedAuthentication) throws {
        let text = Self.request("").replacing("\"auth\": \"no_auth\"", with: "\"auth\": \(written)")
        let (request, notes) = try only(text)
        #expect(request.authentication == saved)
        #expect(notes.contains { $0.kind == .loss && $0.subject == "jwt_token" } == (saved == .noAuthentication))
    }

    @Test func `YAML is read, whose tags are kinds`() throws {
        let text = """
            name: Shop
            last_position: 1
            requests:
            - name: a
              url: https://a.test/x
              method: POST
              params: []
              headers: []
              auth: !bearer_token
                token: "{{T}}"
              body: !json '{"a": 1}'
            """
        let (imported, _) = try BrunoSample.imported(text, path: "shop.yaml")
        let request = try #require(imported.collection.requests.first)
        #expect(request.method == .post && request.authentication == .bearer(BearerAuthentication(token: "{{T}}")))
        #expect(request.body == .json(JSONContent(.object([.init("a", .number("1"))]))))
    }

    @Test func `files of variables are environments, without credentials`() throws {
        let token = "tk4Zr9QmW1xVb7Np2Ls8"
        let files = [
            try Importer.read(Array(Self.collection(Self.request("")).utf8), from: "shop.json"),
            try Importer.read(Array("HOST=https://a.test\nTOKEN=\(token)\n".utf8), from: "files/.env.dev"),
        ]
        let imported = try Imported.joined(files)
        #expect(imported.collection.environments.map(\.name) == ["dev"])
        #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
        #expect(imported.secrets.map(\.value) == [token])
        #expect(!imported.written(keeping: .drop).text.contains(token))
    }

    @Test func `a folder has the collections of the program, and its environments`() throws {
        let files = [
            "a.json": Self.collection(Self.request("")), "b.json": Self.collection(Self.request("")),
            "other.json": "{}", ".env.dev": "HOST=https://a.test\n",
        ]
        try BrunoSample.play(files) { folder in
            let (imported, _) = try BrunoSample.imported(folder: folder)
            #expect(imported.collection.items.map(\.name) == ["Shop", "Shop 2"] && imported.requestCount == 2)
            #expect(imported.collection.environments.map(\.host) == ["https://a.test"])
            let again = try BrunoSample.imported(folder: folder).imported
            #expect(again.written(keeping: .drop).text == imported.written(keeping: .drop).text)
        }
    }

    @Test func `a broken file of variables has a line`() {
        do throws(ImportError) {
            _ = try Importer.read(Array("A=1\nB='x\n".utf8), from: ".env.dev", as: Importer.named("atac-environment"))
            Issue.record("it was read")
        } catch {
            #expect(error.position.line == 2)
        }
    }

    @Test(
        arguments: [
            (#"{"basic_auth": ["ada", "{{P}}"]}"#, .basic(BasicAuthentication(username: "ada", password: "{{P}}"))),
            (#"{"bearer_token": "{{T}}"}"#, .bearer(BearerAuthentication(token: "{{T}}"))), (#""NoAuth""#, nil),
        ] as [(String, SavedAuthentication?)])
    func `credentials of earlier versions are read`(text: String, expected: SavedAuthentication?) throws {
        let (request, notes) = try only(
            #"{"name": "r", "url": "https://a.test", "method": "GET", "params": [], "body": "NoBody", "auth": "# + text
                + "}"
        )
        #expect(request.authentication == expected && request.body == nil)
        #expect(!notes.contains { $0.kind == .loss }, "\(notes)")
    }
}
