/// An HTTP method (RFC 9110 §9, PATCH: RFC 5789). Any method may carry a body, but HEAD does not send it.
public enum RequestMethod: String, Sendable, Hashable, CaseIterable, Codable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case head = "HEAD"
    case options = "OPTIONS"
    /// Asks a proxy for a tunnel; a request of its own with it is malformed.
    case connect = "CONNECT"
    case trace = "TRACE"

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        self != .post && self != .patch && self != .connect
    }
}
