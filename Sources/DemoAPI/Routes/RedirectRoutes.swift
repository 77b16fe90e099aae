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
