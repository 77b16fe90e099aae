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
