#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request as it is sent: bytes or a stream, and what they are.
public struct EncodedBody: Sendable, Hashable {
    /// Bytes in memory; nil where there is a stream.
    public let data: Data?
    /// Read while it is sent, and opened for each attempt.
    public let stream: BodyStream?
    /// Sent as `Content-Type` unless the request or the manager sets one; nil sends none.
    public let contentType: RequestHeaders.Value?

    /// A body in memory.
    public init(data: Data, contentType: RequestHeaders.Value? = nil) {
        self.data = data
        stream = nil
        self.contentType = contentType
    }

    /// A body that is read while it is sent.
    public init(stream: BodyStream, contentType: RequestHeaders.Value? = nil) {
        data = nil
        self.stream = stream
        self.contentType = contentType
    }
}
