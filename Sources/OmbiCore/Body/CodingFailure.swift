/// A body that could not be written or read, in words.
public struct CodingFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: a sentence without a capital and without a full stop.
    public let description: String

    /// For encoders and decoders of one's own.
    public init(_ description: String) { self.description = description }
}
