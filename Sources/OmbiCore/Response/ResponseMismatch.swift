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
