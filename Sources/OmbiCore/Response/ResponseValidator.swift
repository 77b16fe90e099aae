/// A check of responses that rejects them with the error of the request: before decoding, after it, or both.
///
/// Before decoding, status, headers and bytes are available, so that the error page of an API is recognized as such
/// instead of failing as a malformed value. After decoding, the value is.
public struct ResponseValidator<ResponseBody, ResponseError: Error>: Sendable {
    /// The input after decoding.
    public typealias Response = RequestResponse<ResponseBody>

    private let check: (@Sendable (TransportResponse) -> ResponseError?)?
    /// nil accepts everything.
    private let handler: (@Sendable (Response) -> Result<Response, ResponseError>)?

    /// Creates a validator of decoded responses. The handler returns each, changed or not, or rejects it.
    ///
    /// A failure becomes `RequestError.validationError(_:_:)`. The handler may run on any thread.
    public init(_ handler: @escaping @Sendable (Response) -> Result<Response, ResponseError>) {
        check = nil
        self.handler = handler
    }

    private init(check: (@Sendable (TransportResponse) -> ResponseError?)?) {
        self.check = check
        handler = nil
    }

    /// Creates a validator of responses before and after decoding.
    ///
    /// An error becomes `RequestError.validationError(_:_:)`. Both closures may run on any thread.
    ///
    /// - Parameters:
    ///   - check: Returns the reason to reject a response, or nil to decode it. Also gets fallback responses, without
    ///     bytes.
    ///   - handler: As in `init(_:)`; accepts everything by default.
    public init(
        beforeDecoding check: @escaping @Sendable (TransportResponse) -> ResponseError?,
        afterDecoding handler: @escaping @Sendable (Response) -> Result<Response, ResponseError> = { .success($0) }
    ) {
        self.check = check
        self.handler = handler
    }

    /// Returns the reason not to decode a response.
    public func refusal(of response: TransportResponse) -> ResponseError? { check?(response) }

    /// Returns the response to continue with, or the reason to reject it. For responses that were not decoded from
    /// bytes, such as fallbacks: the check before decoding runs first, with the head of the response alone.
    public func validate(_ response: Response) -> Result<Response, ResponseError> {
        let head = TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode)
        if let refusal = refusal(of: head) { return .failure(refusal) }
        return examine(response)
    }

    /// Runs the check after decoding.
    func examine(_ response: Response) -> Result<Response, ResponseError> { handler?(response) ?? .success(response) }

    /// A validator that accepts everything.
    public static var unsafe: Self { Self(check: nil) }
}

extension ResponseValidator {
    /// A validator that accepts everything.
    public static var `default`: Self { unsafe }
}

extension ResponseValidator where ResponseError == HTTPError {
    /// A validator that rejects a status outside 200..<300, before decoding. A response without a status passes.
    public static var `default`: Self { Self(check: { $0.statusCode.flatMap(HTTPError.init) }) }
}

/// The mismatch found by `validateStatusCode(in:)` or `hasContentType(_:)`.
public enum ResponseMismatch: Error, Sendable, Hashable {
    /// An unexpected status; nil if the response has none.
    case statusCode(Int?)
    /// An unexpected media type; nil if the response has none.
    case contentType(String?, expected: String)
}

extension ResponseMismatch: CustomStringConvertible {
    public var description: String {
        switch self {
        case .statusCode(let code?): "the response has the status \(StatusCode.words(code)), which is not accepted"
        case .statusCode(nil): "the response has no status"
        case .contentType(let found?, let expected): "the response is \(found), expected \(expected)"
        case .contentType(nil, let expected): "the response does not name its content type, expected \(expected)"
        }
    }
}

/// A status outside 200..<300, as an error (RFC 9110 §15).
public enum HTTPError: Error, Sendable, Hashable {
    /// 400
    case badRequest
    /// 401
    case unauthorized
    /// 403
    case forbidden
    /// 404
    case notFound
    /// Another status from 400 to 499.
    case error4xx(Int)
    /// 500
    case serverError
    /// A status from 501 to 599.
    case error5xx(Int)
    /// Any other status that is not a success.
    case unknownErrorCode(Int)

    /// Returns nil for a success (200..<300).
    public init?(_ statusCode: Int) {
        switch statusCode {
        case 200..<300: return nil
        case 400: self = .badRequest
        case 401: self = .unauthorized
        case 403: self = .forbidden
        case 404: self = .notFound
        case 402..<500: self = .error4xx(statusCode)
        case 500: self = .serverError
        case 501..<600: self = .error5xx(statusCode)
        default: self = .unknownErrorCode(statusCode)
        }
    }

    /// The status of the response.
    public var statusCode: Int {
        switch self {
        case .badRequest: 400
        case .unauthorized: 401
        case .forbidden: 403
        case .notFound: 404
        case .serverError: 500
        case .error4xx(let code), .error5xx(let code), .unknownErrorCode(let code): code
        }
    }
}

extension HTTPError: CustomStringConvertible {
    /// "the server answered 404 Not Found"
    public var description: String { "the server answered \(StatusCode.words(statusCode))" }
}

/// Names of HTTP statuses (RFC 9110 §15 and the IANA registry).
public enum StatusCode {
    /// Returns "503 Service Unavailable"; the number alone for an unregistered status.
    public static func words(_ code: Int) -> String {
        reasons[code].map { "\(code) \($0)" } ?? "\(code)"
    }

    /// Returns "Service Unavailable"; nil for an unregistered status.
    public static func reason(_ code: Int) -> String? { reasons[code] }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 510: "Not Extended", 511: "Network Authentication Required",
    ]
}
