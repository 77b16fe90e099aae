import Foundation
import Testing

extension EndToEnd {
    /// Schemas of GraphQL services on the command line.
    @Suite struct GraphQLTests {
        private static func collection(port: Int, query: String = "{ user(id: 1) { name } }") -> String {
            """
            { "version": 1, "name": "api", "environments": [{ "name": "local", "host": "http://127.0.0.1:\(port)" }],
              "items": [
                { "request": "user", "method": "POST", "path": "/graphql", "body": { "graphql": "\(query)" } },
                { "request": "echo", "path": "/echo" }
              ] }
            """
        }

        @Test func `a service is asked for its schema, which then checks its queries`() throws {
            try Scene.play { scene in
                try scene.write("api.json", Self.collection(port: try scene.port()))
                #expect(try scene.ombi("check", "api.json").output == "")
                let schema = try scene.ombi("graphql", "api.json/user")
                #expect(schema.status == 0, "\(schema.errors)")
                let definitions = """
                    type Query {
                      "A user; null for none."
                      user(id: ID!): User
                    }

                    type User {
                      id: Int!
                      name: String!
                      email: String!
                      city: String!
                      "False for a closed account."
                      active: Boolean!
                    }

                    directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

                    directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

                    """
                #expect(schema.output == definitions)
                let operations = try scene.ombi("graphql", "api.json", "--operations")
                #expect(operations.output == "query user(id: ID!): User\n")
                try scene.write("api.json", Self.collection(port: try scene.port(), query: "{ user { nme } }"))
                let checked = try scene.ombi("check", "api.json")
                #expect(checked.status == 0 && checked.output.contains("3:5: warning: \"graphql\": line 1, column 3: "))
                #expect(checked.output.contains("unknown field `nme` of User; did you mean \"name\"?"))
                let dryRun = try scene.ombi("run", "api.json/user", "--dry-run")
                #expect(dryRun.output.contains("The query: line 1, column 10: unknown field `nme` of User"))
            }
        }

        @Test func `a schema that is written to a file is named by the body`() throws {
            try Scene.play { scene in
                // A home folder is no workspace.
                _ = try scene.shell("mkdir api")
                try scene.write("api/api.json", Self.collection(port: try scene.port()))
                let written = try scene.ombi("graphql", "api/api.json/user", "--to", "api/schema.graphql")
                #expect(written.status == 0 && written.output == "", "\(written.errors)")
                let text = Self.collection(port: 1, query: "{ users { id } }")
                    .replacingOccurrences(of: "id } }\" }", with: "id } }\", \"schema\": \"./schema.graphql\" }")
                try scene.write("api/api.json", text)
                let checked = try scene.ombi("check", "api/api.json")
                #expect(checked.status == 2)
                #expect(checked.output.contains("error: \"graphql\": line 1, column 3: unknown field `users` of Query"))
                // Nothing listens at its port.
                #expect(
                    try scene.ombi("graphql", "api/api.json/user", "--operations").output
                        == "query user(id: ID!): User\n")
            }
        }

        @Test func `a request without a query and a service without a schema are errors`() throws {
            try Scene.play { scene in
                let text = Self.collection(port: try scene.port())
                try scene.write("api.json", text)
                let echo = try scene.ombi("graphql", "api.json/echo")
                #expect(echo.status == 2 && echo.errors.contains("has no request with a body of GraphQL"))
                try scene.write("api.json", text.replacingOccurrences(of: "/graphql\"", with: "/echo\""))
                let none = try scene.ombi("graphql", "api.json/user")
                #expect(none.status == 1 && none.errors.contains("the response has no schema: "), "\(none.errors)")
                #expect(try scene.ombi("graphql", "api.json/user", "--to", "a", "--operations").status == 2)
            }
        }
    }
}
