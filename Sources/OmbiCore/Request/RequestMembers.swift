/// The optional members of a request, each of the type in which the request declares it.
///
/// A request conforms to ``Requestable``. This protocol lets it write `let timeoutInterval = 5` and
/// `let headers = ["X-Client": "shop"]`: an associated type accepts any declared type, and a type without a meaning for
/// that member is a compiler error that names the member and its valid types.
///
/// Code that is generic over requests reads these members through ``AnyRequestable``, where each has one type.
public protocol RequestMembers: Sendable {
    /// `[URLQueryItem]`, `RequestParameters`, `[(String, String)]` or `[String: String]`. Inferred.
    associatedtype QueryValue
    /// `RequestHeaders` or `[String: String]`. Inferred.
    associatedtype HeadersValue
    /// `RequestBody` or `RequestBody?`. Inferred.
    associatedtype BodyValue
    /// `BodyStream` or `BodyStream?`. Inferred.
    associatedtype BodyStreamValue
    /// `RequestAuthentication` or `RequestAuthentication?`. Inferred.
    associatedtype AuthenticationValue
    /// A type that conforms to `Authenticator`, `any Authenticator` or an optional one of these. Inferred.
    associatedtype AuthenticatorValue
    /// `Response` or `Response?`. Inferred.
    associatedtype FallbackResponseValue
    /// `BodyEncoder<RequestBody>`. Inferred.
    associatedtype RequestEncoderValue
    /// `BodyDecoder<ResponseBody>`. Inferred.
    associatedtype ResponseDecoderValue
    /// `JSONEncoder`. Inferred.
    associatedtype JSONEncoderValue
    /// `JSONDecoder`. Inferred.
    associatedtype JSONDecoderValue
    /// `ResponseValidator<ResponseBody, ResponseError>`. Inferred.
    associatedtype ResponseValidatorValue
    /// `TimeInterval`, `Int` or `Duration`. Inferred.
    associatedtype TimeoutIntervalValue
    /// `Duration` or `Duration?`. Inferred.
    associatedtype AttemptTimeoutValue
    /// `RequestInterceptor`. Inferred.
    associatedtype RequestInterceptorValue
    /// `@Sendable (TransferProgress) -> Void`, or an optional one. Inferred.
    associatedtype UploadProgressValue
    /// `@Sendable (TransferProgress) -> Void`, or an optional one. Inferred.
    associatedtype DownloadProgressValue

    /// The query, which replaces that of the URL unless it is empty; empty by default. The order is kept (a dictionary
    /// is sorted by name), every reserved character of a value is escaped, including `+` and `=`, and an item without a
    /// value is its bare name. Throwing makes the request malformed, with that error as the cause.
    var query: QueryValue { get throws }
    /// Header fields that replace the default headers of the same name; none by default. Credentials, and the additional
    /// headers of the manager, replace them in turn. Throwing makes the request malformed.
    var headers: HeadersValue { get throws }
    /// The body; none by default. nil sends none, and the encoder is not called. Throwing makes the request malformed.
    var body: BodyValue { get throws }
    /// The stream to send instead of `body`; none by default. Throwing makes the request malformed.
    var bodyStream: BodyStreamValue { get throws }
    /// Credentials that replace those of the call and of the manager; none by default. Throwing makes the request
    /// malformed.
    var authentication: AuthenticationValue { get throws }
    /// The request's own source of changing credentials; none by default. Takes precedence over `authentication` and
    /// over the credentials of the call and of the manager.
    var authenticator: AuthenticatorValue { get }
    /// The response to use if every attempt fails, validated like any other; none by default. Read only then.
    var fallbackResponse: FallbackResponseValue { get }
    /// The encoder of the body; by default the type's own (``AutomaticBodyEncoding``), else JSON. Its error is the
    /// cause in ``RequestError/malformedRequest(_:)``.
    var requestEncoder: RequestEncoderValue { get }
    /// The decoder of the body; by default the type's own (``AutomaticBodyDecoding``), else JSON. Its error is the
    /// cause in ``RequestError/decodingError(_:_:)``.
    var responseDecoder: ResponseDecoderValue { get }
    /// The encoder for a body that is written as JSON, with strategies for dates, keys and data; a plain one by default.
    /// It has no effect on other bodies, or where `requestEncoder` is declared, so an extension of a protocol of your own
    /// declares it for all requests of an API:
    ///
    ///     extension ShopRequest {
    ///         var jsonEncoder: JSONEncoder {
    ///             let encoder = JSONEncoder()
    ///             encoder.dateEncodingStrategy = .iso8601
    ///             return encoder
    ///         }
    ///     }
    ///
    /// Read once for each body, since a coder is not safe to share between threads.
    var jsonEncoder: JSONEncoderValue { get }
    /// The decoder for a body that is read as JSON, like `jsonEncoder`. It has no effect where `responseDecoder` is
    /// declared.
    var jsonDecoder: JSONDecoderValue { get }
    /// The validator of responses, fallbacks included; by default a check of the status before decoding if the response
    /// error is ``HTTPError``, else none.
    var responseValidator: ResponseValidatorValue { get }
    /// The maximum time without a byte in either direction; 120 s by default. A number is in seconds, `.infinity` means
    /// no limit; zero or less makes the request malformed.
    var timeoutInterval: TimeoutIntervalValue { get }
    /// The limit of one attempt from its start to the last byte of the response; none by default. Zero or less makes
    /// the request malformed.
    var attemptTimeout: AttemptTimeoutValue { get }
    /// The last step of building the request, after the interceptors of the manager; none by default.
    var requestInterceptor: RequestInterceptorValue { get }
    /// A closure called repeatedly while the body is sent, and once at its end: one call at a time, on a thread that
    /// delays no transfer, and before the result. If it falls behind, it gets only the newest count. The same applies
    /// to `downloadProgress`.
    var uploadProgress: UploadProgressValue { get }
    /// A closure called repeatedly while the body of a response is received, and once at its end.
    var downloadProgress: DownloadProgressValue { get }
}

