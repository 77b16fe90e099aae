/// A request assembled step by step; every step returns a changed copy.
///
/// Each part is a value or a closure. Closures run when the request is built, once per run, on the calling or
/// subscribing thread, regardless of the number of attempts; that of the fallback runs only after a failure. Values
/// must be Sendable; use a closure for others.
///
/// Coders and validator are chosen by type, like those of `Requestable`, but at run time: a body type without coders
/// makes the request malformed, or its response a decoding error.
public struct ComposableRequest<RequestBody, ResponseBody, ResponseError: Error>: Requestable {
    public typealias Response = RequestResponse<ResponseBody>
    public typealias Failure = RequestError<ResponseError>
    /// A header field to add; nil removes it.
    public typealias HeaderPair = (key: RequestHeaders.Key, value: RequestHeaders.Value?)

    var makePath: @Sendable () -> String = { "/" }
    var makeMethod: @Sendable () -> RequestMethod = { .get }
    var makeQuery: @Sendable () -> [URLQueryItem] = { [] }
    var addedQuery: [@Sendable () -> URLQueryItem] = []
    var makeHeaders: @Sendable () -> RequestHeaders = { [:] }
    var addedHeaders: [@Sendable () -> HeaderPair] = []
    var makeBody: @Sendable () -> RequestBody? = { nil }
    var makeBodyStream: @Sendable () throws -> BodyStream? = { nil }
    var makeAuthentication: @Sendable () -> RequestAuthentication? = { nil }
    var makeFallback: @Sendable () -> RequestResponse<ResponseBody>? = { nil }
    var makeTimeout: @Sendable () -> TimeInterval = { 120 }
    var makeAttemptTimeout: @Sendable () -> Duration? = { nil }
    public internal(set) var authenticator: (any Authenticator)?
    var encoder: BodyEncoder<RequestBody>?
    var decoder: BodyDecoder<ResponseBody>?
    var validator: ResponseValidator<ResponseBody, ResponseError>?
    var interceptor = RequestInterceptor.none
    public internal(set) var uploadProgress: (@Sendable (TransferProgress) -> Void)?
    public internal(set) var downloadProgress: (@Sendable (TransferProgress) -> Void)?

    /// Creates GET / without headers, query, body, credentials and fallback, with a timeout of 120 s.
    public init() {}

    public var path: String { makePath() }
    public var method: RequestMethod { makeMethod() }
    public var query: [URLQueryItem] { makeQuery() + addedQuery.map { $0() } }

    public var headers: RequestHeaders {
        addedHeaders.reduce(into: makeHeaders()) { headers, make in
            let pair = make()
            headers[pair.key] = pair.value
        }
    }

    public var body: RequestBody? { makeBody() }
    public var bodyStream: BodyStream? { get throws { try makeBodyStream() } }
    public var authentication: RequestAuthentication? { makeAuthentication() }
    public var fallbackResponse: RequestResponse<ResponseBody>? { makeFallback() }
    public var timeoutInterval: TimeInterval { makeTimeout() }
    public var attemptTimeout: Duration? { makeAttemptTimeout() }
    public var requestInterceptor: RequestInterceptor { interceptor }
    public var requestEncoder: BodyEncoder<RequestBody> { encoder ?? .byType }
    /// Lets the compiler infer `RequestBody`.
    public var _requestEncoder: BodyEncoder<RequestBody> { requestEncoder }
    public var responseDecoder: BodyDecoder<ResponseBody> { decoder ?? .byType }

    public var responseValidator: ResponseValidator<ResponseBody, ResponseError> {
        validator ?? .byType
    }

    func with<Part>(_ part: WritableKeyPath<Self, Part>, _ value: Part) -> Self {
        var copy = self
        copy[keyPath: part] = value
        return copy
    }
}

// The steps that describe the request.
extension ComposableRequest {
    /// Replaces the path (`Requestable.path`); "/" by default.
    public func path(_ path: String) -> Self { with(\.makePath, { path }) }
    /// Replaces the path with the result of a closure, which runs once per run.
    public func path(_ make: @escaping @Sendable () -> String) -> Self { with(\.makePath, make) }

    /// Replaces the method; GET by default.
    public func method(_ method: RequestMethod) -> Self { with(\.makeMethod, { method }) }
    /// Replaces the method with the result of a closure, which runs once per run.
    public func method(_ make: @escaping @Sendable () -> RequestMethod) -> Self { with(\.makeMethod, make) }

    /// Adds items to the query.
    public func query(_ items: URLQueryItem...) -> Self {
        with(\.addedQuery, addedQuery + items.map { item in { item } })
    }

    /// Adds an item to the query.
    public func query(_ make: @escaping @Sendable () -> URLQueryItem) -> Self {
        with(\.addedQuery, addedQuery + [make])
    }

    /// Replaces the query, including items added before.
    public func queries(_ items: [URLQueryItem]) -> Self { queries { items } }

    /// Replaces the query, including items added before.
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

    /// Replaces the headers, including those added before.
    public func headers(_ headers: RequestHeaders) -> Self { self.headers { headers } }

