import FlyingFox
import Foundation

/// The request as received, many headers, cookies, and the time.
let echoRoutes: [Route] = [
    Route("*", "/echo", "method, path, query, headers and body of the request") { .json(echo($0)) },
    Route("GET", "/headers/many", "a response with count headers, up to 500") { request in
        let count = try request.integer("count", default: 60, in: 1...500)
        let headers = (1...count).map { number in
            let name = String(number)
            return ("X-Demo-\(String(repeating: "0", count: 3 - name.count))\(name)", "value \(number)")
        }
        return .json(.object([("headers", .integer(count))]), headers: headers)
    },
    Route("GET", "/cookies", "the cookies that came along") { request in
        .json(.object([("cookies", .string(request.header("Cookie") ?? ""))]))
    },
    Route("GET", "/cookies/set", "sets a cookie for each query parameter") { request in
        let wanted = request.query.isEmpty ? [("session", "demo-session"), ("theme", "dark")] : request.query
        let cookies = try wanted.map { name, value in
            guard !name.isEmpty, isToken(name), isToken(value) else {
                throw APIError.unprocessable("a cookie's name and value have letters, digits, - and _ only")
            }
            return ("Set-Cookie", "\(name)=\(value); Path=/; HttpOnly; SameSite=Lax")
        }
        return .json(.object([("set", .array(wanted.map { .string($0.0) }))]), headers: cookies)
    },
    Route("GET", "/time", "the server's clock") { _ in
        let now = time(nil)
        return .json(.object([("time", .string(Clock.timestamp(now))), ("unix", .integer(now))]))
    },
]

private func isToken(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
        switch $0 {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}

private func echo(_ request: DemoRequest) -> JSON {
    .object([
        ("method", .string(request.method)), ("path", .string(request.path)),
        ("query", pairs(request.query)),
        ("headers", .object(request.headers.map { ($0.name, .string($0.value)) })),
        ("bytes", .integer(request.body.count)), ("body", body(request)),
    ])
}

/// Returns an object for each name and value, because a query has an order and may repeat a name.
private func pairs(_ items: [(name: String, value: String)]) -> JSON {
    .array(items.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })
}

/// Returns JSON as received, other text as a string, anything else in Base64.
private func body(_ request: DemoRequest) -> JSON {
    if request.body.isEmpty { return .null }
    guard let text = String(validating: request.body, as: UTF8.self) else {
        return .object([("base64", .string(request.body.base64EncodedString()))])
    }
    let isJSON = (try? JSONSerialization.jsonObject(with: request.body, options: .fragmentsAllowed)) != nil
    return isJSON ? .raw(text) : .string(text)
}
