/// A body that could not be encoded or decoded, with a description.
public struct CodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A clause in lower case without a full stop.
    public let description: String

    /// Creates a failure, for custom encoders and decoders.
    public init(_ description: String) { self.description = description }
}
