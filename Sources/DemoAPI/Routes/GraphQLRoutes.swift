import FlyingFox

/// One query over HTTP: a user by the variable `id`.
func graphQLRoutes(_ shop: Shop) -> [Route] {
    [
        Route("POST", "/graphql", "GraphQL: query ($id: ID!) { user(id: $id) { … } } gives the whole user") { request in
            let query = try request.decode(GraphQLQuery.self)
            guard query.query.contains("user(") else { return refusal("the only field of a query is user(id:)") }
            guard let id = query.variables?.id else { return refusal("the variable id is missing") }
            let user = try? await shop.users.read(id.value)
            return .json(.object([("data", .object([("user", user?.json ?? .null)]))]))
        }
    ]
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
