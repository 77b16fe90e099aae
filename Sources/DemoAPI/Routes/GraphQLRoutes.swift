import FlyingFox

/// One query over HTTP: a user by the variable `id`.
func graphQLRoutes(_ shop: Shop) -> [Route] {
    [
        Route("POST", "/graphql", "GraphQL: query ($id: ID!) { user(id: $id) { … } } gives the whole user") { request in
            let query = try request.decode(GraphQLQuery.self)
            if query.query.contains("__schema") { return .json(.object([("data", GraphQLTypes.introspection)])) }
            guard query.query.contains("user(") else { return refusal("the only field of a query is user(id:)") }
            guard let id = query.variables?.id else { return refusal("the variable id is missing") }
            let user = try? await shop.users.read(id.value)
            return .json(.object([("data", .object([("user", user?.json ?? .null)]))]))
        }
    ]
}

/// The types of the service, as it tells them to an introspection: all fields, whatever is selected.
private enum GraphQLTypes {
    static var introspection: JSON {
        let id = argument("id", required("ID"))
        let user = [
            field("id", required("Int")), field("name", required("String")), field("email", required("String")),
            field("city", required("String")),
            field("active", required("Boolean"), about: "False for a closed account."),
        ]
        let query = field("user", named("OBJECT", "User"), [id], about: "A user; null for none.")
        let directives = [directive("include"), directive("skip")]
        return .object([
            (
                "__schema",
                .object([
                    ("queryType", .object([("name", "Query")])), ("mutationType", .null), ("subscriptionType", .null),
                    (
                        "types",
                        .array(
                            [
                                object("Query", [query]), object("User", user),
                            ] + ["ID", "Int", "String", "Boolean"].map { named("SCALAR", $0) })
                    ),
                    ("directives", .array(directives)),
                ])
            )
        ])
    }

    private static func named(_ kind: String, _ name: String) -> JSON {
        .object([("kind", .string(kind)), ("name", .string(name)), ("ofType", .null)])
    }

    private static func required(_ scalar: String) -> JSON {
        .object([("kind", "NON_NULL"), ("name", .null), ("ofType", named("SCALAR", scalar))])
    }

    private static func argument(_ name: String, _ type: JSON) -> JSON {
        .object([("name", .string(name)), ("type", type), ("defaultValue", .null)])
    }

    private static func field(_ name: String, _ type: JSON, _ arguments: [JSON] = [], about: String? = nil) -> JSON {
        .object([
            ("name", .string(name)), ("description", about.map(JSON.string) ?? .null), ("args", .array(arguments)),
            ("type", type), ("isDeprecated", .bool(false)), ("deprecationReason", .null),
        ])
    }

    private static func directive(_ name: String) -> JSON {
        .object([
            ("name", .string(name)), ("locations", .array(["FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"])),
            ("args", .array([argument("if", required("Boolean"))])),
        ])
    }

    private static func object(_ name: String, _ fields: [JSON]) -> JSON {
        .object([
            ("kind", "OBJECT"), ("name", .string(name)), ("fields", .array(fields)), ("inputFields", .null),
            ("interfaces", .array([])), ("enumValues", .null), ("possibleTypes", .null),
        ])
    }
}

private func refusal(_ message: String) -> HTTPResponse {
    .json(.object([("errors", .array([.object([("message", .string(message))])]))]))
}

private struct GraphQLQuery: Decodable {
    var query: String
    var variables: Variables?

    struct Variables: Decodable {
        var id: Identifier?
    }

    /// A number, or its digits in a string, as an `ID` may be sent.
    struct Identifier: Decodable {
        var value: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Int.self)) ?? (Int(container.decode(String.self)) ?? 0)
        }
    }
}
