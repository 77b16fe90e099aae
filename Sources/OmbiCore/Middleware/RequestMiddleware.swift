/// Code around a request, on its way out and on the way back of its response.
///
/// It may change the request, answer without the network, change the response, or throw.
///
///     struct Tracing: RequestMiddleware {
///         func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
///             var request = request
///             request.headers["X-Trace-ID"] = .string(UUID().uuidString)
///             return try await next(request)
///         }
///     }
///
/// A `TransportError` that it throws counts as a failure of the network, and is retried like one; any other error ends
/// the run with `RequestError.middlewareFailed(_:)`. Where nothing has to wait, a `RequestInterceptor` is the simple form.
public protocol RequestMiddleware: Sendable {
    /// Passes the request on to the next middleware, and at last to the network.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Around what it runs; each attempt by default.
    var scope: MiddlewareScope { get }

    /// Calls `next` with the request to send, and gives the response to go on with.
    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse
}

extension RequestMiddleware {
    public var scope: MiddlewareScope { .attempt }
}

/// How often a middleware runs.
public enum MiddlewareScope: Sendable, Hashable {
    /// Once for each attempt, retries included. It may call `next` several times.
    case attempt
    /// Once for the run, around all of its attempts and waits. It may call `next` once.
    case run
}
