/// Something from which no request can be made: which part of it, and what is wrong with that part.
///
/// It is the cause in `RequestError.malformedRequest` for everything that Ombi itself finds. Errors of an encoder or of
/// an interceptor stand there as they were thrown.
public struct MalformedRequest: Error, Sendable, Hashable {
    /// The part of a request that is wrong.
    public enum Part: String, Sendable, Hashable, CaseIterable {
        /// The host of the manager.
        case host
        /// The path of the request.
        case path
        /// The URL as a whole, such as one that an interceptor has put in.
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

    /// Where to look for the mistake.
    public let part: Part
    /// What is wrong, and what to do about it: a sentence without a capital and without a full stop.
    public let reason: String

    /// For interceptors and encoders that refuse a request in the same way.
    public init(_ part: Part, _ reason: String) {
        self.part = part
        self.reason = reason
    }
}

extension MalformedRequest: CustomStringConvertible {
    /// The same as `reason`.
    public var description: String { reason }
}
