#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything a `RequestManager` needs to make one request and to understand its response.
///
/// Only `path`, `method` and the type of the response's body have to be given:
///
///     struct UserByID: Requestable {
///         struct ResponseBody: Decodable { let name: String }
///
///         let id: Int
///         var path: String { "/users/\(id)" }
///         let method = RequestMethod.get
///     }
///
/// The other members have defaults, and may be declared in several ways:
///
/// | member | may be declared as |
/// | --- | --- |
/// | ``RequestMembers/query`` | `[URLQueryItem]`, ``RequestParameters``, `[(String, String)]`, `[String: String]` |
/// | ``RequestMembers/headers`` | ``RequestHeaders``, `[String: String]` |
/// | ``RequestMembers/body`` | `RequestBody`, `RequestBody?` |
/// | ``RequestMembers/bodyStream`` | ``BodyStream``, `BodyStream?` |
/// | ``RequestMembers/authentication`` | ``RequestAuthentication``, `RequestAuthentication?` |
/// | ``RequestMembers/authenticator`` | a type that conforms to ``Authenticator``, `any Authenticator`, or an optional one |
/// | ``RequestMembers/fallbackResponse`` | `Response`, `Response?` |
/// | ``RequestMembers/requestEncoder`` | `BodyEncoder<RequestBody>` |
/// | ``RequestMembers/responseDecoder`` | `BodyDecoder<ResponseBody>` |
/// | ``RequestMembers/jsonEncoder``, ``RequestMembers/jsonDecoder`` | `JSONEncoder`, `JSONDecoder` |
/// | ``RequestMembers/responseValidator`` | `ResponseValidator<ResponseBody, ResponseError>` |
/// | ``RequestMembers/timeoutInterval`` | `TimeInterval` or `Int` in seconds, `Duration` |
/// | ``RequestMembers/attemptTimeout`` | `Duration`, `Duration?` |
/// | ``RequestMembers/requestInterceptor`` | ``RequestInterceptor`` |
/// | ``RequestMembers/uploadProgress``, ``RequestMembers/downloadProgress`` | a `@Sendable` closure, or an optional one |
///
/// Any other type does not compile. `query`, `headers`, `body`, `bodyStream` and `authentication` may throw.
///
/// > Warning: A member under another name is none of these, and the default is used: `timeout`, `static let headers`,
/// > `func headers()`. So is one that is `lazy` or `async`. Swift warns of a misspelled member (`timeoutIntervall`) if the
/// > conformance is declared in an extension, which holds the members: `extension UserByID: Requestable { … }`.
///
/// In a module whose default isolation is the main actor, a request and the types declared within it are not isolated.
/// A body of its own type has to be declared `nonisolated struct User: Decodable`.
public protocol Requestable<RequestBody, ResponseBody, ResponseError>: RequestMembers {
    /// The type that a response is decoded to; `NoBody` ignores any bytes.
    associatedtype ResponseBody
    /// The type of the body to send. `NoBody`, the default, sends nothing. A request that declares `body` names its
    /// type: by a typealias, or as a nested type.
    associatedtype RequestBody = NoBody
    /// The error of the validator: `HTTPError`, the default, with its validation of the status, `NoError` or
    /// `any Error` for none, or a custom error with a custom validator.
    associatedtype ResponseError: Error = HTTPError

    /// The response to this request.
    typealias Response = RequestResponse<ResponseBody>
    /// The error of this request.
    typealias Failure = RequestError<ResponseError>

    /// The path, appended to that of the manager's host with exactly one slash in between; empty adds nothing.
    /// Characters that are invalid in a URL are percent-encoded as UTF-8, and existing escapes are kept (RFC 3986). It
    /// may include a query. Control characters, the segments `.` and `..`, and a complete URL (`https://…`, `//…`) make
    /// the request malformed.
    var path: String { get }
    /// The method. All but HEAD may send a body; CONNECT makes the request malformed.
    var method: RequestMethod { get }

    // The members of a request, each of one type, however they are declared; see Requestable+Forms.swift. Requests do
    // not declare these.
    var _query: [URLQueryItem] { get throws }
    var _headers: RequestHeaders { get throws }
    var _encodedBody: EncodedBody? { get throws }
    var _bodyStream: BodyStream? { get throws }
    var _authentication: RequestAuthentication? { get throws }
    var _authenticator: (any Authenticator)? { get }
    var _fallbackResponse: Response? { get }
    var _requestEncoder: BodyEncoder<RequestBody> { get }
    var _responseDecoder: BodyDecoder<ResponseBody> { get }
    var _responseValidator: ResponseValidator<ResponseBody, ResponseError> { get }
    var _timeoutInterval: TimeInterval { get }
    var _attemptTimeout: Duration? { get }
    var _requestInterceptor: RequestInterceptor { get }
    var _uploadProgress: (@Sendable (TransferProgress) -> Void)? { get }
    var _downloadProgress: (@Sendable (TransferProgress) -> Void)? { get }
}
