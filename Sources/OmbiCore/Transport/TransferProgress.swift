/// The transferred part of a body. The last value of a completely sent or received body has its full length.
public struct TransferProgress: Sendable, Hashable {
    /// The bytes transferred so far; of a response, after content decoding.
    public var bytes: Int
    /// The total in bytes; nil if unknown, as for a compressed or chunked response.
    public var expected: Int?

    /// - Parameters:
    ///   - bytes: The bytes so far.
    ///   - expected: The total in bytes; nil if unknown.
    public init(bytes: Int, expected: Int? = nil) {
        self.bytes = bytes
        self.expected = expected
    }
}
