/// How much of a body has gone out or come in. The last one of a body that was sent or received whole has its full
/// length.
public struct TransferProgress: Sendable, Hashable {
    /// So far. Of a response: after content decoding.
    public var bytes: Int
    /// In all; nil when that is not known, as for a compressed or chunked response.
    public var expected: Int?

    /// Both in bytes.
    public init(bytes: Int, expected: Int? = nil) {
        self.bytes = bytes
        self.expected = expected
    }
}
