#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The encoded body of a request: bytes or a stream, and their content type.
public struct EncodedBody: Sendable, Hashable {
    /// The bytes in memory; nil for a stream.
    public let data: Data?
    /// The stream, which is read while it is sent and opened for each attempt.
    public let stream: BodyStream?
    /// Sent as `Content-Type` unless the request or the manager sets one; nil sends none.
    public let contentType: RequestHeaders.Value?

    /// Creates a body in memory.
    public init(data: Data, contentType: RequestHeaders.Value? = nil) {
        self.data = data
        stream = nil
        self.contentType = contentType
    }

    /// Creates a body that is read while it is sent.
    public init(stream: BodyStream, contentType: RequestHeaders.Value? = nil) {
        data = nil
        self.stream = stream
        self.contentType = contentType
    }
}
