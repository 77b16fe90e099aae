#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request whose response is not decoded: the bytes are its body. All other members are those of the base request.
struct StreamedRequest<Base: Requestable>: Requestable, RequestWrapper {
    typealias RequestBody = Base.RequestBody
    typealias ResponseBody = Data
    typealias ResponseError = Base.ResponseError

    let base: Base
    /// Headers that replace those of the request.
    var addedHeaders: RequestHeaders = [:]
    /// Returns true for responses accepted regardless of the request's validator.
    var passes: @Sendable (TransportResponse) -> Bool = { _ in false }
    /// Replaces the decoder: throws for an invalid response that the validator accepts.
    var check: @Sendable (TransportResponse) throws -> Void = { _ in }
    var downloadProgress: (@Sendable (TransferProgress) -> Void)?
    var wrappedRequest: any Requestable { base }

    var path: String { base.path }
    var method: RequestMethod { base.method }
    var query: [URLQueryItem] { get throws { try base._query } }
    var headers: RequestHeaders { get throws { try base._headers.merging(addedHeaders) } }
    var body: RequestBody? { nil }
    var bodyStream: BodyStream? { get throws { try base._bodyStream } }
    var authentication: RequestAuthentication? { get throws { try base._authentication } }
    var authenticator: (any Authenticator)? { base._authenticator }
    var requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var responseDecoder: BodyDecoder<Data> {
        .response { [check] response in
            try check(response)
            return response.body
        }
    }
    var timeoutInterval: TimeInterval { base._timeoutInterval }
    var attemptTimeout: Duration? { base._attemptTimeout }
    var requestInterceptor: RequestInterceptor { base._requestInterceptor }
    var uploadProgress: (@Sendable (TransferProgress) -> Void)? { base._uploadProgress }
    /// Lets the compiler infer `RequestBody`.
    var _requestEncoder: BodyEncoder<RequestBody> { base._requestEncoder }
    var _encodedBody: EncodedBody? { get throws { try base._encodedBody } }

    /// The part of the validator that needs no decoded body.
    var responseValidator: ResponseValidator<Data, ResponseError> {
        let validator = base._responseValidator
        return ResponseValidator(beforeDecoding: { [passes] in passes($0) ? nil : validator.refusal(of: $0) })
    }
}
