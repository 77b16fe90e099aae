import OmbiDocument
import Testing

@testable import OmbiWorkspace

/// Requests made of the operations of a schema.
@Suite struct GraphQLOperationTests {
    @Test func `the queries and the mutations are listed with their signatures`() throws {
        let operations = try GraphQLSample.schema().operations
        #expect(
            operations.map { "\($0.kind) \($0.name)\($0.signature)" } == [
                "query user(id: ID!): User",
                "query users(role: Role = USER, first: Int, filter: Filter): [User!]!",
                "query search(text: String!): [Result]",
                "mutation rename(id: ID!, input: NameInput!): User",
            ])
    }

    @Test func `the note of an operation has its description, or the reason for its deprecation`() throws {
        let schema = try GraphQLSample.schema(
            """
            type Query {
              "All of them. Paged." a: Int
              b(c: Int): Int @deprecated(reason: "Use a.") d: Int @deprecated e: Int
            }
            """)
        #expect(
            schema.operations.map(\.note) == [
                "query: Int  All of them.", "query (c: Int): Int, deprecated: Use a.", "query: Int, deprecated",
                "query: Int",
            ])
    }

    @Test func `a draft has all arguments as variables, and the scalar fields of two levels`() throws {
        let schema = try GraphQLSample.schema()
        let draft = try #require(schema.draft(of: schema.operations[3]))
        #expect(
            draft.query == """
                mutation rename($id: ID!, $input: NameInput!) {
                  rename(id: $id, input: $input) {
                    id
                    name
                    role
                    friends {
                      id
                      name
                      role
                    }
                    address {
                      city
                      street
                    }
                  }
                }
                """)
        #expect(draft.name == "rename" && draft.variables == ["id": "", "input": ["first": ""]])
    }

    @Test func `a variable that may not be null has the default value of its argument`() throws {
        let schema = try GraphQLSample.schema("type Query { a(first: Int! = 10, b: Int = 2): Int }")
        let draft = try #require(schema.operations.first.flatMap(schema.draft))
        #expect(draft.query == "query a($first: Int! = 10, $b: Int) {\n  a(first: $first, b: $b)\n}")
        #expect(draft.variables == nil)
    }

    @Test func `a default value of the service becomes no template of a request`() throws {
        let schema = try GraphQLSample.schema("type Query { a(b: String! = \"{{token}}\"): Int }")
        let draft = try #require(schema.operations.first.flatMap(schema.draft))
        #expect(draft.query == "query a($b: String!) {\n  a(b: $b)\n}" && draft.variables == ["b": ""])
    }

    @Test func `a draft of every operation is without problems`() throws {
        let schema = try GraphQLSample.schema()
        for operation in schema.operations {
            let draft = try #require(schema.draft(of: operation))
            #expect(schema.problems(in: draft.query) == [], "\(draft.query)")
        }
        #expect(schema.draft(of: GraphQLOperation(kind: "query", name: "nope", signature: "")) == nil)
    }

    @Test func `a leaf needs no selection, and a union has its name`() throws {
        let schema = try GraphQLSample.schema("type Query { a: Int b: U } type T { x: T } union U = T")
        let drafts = schema.operations.compactMap(schema.draft)
        #expect(
            drafts.map(\.query) == [
                "query a {\n  a\n}", "query b {\n  b {\n    __typename\n  }\n}",
            ])
        #expect(drafts.allSatisfy { $0.variables == nil })
    }
}

extension GraphQLOperationTests {
    @Test func `an input type that holds itself has an end`() throws {
        let fields = (0..<200).map { "a\($0): I!" }.joined(separator: " ")
        let schema = try GraphQLSample.schema("type Query { a(i: I!): Int } input I { \(fields) }")
        let draft = try #require(schema.operations.first.flatMap(schema.draft))
        guard case .object(let members)? = draft.variables?["i"] else {
            Issue.record("the variable has no value")
            return
        }
        #expect(members.count == 20)
    }
}
