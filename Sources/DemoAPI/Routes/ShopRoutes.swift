import FlyingFox

/// Users and orders: lists, and routes to create, read, change and delete one of them.
func shopRoutes(_ shop: Shop) -> [Route] {
    let users = recordRoutes("/users", shop.users, summary: "users; filters: name, city, active") { _ in }
    let orders = recordRoutes("/orders", shop.orders, summary: "orders; filters: userId, status") { input in
        guard let id = input.userId else { return }
        do {
            _ = try await shop.users.read(id)
        } catch is APIError {
            throw APIError.invalid([("userId", "names no user")])
        }
    }
    return userRoutes(shop) + users + orders + graphQLRoutes(shop)
}

/// Routes of users beyond the common ones. They come first in the table, and so take precedence.
private func userRoutes(_ shop: Shop) -> [Route] {
    [
        Route("GET", "/users/:id", "one user; expand=orders adds the orders") { request in
            let user = try await shop.users.read(request.id(of: User.kind))
            switch request.value("expand") {
            case nil: return .json(user.json)
            case "orders":
                let orders = await shop.orders.all { $0.userID == user.id }
                return .json(.object(user.members + [("orders", .array(orders.map { $0.json }))]))
            case .some(let other): throw APIError.unprocessable("expand can be “orders”, not “\(other)”")
            }
        },
        Route("GET", "/users/:id/orders", "the orders of one user") { request in
            let user = try await shop.users.read(request.id(of: User.kind))
            return .json(.array(await shop.orders.all { $0.userID == user.id }.map { $0.json }))
        },
        Route("DELETE", "/users/:id", "deletes a user and the orders") { request in
            let id = try request.id(of: User.kind)
            try await shop.users.delete(id)
            await shop.orders.deleteAll { $0.userID == id }
            return .empty(status: 204)
        },
    ]
}

/// Returns the routes that every kind of record has. `check` throws the problems of a body beyond its own fields.
private func recordRoutes<Row: Record>(
    _ path: String, _ table: Table<Row>, summary: String,
    check: @escaping @Sendable (Row.Input) async throws -> Void
) -> [Route] {
    let input: @Sendable (DemoRequest, Bool) async throws -> Row.Input = { request, complete in
        let input = try request.decode(Row.Input.self)
        let problems = Row.problems(in: input, complete: complete)
        guard problems.isEmpty else { throw APIError.invalid(problems) }
        try await check(input)
        return input
    }
    return [
        Route("GET", path, "\(summary); page, limit") { try await list($0, path, table) },
        Route("POST", path, "creates one: 201 and its Location") { request in
            let row = try await table.create(input(request, true))
            return .json(row.json, status: 201, headers: [("Location", "\(path)/\(row.id)")])
        },
        Route("GET", "\(path)/:id", "one \(Row.kind)") { request in
            .json(try await table.read(request.id(of: Row.kind)).json)
        },
        Route("PUT", "\(path)/:id", "replaces it") { request in
            .json(try await table.replace(request.id(of: Row.kind), input(request, true)).json)
        },
        Route("PATCH", "\(path)/:id", "changes some of its fields") { request in
            .json(try await table.update(request.id(of: Row.kind), input(request, false)).json)
        },
        Route("DELETE", "\(path)/:id", "deletes it: 204") { request in
            try await table.delete(request.id(of: Row.kind))
            return .empty(status: 204)
        },
    ]
}

/// Returns a page, with the links of RFC 8288.
private func list<Row: Record>(
    _ request: DemoRequest, _ path: String, _ table: Table<Row>
) async throws -> HTTPResponse {
    let number = try request.integer("page", default: 1, in: 1...1_000_000)
    let limit = try request.integer("limit", default: 10, in: 1...100)
    let conditions = request.query.compactMap { item in Row.filters[item.name].map { (item.value, $0) } }
    let page = await table.page(number, limit: limit) { row in conditions.allSatisfy { $1(row, $0) } }
    var links: [String] = []
    if page.number > 1 { links.append("<\(path)?page=\(page.number - 1)&limit=\(limit)>; rel=\"prev\"") }
    if page.number < page.count { links.append("<\(path)?page=\(page.number + 1)&limit=\(limit)>; rel=\"next\"") }
    let body = JSON.object([
        ("items", .array(page.rows.map { $0.json })), ("page", .integer(page.number)),
        ("pages", .integer(page.count)), ("total", .integer(page.total)),
    ])
    let link = links.isEmpty ? [] : [("Link", links.joined(separator: ", "))]
    return .json(body, headers: [("X-Total-Count", String(page.total))] + link)
}

/// Lists in pages beside those of users and orders, which have the `Link` header and counted pages.
let pageRoutes: [Route] = [
    Route("GET", "/feed", "entries, the next page by a token; after, limit, fails") { request in
        let start = try request.integer("after", default: 0, in: 0...entryCount)
        let limit = try request.integer("limit", default: 10, in: 1...100)
        if let fails = request.value("fails"), fails == "\(start)" {
            throw APIError(status: 500, message: "this page fails: fails is \(fails)")
        }
        let end = min(entryCount, start + limit)
        let entries = (start..<end).map { number in
            JSON.object([("id", .integer(number + 1)), ("title", .string("entry \(number + 1)"))])
        }
        return .json(
            .object([("entries", .array(entries)), ("next", end < entryCount ? .string("\(end)") : .null)]))
    },
    Route("GET", "/feed/loop", "three pages of which the last leads to the first; page") { request in
        let page = try request.integer("page", default: 1, in: 1...3)
        let next = page == 3 ? "/feed/loop" : "/feed/loop?page=\(page + 1)"
        return .json(.object([("page", .integer(page))]), headers: [("Link", "<\(next)>; rel=\"next\"")])
    },
]

private let entryCount = 45
