#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything a `RequestManager` needs to make one request and to understand its response.
///
/// Only `path`, `method`, the response body and the response error have to be given. `body` may be declared as
/// `RequestBody` or as `RequestBody?`.
public protocol Requestable: Sendable {
    /// What is sent; `NoBody` sends nothing.
    associatedtype RequestBody = NoBody
    /// What the response is decoded to; `NoBody` ignores whatever comes.
    associatedtype ResponseBody
    /// What the validator may find wrong: `HTTPError` with its validation of the status, `NoError` or `any Error` for
    /// none, or an error of one's own, with a validator of one's own.
    associatedtype ResponseError: Error
    /// How `body` is declared: `RequestBody` or `RequestBody?`. Inferred.
    associatedtype BodyValue = RequestBody?

    /// The response to this request.
    typealias Response = RequestResponse<ResponseBody>
    /// Why there is none.
    typealias Failure = RequestError<ResponseError>

    /// Appended to the path of the manager's host, with exactly one slash in between; empty adds nothing. What a URL
    /// cannot hold is percent-encoded as UTF-8, and escapes that are there already stay (RFC 3986). It may carry a
    /// query. Control characters and the segments `.` and `..` make the request malformed.
    var path: String { get }
    /// Replaces the query of the URL unless it is empty; empty by default. The order is kept, every reserved character
    /// of a value is escaped, `+` too, and an item without a value is its bare name.
    var query: [URLQueryItem] { get }
    /// A body may go with any method but HEAD; CONNECT makes the request malformed.
    var method: RequestMethod { get }
    /// Replace the default headers of the same name; none by default. Credentials, and the additional headers of the
    /// manager, replace them in turn.
    var headers: RequestHeaders { get }
    /// nil sends none, and the encoder is not asked; nil by default.
    var body: BodyValue { get }
    /// Sent instead of `body` when there is one; read while it is sent. Throwing gives a malformed request.
    var bodyStream: BodyStream? { get throws }
    /// Replaces the credentials of the call and of the manager; nil by default.
    var authentication: RequestAuthentication? { get }
    /// The request's own source of credentials that change; nil by default. Takes precedence over `authentication` and
    /// over the credentials of the call and of the manager.
    var authenticator: (any Authenticator)? { get }
    /// Stands in for a response when every attempt failed, and is validated like one; nil by default. Read only then.
    var fallbackResponse: Response? { get }
    /// By default as the type of the body writes itself (`AutomaticBodyEncoding`), else as JSON. What it throws is the
    /// cause in `RequestError.malformedRequest`.
    var requestEncoder: BodyEncoder<RequestBody> { get }
    /// By default as the type of the body reads itself (`AutomaticBodyDecoding`), else as JSON. What it throws is the
    /// cause in `RequestError.decodingError`.
    var responseDecoder: BodyDecoder<ResponseBody> { get }
    /// By default the check of the status where the response error is `HTTPError`, before decoding; else none. A fallback
    /// response passes it too.
    var responseValidator: ResponseValidator<ResponseBody, ResponseError> { get }
    /// The longest time without a byte in either direction, in seconds; 120 by default. `.infinity` is no limit; what is
    /// not above 0 makes the request malformed.
    var timeoutInterval: TimeInterval { get }
    /// The limit of one attempt from its start to the last byte of the response; nil, the default, is none. Zero and less
    /// make the request malformed.
    var attemptTimeout: Duration? { get }
    /// The last step of making the request, after the interceptors of the manager; none by default.
    var requestInterceptor: RequestInterceptor { get }
    /// Called now and then while the body goes out, and once when it has gone out whole: one call at a time, on a thread
    /// that holds up no transfer, and before the result. Where the closure falls behind, it gets the newest count only.
    /// The same holds for `downloadProgress`.
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { get }
    /// Called now and then while the body of a response comes in, and once when it has come in whole.
    var downloadProgress: (@Sendable (TransferProgress) -> Void)? { get }
    /// The bytes to send. Comes with both forms of `body`.
    func encodedBody() throws -> Data?
}

extension Requestable {
    public var query: [URLQueryItem] { [] }
    public var headers: RequestHeaders { [:] }
    public var bodyStream: BodyStream? { nil }
    public var authentication: RequestAuthentication? { nil }
    public var authenticator: (any Authenticator)? { nil }
    public var fallbackResponse: Response? { nil }
    public var responseValidator: ResponseValidator<ResponseBody, ResponseError> { .unsafe }
    public var timeoutInterval: TimeInterval { 120 }
    public var attemptTimeout: Duration? { nil }
    public var requestInterceptor: RequestInterceptor { .none }
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
    public var downloadProgress: (@Sendable (TransferProgress) -> Void)? { nil }
}

extension Requestable where ResponseError == HTTPError {
    public var responseValidator: ResponseValidator<ResponseBody, HTTPError> { .default }
}

extension Requestable where BodyValue == RequestBody {
    public func encodedBody() throws -> Data? { try requestEncoder.encode(body) }
}

extension Requestable where BodyValue == RequestBody? {
    public var body: RequestBody? { nil }

    public func encodedBody() throws -> Data? { try body.flatMap { try requestEncoder.encode($0) } }
}
