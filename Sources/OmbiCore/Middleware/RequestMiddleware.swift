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
/// `next` throws a `TransportError` where no response came, and a `RequestError` where nothing could be sent. What a
/// middleware throws counts for the attempt: a `TransportError` is a failure of the network, and is retried like one; a
/// `RequestError` of the request's own type is that error. Anything else ends the run with
/// `RequestError.middlewareFailed(_:_:)`.
///
/// It runs in a Swift task, which is cancelled when the run is, when its SLA ends, and when the attempt is abandoned. The
/// run does not wait for a middleware that goes on regardless, and what that returns is not heard.
///
/// Of streams and downloads middlewares get the head, without a body: of a stream when it has come, of a download and of
/// server-sent events at the end of the connection. Around a WebSocket's opening handshake they run once for each connection,
/// whatever their scope. Where nothing has to wait, a `RequestInterceptor` is the simple form.
public protocol RequestMiddleware: Sendable {
    /// Passes the request on to the next middleware, and at last to the network.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// Around what it runs; each attempt by default.
    var scope: MiddlewareScope { get }

    /// Calls `next` with the request to send, and returns the response to go on with.
    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse
}

extension RequestMiddleware {
    public var scope: MiddlewareScope { .attempt }
}

/// How often a middleware runs.
public enum MiddlewareScope: Sendable, Hashable {
    /// Once for each attempt, retries included. It may call `next` several times.
    case attempt
    /// Once for the run, around all of its attempts and waits. It may call `next` once; a second call throws. It gets the
    /// response of the last attempt, also one that the validator refuses; what it returns is decoded and validated.
    case run
}
