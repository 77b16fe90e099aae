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