// The defaults of members that a request omits. `Never?` stands for a default that depends on the types of the request;
// see Requestable+Coders.swift. The constraints keep code that is generic over requests from reading a default if a
// request declares another form.

extension RequestMembers where QueryValue == [URLQueryItem] {
    public var query: [URLQueryItem] { [] }
}

extension RequestMembers where HeadersValue == RequestHeaders {
    public var headers: RequestHeaders { [:] }
}

extension RequestMembers where BodyValue == Never? {
    public var body: Never? { nil }
}

extension RequestMembers where BodyStreamValue == BodyStream? {
    public var bodyStream: BodyStream? { nil }
}

extension RequestMembers where AuthenticationValue == RequestAuthentication? {
    public var authentication: RequestAuthentication? { nil }
}

extension RequestMembers where AuthenticatorValue == (any Authenticator)? {
    public var authenticator: (any Authenticator)? { nil }
}

extension RequestMembers where FallbackResponseValue == Never? {
    public var fallbackResponse: Never? { nil }
}

extension RequestMembers where RequestEncoderValue == Never? {
    public var requestEncoder: Never? { nil }
}

extension RequestMembers where ResponseDecoderValue == Never? {
    public var responseDecoder: Never? { nil }
}

extension RequestMembers where JSONEncoderValue == Never? {
    public var jsonEncoder: Never? { nil }
}

extension RequestMembers where JSONDecoderValue == Never? {
    public var jsonDecoder: Never? { nil }
}

extension RequestMembers where ResponseValidatorValue == Never? {
    public var responseValidator: Never? { nil }
}

extension RequestMembers where TimeoutIntervalValue == TimeInterval {
    public var timeoutInterval: TimeInterval { 120 }
}

extension RequestMembers where AttemptTimeoutValue == Duration? {
    public var attemptTimeout: Duration? { nil }
}

extension RequestMembers where RequestInterceptorValue == RequestInterceptor {
    public var requestInterceptor: RequestInterceptor { .none }
}

extension RequestMembers where UploadProgressValue == (@Sendable (TransferProgress) -> Void)? {
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
}

extension RequestMembers where DownloadProgressValue == (@Sendable (TransferProgress) -> Void)? {
    public var downloadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
}

/// The last step of building a request: may change it (sign it, add a trace header), or reject it by throwing.
public struct RequestInterceptor: Sendable {
    private let handler: @Sendable (TransportRequest) throws -> TransportRequest

    /// Creates an interceptor. The handler may run on any thread. Its error is the cause in
    /// `RequestError.malformedRequest`; its result is checked like any other request.
    public init(_ handler: @escaping @Sendable (TransportRequest) throws -> TransportRequest) {
        self.handler = handler
    }

    /// Runs the handler. Throws its error.
    public func intercept(_ request: TransportRequest) throws -> TransportRequest { try handler(request) }

    /// An interceptor that changes nothing.
    public static let none = RequestInterceptor { $0 }
}
