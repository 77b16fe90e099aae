import Foundation
import OmbiCore
import OmbiDocument
import TestSupport
import Testing

@testable import OmbiWorkspace

@Suite struct PlainSecretsTests {
    /// No secret of anybody, and built so that no scanner takes it for one.
    private static let gitHub = "ghp" + "_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    private static let disorder = "q8Zr-4Lm2" + "Xv7Tb1Kd9Pw"

    @Test(arguments: [
        (gitHub, "value", "a GitHub token"), ("Bearer " + gitHub, "Authorization", "a GitHub token"),
        ("https://h/?t=" + gitHub, "path", "a GitHub token"),
        ("sk" + "_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "x", "a Stripe key"),
        ("AKIA" + "IOSFODNN7EXAMPLE", "x", "an AWS access key"),
        ("xoxb" + "-123456789012-abcdefghij", "x", "a Slack token"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0xx.c2lnbmF0dXJl", "x", "a JSON Web Token"),
        (disorder, "password", "a secret"), ("Token " + disorder, "X-Api-Token", "a secret"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMII", "x", "a private key"),
    ])
    func `a secret is told by its prefix, or by its disorder under a name that says so`(
        _ text: String, _ name: String, _ kind: String
    ) {
        #expect(SecretDetector.find(in: text, named: name).map(\.kind) == [kind])
    }

    @Test(arguments: [
        ("{{token}}", "token"), ("Bearer {{token}}", "Authorization"), ("Bearer", "Authorization"),
        ("https://auth.test/oauth/token1234567", "tokenURL"), (disorder, "colour"), ("", "password"),
        ("eyJ is the start of {\"", "x"), ("ghp_short", "x"), ("/run/secrets/token.pem", "tokenFile"),
        ("AKIA", "x"), ("name", "key"), ("a={{b}}; c={{d}}", "Cookie"), ("./key.pem", "key"), ("$TOKEN", "token"),
        ("/users?page=2&sort=name", "path"), ("http://me@h.test/", "proxy"), ("/a?token={{t}}", "path"),
    ])
    func `what is none is left alone`(_ text: String, _ name: String) {
        #expect(SecretDetector.find(in: text, named: name) == [])
        #expect(SecretDetector.masked(text, named: name) == text)
    }

    @Test(arguments: SavedAuthentication.Kind.allCases)
    func `every secret of every kind of authentication is found`(_ kind: SavedAuthentication.Kind) throws {
        var authentication = SavedAuthentication(kind)
        let secrets = kind.descriptors.filter(\.isSecret)
        for field in kind.descriptors where field.choices.isEmpty {
            try field.write(&authentication, field.isSecret ? Self.disorder : field.label == "parameters" ? "x=y" : "x")
        }
        var request = SavedRequest(name: "r", path: "/")
        request.authentication = authentication
        let text = Array(Collection(schema: nil, name: "c", items: [.request(request)]).text.utf8)
        let collection = try #require(CollectionFile.read(text, file: "c.json").collection)
        #expect(PlainSecrets(Bytes(text), file: "c.json", collection: collection)?.problems.count == secrets.count)
    }

    @Test(arguments: [
        #"{ "value": "SECRET", "description": "d" }"#, #"{ "value": "SECRET", "enabled": false }"#, #""SECRET""#,
    ])
    func `a variable is secret by its name, also with a description or switched off`(value: String) throws {
        let variable = #"{ "clientSecret": \#(value) }"#.replacingOccurrences(of: "SECRET", with: Self.disorder)
        let items = #"[{ "request": "r", "path": "/", "variables": \#(variable) }]"#
        let text = Array(#"{ "version": 1, "name": "c", "variables": \#(variable), "items": \#(items) }"#.utf8)
        let collection = try #require(CollectionFile.read(text, file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text), file: "c.json", collection: collection))
        #expect(secrets.found.map(\.place) == ["clientSecret", "clientSecret"])
    }

    @Test(arguments: [
        #"{ "folder": "f", "variables": { "apiKey": "SECRET" }, "items": [{ "request": "r", "path": "/" }] }"#,
        #"{ "request": "r", "path": "/", "variables": { "apiKey": "SECRET" } }"#,
    ])
    func `the secret of a variable in a folder or a request does not name itself`(item: String) throws {
        let item = item.replacingOccurrences(of: "SECRET", with: Self.disorder)
        let text = Array(#"{ "version": 1, "name": "c", "items": [\#(item)] }"#.utf8)
        let collection = try #require(CollectionFile.read(text, file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text), file: "c.json", collection: collection))
        #expect(secrets.found.map(\.name) == ["apiKey2"])
    }

    @Test(arguments: ["key", "KEY", "k", "X-Weird", "api_key"], ["abc", "hunter2"])
    func `an API key is secret under any name`(name: String, value: String) throws {
        let key = #"{ "apiKey": { "name": "\#(name)", "value": "\#(value)", "in": "query" } }"#
        let text = Array(#"{ "version": 1, "name": "c", "authentication": \#(key), "items": [] }"#.utf8)
        let collection = try #require(CollectionFile.read(text, file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text), file: "c.json", collection: collection))
        #expect(secrets.found.map(\.value) == [value])
    }

    @Test func `names in a body and of variables are the user's own, and hide no secret`() throws {
        let text = """
            { "version": 1, "name": "c", "description": "SECRET",
              "variables": { "capture": "SECRET", "description": "SECRET" },
              "items": [{ "request": "r", "method": "POST", "path": "/", "capture": { "x": { "regex": "SECRET" } },
                "body": { "json": { "request": "SECRET", "expect": { "secrets": "SECRET" }, "description": "SECRET" } }
              }] }
            """.replacingOccurrences(of: "SECRET", with: Self.gitHub)
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text.utf8), file: "c.json", collection: collection))
        #expect(secrets.found.map(\.place) == ["capture", "description", "request", "secrets", "description"])
    }

    @Test(arguments: [
        (#""path": "/x?api_key=sk%2B1%20x9%26&b=1""#, "sk+1 x9&"), (#""path": "/x?token=a+b#token=c""#, "a b"),
        (#""path": "http://us%40er:pa%3Ass%2F+@HOST/x""#, "pa:ss/+"),
        (#""path": "/x", "query": [{ "name": "api_key", "value": "a%2Bb", "raw": true }]"#, "a+b"),
        (#""path": "/x", "query": [{ "name": "api_key", "value": "a%2Bb" }]"#, "a%2Bb"),
        (#""path": "/webhooks/123456/ab%2Fcdefgh%20ijkl1234""#, "ab%2Fcdefgh%20ijkl1234"),
        (#""path": "/x", "headers": [{ "name": "X-Api-Key", "value": "a%2Bb" }]"#, "a%2Bb"),
        (
            #""path": "/x", "body": { "json": { "items": [{ "path": "/?token=aB%2B1cD5eF9gH2iJ4" }] } }"#,
            "aB%2B1cD5eF9gH2iJ4"
        ),
    ])
    func `a secret that is moved is sent as before`(members: String, value: String) async throws {
        let server = try LoopbackServer { _ in .ok("{}") }
        defer { server.stop() }
        let item = members.replacing("HOST", with: server.host.dropFirst("http://".count))
        let text = #"""
            { "version": 1, "name": "c", "environments": [{ "name": "e", "host": "\#(server.host)" }],
              "items": [{ "request": "r", \#(item) }] }
            """#
        let before = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text.utf8), file: "c.json", collection: before))
        #expect(secrets.found.map(\.value) == [value])
        let after = try #require(secrets.collection(without: secrets.found, of: before))
        let variables = PlainSecrets.values(of: secrets.found).map { Variable($0.name, $0.value) }
        for (index, collection) in [before, after].enumerated() {
            let order = RunOrder(
                id: index + 1, request: try #require(collection.requests.first), collection: collection,
                environment: "e", file: "c.json")
            _ = await Session(overrides: Overrides(variables: variables)).events(of: order)
        }
        let sent = server.requests.map { request in
            [request.target.replacing("+", with: "%20"), request.headers["authorization"] ?? "", request.text]
        }
        #expect(sent.count == 2 && sent.first == sent.last, "\(sent)")
    }

    @Test func `a secret with escapes of bytes that are no text is found, too`() throws {
        let text = #"{ "version": 1, "name": "c", "items": [{ "request": "r", "path": "/x?api_key=sk%FF1x9" }] }"#
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "c.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text.utf8), file: "c.json", collection: collection))
        #expect(secrets.found.map(\.value) == ["sk%FF1x9"])
        let moved = secrets.collection(without: secrets.found, of: collection)
        #expect(moved?.requests.first?.path == "/x?api_key={{api_key}}")
    }

    private static let text = """
        { "version": 1, "name": "shop",
          "environments": [
            { "name": "local", "host": "http://h.test", "additionalHeaders": { "Authorization": "Bearer \(gitHub)" },
              "variables": { "password": "\(disorder)" } } ],
          "items": [{ "request": "list", "path": "/", "headers": [{ "name": "X-Api-Key", "value": "\(disorder)" }],
            "expect": { "status": "2xx" } }] }

        """

    private static func find() throws -> PlainSecrets {
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "shop.json").collection)
        return try #require(PlainSecrets(Bytes(text.utf8), file: "shop.json", collection: collection))
    }

    @Test func `thousands of secrets under one name have thousands of names, each with its template`() throws {
        let count = 5_000
        let rows = (1...count).map { (number: Int) -> String in
            #"{ "request": "r\#(number)", "path": "/", "#
                + #""headers": [{ "name": "X-Api-Key", "value": "\#(Self.disorder)\#(number)" }] }"#
        }
        let text = #"{ "version": 1, "name": "shop", "items": ["# + rows.joined(separator: ",\n") + "] }"
        let collection = try #require(CollectionFile.read(Array(text.utf8), file: "shop.json").collection)
        let secrets = try #require(PlainSecrets(Bytes(text.utf8), file: "shop.json", collection: collection))
        #expect(secrets.found.count == count && Set(secrets.found.map(\.name)).count == count)
        #expect(secrets.found.last?.name == (secrets.found.first?.name ?? "") + "\(count)")
        let changed = try #require(secrets.collection(without: secrets.found, of: collection))
        #expect(changed.requests.map { $0.headers.first?.value ?? "" } == secrets.found.map { "{{\($0.name)}}" })
    }

    @Test func `each has a place, and no message has the value`() throws {
        let secrets = try Self.find()
        #expect(
            secrets.problems.map { "\($0.position?.line ?? 0):\($0.position?.column ?? 0)" } == [
                "3:89", "4:34", "5:91",
            ])
        #expect(secrets.found.map(\.name) == ["token", "password2", "password2"])
        let told = secrets.problems.map(\.description).joined() + "\(secrets.found)" + String(reflecting: secrets.found)
        #expect(!told.contains(Self.gitHub) && !told.contains(Self.disorder))
        #expect(secrets.problems[0].message.contains("write {{token}}, and its value into shop.local.json"))
    }

    @Test func `moving leaves a template, and a private file that git ignores`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/shop.json"
        try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
        let before = CollectionFile.load(file)
        let sent = try Self.sent(before)
        let secrets = try #require(before.plainSecrets)
        try secrets.move(secrets.found, expecting: before.fingerprint)
        let after = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!after.contains(Self.gitHub) && !after.contains(Self.disorder))
        #expect(after.contains("\"Authorization\": \"Bearer {{token}}\""))
        let local = folder + "/shop.local.json"
        let mode = try FileManager.default.attributesOfItem(atPath: local)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOfFile: folder + "/.gitignore", encoding: .utf8) == "shop.local.json\n")
        let loaded = CollectionFile.load(file)
        #expect(loaded.problems == [] && loaded.problemsBeside == [])
        #expect(try Self.sent(loaded) == sent)
        let again = try #require(loaded.plainSecrets)
        #expect(again.found == [])
        #expect(throws: SaveError.self) { try secrets.move(secrets.found, expecting: before.fingerprint) }
    }

    /// The headers of the request, unmasked.
    private static func sent(_ loaded: LoadedCollection) throws -> [String?] {
        let collection = try #require(loaded.collection)
        let resolver = Resolver(
            collection: collection, environment: collection.environment(named: "local"), secrets: .system(folder: ""))
        let resolved = try resolver.resolve(collection.requests[0])
        return [resolved.headers["X-Api-Key"]?.text, resolved.additionalHeaders["Authorization"]?.text]
    }

    @Test(arguments: ["demo.json", "httpbin.json"]) func `the collections of the project have none`(_ name: String)
        throws
    {
        let root = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let loaded = CollectionFile.load("\(root)/collections/\(name)")
        let collection = try #require(loaded.collection)
        let found = PlainSecrets(loaded.fingerprint.content ?? .empty, file: name, collection: collection)?.problems
        #expect(found == [])
    }
}
