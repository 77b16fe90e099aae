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
