#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
