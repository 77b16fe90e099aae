/// Code around a request and its response.
///
/// It may change the request, respond without the network, change the response, or throw.
///
///     struct Tracing: RequestMiddleware {
///         func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse {
///             var request = request
///             request.headers["X-Trace-ID"] = .string(UUID().uuidString)
///             return try await next(request)
///         }
///     }
///
/// `next` throws a `TransportError` if no response arrived, and a `RequestError` if nothing could be sent. An error
/// thrown by a middleware counts for the attempt: a `TransportError` is a network failure, and is retried like one; a
/// `RequestError` of the request's own type is that error. Any other error ends the run with
/// `RequestError.middlewareFailed(_:_:)`.
///
/// It runs in a Swift task, which is cancelled with the run, when the SLA ends, and when the attempt is abandoned. The
/// run does not wait for a middleware that ignores cancellation, and discards its result.
///
/// For streams and downloads, middlewares get the head without a body: of a stream when it arrives, of a download and
/// of server-sent events at the end of the connection. Around a WebSocket's opening handshake they run once for each
/// connection, whatever their scope. If nothing has to wait, a `RequestInterceptor` is the simple form.
public protocol RequestMiddleware: Sendable {
    /// A function that passes the request on to the next middleware, and finally to the network.
    typealias Next = @Sendable (TransportRequest) async throws -> TransportResponse

    /// The unit that the middleware surrounds; an attempt by default.
    var scope: MiddlewareScope { get }

    /// Calls `next` with the request to send, and returns the response to continue with.
    func send(_ request: TransportRequest, next: Next) async throws -> TransportResponse
}

extension RequestMiddleware {
    public var scope: MiddlewareScope { .attempt }
}

/// The unit that a middleware surrounds.
public enum MiddlewareScope: Sendable, Hashable {
    /// Once for each attempt, retries included. It may call `next` several times.
    case attempt
    /// Once for the run, around all of its attempts and waits. It may call `next` once; a second call throws. It gets
    /// the response of the last attempt, even if the validator rejects it; the response it returns is decoded and
    /// validated.
    case run
}

/// The middlewares and the authenticator around the requests of a run. Most runs have none, and do not pay for them.
struct Surroundings: Sendable {
    /// Middlewares around the whole run, outermost first.
    var aroundRun: [any RequestMiddleware] = []
    /// Middlewares around each attempt, outermost first.
    var aroundAttempt: [any RequestMiddleware] = []
    var authenticator: (any Authenticator)?

    init(middlewares: [any RequestMiddleware], authenticator: (any Authenticator)?) {
        for middleware in middlewares {
            switch middleware.scope {
            case .run: aroundRun.append(middleware)
            case .attempt: aroundAttempt.append(middleware)
            }
        }
        self.authenticator = authenticator
    }

    /// True if an attempt has to be a Swift task.
    var surroundsAttempts: Bool { !aroundAttempt.isEmpty || authenticator != nil }

    /// Passes a request through middlewares, and finally to `send`.
    static func pass(
        _ request: TransportRequest, through middlewares: ArraySlice<any RequestMiddleware>,
        to send: @escaping RequestMiddleware.Next
    ) async throws -> TransportResponse {
        guard let first = middlewares.first else { return try await send(request) }
        return try await first.send(request) { request in
            try await pass(request, through: middlewares.dropFirst(), to: send)
        }
    }
}

/// The error of a middleware of the scope `run` that calls `next` again.
struct SecondCall: Error, CustomStringConvertible {
    let description = "a middleware around a run called next a second time"
}

extension RequestManager {
    /// Returns the request and its surroundings; nil if it has none.
    final func buildSurrounded<T: Requestable>(
        _ requestable: T, _ decoder: BodyDecoder<T.ResponseBody>, _ authentication: RequestAuthentication?
    ) throws -> (TransportRequest, Surroundings?) {
        let own = requestable._authenticator
        let credentials = own == nil ? try self.credentials(for: requestable, call: authentication) : nil
        let request = try buildRequest(for: requestable, decoder, credentials: credentials)
        let middlewares = self.middlewares
        let authenticator = own ?? (credentials == nil ? self.authenticator : nil)
        guard !middlewares.isEmpty || authenticator != nil else { return (request, nil) }
        return (request, Surroundings(middlewares: middlewares, authenticator: authenticator))
    }
}
