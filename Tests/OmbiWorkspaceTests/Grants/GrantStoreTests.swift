import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

@Suite struct GrantStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "grants-" + UUID().uuidString).path

    private func play(_ body: (_ store: GrantStore, _ file: String) throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder + "/shop", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try "{}".write(toFile: folder + "/shop/c.json", atomically: true, encoding: .utf8)
        try body(GrantStore(path: folder + "/state/ombi/trust.json"), folder + "/shop/c.json")
    }

    private static let api = Destination(text: "https://api.test")
    private static let flow = Flow(.environment("TOK"), to: api)

    @Test func `a grant outlives the program, for its source, destination and file alone`() throws {
        try play { store, file in
            try OmbiWorkspace.Gate(store: store).grant(GateQuestion(file: file, flows: [Self.flow]), .allowed)
            let gate = OmbiWorkspace.Gate(store: store)
            #expect(gate.isGranted(Self.flow, to: file))
            #expect(!gate.isGranted(Flow(.environment("OTHER"), to: Self.api), to: file))
            #expect(!gate.isGranted(Flow(.environment("TOK"), to: Destination(text: "https://api.test:444")), to: file))
            #expect(!gate.isGranted(Self.flow, to: folder + "/shop/d.json"))
            let grant = try #require(store.grants.first)
            #expect(grant.text == "sends $TOK to https://api.test" && grant.day.count == 10)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/state/ombi/trust.json")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a grant that is revoked holds no longer, in a program that runs already, too`() throws {
        try play { store, file in
            let gate = OmbiWorkspace.Gate(store: store)
            try gate.grant(GateQuestion(file: file, flows: [Self.flow]), .allowed)
            #expect(gate.isGranted(Self.flow, to: file))
            #expect(try store.revoke(file) == 1)
            #expect(!gate.isGranted(Self.flow, to: file))
            #expect(try store.revoke(file) == 0)
        }
    }

    @Test func `a grant for now is in no file`() throws {
        try play { store, file in
            let gate = OmbiWorkspace.Gate(store: store)
            try gate.grant(GateQuestion(file: file, flows: [Self.flow]), .allowedNow)
            #expect(
                gate.isGranted(Self.flow, to: file) && !OmbiWorkspace.Gate(store: store).isGranted(Self.flow, to: file))
            try gate.grant(GateQuestion(file: file, flows: [Self.flow]), .refused)
            #expect(store.grants.isEmpty)
        }
    }

    @Test(arguments: [
        "", "{", "[]", #"{ "grants": 7 }"#, #"{ "grants": [{ "collection": 1 }] }"#,
        #"{ "version": 1, "files": [{ "path": "FILE", "sha256": "x", "content": ["reads the environment variable TOK"] }] }"#,
    ])
    func `a damaged file grants nothing, and neither does one of before`(_ text: String) throws {
        try play { store, file in
            try FileManager.default.createDirectory(atPath: folder + "/state/ombi", withIntermediateDirectories: true)
            try text.replacing("FILE", with: file)
                .write(toFile: folder + "/state/ombi/trust.json", atomically: true, encoding: .utf8)
            let gate = OmbiWorkspace.Gate(store: store)
            #expect(!gate.isGranted(Self.flow, to: file))
            #expect(gate.question(about: [Self.flow], of: file) != nil)
            try gate.grant(GateQuestion(file: file, flows: [Self.flow]), .allowed)
            #expect(OmbiWorkspace.Gate(store: store).isGranted(Self.flow, to: file))
        }
    }

    @Test func `programs that answer at the same time keep all grants, and what is revoked stays so`() throws {
        try play { store, file in
            try store.add([Flow(.environment("GONE"), to: Self.api)], of: folder + "/shop/gone.json")
            DispatchQueue.concurrentPerform(iterations: 16) { index in
                if index == 0 {
                    _ = try? store.revoke(folder + "/shop/gone.json")
                } else {
                    try? store.add([Flow(.environment("T\(index)"), to: Self.api)], of: file)
                }
            }
            #expect(Set(store.grants.map(\.source)) == Set((1..<16).map { "$T\($0)" }))
        }
    }

    @Test func `a file that anybody may write has no grants until one is given again`() throws {
        try play { store, file in
            try store.add([Self.flow], of: file)
            let path = folder + "/state/ombi/trust.json"
            #expect(store.grants.count == 1)
            #expect(chmod(path, 0o666) == 0)
            #expect(store.grants.isEmpty && !OmbiWorkspace.Gate(store: store).isGranted(Self.flow, to: file))
            try store.add([Self.flow], of: file)
            #expect(OmbiWorkspace.Gate(store: store).isGranted(Self.flow, to: file))
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: [
        ("TOK=https://api.test", true), ("$TOK=https://api.test", true), ("*=https://api.test", true),
        ("TOK=https://API.test:443/", true), ("TOK=https://api.test:444", false), ("TO=https://api.test", false),
        ("TOK=http://api.test", false), ("TOK=https://api.test.evil.test", false),
    ])
    func `a pattern of the command line names one source and one destination`(_ text: String, _ allows: Bool) throws {
        #expect(try GrantPattern(text).allows(Self.flow) == allows)
    }

    @Test(arguments: [
        ("TOK", "write NAME=URL, such as TOKEN=https://api.example.com"),
        ("=x", "write NAME=URL, such as TOKEN=https://api.example.com"),
        ("TOK=", "write NAME=URL, such as TOKEN=https://api.example.com"),
        ("TOK=api.test", "\"api.test\" is not a URL; write for example https://api.example.com"),
        ("TOK==https://api.test", "\"=https://api.test\" is not a URL; write for example https://api.example.com"),
        ("TOK=ftp://api.test", "\"ftp://api.test\" cannot be requested; write http:// or https:// in place of ftp://"),
        ("TOK=https://", "\"https://\" is not a URL; write for example https://api.example.com"),
        ("TOK=https://a b", "\"https://a b\" is not a URL; write for example https://api.example.com"),
        (
            "TOK=https://api.test:99999",
            "the port \"99999\" of \"https://api.test:99999\" is not a number from 1 to 65535"
        ),
        ("TOK=https://*.test", "a grant is for one server; write its name in place of *"),
        ("TOK=https://api.test/x", "a grant is for a whole server; write https://api.test alone"),
        ("TOK=https://api.test?x=1", "a grant is for a whole server; write https://api.test alone"),
    ])
    func `a pattern that matches nothing is refused with the reason`(_ text: String, _ reason: String) {
        #expect(throws: FieldError(reason)) { try GrantPattern(text) }
    }

    @Test(arguments: [
        Source.environment("TOK"), .file("/etc/hosts"), .envFile("/x/.env", name: "token"), .typed("token"),
        .command(["pass", "show", "a b"]), .command(["env", "X=1", "token"]), .keyring(service: "s", account: "me"),
        .local("own", isSecret: true), .captured("id", from: nil), .token(api), .certificate("/x/me.pem"),
        .socket("/run/x.sock"), .ssh("ssh://bastion"), .kerberos,
    ])
    func `the pattern of a flow allows it`(_ source: Source) throws {
        let ways = ["", ", through the proxy http://p.test:3128", ", without verifying its certificate"]
        let others = [
            "the proxy http://p.test:3128", Destination.undecided.text, "https://\(LogMask.mask).test (0a1b2c)",
        ]
        for text in ways.map({ "https://api.test" + $0 }) + others {
            let flow = Flow(source, to: Destination(text: text))
            #expect(try GrantPattern(flow.pattern).allows(flow), "\(flow.pattern)")
        }
    }

    @Test(arguments: [
        ("TOK=https://api.test", true), ("*=https://api.test:443/", true), ("OTHER=https://api.test", false),
        ("TOK=https://api.test, through the proxy http://p.test:3128", false), ("TOK=https://api", false),
        ("TOK=https://else.test", false),
    ])
    func `a pattern that lacks the way to its destination is told apart`(_ text: String, _ isIncomplete: Bool) throws {
        let way = Destination(text: "https://api.test, through the proxy http://p.test:3128")
        let flow = Flow(.environment("TOK"), to: way)
        #expect(try GrantPattern(text).isIncomplete(among: [flow]) == isIncomplete)
        #expect(try GrantPattern(text).isIncomplete(among: [flow, Self.flow]) == false)
    }
}
