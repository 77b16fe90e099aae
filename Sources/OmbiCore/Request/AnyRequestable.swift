#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type-erased request, whose members have one type each, however the request declares them. Every member is read
/// from the wrapped request on use.
public struct AnyRequestable<RequestBody, ResponseBody, ResponseError: Error>: Requestable, RequestWrapper {
    /// The wrapped request.
    public let base: any Requestable<RequestBody, ResponseBody, ResponseError>

    var wrappedRequest: any Requestable { base }

    /// Wraps a request without reading any of its members.
    public init(_ wrapped: some Requestable<RequestBody, ResponseBody, ResponseError>) { base = wrapped }

    public var path: String { base.path }
    public var method: RequestMethod { base.method }
    public var query: [URLQueryItem] { get throws { try base._query } }
    public var headers: RequestHeaders { get throws { try base._headers } }
    public var body: RequestBody? { get throws { try Self.body(of: base) as? RequestBody } }
    public var bodyStream: BodyStream? { get throws { try base._bodyStream } }
    public var authentication: RequestAuthentication? { get throws { try base._authentication } }
    public var authenticator: (any Authenticator)? { base._authenticator }
    public var fallbackResponse: RequestResponse<ResponseBody>? { base._fallbackResponse }
    public var requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    public var responseDecoder: BodyDecoder<ResponseBody> { base._responseDecoder }
    public var responseValidator: ResponseValidator<ResponseBody, ResponseError> { base._responseValidator }
    public var timeoutInterval: TimeInterval { base._timeoutInterval }
    public var attemptTimeout: Duration? { base._attemptTimeout }
    public var requestInterceptor: RequestInterceptor { base._requestInterceptor }
    public var uploadProgress: (@Sendable (TransferProgress) -> Void)? { base._uploadProgress }
    public var downloadProgress: (@Sendable (TransferProgress) -> Void)? { base._downloadProgress }
    /// Lets the compiler infer `RequestBody`.
    public var _requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    public var _encodedBody: EncodedBody? { get throws { try base._encodedBody } }

    private static func body<Base: Requestable>(of base: Base) throws -> Any { try base.body }
}
