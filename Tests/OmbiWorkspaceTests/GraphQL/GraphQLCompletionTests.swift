import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Texts that complete a query. The cursor is at the bar.
@Suite struct GraphQLCompletionTests {
    private func completion(_ text: String) throws -> GraphQLCompletion? {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        let query = Bytes((parts[0] + parts[1]).utf8)
        return try GraphQLSample.schema().completion(of: query, at: parts[0].utf8.count)
    }

    @Test(arguments: [
        ("|", ["query", "mutation", "fragment"]),
        ("{ |", ["user", "users", "search", "__typename"]),
        ("{ user(id: 1) { na| } }", ["id", "name", "role", "friends", "address", "old", "__typename"]),
        ("query A { users { name address { | } } }", ["city", "street", "__typename"]),
        ("mutation { |", ["rename", "__typename"]),
        ("{ users(|) { name } }", ["role", "first", "filter"]),
        ("{ users(first: 1, r|) { name } }", ["role", "filter"]),
        ("{ users(role: |", ["ADMIN", "USER"]),
        ("{ users(filter: { |", ["name", "role"]),
        ("{ users(filter: { role: A|", ["ADMIN", "USER"]),
        ("query A($a: Role, $b: [ID!]) { users(role: $|) { name } }", ["a", "b"]),
        ("query A($a: Ro|", ["Role", "Filter", "NameInput", "Date", "Int", "Float", "String", "Boolean", "ID"]),
        ("{ search(text: 1) { ...| } } fragment P on User { id }", ["P", "on"]),
        ("{ search(text: 1) { ... on |", ["User", "Address", "Result"]),
        ("{ users @|", ["skip", "include"]), ("{ users @include(|", ["if"]),
        ("{ users { ... @sk|", ["skip", "include"]),
        ("{ users @include(if: |", ["true", "false"]),
        ("query A($a: Role, $b: Int) { users(first: $|", ["b", "a"]),
        ("query A($a: Role) { users { id } } query B($b: Role) { users(role: $|", ["b"]),
        ("query A($a: Role) { users { ...P } } fragment P on Query { users(role: $|", ["a"]),
        ("fragment P on User { fri|", ["id", "name", "role", "friends", "address", "old", "__typename"]),
    ])
    func `what the place allows is offered`(text: String, names: [String]) throws {
        #expect(try completion(text)?.choices.map(\.name) == names)
    }

    @Test(arguments: [
        "{ user(id: \"|\") { id } }", "{ user # a|\n }", "{ user(id: 1|) { id } }", "{ nope { | } }", "{ user(id: |",
        "query |", "{ users(nope: |", "query A @|", "{ users @nope(|",
    ])
    func `nothing is offered in a string, a comment and a number, and where nothing is known`(text: String) throws {
        #expect(try completion(text) == nil)
    }

    @Test func `a choice has its type, and replaces what is typed`() throws {
        let found = try #require(try completion("{ user(id: 1) { o| } }"))
        #expect(found.typed == 16..<17 && !found.isInvited)
        let notes = Dictionary(uniqueKeysWithValues: found.choices.map { ($0.name, $0.note) })
        #expect(notes["id"] == "ID!" && notes["friends"] == "[User!]" && notes["old"] == "String, deprecated")
        #expect(try completion("query A($a: Role) { users(role: $|")?.choices.first?.note == "Role")
        #expect(try completion("{ users(|")?.isInvited == true)
    }

    @Test func `a choice has the first sentence of its description, or the reason for its deprecation`() throws {
        let text = """
            type Query {
              "A user by its id. It may be missing." user("Never changes." id: ID!): Int
              "The user of the token." me: Int @deprecated(reason: "Use `user`. It takes an id.")
              plain(role: Role): Int
            }
            enum Role { "May do all." ADMIN OLD @deprecated }
            "Keeps the response." directive @cache("Seconds." age: Int) on FIELD
            """
        func notes(_ query: String) throws -> [String] {
            let found = try GraphQLSample.schema(text).completion(of: Bytes(query.utf8), at: query.utf8.count)
            return found?.choices.map { "\($0.name) \($0.note)" } ?? []
        }
        #expect(
            try notes("{ ") == [
                "user Int  A user by its id.", "me Int, deprecated: Use `user`.", "plain Int", "__typename String!",
            ])
        #expect(try notes("{ user(") == ["id ID!  Never changes."])
        #expect(try notes("{ plain(role: ") == ["ADMIN Role  May do all.", "OLD Role, deprecated"])
        #expect(
            try notes("{ me @") == [
                "cache (age: Int)  Keeps the response.", "skip (if: Boolean!)", "include (if: Boolean!)",
            ])
        #expect(try notes("{ me @cache(") == ["age Int  Seconds."])
    }
}
