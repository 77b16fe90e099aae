import OmbiCore

/// Gives each run an ID, the same for all of its attempts, so that they are found together in the logs of the hub.
struct RequestIDs: RequestMiddleware {
    var make: @Sendable () -> String = { UUID().uuidString }

    let scope = MiddlewareScope.run

    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
        var request = request
        request.headers["X-Request-ID"] = .string(make())
        return try await next(request)
    }
}
