import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Forms of Postman's files at which other importers lose something or give up.
@Suite struct PostmanTrapTests {
    private static let url = "\"url\": \"https://a.test/x\""

    @Test func `a variable whose enabled is null or missing is enabled`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.environment(
                "dev",
                #"{"key": "a", "value": "1", "enabled": null}, {"key": "b", "value": "2"}, "#
                    + #"{"key": "c", "value": null, "enabled": false}"#))
        #expect(
            imported.collection.environments.first?.variables == [
                Field("a", "1"), Field("b", "2"), Field("c", "", enabled: false),
            ])
    }

    @Test func `the last variable that is enabled wins, also where another one names it`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                PostmanSample.request(Self.url),
                #", "variable": [{"key": "a", "value": "1"}, {"key": "b", "value": "{{a}}!"}, "#
                    + #"{"key": "a", "value": "2"}, {"key": "a", "value": "3", "disabled": true}]"#))
        #expect(imported.collection.variables == [Field("a", "2"), Field("b", "{{a}}!")])
    }

    @Test func `empty scripts, members that are null and unknown items cost nothing but themselves`() throws {
        let events = #""event": [{"listen": "test", "script": {"exec": []}}, {"listen": "test", "script": null}, null]"#
        let request = PostmanSample.request(
            Self.url + #", "header": null, "body": null, "auth": null, "description": null"#, ", \(events)")
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection("\(request), null, 7, {\"name\": \"odd\"}, {\"item\": []}", ", \"event\": null"))
        #expect(imported.requestCount == 1 && imported.folderCount == 1)
        #expect(notes.filter { $0.kind == .loss }.map(\.subject) == ["item", "odd"])
    }

    @Test func `scripts of the collection and of its folders are losses with their places`() throws {
        let event = { (listen: String) in
            "\"event\": [{\"listen\": \"\(listen)\", \"script\": {\"exec\": [\"pm.x()\", \"pm.y()\"]}}]"
        }
        let (_, notes) = try PostmanSample.imported(
            PostmanSample.collection(
                "\n{\"name\": \"f\", \(event("test")), \"item\": [\(PostmanSample.request(Self.url))]}",
                ",\n\(event("prerequest"))"))
        let losses = notes.filter { $0.kind == .loss }
        #expect(losses.map(\.subject) == ["test of a folder", "prerequest of a folder"])
        #expect(losses.map(\.position.line) == [3, 4])
        #expect(losses.allSatisfy { $0.message.hasPrefix("2 lines are left out") })
    }

    @Test func `a test of a folder adds no more expectations than memory is meant to hold`() throws {
        let text = PostmanSample.collection(
            [String](repeating: PostmanSample.request(Self.url), count: 3).joined(separator: ", "),
            ", \"event\": [{\"listen\": \"test\", \"script\": {\"exec\": [\"pm.response.to.have.status(201)\"]}}]")
        let file = try ForeignFile(Array(text.utf8), path: "shop.json")
        var reader = PostmanReader(log: ImportLog(file.bytes))
        reader.testEffort = 2
        let imported = try reader.collection(try #require(file.root), named: "shop")
        #expect(imported.collection.requests.map { $0.expect?.status } == [[.code(201)], [.code(201)], nil])
        #expect(imported.notes.filter { $0.kind == .loss }.map(\.subject) == ["test of a folder"])
    }

    @Test func `tests of the collection and of its folders judge each request in them`() throws {
        let event = { (script: String) in
            "\"event\": [{\"listen\": \"test\", \"script\": {\"exec\": [\"\(script)\"]}}]"
        }
        let own = PostmanSample.request(Self.url, ", " + event("pm.response.to.have.status(404)"))
        let plain = PostmanSample.request(Self.url)
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(
                "{\"name\": \"f\", \(event("pm.response.to.have.status(201)")), \"item\": [\(plain), \(own)]}, \(plain), "
                    + "{\"name\": \"g\", \(event("pm.environment.set('a', pm.response.json().a)")), "
                    + "\"item\": [\(plain)]}",
                ", " + event("pm.response.to.be.json")))
        let expected = imported.collection.requests.map(\.expect)
        let statuses = expected.map { $0?.status }
        #expect(statuses == [[.code(201)], [.code(404)], [], []])
        let headers = expected.map { $0?.headers.map(\.name) }
        #expect(headers.allSatisfy { $0 == ["Content-Type"] })
        #expect(imported.collection.requests.flatMap(\.captures).isEmpty)
        let losses = notes.filter { $0.kind == .loss }.map(\.subject)
        #expect(losses == ["r", "test of a folder"])
    }

    @Test func `a script of another file is a loss, and an empty one beside it is none`() throws {
        let event = { (script: String) in #", "event": [{"listen": "test", "script": {\#(script)}}]"# }
        let (_, notes) = try PostmanSample.only(Self.url, event(#""src": "https://b.test/a.js""#))
        #expect(notes.lose("src"))
        #expect(try PostmanSample.only(Self.url, event(#""src": null, "exec": [""]"#)).1.isEmpty)
    }

    @Test func `a space in a name hides neither its row nor its request`() throws {
        let url = #""url": {"raw": "https://a.test/x?a b=1", "query": [{"key": "a b", "value": "1"}]}"#
        let header = #""header": [{"key": "X Y", "value": "1"}, {"key": "X-A", "value": "{{my key}}"}]"#
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(
                PostmanSample.request("\(url), \(header)"), #", "variable": [{"key": "my key", "value": "1"}]"#))
        let request = try #require(imported.collection.requests.first)
        #expect(request.query == [Field("a b", "1")] && request.headers == [Field("X-A", "{{my_key}}")])
        #expect(imported.collection.variables == [Field("my_key", "1")] && notes.lose("X Y"))
    }

    @Test func `a line break in a name is a space, and dots and slashes in it stay`() throws {
        let names = #"a.\nb"# + " a... c/d " + String(repeating: "n", count: 300)
        let items = names.split(separator: " ").map { "{\"name\": \"\($0)\", \"request\": {\(Self.url)}}" }
        let (imported, _) = try PostmanSample.imported(PostmanSample.collection(items.joined(separator: ", ")))
        #expect(imported.collection.requests.map(\.name).prefix(3) == ["a. b", "a...", "c/d"])
        #expect(imported.requestCount == 4)
    }

    @Test func `a value of a vault is typed in`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request("\"url\": \"https://a.test/{{vault:the-key}}\"")))
        #expect(imported.collection.requests.map(\.path) == ["/{{the-key}}"])
        #expect(imported.collection.environments.first?.secrets == [Secret("the-key", .prompt(""))])
    }

    @Test(arguments: ["https://a.test/:id.json", "https://a.test/:id:publish"])
    func `a text behind a path parameter is a part of its name, as Postman has it`(url: String) throws {
        let name = url.split(separator: "/:").last ?? ""
        let (request, notes) = try PostmanSample.only(
            "\"url\": {\"raw\": \"\(url)\", \"variable\": [{\"key\": \"\(name)\", \"value\": \"7\"}]}")
        #expect(request.pathParameters.map(\.value) == ["7"] && request.path == "/:\(request.pathParameters[0].name)")
        #expect(notes.allSatisfy { $0.kind == .remark }, "\(notes)")
    }

    @Test func `folders may be in folders, and names in them may be the same and have slashes`() throws {
        var item = [PostmanSample.request(Self.url), PostmanSample.request(Self.url)].joined(separator: ", ")
        for _ in 0..<5 { item = "{\"name\": \"a/b\", \"item\": [\(item)]}, \(PostmanSample.request(Self.url))" }
        let (imported, _) = try PostmanSample.imported(PostmanSample.collection(item))
        #expect(imported.requestCount == 7 && imported.folderCount == 5)
        #expect(imported.collection.items.map(\.name) == ["a/b", "r"])
        #expect(imported.collection.requests.map(\.name).prefix(2) == ["r", "r 2"])
    }

    @Test func `a path parameter has its key, or its id where there is none, and text may follow a name`() throws {
        let (request, _) = try PostmanSample.only(
            #""url": {"raw": "https://a.test/:a/:b/x:publish", "variable": [{"id": "b", "value": "2"}, "#
                + #"{"key": "a", "id": "17", "value": "1"}, {"key": "a", "value": "3"}]}"#)
        #expect(request.path == "/:a/:b/x:publish")
        #expect(request.pathParameters == [Field("a", "1"), Field("b", "2")])
    }

    @Test func `a saved response is an example without credentials, and its request is none`() throws {
        let response = #"""
            , "response": [{"name": "ok", "code": 201, "header": [{"key": "X-A", "value": "1"},
            {"key": "Set-Cookie", "value": "sid=hunter2Hunter2"}], "body": "{\"access_token\": \"hunter2Hunter2\"}",
            "originalRequest": {"method": "GET", "url": "https://b.test/",
            "header": [{"key": "Authorization", "value": "Bearer hunter2Hunter2"}]}}]
            """#
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request(Self.url, response)))
        #expect(imported.requestCount == 1)
        let examples = try #require(imported.collection.requests.first?.examples)
        #expect(examples.map(\.status) == [201] && examples.map(\.name) == ["ok"])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2"))
    }

    @Test(arguments: [
        ("\"body\": {\"mode\": \"urlencoded\", \"urlencoded\": [{\"key\": \"Password\", \"value\": \"{{p}}\"}]}", ""),
        (
            "\"body\": null",
            ", \"response\": [{\"code\": 200, \"header\": [{\"key\": \"Set-Cookie\", \"value\": \"\"}]}]"
        ),
        (
            "\"body\": null",
            ", \"event\": [{\"listen\": \"test\", \"script\": {\"exec\": \"postman.getResponseCookie('a')\"}}]"
        ),
    ])
    func `a collection that signs in by a cookie keeps cookies`(member: String, more: String) throws {
        let (imported, notes) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request(Self.url + ", " + member, more)))
        #expect(imported.collection.connection == SavedConnection { $0.cookies = true })
        #expect(notes.contains { $0.kind == .remark && $0.subject == "cookies" })
    }

    @Test func `the passphrase of a certificate is a secret`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                PostmanSample.request(
                    Self.url + #", "certificate": {"key": {"src": "k.pem"}, "cert": {"src": "c.pem"}, "#
                        + #""passphrase": "hunter2Hunter2"}"#)))
        let certificate = try #require(imported.collection.requests.first?.connection?.clientCertificate)
        #expect(certificate.file == "c.pem" && certificate.key == "k.pem")
        #expect(imported.secrets.map(\.value) == ["hunter2Hunter2"])
        #expect(!imported.written(keeping: .drop).text.contains("hunter2"))
    }

    @Test func `a variable that only its author had is empty, or typed in if it is secret`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(PostmanSample.request(Self.url)),
            PostmanSample.environment(
                "dev", #"{"key": "a", "value": "", "type": "default"}, {"key": "b", "value": "", "type": "secret"}"#))
        let environment = try #require(imported.collection.environments.first)
        #expect(environment.variables == [Field("a", "")])
        #expect(environment.secrets == [Secret("b", .prompt(""))])
    }
}
