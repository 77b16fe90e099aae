/// A request that cannot be built: the invalid part, and the reason.
///
/// It is the cause in `RequestError.malformedRequest` for all of Ombi's own checks. Errors of an encoder or an
/// interceptor are causes themselves.
public struct MalformedRequest: Error, Sendable, Hashable {
    /// The invalid part of a request.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The host of the manager.
        case host
        /// The path of the request.
        case path
        /// The whole URL, such as one set by an interceptor.
        case url
        /// The method of the request.
        case method
        /// The name or the value of a header field.
        case header
        /// The credentials of the request, of the call or of the manager.
        case authentication
        /// The limit of one attempt.
        case timeout
    }

    /// The invalid part.
    public let part: Part
    /// The problem and its remedy: a sentence in lower case without a full stop.
    public let reason: String

    /// Creates the error, for interceptors and encoders that reject a request.
    public init(_ part: Part, _ reason: String) {
        self.part = part
        self.reason = reason
    }
}

extension MalformedRequest: CustomStringConvertible {
    /// The same as `reason`.
    public var description: String { reason }
}
