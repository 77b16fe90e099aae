#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The members that a request may leave out, each of the type in which the request declares it.
///
/// A request conforms to ``Requestable``. This protocol lets it write `let timeoutInterval = 5` and
/// `let headers = ["X-Client": "shop"]`: an associated type takes whatever a member is declared as, and a type that means
/// nothing for that member is an error of the compiler that names the member and the types it may have.
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

    /// Replaces the query of the URL unless it is empty; empty by default. The order is kept (that of a dictionary is by
    /// name), every reserved character of a value is escaped, `+` and `=` too, and an item without a value is its bare
    /// name. Throwing makes the request malformed, with that error as the cause.
    var query: QueryValue { get throws }
    /// Header fields that replace the default headers of the same name; none by default. Credentials, and the additional
    /// headers of the manager, replace them in turn. Throwing makes the request malformed.
    var headers: HeadersValue { get throws }
    /// The body; none by default. nil sends none, and the encoder is not called. Throwing makes the request malformed.
    var body: BodyValue { get throws }
    /// Sent instead of `body` when there is one; read while it is sent. None by default. Throwing makes the request
    /// malformed.
    var bodyStream: BodyStreamValue { get throws }
    /// Credentials that replace those of the call and of the manager; none by default. Throwing makes the request
    /// malformed.
    var authentication: AuthenticationValue { get throws }
    /// The request's own source of credentials that change; none by default. Takes precedence over `authentication` and
    /// over the credentials of the call and of the manager.
    var authenticator: AuthenticatorValue { get }
    /// Stands in for a response when every attempt failed, and is validated like one; none by default. Read only then.
    var fallbackResponse: FallbackResponseValue { get }
    /// By default as the type of the body writes itself (``AutomaticBodyEncoding``), else as JSON. What it throws is the
    /// cause in ``RequestError/malformedRequest(_:)``.
    var requestEncoder: RequestEncoderValue { get }
    /// By default as the type of the body reads itself (``AutomaticBodyDecoding``), else as JSON. What it throws is the
    /// cause in ``RequestError/decodingError(_:_:)``.
    var responseDecoder: ResponseDecoderValue { get }
    /// By default the check of the status where the response error is ``HTTPError``, before decoding; else none. A
    /// fallback response passes it too.
    var responseValidator: ResponseValidatorValue { get }
    /// The longest time without a byte in either direction; 120 s by default. A number is in seconds, `.infinity` is no
    /// limit; what is not above 0 makes the request malformed.
    var timeoutInterval: TimeoutIntervalValue { get }
    /// The limit of one attempt from its start to the last byte of the response; none by default. Zero and less make the
    /// request malformed.
    var attemptTimeout: AttemptTimeoutValue { get }
    /// The last step of making the request, after the interceptors of the manager; none by default.
    var requestInterceptor: RequestInterceptorValue { get }
    /// Called now and then while the body goes out, and once when it has gone out whole: one call at a time, on a thread
    /// that holds up no transfer, and before the result. Where the closure falls behind, it gets the newest count only.
    /// The same holds for `downloadProgress`.
    var uploadProgress: UploadProgressValue { get }
    /// Called now and then while the body of a response comes in, and once when it has come in whole.
    var downloadProgress: DownloadProgressValue { get }
}

// What a member is when a request leaves it out. `Never?` stands where the default depends on the types of the request;
// see Requestable+Coders.swift. The constraints keep code that is generic over requests from reading a default where a
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
