/// What stands around the requests of a run: middlewares, and an authenticator. Most runs have none, and then nothing of
/// this costs them anything.
struct Surroundings: Sendable {
    /// Around the whole run, outermost first.
    var aroundRun: [any RequestMiddleware] = []
    /// Around each attempt, outermost first.
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

    /// Whether an attempt has to be a Swift task.
    var surroundsAttempts: Bool { !aroundAttempt.isEmpty || authenticator != nil }

    /// Passes a request through middlewares, and at last to `send`.
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

/// What is wrong with a middleware of the scope `run` that calls `next` again.
struct SecondCall: Error, CustomStringConvertible {
    let description = "a middleware around a run called next a second time"
}

extension RequestManager {
    /// The request, and what stands around it; nil where nothing does.
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
