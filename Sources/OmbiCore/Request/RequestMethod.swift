/// An HTTP method (RFC 9110 §9): one of the standard ones, or any token, such as "PROPFIND". Compared with case.
///
/// Any method may carry a body, but HEAD does not send it.
public struct RequestMethod: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// As it is sent.
    public let rawValue: String

    /// nil for what is no token (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
    public init?(rawValue: String) {
        guard HeaderCheck.isToken(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// The text as it is. What is no token makes the request malformed.
    public init(stringLiteral text: String) { rawValue = text }

    /// Reads.
    public static let get: RequestMethod = "GET"
    /// Hands something over to be processed. Not repeated by a `RetryPolicy` unless it is safe.
    public static let post: RequestMethod = "POST"
    /// Replaces.
    public static let put: RequestMethod = "PUT"
    /// Changes a part (RFC 5789). Not repeated by a `RetryPolicy` unless it is safe.
    public static let patch: RequestMethod = "PATCH"
    /// Removes.
    public static let delete: RequestMethod = "DELETE"
    /// Reads the headers only. Its response has no body.
    public static let head: RequestMethod = "HEAD"
    /// Asks what may be done.
    public static let options: RequestMethod = "OPTIONS"
    /// Asks a proxy for a tunnel; a request of its own with it is malformed.
    public static let connect: RequestMethod = "CONNECT"
    /// Asks for the request as it arrived.
    public static let trace: RequestMethod = "TRACE"

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110 §9.2.2, and the registry of
    /// methods). A method that Ombi does not know is taken not to be.
    public var isIdempotent: Bool { Self.idempotent.contains(rawValue) }

    private static let idempotent: Set<String> = [
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
