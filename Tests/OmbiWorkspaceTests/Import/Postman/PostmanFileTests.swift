import Foundation
import Testing

@testable import OmbiWorkspace

/// Files of Postman as a whole: credentials, environments, what is refused, and what is written.
@Suite struct PostmanFileTests {
    private static let token = "tk4Zr9QmW1xVb7Np2Ls8"
    private static let key = "8f3a9c1e5b7d2f4a6c8e0b1d"

    /// A collection with a credential in each place that has them.
    private static let shop = PostmanSample.collection(
        """
        {"name": "folder", "auth": {"type": "basic", "basic": [{"key": "username", "value": "ada"},
        {"key": "password", "value": "\(key)1"}]}, "item": [
        {"name": "one", "request": {"url": "https://a.test/x?api_key=\(key)2", "header": [
        {"key": "X-Api-Key", "value": "\(key)3"}, {"key": "Authorization", "value": "Bearer \(token)4"}]}},
        {"name": "two", "request": {"url": "https://a.test/y", "auth": {"type": "apikey",
        "apikey": [{"key": "key", "value": "X-Key"}, {"key": "value", "value": "\(key)5"}]}}}]}
        """,
        """
        , "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "\(token)6"}]},
        "variable": [{"key": "apiKey", "value": "\(key)7"}, {"key": "page", "value": 3}]
        """)
    private static let environment = PostmanSample.environment(
        "dev",
        """
        {"key": "password", "value": "\(key)8", "type": "secret"}, {"key": "size", "value": "10"},
        {"key": "off", "value": "1", "enabled": false}, {"key": "empty", "value": "", "type": "secret"}
        """)

    private static func play(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "import-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    // MARK: Credentials

    @Test(arguments: ImportedSecretPlace.allCases)
    func `no credential of a file is in the collection or in a note`(place: ImportedSecretPlace) throws {
        let (imported, notes) = try PostmanSample.imported(Self.shop, Self.environment)
        let text = imported.written(keeping: place).text
        for secret in [Self.token, Self.key] {
            #expect(!text.contains(secret), "\(text)")
            #expect(!notes.contains { $0.description.contains(secret) })
            #expect(!"\(imported.secrets)".contains(secret))
        }
        #expect(Set(imported.secrets.map(\.value)).count == 8)
    }

    @Test func `the local file has the credentials, for the environment that they belong to`() throws {
        try Self.play { folder in
            let (imported, _) = try PostmanSample.imported(Self.shop, Self.environment)
            let path = folder + "/shop.json"
            #expect(try imported.write(to: path, keeping: .local))
            let loaded = CollectionFile.load(path)
            let collection = try #require(loaded.collection)
            #expect(loaded.problems.allSatisfy { $0.severity != .error })
            #expect(Set(collection.overlay.secrets.map(\.name)).isSuperset(of: ["token", "apiKey"]))
            #expect(collection.overlay.environments.map(\.name) == ["dev"])
            #expect(
                collection.overlay.environments.first?.secrets == [Secret("password", .value(Self.key + "8"))])
            #expect(collection.environments.first?.secrets == [Secret("empty", .prompt(""))])
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/shop.local.json")[.posixPermissions]
            #expect((mode as? NSNumber)?.intValue == 0o600)
            #expect(try Self.text(folder + "/.gitignore").contains("shop.local.json"))
        }
    }

