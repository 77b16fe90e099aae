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
        ("fragment P on User { fri|", ["id", "name", "role", "friends", "address", "old", "__typename"]),
    ])
    func `what the place allows is offered`(text: String, names: [String]) throws {
        #expect(try completion(text)?.choices.map(\.name) == names)
    }

    @Test(arguments: [
        "{ user(id: \"|\") { id } }", "{ user # a|\n }", "{ user(id: 1|) { id } }", "{ nope { | } }", "{ user(id: |",
        "query |", "{ users(nope: |",
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
}
