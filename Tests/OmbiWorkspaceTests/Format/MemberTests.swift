import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Objects that are read and written by a table of members.
@Suite struct MemberTests {
    private static func read(_ text: String, isPartial: Bool = false) throws -> (SavedMessage, problems: [String]) {
        let document = try JSONDocument(checking: Bytes(text.utf8))
        let log = ProblemLog(file: "f", document: document)
        var object = try #require(ObjectReader(rootOf: log))
        object.isPartial = isPartial
        return (SavedMessage(reading: object), log.problems.map(\.description))
    }

    @Test(arguments: [
        #"{ "name": "n", "text": "t" }"#, #"{ "text": "t", "name": "n" }"#, #"{ "n\u0061me": "n", "text": "t" }"#,
        #"{ "name": "n", "text": "t", "text": 2, "name": null }"#,
    ]) func `keys stand in any order and with escapes, and the first of a repeated one counts`(text: String) throws {
        let (message, problems) = try Self.read(text)
        #expect(message == SavedMessage(name: "n", text: "t"))
        #expect(problems == [])
    }

    @Test func `each required key that is missing is named in the order of the table`() throws {
        #expect(
            try Self.read("{}").problems == [
                "f:1:1: error: missing key \"name\"", "f:1:1: error: missing key \"text\"",
            ])
        #expect(try Self.read(#"{ "text": 1 }"#).problems.count == 2)
    }

    @Test func `null is no value where another source gives the rest, and nothing is missing there`() throws {
        let (message, problems) = try Self.read(#"{ "text": null }"#, isPartial: true)
        #expect(message == SavedMessage(name: "", text: ""))
        #expect(problems == [])
        #expect(try Self.read(#"{ "name": "n", "text": null }"#).problems.count == 1)
    }

    @Test func `other keys are kept where they were, with a warning for those that are not the user's own`() throws {
        let (message, problems) = try Self.read(#"{"x-a": 1, "name": "n", "tekst": 2, "text": "t"}"#)
        #expect(message.json.compact == #"{"x-a":1,"name":"n","tekst":2,"text":"t"}"#)
        #expect(problems == ["f:1:25: warning: unknown key \"tekst\"; it has no effect"])
    }

    @Test func `an unknown key stays behind a source when another source takes its place`() {
        func unknown(after key: String) -> UnknownMembers {
            var unknown = UnknownMembers()
            unknown.entries = [UnknownMembers.Entry(previousKey: key, member: JSONValue.Member("x-a", 1))]
            return unknown
        }
        var secret = Secret("s", .environment("A"))
        secret.unknown = unknown(after: "env")
        #expect(secret.valueJSON.compact == #"{"env":"A","x-a":1}"#)
        secret.source = .file("F")
        #expect(secret.valueJSON.compact == #"{"file":"F","x-a":1}"#)
        var capture = Capture("c", .path("$.a"))
        capture.unknown = unknown(after: "path")
        capture.source = .header("H")
        #expect(capture.valueJSON.compact == #"{"header":"H","x-a":1}"#)
    }

    @Test(arguments: [
        Collection.keys, Folder.keys, SavedRequest.keys, Environment.keys, SavedConnection.keys, RequestPolicy.keys,
        Expectation.keys, BodyExpectation.keys, HeaderExpectation.keys, Capture.keys, Secret.keys, SavedPages.keys,
        OAuth2Authentication.members.index.names, AWSAuthentication.members.index.names,
    ]) func `a table names each key once, and has a bit for each`(keys: [String]) {
        #expect(Set(keys).count == keys.count && keys.count <= UInt64.bitWidth)
    }
}
