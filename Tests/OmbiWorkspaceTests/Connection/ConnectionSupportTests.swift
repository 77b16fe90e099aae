import Foundation
import OmbiCore
import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// What `ombi check` says of connections beyond their form.
@Suite struct ConnectionSupportTests {
    @Test func `a setting that cannot be honored here is told with its place`() throws {
        let text = """
            { "version": 1, "name": "c", "items": [],
              "connection": { "proxy": "https://p.test", "minimumTLS": "1.3",
                "httpVersion": "3" } }
            """
        let document = try JSONDocument(checking: Bytes(Array(text.utf8)))
        let checks = FileChecks(
            refuses: { connection in
                if connection.httpVersion == .http3 {
                    return
                        "Connection.httpVersion asks for HTTP/3, which the libcurl of this system (7.88.1) does not have"
                }
                return connection.proxy == .environment
                    ? nil : "Connection.proxy asks for TLS to a proxy, which it lacks"
            })
        let (collection, problems) = CollectionFile.read(document, file: "f", checks: checks)
        #expect(collection != nil)
        #expect(
            problems.map(\.description) == [
                "f:2:28: warning: \"proxy\": it asks for TLS to a proxy, which it lacks",
                "f:3:20: warning: \"httpVersion\": it asks for HTTP/3, which the libcurl of this system (7.88.1) does "
                    + "not have",
            ])
    }

    @Test func `files and sockets that no request can use are warned of`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("here.pem", "x")
        let path = try folder.file(
            "c.json",
            """
            { "version": 1, "name": "c", "items": [], "connection": {
            "caFile": "./ca.pem", "unixSocket": "\(String(repeating: "s", count: 200))",
            "clientCertificate": { "file": "here.pem", "key": "./no.key" } } }
            """)
        let problems = CollectionFile.load(path).problemsWithNamedFiles.map(\.description)
        #expect(
            problems == [
                path + ":2:11: warning: ./ca.pem cannot be read: No such file or directory; paths start at the folder "
                    + "of this file",
                path + ":2:37: warning: \"unixSocket\": it is a path of 200 bytes; the system takes 1 to 107",
                path + ":3:51: warning: ./no.key cannot be read: No such file or directory; paths start at the folder "
                    + "of this file",
            ])
        #expect(CollectionFile.load(path).problems == [])
    }

    @Test func `schemes that cannot be negotiated here are told with their places`() throws {
        let text = """
            { "version": 1, "name": "c", "authentication": { "ntlm": { "username": "u", "password": "{{p}}" } },
              "items": [{ "request": "r", "path": "/", "authentication":
                { "negotiate": {} } }] }
            """
        let document = try JSONDocument(checking: Bytes(Array(text.utf8)))
        let checks = FileChecks(lacks: { "\($0) is not in it" })
        let (collection, problems) = CollectionFile.read(document, file: "f", checks: checks)
        #expect(collection != nil)
        #expect(
            problems.map(\.description) == [
                "f:1:58: warning: \"authentication\": NTLM is not in it",
                "f:3:20: warning: \"authentication\": Negotiate is not in it",
            ])
        #expect(CollectionFile.read(document, file: "f", checks: FileChecks()).problems == [])
    }

    private static let exposed = "/users (mode 640); chmod 600 keeps its passwords private"

    @Test func `a .netrc file that others can read is warned of, one of the user alone is not`() throws {
        let folder = try TemporaryFolder()
        let users = try folder.file("users", "default login ada password s3cret")
        let path = try folder.file(
            "c.json",
            """
            { "version": 1, "name": "c", "items": [], "authentication":
            { "netrc": { "file": "users" } } }
            """)
        #expect(chmod(users, 0o640) == 0)
        let problems = CollectionFile.load(path).problemsWithNamedFiles.map(\.description)
        #expect(problems.count == 1 && problems[0].hasPrefix(path + ":2:12: warning: \"authentication\": others can"))
        #expect(problems.first?.hasSuffix(Self.exposed) == true, "\(problems)")
        #expect(CollectionFile.load(path).problems == [])
        #expect(chmod(users, 0o600) == 0)
        #expect(CollectionFile.load(path).problemsWithNamedFiles == [])
        try FileManager.default.removeItem(atPath: users)
        let missing = CollectionFile.load(path).problemsWithNamedFiles.map(\.description)
        #expect(missing.count == 1 && missing[0].contains(":2:12: warning: users cannot be read: "), "\(missing)")
    }

    @Test func `a preview warns of a .netrc file that others can read, as long as its user is sent`() throws {
        let folder = try TemporaryFolder()
        let users = try folder.file("users", "default login ada password s3cret")
        let file = folder.path + "/c.json"
        #expect(chmod(users, 0o640) == 0)
        func warning(_ headers: [Field] = []) throws -> String? {
            let request = SavedRequest(
                name: "r", path: "/", headers: headers, authentication: .netrc(NetrcAuthentication(file: users)))
            let collection = Collection(
                name: "c", environments: [Environment(name: "e", host: "http://127.0.0.1:1")],
                items: [.request(request)])
            let order = RunOrder(
                id: 1, request: request, collection: collection, environment: "e", file: file)
            return try Session().preview(order).credentialsWarning
        }
        #expect(try warning()?.hasSuffix(Self.exposed) == true)
        #expect(try warning([Field("Authorization", "Bearer x")]) == nil)
        #expect(chmod(users, 0o600) == 0)
        #expect(try warning() == nil)
    }

    @Test func `libcurl is asked`() throws {
        #expect(CurlTransport.refusal(of: Connection()) == nil)
        let error = try #require(CurlTransport.refusal(of: Connection { $0.tls.pinnedPublicKeys = ["x"] }))
        #expect(error.code == .unsupportedOption)
    }

    @Test func `the check of certificates belongs to an environment`() {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/",
              "connection": { "verifyTLS": false } }] }
            """
        #expect(
            CollectionFile.read(Array(text.utf8), file: "f").problems.map(\.description) == [
                "f:2:32: warning: \"verifyTLS\" belongs to an environment, beside its \"host\"; here it has no effect"
            ])
    }

    @Test func `templates in a connection are checked as others are`() {
        let text = """
            { "version": 1, "name": "c", "items": [{ "request": "r", "path": "/", "connection":
            { "proxy": "http://{{hst}}:1" } }], "environments": [{ "name": "e", "host": "http://h", "variables": { "host": "p" } }] }
            """
        let problems = CollectionCheck.problems(in: Array(text.utf8), file: "f").map(\.description)
        #expect(problems.count == 1 && problems.first?.hasPrefix("f:2:20: warning: unknown variable \"hst\"") == true)
        let collection = CollectionFile.read(Array(text.utf8), file: "f").collection
        #expect(collection.map { VariableUses($0).undefined["e"] } == ["hst"])
    }
}
