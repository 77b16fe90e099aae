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

/// Chains of redirects, and a redirect to any URL.
let redirectRoutes: [Route] = [
    Route("*", "/redirect/:n", "redirects n times, then answers; status") { request in
        let left = try request.pathInteger("n", in: 0...100)
        guard left > 0 else { return .json(.object([("redirected", .bool(true)), ("path", .string(request.path))])) }
        let status = try redirectStatus(request)
        let suffix = status == 302 ? "" : "?status=\(status)"
        return .empty(status: status, headers: [("Location", "/redirect/\(left - 1)\(suffix)")])
    },
    Route("*", "/redirect-to", "redirects to url; status") { request in
        guard let url = request.value("url"), !url.isEmpty else {
            throw APIError.unprocessable("the query parameter url is missing")
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw APIError.unprocessable("url has characters that a URL cannot have")
        }
        return .empty(status: try redirectStatus(request), headers: [("Location", url)])
    },
]

private func redirectStatus(_ request: DemoRequest) throws -> Int {
    let status = try request.integer("status", default: 302, in: 301...308)
    guard [301, 302, 303, 307, 308].contains(status) else {
        throw APIError.unprocessable("status can be 301, 302, 303, 307 or 308")
    }
    return status
}
