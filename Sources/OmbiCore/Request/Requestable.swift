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
    associatedtype RequestBody = NoBody
    associatedtype ResponseBody
    associatedtype ResponseError: Error
    /// How `body` is declared: `RequestBody` or `RequestBody?`. Inferred.
    associatedtype BodyValue = RequestBody?

    typealias Response = RequestResponse<ResponseBody>
    typealias Failure = RequestError<ResponseError>

    /// Appended to the path of the manager's host, with exactly one slash in between.
    var path: String { get }
    /// Replaces the query of the URL unless it is empty.
    var query: [URLQueryItem] { get }
    var method: RequestMethod { get }
    var headers: RequestHeaders { get }
    var body: BodyValue { get }
    var authentication: RequestAuthentication? { get }
    /// Stands in for a response when every attempt failed; it is validated like one.
    var fallbackResponse: Response? { get }
    var requestEncoder: BodyEncoder<RequestBody> { get }
    var responseDecoder: BodyDecoder<ResponseBody> { get }
    var responseValidator: ResponseValidator<ResponseBody, ResponseError> { get }
    /// The limit of one attempt, in seconds.
    var timeoutInterval: TimeInterval { get }
    var requestInterceptor: RequestInterceptor { get }
    /// The bytes to send. Comes with both forms of `body`.
    func encodedBody() throws -> Data?
}

extension Requestable {
    public var query: [URLQueryItem] { [] }
    public var headers: RequestHeaders { [:] }
    public var authentication: RequestAuthentication? { nil }
    public var fallbackResponse: Response? { nil }
    public var responseValidator: ResponseValidator<ResponseBody, ResponseError> { .unsafe }
    public var timeoutInterval: TimeInterval { 120 }
    public var requestInterceptor: RequestInterceptor { .none }
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
