/// An HTTP method (RFC 9110 §9, PATCH: RFC 5789). Any method may carry a body, but HEAD does not send it.
public enum RequestMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// Reads.
    case get = "GET"
    /// Hands something over to be processed. Not repeated by a `RetryPolicy` unless it is safe.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Changes a part. Not repeated by a `RetryPolicy` unless it is safe.
    case patch = "PATCH"
    /// Removes.
    case delete = "DELETE"
    /// Reads the headers only. Its response has no body.
    case head = "HEAD"
    /// Asks what may be done.
    case options = "OPTIONS"
    /// Asks a proxy for a tunnel; a request of its own with it is malformed.
    case connect = "CONNECT"
    /// Asks for the request as it arrived.
    case trace = "TRACE"

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2).
    public var isIdempotent: Bool {
        self != .post && self != .patch && self != .connect
    }
}
