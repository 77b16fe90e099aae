import FlyingFox

/// Network failures on demand: transient errors, delays, any status, broken connections.
func reliabilityRoutes(_ counters: Counters) -> [Route] {
    [
        Route("*", "/flaky", "fails, then works, then starts over; failures, status, key, retryAfter") {
            try await flaky($0, counters)
        },
        Route("*", "/slow", "answers after ms milliseconds") { request in
            let milliseconds = try request.integer("ms", default: 500, in: 0...60_000)
            try await Task.sleep(for: .milliseconds(milliseconds))
            return .json(
                .object([("waitedMilliseconds", .integer(milliseconds))]),
                headers: [("Server-Timing", "sleep;dur=\(milliseconds);desc=\"asleep, on purpose\"")])
        },
        Route("*", "/status/:code", "answers with that status, 200 to 599") { request in
            let status = try request.pathInteger("code", in: 200...599)
            if [204, 205, 304].contains(status) { return .empty(status: status) }
            let body = JSON.object([("status", .integer(status)), ("phrase", .string(StatusPhrase.of(status)))])
            return .json(body, status: status)
        },
        Route("GET", "/drop", "breaks the connection in the middle of the body") { _ in
            let stream = ByteStream { piece in
                if piece > 0 { throw APIError(status: 500, message: "dropped on purpose") }
                return Array(#"{"items":[1,2,3,"#.utf8)
            }
            return .stream(stream, length: 1_000, type: "application/json")
        },
        Route("GET", "/rates", "rates of exchange; a 503 with the header X-Down") { request in
            if request.header("X-Down") != nil { throw APIError(status: 503, message: "down, on purpose") }
            return .json(
                .object([("base", .string("EUR")), ("USD", .string("1.0842")), ("GBP", .string("0.8561"))]))
        },
        Route("POST", "/idempotent", "counts; the same Idempotency-Key counts once") { request in
            guard let key = request.header("Idempotency-Key"), !key.isEmpty else {
                throw APIError(status: 400, message: "the header Idempotency-Key is missing")
            }
            let calls = await counters.increment("idempotent \(key)")
            let body = JSON.object([
                ("key", .string(key)), ("calls", .integer(calls)), ("charged", .integer(1)),
                ("repeated", .bool(calls > 1)),
            ])
            return .json(body, status: calls > 1 ? 200 : 201)
        },
    ]
}

/// Fails `failures` times, then works once and starts over. `key` keeps clients apart.
private func flaky(_ request: DemoRequest, _ counters: Counters) async throws -> HTTPResponse {
    let failures = try request.integer("failures", default: 2, in: 0...1_000_000)
    let status = try request.integer("status", default: 503, in: 400...599)
    let wait = try request.integer("retryAfter", default: 0, in: 0...3600)
    let name = "flaky \(request.value("key") ?? "")"
    let attempt = await counters.increment(name)
    guard attempt > failures else {
        throw APIError(
            status: status, message: "failure \(attempt) of \(failures), on purpose",
            headers: wait > 0 ? [("Retry-After", String(wait))] : [])
    }
    await counters.reset(name)
    return .json(.object([("ok", .bool(true)), ("attempt", .integer(attempt)), ("failures", .integer(failures))]))
}
