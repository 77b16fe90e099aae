import OmbiCore

/// Translates the hub's rate limit into HTTP's own terms, which every retry policy knows: a 403 with nothing remaining
/// becomes a 429, and the time of the reset its `Retry-After`.
struct RateLimit: RequestMiddleware {
    let now: @Sendable () -> Date

    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var response = try await next(request)
        guard response.statusCode == 403, response["X-RateLimit-Remaining"]?.text == "0",
            let reset = response["X-RateLimit-Reset"].flatMap({ Int($0.text) })
        else { return response }
        let now = Int(self.now().timeIntervalSince1970)
        response.statusCode = 429
        response.headers?[.retryAfter] = .int(max(reset, now) - now)
        return response
    }
}
