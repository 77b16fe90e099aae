import Testing

@testable import OmbiDocument

@Suite("The members of an object")
struct ObjectMembersTests {
    /// Calls `body` while the document, in whose bytes the keys are, is alive.
    private static func members(_ text: String, _ body: (ObjectMembers) -> Void) throws {
        let document = try JSONDocument(checking: Bytes(text.utf8))
        body(document.members(of: try #require(document.firstRoot)))
        withExtendedLifetime(document) {}
    }

    @Test func `a member is found by its key, however that is written, and the first of two with one key`() throws {
        try Self.members("{ \"a\" : 1, \"longer than 8\":{\"a\":0} ,\"a\":\"\\\"\", \"\\u0063\": null, \"\": [] }") {
            members in
            #expect(members.all.map(\.key) == ["a", "longer than 8", "a", "c", ""])
            #expect(members.all.map(\.kind) == [.number, .object, .string, .null, .array])
            #expect(members["a"]?.kind == .number && members["longer than 8"]?.kind == .object)
            #expect(members["c"]?.kind == .null && members[""]?.kind == .array)
            #expect(members["longer than 9"] == nil && members["b"] == nil && members["longer t"] == nil)
        }
    }

    @Test(arguments: [
        (["a", "b", "c"], []), (["a", "b"], [3]), (["b", "b", "c", "c"], [0, 2]), (["a", "a", "a", "a"], [1, 3]),
        ([], [0, 1, 2, 3]), (["x", "y"], [0, 1, 2, 3]),
    ])
    func `members with other keys are all that is not known, also where a key is given twice`(
        known: [String], positions: [Int]
    ) throws {
        try Self.members("{\"a\": 1, \"b\": 2, \"a\": 3, \"\\u0063\": 4}") { members in
            #expect(members.positions(besides: JSONKeys(known)) == positions)
        }
    }

    @Test func `a hundred members are no different`() throws {
        let keys = (0..<100).map { "key number \($0)" }
        try Self.members("{\(keys.map { "\"\($0)\": 0" }.joined(separator: ","))}") { members in
            #expect(members.positions(besides: JSONKeys(keys)).isEmpty)
            #expect(members.positions(besides: JSONKeys(Array(keys.dropLast()))) == [99])
            #expect(members.positions(besides: JSONKeys(Array(keys.dropFirst()))) == [0])
        }
    }

    @Test func `a key is found from any position on, also one with escapes or of more than eight bytes`() throws {
        let keys = JSONKeys(["a", "longer than 8", "longer than 9", "c"])
        try Self.members("{\"longer than 9\": 0, \"\\u0063\": 0, \"a\": 0, \"longer than 7\": 0, \"\": 0}") { members in
            for start in 0...4 {
                #expect(members.all.map { keys.position(of: $0, from: start) } == [2, 3, 0, nil, nil])
            }
        }
    }
}
