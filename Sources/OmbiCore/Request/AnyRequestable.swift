#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request whose own type is hidden; every member is asked of the wrapped request when it is needed.
public struct AnyRequestable<RequestBody, ResponseBody, ResponseError: Error>: Requestable, RequestWrapper {
    public typealias BodyValue = RequestBody?

    let wrappedRequest: any Requestable
    private let makePath: @Sendable () -> String
    private let makeQuery: @Sendable () -> [URLQueryItem]
    private let makeMethod: @Sendable () -> RequestMethod
    private let makeHeaders: @Sendable () -> RequestHeaders
    private let makeBody: @Sendable () -> RequestBody?
    private let makeBodyStream: @Sendable () throws -> BodyStream?
    private let makeAuthentication: @Sendable () -> RequestAuthentication?
    private let makeAuthenticator: @Sendable () -> (any Authenticator)?
    private let makeFallback: @Sendable () -> RequestResponse<ResponseBody>?
    private let makeEncoder: @Sendable () -> BodyEncoder<RequestBody>
    private let makeDecoder: @Sendable () -> BodyDecoder<ResponseBody>
    private let makeValidator: @Sendable () -> ResponseValidator<ResponseBody, ResponseError>
    private let makeTimeout: @Sendable () -> TimeInterval
    private let makeAttemptTimeout: @Sendable () -> Duration?
    private let makeInterceptor: @Sendable () -> RequestInterceptor
    private let makeUploadProgress: @Sendable () -> (@Sendable (TransferProgress) -> Void)?
    private let makeDownloadProgress: @Sendable () -> (@Sendable (TransferProgress) -> Void)?
    private let encode: @Sendable () throws -> Data?

    /// Reads nothing of `wrapped` yet.
    public init<Wrapped: Requestable>(_ wrapped: Wrapped)
    where
        Wrapped.RequestBody == RequestBody, Wrapped.ResponseBody == ResponseBody,
        Wrapped.ResponseError == ResponseError
    {
        wrappedRequest = wrapped
        makePath = { wrapped.path }
        makeQuery = { wrapped.query }
        makeMethod = { wrapped.method }
        makeHeaders = { wrapped.headers }
        makeBody = { wrapped.body as? RequestBody }
        makeBodyStream = { try wrapped.bodyStream }
        makeAuthentication = { wrapped.authentication }
        makeAuthenticator = { wrapped.authenticator }
        makeFallback = { wrapped.fallbackResponse }
        makeEncoder = { wrapped.requestEncoder }
        makeDecoder = { wrapped.responseDecoder }
        makeValidator = { wrapped.responseValidator }
        makeTimeout = { wrapped.timeoutInterval }
        makeAttemptTimeout = { wrapped.attemptTimeout }
        makeInterceptor = { wrapped.requestInterceptor }
        makeUploadProgress = { wrapped.uploadProgress }
        makeDownloadProgress = { wrapped.downloadProgress }
        encode = { try wrapped.encodedBody() }
    }

    public var path: String { makePath() }
    public var query: [URLQueryItem] { makeQuery() }
    public var method: RequestMethod { makeMethod() }
    public var headers: RequestHeaders { makeHeaders() }
    public var body: RequestBody? { makeBody() }
    public var bodyStream: BodyStream? { get throws { try makeBodyStream() } }
    public var authentication: RequestAuthentication? { makeAuthentication() }
    public var authenticator: (any Authenticator)? { makeAuthenticator() }
    public var fallbackResponse: RequestResponse<ResponseBody>? { makeFallback() }
    public var requestEncoder: BodyEncoder<RequestBody> { makeEncoder() }
    public var responseDecoder: BodyDecoder<ResponseBody> { makeDecoder() }
    public var responseValidator: ResponseValidator<ResponseBody, ResponseError> { makeValidator() }
    public var timeoutInterval: TimeInterval { makeTimeout() }
    public var attemptTimeout: Duration? { makeAttemptTimeout() }
    public var requestInterceptor: RequestInterceptor { makeInterceptor() }
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? { makeUploadProgress() }
    public var downloadProgress: (@Sendable (TransferProgress) -> Void)? { makeDownloadProgress() }
    public func encodedBody() throws -> Data? { try encode() }
}
