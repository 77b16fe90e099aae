import Foundation
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Folders of `.bru` files.
@Suite struct BrunoFolderTests {
    private static let token = "tk4Zr9QmW1xVb7Np2Ls8"

    private static let shop = [
        "bruno.json": """
        {
          "version": "1", "name": "Shop", "type": "collection", "ignore": ["old"],
          "proxy": { "enabled": true, "protocol": "http", "hostname": "proxy.test", "port": 3128 },
          "clientCertificates": { "enabled": true, "certs": [
            { "domain": "b.test", "type": "pfx", "pfxFilePath": "c.pfx", "passphrase": "\(token)1" },
            { "domain": "c.test", "type": "cert", "certFilePath": "c.pem", "keyFilePath": "c.key" }] }
        }
        """,
        "collection.bru": """
        headers {
          X-All: 1
        }
        auth {
          mode: bearer
        }
        auth:bearer {
          token: \(token)2
        }
        vars:pre-request {
          page: 3
        }
        script:pre-request {
          bru.setVar("a", 1);
        }
        docs {
          All of it.
        }
        """,
        "ping.bru": "meta {\n  name: ping\n  seq: 1\n}\nget {\n  url: {{host}}/ping\n}\n",
        "users/folder.bru": """
        meta {
          name: Users
          seq: 2
        }
        vars:pre-request {
          role: admin
        }
        """,
        "users/list.bru":
            "meta {\n  name: list\n  seq: 2\n}\nget {\n  url: {{host}}/users/{{role}}\n  auth: inherit\n}\n",
        "users/create.bru": "meta {\n  seq: 1\n}\npost {\n  url: {{host}}/users\n  auth: none\n}\n",
        "old/x.bru": "get {\n  url: {{host}}/old\n}\n",
        "environments/dev.bru": """
        vars {
          host: https://a.test
          password: \(token)3
          ~off: 1
        }
        vars:secret [
          apiKey
        ]
        """,
        "environments/live.bru": "vars {\n  host: https://b.test\n}\n",
        "broken.bru": "\nmeta {\n  name: x\n",
        ".env": "A=\(token)4\n",
        "node_modules/x/y.bru": "get {\n  url: https://n.test\n}\n",
        "package.json": "{}",
    ]

