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
