#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The steps that describe what is sent.
extension ComposableRequest {
    /// Replaces the path (`Requestable.path`); "/" by default.
    public func path(_ path: String) -> Self { with(\.makePath, { path }) }
    /// The same, from a closure that runs once when the request is made.
    public func path(_ make: @escaping @Sendable () -> String) -> Self { with(\.makePath, make) }

    /// Replaces the method; GET by default.
    public func method(_ method: RequestMethod) -> Self { with(\.makeMethod, { method }) }
    /// The same, from a closure that runs once when the request is made.
    public func method(_ make: @escaping @Sendable () -> RequestMethod) -> Self { with(\.makeMethod, make) }

    /// Adds to the query.
    public func query(_ items: URLQueryItem...) -> Self {
        with(\.addedQuery, addedQuery + items.map { item in { item } })
    }

    /// Adds to the query.
    public func query(_ make: @escaping @Sendable () -> URLQueryItem) -> Self {
        with(\.addedQuery, addedQuery + [make])
    }

    /// Replaces the query, and drops what was added before.
    public func queries(_ items: [URLQueryItem]) -> Self { queries { items } }

    /// Replaces the query, and drops what was added before.
    public func queries(_ make: @escaping @Sendable () -> [URLQueryItem]) -> Self {
        with(\.makeQuery, make).with(\.addedQuery, [])
    }

    /// Adds a header field; nil removes it.
    public func header(key: RequestHeaders.Key, value: RequestHeaders.Value?) -> Self {
        header { (key, value) }
    }

    /// Adds a header field; nil removes it.
    public func header(_ make: @escaping @Sendable () -> HeaderPair) -> Self {
        with(\.addedHeaders, addedHeaders + [make])
    }

    /// Adds header fields.
    public func headers(_ pairs: (key: RequestHeaders.Key, value: RequestHeaders.Value)...) -> Self {
        headers(pairs)
    }

    /// Adds header fields.
    public func headers(_ pairs: [(key: RequestHeaders.Key, value: RequestHeaders.Value)]) -> Self {
        pairs.reduce(self) { request, pair in request.header(key: pair.key, value: pair.value) }
    }

    /// Replaces the headers, and drops what was added before.
    public func headers(_ headers: RequestHeaders) -> Self { self.headers { headers } }

    /// Replaces the headers, and drops what was added before.
    public func headers(_ make: @escaping @Sendable () -> RequestHeaders) -> Self {
        with(\.makeHeaders, make).with(\.addedHeaders, [])
    }

    /// Replaces the body; nil, the default, sends none.
    public func body(_ body: RequestBody?) -> Self where RequestBody: Sendable { with(\.makeBody, { body }) }
    /// The same, from a closure that runs once when the request is made; for values that are not Sendable too.
    public func body(_ make: @escaping @Sendable () -> RequestBody?) -> Self { with(\.makeBody, make) }

    /// Sent instead of the body, and read while it is sent. `Content-Type` is for a header of the request.
    public func bodyStream(_ stream: BodyStream?) -> Self { with(\.makeBodyStream, { stream }) }

    /// The same, made with the request; throwing gives a malformed request.
    public func bodyStream(_ make: @escaping @Sendable () throws -> BodyStream?) -> Self {
        with(\.makeBodyStream, make)
    }

    /// Replaces the closure that gets how much of the body has gone out (`RequestMembers.uploadProgress`).
    public func uploadProgress(_ handler: (@Sendable (TransferProgress) -> Void)?) -> Self {
        with(\.uploadProgress, handler)
    }

    /// Replaces the credentials; nil leaves them to the call and the manager.
    public func authenticate(with authentication: RequestAuthentication?) -> Self {
        with(\.makeAuthentication, { authentication })
    }

    /// The same, from a closure that runs once when the request is made.
    public func authenticate(with make: @escaping @Sendable () -> RequestAuthentication?) -> Self {
        with(\.makeAuthentication, make)
    }

    /// Replaces the authenticator; nil leaves credentials to the manager.
    public func authenticate(by authenticator: (any Authenticator)?) -> Self { with(\.authenticator, authenticator) }

    /// Basic authentication (RFC 7617).
    public func authenticate(withUsername username: String, password: String) -> Self {
        authenticate(with: .basic(username: username, password: password))
    }

    /// A token after the word of its type: "Bearer abc".
    public func authenticate(withToken token: String, type: RequestAuthentication.TokenType) -> Self {
        authenticate(with: .token(type: type, value: token))
    }

    /// Replaces the longest time without a byte in either direction, in seconds.
    public func timeoutInterval(_ interval: TimeInterval) -> Self { with(\.makeTimeout, { interval }) }

    /// The same, from a closure that runs once when the request is made.
    public func timeoutInterval(_ make: @escaping @Sendable () -> TimeInterval) -> Self { with(\.makeTimeout, make) }

    /// Replaces the limit of one attempt, from its start to the last byte of the response; nil is none.
    public func attemptTimeout(_ limit: Duration?) -> Self { with(\.makeAttemptTimeout, { limit }) }

    /// The same, from a closure that runs once when the request is made.
    public func attemptTimeout(_ make: @escaping @Sendable () -> Duration?) -> Self {
        with(\.makeAttemptTimeout, make)
    }

    /// Replaces the last step of making the request (`RequestInterceptor`).
    public func intercept(with interceptor: RequestInterceptor) -> Self { with(\.interceptor, interceptor) }

    /// Replaces the encoder that the type of the body has.
    public func encodeBody(with encoder: BodyEncoder<RequestBody>) -> Self { with(\.encoder, encoder) }

    /// The same, with a closure and without a content type.
    public func encodeBody(with handler: @escaping @Sendable (RequestBody?) throws -> Data?) -> Self {
        encodeBody(with: BodyEncoder(handler))
    }
}

// The steps that say what to do with the response.
extension ComposableRequest {
    /// Replaces the response that stands in when every attempt failed.
    public func fallbackResponse(_ response: Response?) -> Self where ResponseBody: Sendable {
        with(\.makeFallback, { response })
    }

    /// The same, from a closure that runs only after a failure.
    public func fallbackResponse(_ make: @escaping @Sendable () -> Response?) -> Self { with(\.makeFallback, make) }

    /// Replaces the closure that gets how much of the response's body has come in (`RequestMembers.downloadProgress`).
    public func downloadProgress(_ handler: (@Sendable (TransferProgress) -> Void)?) -> Self {
        with(\.downloadProgress, handler)
    }

    /// Replaces the decoder that the type of the body has.
    public func decodeBody(with decoder: BodyDecoder<ResponseBody>) -> Self { with(\.decoder, decoder) }

    /// The same, with a closure and without `Accept`.
    public func decodeBody(with handler: @escaping @Sendable (Data?) throws -> ResponseBody?) -> Self {
        decodeBody(with: BodyDecoder(handler))
    }

    /// Replaces the validator that the response error has.
    public func validateResponse(with validator: ResponseValidator<ResponseBody, ResponseError>) -> Self {
        with(\.validator, validator)
    }

    /// The same, with a closure.
    public func validateResponse(
        with handler: @escaping @Sendable (Response) -> Result<Response, ResponseError>
    ) -> Self {
        validateResponse(with: ResponseValidator(handler))
    }
}
