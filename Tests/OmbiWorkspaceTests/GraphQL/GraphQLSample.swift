import OmbiDocument

@testable import OmbiWorkspace

/// The schema of a small service, as Ombi writes it.
enum GraphQLSample {
    static let definitions = """
        type Query {
          user(id: ID!): User
          users(role: Role = USER, first: Int, filter: Filter): [User!]!
          search(text: String!): [Result]
        }

        type Mutation {
          rename(id: ID!, input: NameInput!): User
        }

        type User implements Node {
          id: ID!
          name: String
          role: Role
          friends(first: Int): [User!]
          address: Address
          old: String @deprecated
        }

        type Address {
          city: String
          street: String
        }

        interface Node {
          id: ID!
        }

        union Result = User | Address

        enum Role {
          ADMIN
          USER
        }

        input Filter {
          name: String
          role: Role!
        }

        input NameInput {
          first: String!
          last: String
        }

        scalar Date

        """

    static func schema(_ text: String = definitions) throws -> GraphQLSchema {
        try GraphQLSchema(reading: Bytes(text.utf8))
    }

    /// The response to an introspection query about types with many fields of the shortest form.
    static func introspection(types: Int, fields: Int) -> String {
        let reference = #"{"kind":"SCALAR","name":"ID","ofType":null}"#
        let objects = (0..<types).map { type in
            let members = (0..<fields).map { field in
                #"{"name":"field\#(field)of\#(type)","args":[],"type":\#(reference),"isDeprecated":false}"#
            }
            return #"{"kind":"OBJECT","name":"Type\#(type)","fields":[\#(members.joined(separator: ","))],"#
                + #""inputFields":null,"interfaces":[],"enumValues":null,"possibleTypes":null}"#
        }
        return #"{"data":{"__schema":{"queryType":{"name":"Type0"},"types":[\#(objects.joined(separator: ","))]}}}"#
    }
}