    @Test func `a request without a name is not named by the credentials of its URL`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection("{\"request\": \"https://ada:\(Self.key)@b.test/x?apiKey=\(Self.key)\"}"))
        #expect(imported.requestCount == 1 && !imported.written(keeping: .local).text.contains(Self.key))
    }

    @Test func `a description has no credential of a known form`() throws {
        let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
        let item = #"{"name": "a", "request": {"url": "https://a.test/x", "description": "use \#(token), or x"}}"#
        let folder = #"{"name": "f", "description": "\#(token)", "item": [\#(item)]}"#
        let (imported, _) = try PostmanSample.imported(PostmanSample.collection(folder))
        #expect(imported.collection.requests.first?.description == "use ••••••, or x")
        #expect(!imported.collection.text.contains(token))
    }

    @Test func `a value that a file calls secret is in no variable, also of a folder and switched off`() throws {
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                """
                {"name": "f", "item": [], "variable": [{"key": "color", "value": "blueblue", "type": "secret"}]}
                """),
            PostmanSample.environment(
                "dev", "{\"key\": \"shade\", \"value\": \"greengreen\", \"type\": \"secret\", \"enabled\": false}"))
        let text = imported.written(keeping: .local).text
        #expect(!text.contains("blueblue") && !text.contains("greengreen"), "\(text)")
        #expect(Set(imported.secrets.map(\.value)) == ["blueblue", "greengreen"])
    }

    @Test func `a text of a file calls no function that only Ombi has`() throws {
        let (request, _) = try PostmanSample.only(
            #""url": "https://a.test", "header": [{"key": "X-A", "value": "{{$base64($file('/etc/hosts'), '\"')}}"}]"#)
        let value = try #require(request.headers.first?.value)
        #expect(try Template(value).parts == [.text("{{$base64($file('/etc/hosts'), '\"')}}")])
    }

    @Test func `a template stays one, and names what it names`() throws {
        let (request, _) = try PostmanSample.only(
            "\"url\": \"https://a.test\", \"auth\": {\"type\": \"bearer\", \"bearer\": {\"token\": \"{{mine}}\"}}")
        #expect(request.authentication == .bearer(BearerAuthentication(token: "{{mine}}")))
    }

    @Test func `a variable that is a password is a secret, whatever its name is`() throws {
        let auth = #""auth": {"type": "basic", "basic": {"username": "{{name}}", "password": "{{color}}"}}"#
        let (imported, _) = try PostmanSample.imported(
            PostmanSample.collection(
                PostmanSample.request("\"url\": \"https://a.test/x\", " + auth),
                #", "variable": [{"key": "name", "value": "ada"}, {"key": "color", "value": "blue"}]"#),
            PostmanSample.environment("dev", #"{"key": "color", "value": "green"}"#))
        #expect(imported.secrets.map(\.value).contains("green"))
        #expect(imported.collection.variables.contains(Field("name", "ada")))
        let text = imported.written(keeping: .local).text
        #expect(!text.contains("\"green\"") && !text.contains("\"blue\""), "\(text)")
    }

    // MARK: Environments

    @Test func `environments keep their variables, and globals give way to the collection`() throws {
        let (imported, _) = try PostmanSample.imported(
            Self.shop, Self.environment,
            PostmanSample.environment(
                "Globals", "{\"key\": \"page\", \"value\": \"1\"}, {\"key\": \"more\", \"value\": \"2\"}",
                scope: "globals"))
        #expect(imported.collection.variables == [Field("more", "2"), Field("page", "3")])
        #expect(imported.collection.environments.map(\.name) == ["dev"])
        #expect(
            imported.collection.environments.first?.variables == [
                Field("size", "10"), Field("off", "1", enabled: false),
            ])
    }

    // MARK: Writing

    @Test func `a second import changes nothing, and another file is not overwritten`() throws {
        try Self.play { folder in
            let path = folder + "/shop.json"
            let (first, _) = try PostmanSample.imported(Self.shop, Self.environment)
            let (second, _) = try PostmanSample.imported(Self.shop, Self.environment)
            #expect(try first.write(to: path, keeping: .local))
            let text = try Self.text(path)
            #expect(try second.write(to: path, keeping: .local) == false)
            #expect(try Self.text(path) == text)
            try "{}".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: FileError(operation: "write", path: path, code: FileError.isThere)) {
                try second.write(to: path, keeping: .local)
            }
            #expect(try Self.text(path) == "{}")
        }
    }

    @Test func `what is written passes the check`() throws {
        let (imported, _) = try PostmanSample.imported(Self.shop, Self.environment)
        let bytes = Array(imported.written(keeping: .drop).text.utf8)
        let problems = CollectionCheck.problems(in: bytes, file: "shop.json")
        #expect(problems.isEmpty, "\(problems)")
    }

    @Test func `a file that is opened in place can be sent, and is never saved`() throws {
        try Self.play { folder in
            let path = folder + "/postman.json"
            try Self.shop.write(toFile: path, atomically: true, encoding: .utf8)
            let loaded = CollectionFile.load(path)
            #expect(loaded.collection == nil)
            #expect(loaded.problems.first?.message.contains("`ombi import \(path) --to NAME.json`") == true)
            let opened = try #require(loaded.importing)
            let collection = try #require(opened.collection)
            #expect(collection.requests.map(\.name) == ["one", "two"])
            #expect(collection.overlay.secrets.contains(Secret("apiKey", .value(Self.key + "7"))))
            #expect(opened.problems.allSatisfy { $0.severity == .warning } && opened.problems.count == 1)
            for overwriting in [false, true] {
                #expect(throws: SaveError.foreign(path)) {
                    try CollectionFile.save(
                        collection, to: path, expecting: opened.fingerprint, overwriting: overwriting)
                }
            }
            #expect(try Self.text(path) == Self.shop)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["postman.json"])
        }
    }

    // MARK: Detection

    @Test func `byte order marks, UTF-16 and the answer of an API are read`() throws {
        let text = PostmanSample.collection(PostmanSample.request("\"url\": \"https://a.test/ä\""))
        var little: [UInt8] = [0xFF, 0xFE]
        var big: [UInt8] = [0xFE, 0xFF]
        for unit in text.utf16 {
            little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let all = [
            [0xEF, 0xBB, 0xBF] + Array(text.utf8), little, big, Array("{\"collection\": \(text)}".utf8),
            Array(text.replacing("\n", with: "\r\n").utf8),
        ]
        for bytes in all {
            let imported = try Imported.joined([try Importer.read(bytes, from: "a.json")])
            #expect(imported.collection.requests.map(\.path) == ["/ä"])
        }
    }

    @Test(arguments: [
        ("{\"id\": \"1\", \"name\": \"n\", \"order\": [], \"requests\": []}", "Postman 1"),
        (
            "{\"info\": {\"schema\": \"https://schema.getpostman.com/json/collection/v9.0.0/\"}, \"item\": []}",
            "version v9.0.0"
        ),
        ("{\"info\": ", "no JSON"), ("{\"a\": 1}", "none of the formats"), ("hello", "none of the formats"),
    ])
    func `another file is refused with a reason`(text: String, reason: String) {
        do throws(ImportError) {
            _ = try Importer.read(Array(text.utf8), from: "a.json")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    @Test(arguments: [
        (#"{"version": 1, "name": "a", "items": []}"#, "this is a collection of Ombi, which needs no import"),
        (#"{"a": 1}"#, "this is none of the formats that are imported: "), ("[]", "this is none of the formats "),
    ])
    func `a file that is Postman's by its name alone is refused`(text: String, reason: String) throws {
        let file = try ForeignFile(Array(text.utf8), path: "a.json")
        let error = #expect(throws: ImportError.self) { try PostmanImport.read(file) }
        #expect(error?.message.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["v2", "v2.0.0", "v2.1.0"])
    func `each version of the format since 2 is read`(version: String) throws {
        let schema = "http://schema.getpostman.com/collection/\(version)/collection.json"
        let item = PostmanSample.request(#""url": "https://a.test/x""#)
        let (imported, _) = try PostmanSample.imported(
            #"{"info": {"name": "Shop", "schema": "\#(schema)"}, "item": [\#(item)]}"#)
        #expect(imported.collection.requests.map(\.path) == ["/x"])
    }

    @Test func `bytes in no encoding have a position`() {
        do throws(ImportError) {
            _ = try Importer.read(Array("{\n \"a\": \"".utf8) + [0xC3, 0x28], from: "a.json")
            Issue.record("it was read")
        } catch {
            #expect(error.position.line == 2 && error.message.contains("UTF-8"))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `many requests of one name are told apart in linear time`() {
        let item = CollectionItem.request(SavedRequest(name: "a", path: "/x"))
        let names = Array(repeating: item, count: 20_000).withUniqueNames.map(\.name)
        #expect(names.count == 20_000 && names[19_999] == "a 20000" && Set(names).count == names.count)
    }

    @Test func `too many folders in each other are an error`() {
        let open = String(repeating: "{\"item\": [", count: 150)
        let text = PostmanSample.collection(open + String(repeating: "]}", count: 150))
        do throws(ImportError) {
            _ = try Importer.read(Array(text.utf8), from: "a.json")
            Issue.record("it was read")
        } catch {
            #expect(error.message.contains("100 folders"))
        }
    }

    @Test func `curl commands are one of the formats`() throws {
        let file = try Importer.read(Array("curl https://a.test/x".utf8), from: "a.sh")
        #expect(try Imported.joined([file]).collection.requests.map(\.path) == ["/x"])
    }

    @Test func `notes of one kind are one note`() throws {
        let rows = (0..<3).map { _ in "{\"key\": \"X Y\", \"value\": \"1\"}" }
        let (_, notes) = try PostmanSample.only(
            "\"url\": \"https://a.test\", \"header\": [\(rows.joined(separator: ", "))]")
        #expect(notes.filter { $0.subject == "X Y" }.count == 1)
        #expect(notes.contains { $0.message.contains("3 times") })
    }
}
