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

/// A request that accepts every response.
public protocol Request: Requestable where ResponseError == NoError {}

/// A request whose response must have a status from 200 to 299.
public protocol HTTPRequest: Requestable where ResponseError == HTTPError {}

/// A request that wraps another one, whose type is decisive.
protocol RequestWrapper: Requestable {
    var wrappedRequest: any Requestable { get }
}

extension Requestable {
    /// Returns the request itself, or the one it wraps, if it is a `T`.
    func unwrapped<T: Requestable>(as type: T.Type) -> T? {
        if let request = self as? T { return request }
        return (self as? any RequestWrapper)?.wrappedRequest.unwrapped(as: type)
    }

    /// The innermost request.
    var unwrapped: any Requestable { (self as? any RequestWrapper)?.wrappedRequest.unwrapped ?? self }
}

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

/// An HTTP method (RFC 9110 §9): a standard one or any token, such as "PROPFIND". Case-sensitive.
///
/// Any method may have a body, but HEAD does not send it.
public struct RequestMethod: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
    /// The method as sent.
    public let rawValue: String

    /// Returns nil for text other than a token (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    public init?(rawValue: String) {
        guard HeaderCheck.isToken(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a method without any check. Text other than a token makes the request malformed.
    public init(stringLiteral text: String) { rawValue = text }

    /// Retrieves a resource.
    public static let get: RequestMethod = "GET"
    /// Submits data for processing. Repeated by a `RetryPolicy` only if that is safe.
    public static let post: RequestMethod = "POST"
    /// Replaces a resource.
    public static let put: RequestMethod = "PUT"
    /// Changes a part of a resource (RFC 5789). Repeated by a `RetryPolicy` only if that is safe.
    public static let patch: RequestMethod = "PATCH"
    /// Removes a resource.
    public static let delete: RequestMethod = "DELETE"
    /// Retrieves the headers only. The response has no body.
    public static let head: RequestMethod = "HEAD"
    /// Retrieves the communication options.
    public static let options: RequestMethod = "OPTIONS"
    /// Opens a tunnel through a proxy; a request with this method is malformed.
    public static let connect: RequestMethod = "CONNECT"
    /// Returns the request as it arrived.
    public static let trace: RequestMethod = "TRACE"

    /// True if sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2, and the registry of
    /// methods). False for unknown methods.
    public var isIdempotent: Bool { Self.idempotent.contains(rawValue) }

    package static let idempotent: Set<String> = [
        "ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "DELETE", "GET", "HEAD", "LABEL", "LINK",
        "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "OPTIONS", "ORDERPATCH",
        "PROPFIND", "PROPPATCH", "PUT", "QUERY", "REBIND", "REPORT", "SEARCH", "TRACE", "UNBIND", "UNCHECKOUT",
        "UNLINK", "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL",
    ]
}

extension RequestMethod: CaseIterable {
    /// The methods of RFC 9110, and PATCH.
    public static let allCases: [RequestMethod] = [
        .get, .post, .put, .patch, .delete, .head, .options, .connect, .trace,
    ]
}