    /// Replaces the headers, including those added before.
    public func headers(_ make: @escaping @Sendable () -> RequestHeaders) -> Self {
        with(\.makeHeaders, make).with(\.addedHeaders, [])
    }

    /// Replaces the body; nil, the default, sends none.
    public func body(_ body: RequestBody?) -> Self where RequestBody: Sendable { with(\.makeBody, { body }) }
    /// Replaces the body with the result of a closure, which runs once per run; also for values that are not Sendable.
    public func body(_ make: @escaping @Sendable () -> RequestBody?) -> Self { with(\.makeBody, make) }

    /// Sends a stream instead of the body. Its `Content-Type` has to be set as a header.
    public func bodyStream(_ stream: BodyStream?) -> Self { with(\.makeBodyStream, { stream }) }

    /// Sends the stream of a closure instead of the body; throwing makes the request malformed.
    public func bodyStream(_ make: @escaping @Sendable () throws -> BodyStream?) -> Self {
        with(\.makeBodyStream, make)
    }

    /// Replaces the closure that reports upload progress (`RequestMembers.uploadProgress`).
    public func uploadProgress(_ handler: (@Sendable (TransferProgress) -> Void)?) -> Self {
        with(\.uploadProgress, handler)
    }

    /// Replaces the credentials; nil uses the call's or the manager's.
    public func authenticate(with authentication: RequestAuthentication?) -> Self {
        with(\.makeAuthentication, { authentication })
    }

    /// Replaces the credentials with the result of a closure, which runs once per run.
    public func authenticate(with make: @escaping @Sendable () -> RequestAuthentication?) -> Self {
        with(\.makeAuthentication, make)
    }

    /// Replaces the authenticator; nil for none of its own.
    public func authenticate(by authenticator: (any Authenticator)?) -> Self { with(\.authenticator, authenticator) }

    /// Uses Basic authentication (RFC 7617).
    public func authenticate(withUsername username: String, password: String) -> Self {
        authenticate(with: .basic(username: username, password: password))
    }

    /// Sends a token after its scheme: "Bearer abc".
    public func authenticate(withToken token: String, type: RequestAuthentication.TokenType) -> Self {
        authenticate(with: .token(type: type, value: token))
    }

    /// Replaces the maximum time without a byte in either direction, in seconds.
    public func timeoutInterval(_ interval: TimeInterval) -> Self { with(\.makeTimeout, { interval }) }

    /// Replaces the timeout with the result of a closure, which runs once per run.
    public func timeoutInterval(_ make: @escaping @Sendable () -> TimeInterval) -> Self { with(\.makeTimeout, make) }

    /// Replaces the limit of one attempt, from its start to the last byte of the response; nil for none.
    public func attemptTimeout(_ limit: Duration?) -> Self { with(\.makeAttemptTimeout, { limit }) }

    /// Replaces the limit with the result of a closure, which runs once per run.
    public func attemptTimeout(_ make: @escaping @Sendable () -> Duration?) -> Self {
        with(\.makeAttemptTimeout, make)
    }

    /// Replaces the last step of building the request (`RequestInterceptor`).
    public func intercept(with interceptor: RequestInterceptor) -> Self { with(\.interceptor, interceptor) }

    /// Replaces the default encoder of the body type.
    public func encodeBody(with encoder: BodyEncoder<RequestBody>) -> Self { with(\.encoder, encoder) }

    /// Replaces the encoder with a closure, without a content type.
    public func encodeBody(with handler: @escaping @Sendable (RequestBody?) throws -> Data?) -> Self {
        encodeBody(with: BodyEncoder(handler))
    }
}

// The steps that describe the handling of the response.
extension ComposableRequest {
    /// Replaces the response to use if every attempt fails.
    public func fallbackResponse(_ response: Response?) -> Self where ResponseBody: Sendable {
        with(\.makeFallback, { response })
    }

    /// Replaces the fallback response with the result of a closure, which runs only after a failure.
    public func fallbackResponse(_ make: @escaping @Sendable () -> Response?) -> Self { with(\.makeFallback, make) }

    /// Replaces the closure that reports download progress (`RequestMembers.downloadProgress`).
    public func downloadProgress(_ handler: (@Sendable (TransferProgress) -> Void)?) -> Self {
        with(\.downloadProgress, handler)
    }

    /// Replaces the default decoder of the body type.
    public func decodeBody(with decoder: BodyDecoder<ResponseBody>) -> Self { with(\.decoder, decoder) }

    /// Replaces the decoder with a closure, without `Accept`.
    public func decodeBody(with handler: @escaping @Sendable (Data?) throws -> ResponseBody?) -> Self {
        decodeBody(with: BodyDecoder(handler))
    }

    /// Replaces the default validator of the response error.
    public func validateResponse(with validator: ResponseValidator<ResponseBody, ResponseError>) -> Self {
        with(\.validator, validator)
    }

    /// Replaces the validator with a closure.
    public func validateResponse(
        with handler: @escaping @Sendable (Response) -> Result<Response, ResponseError>
    ) -> Self {
        validateResponse(with: ResponseValidator(handler))
    }
}
