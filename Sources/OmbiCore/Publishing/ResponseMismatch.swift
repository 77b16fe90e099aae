/// What `validateStatusCode(in:)` and `hasContentType(_:)` found wrong with a response.
public enum ResponseMismatch: Error, Sendable, Hashable {
    /// nil when the response has no status.
    case statusCode(Int?)
    /// nil when the response names no content type.
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