    @Test func `a folder is a collection, in the order of its numbers`() throws {
        try BrunoSample.play(Self.shop) { folder in
            let (imported, notes) = try BrunoSample.imported(folder: folder)
            let collection = imported.collection
            #expect(collection.name == "Shop" && collection.description == "All of it.")
            #expect(collection.items.map(\.name) == ["ping", "Users"])
            #expect(collection.requests.map(\.name) == ["ping", "create", "list"])
            #expect(collection.requests.map(\.path) == ["/ping", "/users", "/users/{{role}}"])
            #expect(collection.headers == [Field("X-All", "1")] && collection.variables == [Field("page", "3")])
            #expect(collection.authentication == .bearer(BearerAuthentication(token: "{{token}}")))
            #expect(collection.requests.map(\.authentication) == [.noAuthentication, .noAuthentication, nil])
            #expect(collection.environments.map(\.name) == ["dev", "live"])
            #expect(collection.environments.map(\.host) == ["https://a.test", "https://b.test"])
            #expect(collection.environments[0].secrets.contains(Secret("apiKey", .prompt(""))))
            #expect(collection.environments[0].variables == [Field("off", "1", enabled: false)])
            #expect(collection.connection?.proxy == "http://proxy.test:3128")
            let certificate = SavedCertificate(file: "c.pfx", password: "{{certificatePassword}}")
            #expect(collection.environments[1].connection?.clientCertificate == certificate)
            #expect(collection.environments[0].connection == nil)
            let losses = notes.filter { $0.kind == .loss }
            #expect(
                Set(losses.map(\.subject)) == ["broken.bru", "script of a folder", "client certificate for c.test"])
            let broken = try #require(losses.first { $0.subject == "broken.bru" })
            #expect(broken.file == folder + "/broken.bru" && broken.position.line == 2)
            #expect(notes.contains { $0.kind == .remark && $0.subject == ".env" })
        }
    }

    @Test(arguments: ImportedSecretPlace.allCases)
    func `no credential of a folder is in the collection or in a note`(place: ImportedSecretPlace) throws {
        try BrunoSample.play(Self.shop) { folder in
            let (imported, notes) = try BrunoSample.imported(folder: folder)
            #expect(!imported.written(keeping: place).text.contains(Self.token))
            #expect(!notes.contains { $0.description.contains(Self.token) })
            #expect(Set(imported.secrets.map(\.value)) == [Self.token + "1", Self.token + "2", Self.token + "3"])
        }
    }

    @Test func `the second import changes nothing, and what is written passes the check`() throws {
        try BrunoSample.play(Self.shop) { folder in
            let first = try BrunoSample.imported(folder: folder).imported
            let path = folder + "/out/shop.json"
            try FileManager.default.createDirectory(atPath: folder + "/out", withIntermediateDirectories: true)
            #expect(try first.write(to: path, keeping: .local))
            let second = try BrunoSample.imported(folder: folder).imported
            #expect(try !second.write(to: path, keeping: .local))
            let bytes = Array(first.written(keeping: .drop).text.utf8)
            let problems = CollectionCheck.problems(in: bytes, file: "shop.json")
            #expect(problems.allSatisfy { $0.severity != .error }, "\(problems)")
        }
    }

    @Test func `symbolic links are not followed`() throws {
        let written = ["shop/bruno.json": #"{"version": "1"}"#, "other/x.bru": "get {\n  url: /x\n}\n"]
        try BrunoSample.play(written) { folder in
            let files = FileManager.default
            try files.createSymbolicLink(atPath: folder + "/shop/all", withDestinationPath: "../other")
            try files.createSymbolicLink(atPath: folder + "/shop/loop", withDestinationPath: ".")
            try files.createSymbolicLink(atPath: folder + "/shop/x.bru", withDestinationPath: "../other/x.bru")
            try "get {\n  url: https://a.test/y\n}\n".write(
                toFile: folder + "/shop/y.bru", atomically: true, encoding: .utf8)
            let (imported, notes) = try BrunoSample.imported(folder: folder + "/shop")
            #expect(imported.collection.requests.map(\.path) == ["/y"])
            let links = notes.filter { $0.message.contains("symbolic links") }
            #expect(links.map(\.subject) == ["all", "loop", "x.bru"])
        }
    }

    @Test(arguments: [
        (["bruno.json": #"{"version": "2"}"#], "version 2"), (["bruno.json": #"{"version": "#], "no JSON"),
        (["bruno.json": #"{"version": "1"}"#], "no request in this folder"),
        (["bruno.json": #"{"version": "1"}"#, "a.bru": "hello"], "expected a block"),
        (["readme.json": "{}"], "none of the folders"),
    ])
    func `a folder without a collection is an error with a reason`(files: [String: String], reason: String) throws {
        try BrunoSample.play(files) { folder in
            do throws(ImportError) {
                _ = try Importer.read(folder: folder)
                Issue.record("it was read")
            } catch {
                #expect(error.message.contains(reason), "\(error.message)")
            }
        }
    }

    @Test func `a folder is opened in place, and its root file stands for it`() throws {
        try BrunoSample.play(Self.shop) { folder in
            let loaded = CollectionFinder.load([folder])
            #expect(loaded.map(\.path) == [folder + "/bruno.json"])
            #expect(loaded[0].collection == nil)
            #expect(loaded[0].problems.first?.message.contains("this is a collection of Bruno: `ombi ") == true)
            let opened = loaded[0].readInPlace
            #expect(opened.collection?.requests.count == 3 && opened.collection?.overlay.isForeign == true)
            #expect(opened.problems.contains { $0.file == folder + "/broken.bru" && $0.position?.line == 2 })
            #expect(loaded[0].importing?.collection?.requests.count == 3)
            let content = Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/bruno.json")))
            #expect(try Importer.read(content, at: folder + "/bruno.json").requestCount == 3)
        }
    }

    @Test func `a folder with collections of Ombi is theirs`() throws {
        let own = #"{"version": 1, "name": "Own", "environments": [], "items": []}"#
        try BrunoSample.play(["bruno.json": #"{"version": "1"}"#, "own.json": own]) { folder in
            #expect(CollectionFinder.load([folder]).map(\.path) == [folder + "/own.json"])
        }
    }

    @Test func `the only collection below the folder of a repository is imported with its settings`() throws {
        var files = ["compose.yml": "services: {}\n"]
        for (path, text) in Self.shop { files["api/bruno/" + path] = text }
        try BrunoSample.play(files) { folder in
            let (imported, _) = try BrunoSample.imported(folder: folder)
            #expect(imported.collection.name == "Shop" && imported.requestCount == 3)
            #expect(
                imported.collection.authentication != nil && imported.collection.items.map(\.name) == ["ping", "Users"])
        }
        let open = [
            "bruno/opencollection.yml": "opencollection: 1.0.0\ninfo:\n  name: Shop\n",
            "bruno/one.yml": "info:\n  name: one\n  type: http\nhttp:\n  method: GET\n  url: https://a.test/x\n",
        ]
        try BrunoSample.play(open) { folder in
            let names = try BrunoSample.imported(folder: folder).imported.collection.requests.map(\.name)
            #expect(names == ["one"])
        }
    }

    @Test func `a folder in a collection is read without its root`() throws {
        try BrunoSample.play(["a/x.bru": "get {\n  url: https://a.test/x\n}\n"]) { folder in
            let (imported, _) = try BrunoSample.imported(folder: folder)
            #expect(imported.collection.items.map(\.name) == ["a"] && imported.folderCount == 1)
            #expect(imported.collection.requests.map(\.name) == ["x"])
        }
    }

    @Test func `a host that a folder has of its own is sent to, and not that of the environment`() throws {
        let request = "get {\n  url: {{base}}/x\n}\n"
        let files = [
            "bruno.json": #"{"version": "1", "name": "Shop"}"#,
            "environments/dev.bru": "vars {\n  base: https://dev.test\n}\n",
            "a.bru": request, "f/folder.bru": "vars:pre-request {\n  base: https://f.test\n}\n", "f/b.bru": request,
        ]
        try BrunoSample.play(files) { folder in
            let (imported, notes) = try BrunoSample.imported(folder: folder)
            let environment = try #require(imported.collection.environments.first)
            #expect(environment.host == "{{base}}" && environment.variables == [Field("base", "https://dev.test")])
            #expect(imported.collection.requests.map(\.path) == ["/x", "/x"] && notes.isEmpty, "\(notes)")
        }
    }

    @Test(arguments: ["$secrets.shop.key", "vault:key"]) func `a value of a manager of secrets is typed in`(
        name: String
    ) throws {
        let (imported, notes) = try BrunoSample.imported(
            "get {\n  url: https://a.test/x\n}\n\nheaders {\n  X-A: {{\(name)}}\n}\n", path: "a.bru")
        let secrets = imported.collection.environments.first?.secrets ?? []
        #expect(secrets.map(\.name) == [name.hasPrefix("$") ? "shop.key" : "key"])
        #expect(secrets.map(\.source) == [.prompt("")] && notes.lose("{{\(name)}}"))
    }
}
