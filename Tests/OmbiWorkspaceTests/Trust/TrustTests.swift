import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

@Suite struct TrustTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    private func play(_ body: (_ store: TrustStore, _ file: String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder + "/shop", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/shop/shop.json"
        try "{}".write(toFile: file, atomically: true, encoding: .utf8)
        try body(TrustStore(path: folder + "/state/ombi/trust.json"), file)
    }

    private static func collection(
        host: String = "https://{{name}}.shop.test/v1", name: String = "api",
        secrets: [Secret] = [Secret("token", .environment("SHOP_TOKEN"))]
    ) -> Collection {
        Collection(
            name: "shop",
            environments: [Environment(name: "local", host: host, variables: [Field("name", name)], secrets: secrets)],
            items: [.request(SavedRequest(name: "list", path: "/items", headers: [Field("X-Token", "{{token}}")]))])
    }

    private static func order(_ collection: Collection, _ file: String) -> RunOrder {
        RunOrder(
            id: 1, request: collection.requests[0], collection: collection, environment: "local", file: file)
    }

    @Test func `a source outside the workspace needs trust, which outlives the program`() throws {
        try play { store, file in
            let collection = Self.collection()
            let (order, source) = (Self.order(collection, file), Secret.Source.environment("SHOP_TOKEN"))
            let trust = Trust(store: store)
            #expect(!trust.allows(order, source))
            let request = try #require(trust.request(for: collection, file: file))
            #expect(!request.isChanged && !trust.isTrusted(request))
            #expect(
                request.lines.map(\.text) == [
                    "reads the environment variable SHOP_TOKEN, for {{token}} of local",
                    "sends to https://{{name}}.shop.test", "with {{name}} as api",
                ])
            try trust.accept(request)
            #expect(trust.allows(order, source))
            #expect(Trust(store: store).allows(order, source))
            let mode = try FileManager.default.attributesOfItem(atPath: folder + "/state/ombi/trust.json")[
                .posixPermissions]
            #expect(mode as? Int == 0o600)
            #expect(store.entries.map(\.path) == [URL(filePath: file).resolvingSymlinksInPath().path])
            #expect(try store.revoke(file))
            #expect(!Trust(store: store).allows(order, source))
            #expect(try !store.revoke(file))
        }
    }

    private static let edits: [(String, @Sendable (inout Collection) -> Void, [String])] = [
        (
            "another command", { $0.environments[0].secrets.append(Secret("k", .command(["pass", "show", "k"]))) },
            ["+ runs pass show k, for {{k}} of local"]
        ),
        (
            "another host", { $0.environments[0].host = "https://evil.test" },
            ["- sends to https://{{name}}.shop.test", "- with {{name}} as api", "+ sends to https://evil.test"]
        ),
        (
            "another value in the host", { $0.environments[0].variables[0].value = "evil" },
            ["- with {{name}} as api", "+ with {{name}} as evil"]
        ),
        (
            "a request elsewhere",
            { $0.items.append(.request(SavedRequest(name: "x", path: "https://evil.test/?q={{token}}"))) },
            ["+ sends to https://evil.test"]
        ),
        (
            "a template for a whole address", { $0.items.append(.request(SavedRequest(name: "x", path: "{{url}}"))) },
            ["+ sends to {{url}}"]
        ),
        (
            "no check of certificates", { $0.environments[0].verifyTLS = false },
            ["+ sends to servers with untrusted certificates"]
        ),
        (
            "another way there",
            { collection in
                var connection = SavedConnection()
                connection.proxy = "evil.test:3128"
                connection.resolve = ["api.shop.test:443:10.6.6.6"]
                connection.caFile = "./evil.pem"
                collection.connection = connection
            },
            [
                "+ sends to api.shop.test:443:10.6.6.6", "+ sends to evil.test:3128",
                "+ sends to servers with certificates of ./evil.pem",
            ]
        ),
        (
            "a socket in between",
            { collection in
                var connection = SavedConnection()
                connection.unixSocket = "/tmp/evil"
                connection.proxy = "none"
                collection.environments[0].connection = connection
            }, ["+ sends to /tmp/evil"]
        ),
        (
            "a host of ssh in between",
            { collection in
                collection.environments[0].connection = SavedConnection { $0.via = "ssh://evil.test" }
            }, ["+ runs ssh to connect through ssh://evil.test"]
        ),
    ]

    @Test(arguments: edits.indices) func `an edit that could give a secret away asks again, with the difference`(
        _ index: Int
    ) throws {
        let (name, edit, expected) = Self.edits[index]
        try play { store, file in
            var collection = Self.collection()
            let trust = Trust(store: store)
            try trust.accept(try #require(trust.request(for: collection, file: file)))
            edit(&collection)
            #expect(!trust.allows(Self.order(collection, file), .environment("SHOP_TOKEN")), "\(name)")
            let request = try #require(trust.request(for: collection, file: file))
            let changes = request.lines.filter { $0.change != .same }.map {
                ($0.change == .added ? "+ " : "- ") + $0.text
            }
            #expect(request.isChanged && changes == expected, "\(name)")
        }
    }

    @Test func `what lies beside the file needs trust like the file`() throws {
        try play { store, file in
            var collection = Self.collection(secrets: [])
            #expect(Trust(store: store).request(for: collection, file: file) == nil)
            collection.overlay.secrets = [Secret("a", .command(["x"])), Secret("b", .value("hush"))]
            collection.overlay.environments = [
                Environment(name: "mine", host: "http://mine.test", secrets: [Secret("c", .environment("C"))])
            ]
            let request = try #require(Trust(store: store).request(for: collection, file: file))
            #expect(
                request.lines.map(\.text) == [
                    "reads the environment variable C, for {{c}} of mine", "runs x, for {{a}} of every environment",
                    "sends to http://mine.test", "sends to https://{{name}}.shop.test", "with {{name}} as api",
                ])
            let trust = Trust(store: store)
            try trust.accept(request)
            #expect(trust.allows(Self.order(collection, file), .command(["x"])))
            collection.overlay.secrets[0].source = .command(["y"])
            #expect(!trust.allows(Self.order(collection, file), .command(["y"])))
            #expect(trust.allows(Self.order(collection, file), .value("hush")))
        }
    }

    @Test func `an edit of anything else does not`() throws {
        try play { store, file in
            var collection = Self.collection()
            let trust = Trust(store: store)
            try trust.accept(try #require(trust.request(for: collection, file: file)))
            collection.name = "other"
            collection.environments[0].additionalHeaders.append(Field("X-Team", "core"))
            collection.environments[0].variables.append(Field("page", "2"))
            collection.items.append(.request(SavedRequest(name: "new", path: "/new/{{page}}")))
            #expect(trust.allows(Self.order(collection, file), .environment("SHOP_TOKEN")))
        }
    }

    @Test func `what is inside the workspace needs none, and a link out of it does`() throws {
        try play { store, file in
            try "s3cret".write(toFile: folder + "/outside", atomically: true, encoding: .utf8)
            try "s3cret".write(toFile: folder + "/shop/inside", atomically: true, encoding: .utf8)
            try FileManager.default.createSymbolicLink(
                atPath: folder + "/shop/link", withDestinationPath: folder + "/outside")
            let trust = Trust(store: store)
            for (path, isAllowed) in [("inside", true), ("link", false), ("../outside", false), ("missing", true)] {
                let collection = Self.collection(secrets: [Secret("token", .file(path))])
                let allows = trust.allows(Self.order(collection, file), .file(path))
                #expect(allows == isAllowed, "\(path)")
                #expect((trust.request(for: collection, file: file) == nil) == isAllowed, "\(path)")
            }
            let prompt = Self.collection(secrets: [Secret("token", .prompt(""))])
            #expect(trust.allows(Self.order(prompt, file), .prompt("")))
            #expect(trust.request(for: prompt, file: file) == nil)
        }
    }

    @Test func `a run may allow everything, and the program its own files`() throws {
        try play { store, file in
            let order = Self.order(Self.collection(), file)
            #expect(Trust(store: store, allowsAll: true).allows(order, .command(["x"])))
            #expect(Trust(store: store, builtIn: [file]).allows(order, .command(["x"])))
            #expect(!Trust(store: nil).allows(order, .command(["x"])))
        }
    }

    @Test(arguments: ["", "{", "[]", #"{ "files": 7 }"#, #"{ "files": [{ "path": 1 }] }"#])
    func `a damaged file trusts nobody`(_ text: String) throws {
        try play { store, file in
            try FileManager.default.createDirectory(atPath: folder + "/state/ombi", withIntermediateDirectories: true)
            try text.write(toFile: folder + "/state/ombi/trust.json", atomically: true, encoding: .utf8)
            #expect(!Trust(store: store).allows(Self.order(Self.collection(), file), .environment("SHOP_TOKEN")))
        }
    }

    @Test func `lines that were changed without their hash are no trust`() throws {
        try play { store, file in
            let trust = Trust(store: store)
            try trust.accept(try #require(trust.request(for: Self.collection(), file: file)))
            let path = folder + "/state/ombi/trust.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let forged = text.replacing("SHOP_TOKEN", with: "OTHER_TOKEN")
            try forged.write(toFile: path, atomically: true, encoding: .utf8)
            let other = Self.collection(secrets: [Secret("token", .environment("OTHER_TOKEN"))])
            #expect(!Trust(store: store).allows(Self.order(other, file), .environment("OTHER_TOKEN")))
        }
    }
}
