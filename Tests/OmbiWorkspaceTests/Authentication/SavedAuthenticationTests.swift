import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Every kind of authentication, by the list of kinds.
@Suite struct SavedAuthenticationTests {
    @Test(arguments: SavedAuthentication.Kind.allCases)
    func `a kind is read from what it writes, with what was edited`(kind: SavedAuthentication.Kind) throws {
        var authentication = SavedAuthentication(kind)
        for (index, field) in kind.descriptors.enumerated() {
            let text = field.choices.last?.name ?? (field.label == "parameters" ? "x=" : "") + "\(index)"
            try field.write(&authentication, text)
            #expect(field.read(authentication) == text)
        }
        #expect(authentication.kind == kind)
        let request = SavedRequest(name: "r", path: "/", authentication: authentication)
        let written = Collection(name: "c", items: [.request(request)]).text
        let (collection, problems) = CollectionFile.read(Array(written.utf8), file: "c.json")
        #expect(collection?.requests.first?.authentication == authentication && problems.isEmpty)
        #expect(try SampleTests.schema().failures(JSONValue.parse(written)) == [])
    }

    @Test(arguments: SavedAuthentication.Kind.allCases)
    func `empty credentials are read, with a warning for each part that is empty`(kind: SavedAuthentication.Kind) {
        let authentication = SavedAuthentication(kind)
        let request = SavedRequest(name: "r", path: "/", authentication: authentication)
        let written = Collection(name: "c", items: [.request(request)]).text
        let (collection, problems) = CollectionFile.read(Array(written.utf8), file: "c.json")
        #expect(collection?.requests.first?.authentication == authentication)
        #expect(problems.allSatisfy { $0.severity == .warning })
        let emptyParts = authentication.credentials?.emptyParts ?? []
        #expect(problems.map(\.message) == emptyParts.map { "\"authentication\": the \($0) is empty" })
        let labels = kind.descriptors.map(\.label)
        #expect(Set(emptyParts).isSubset(of: labels))
        #expect(emptyParts.isEmpty == [.negotiate, .netrc, .noAuthentication].contains(kind))
    }

    private static func read(_ authentication: String) -> (SavedAuthentication?, problems: [String]) {
        let text = """
            {"version": 1, "name": "c", "items": [{"request": "r", "path": "/", "authentication": \(authentication)}]}
            """
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "c")
        return (collection?.requests.first?.authentication, problems.map(\.message))
    }

    @Test(arguments: [
        (#"{ "basic": {} }"#, ["username", "password"]), (#"{ "digest": { "username": "u" } }"#, ["password"]),
        (#"{ "ntlm": { "domain": "D" } }"#, ["username", "password"]), (#"{ "apiKey": { "value": "v" } }"#, ["name"]),
        (#"{ "oauth2": {} }"#, ["grant", "tokenURL", "clientID"]),
        (#"{ "oauth2": { "grant": "deviceCode", "tokenURL": "/t" } }"#, ["clientID", "deviceURL"]),
        (#"{ "oauth2": { "grant": "password", "tokenURL": "/t", "clientID": "i" } }"#, ["username"]),
        (#"{ "aws": {} }"#, ["accessKeyID", "secretAccessKey", "region", "service"]),
        (#"{ "aws": { "profile": "dev" } }"#, ["service"]),
    ]) func `each key that a kind needs is named where it is missing`(written: String, missing: [String]) {
        let (authentication, problems) = Self.read(written)
        #expect(authentication == nil)
        #expect(problems == missing.map { "missing key \"\($0)\"" })
    }

    @Test func `unknown keys of credentials are kept where they were, with a warning`() {
        let written = #"{"x-a":1,"username":"u","pasword":"p","password":"q"}"#
        for kind in [SavedAuthentication.Kind.basic, .digest, .ntlm] {
            let (authentication, problems) = Self.read("{\"\(kind.rawValue)\": \(written)}")
            #expect(authentication?.credentials?.json.compact == written)
            #expect(problems == ["unknown key \"pasword\"; it has no effect"])
        }
    }

    @Test(arguments: SavedAuthentication.Kind.allCases)
    func `a part that should come from a secret has a template as its example`(kind: SavedAuthentication.Kind) {
        for part in kind.descriptors where part.isSecret {
            #expect(part.example.hasPrefix("{{") && part.example.hasSuffix("}}"))
        }
    }

    @Test func `a profile takes the place of keys and region`() throws {
        let file = """
            { "version": 1, "name": "c", "items": [
              { "request": "r", "path": "/", "authentication": { "aws": { "service": "s3", "profile": "dev" } } }] }
            """
        let (collection, problems) = CollectionFile.read(Array(file.utf8), file: "c.json")
        let aws = AWSAuthentication(accessKeyID: "", secretAccessKey: "", region: "", service: "s3", profile: "dev")
        #expect(collection?.requests.first?.authentication == .aws(aws) && problems.isEmpty)
        #expect(SavedAuthentication.aws(aws).credentials?.emptyParts == [])
        #expect(try aws.json == JSONValue.parse(#"{ "service": "s3", "profile": "dev" }"#))
        #expect(try SampleTests.schema().failures(JSONValue.parse(file)) == [])
        let bare = file.replacing(#", "profile": "dev""#, with: "")
        #expect(CollectionFile.read(Array(bare.utf8), file: "c.json").problems.count == 3)
        #expect(try SampleTests.schema().failures(JSONValue.parse(bare)) != [])
    }

    @Test func `a field of another kind is empty, and not written`() throws {
        let basic = SavedAuthentication(.basic)
        for field in SavedAuthentication.Kind.bearer.descriptors {
            var edited = basic
            try field.write(&edited, "x")
            #expect(field.read(basic).isEmpty && edited == basic)
        }
    }

    @Test(arguments: ["{}", "{\"basic\": {}, \"bearer\": \"t\"}", "\"some\"", "null"])
    func `anything but one kind is an error that names the kinds`(written: String) {
        let text = """
            {"version": 1, "name": "c", "items": [{"request": "r", "path": "/", "authentication": \(written)}]}
            """
        let (collection, problems) = CollectionFile.read(Array(text.utf8), file: "c")
        #expect(collection == nil && problems.count == 1)
        let message = problems.first?.message ?? ""
        #expect(
            message.hasPrefix(
                "\"authentication\": write \"inherit\", \"none\", { \"bearer\": \"…\" }, { \"basic\": { \"username\": …, "
            ))
    }
}
