/// A failure to send a stream as a body.
public enum BodyStreamError: Error, Sendable, Hashable {
    /// The reader ended after fewer bytes than the length of the stream.
    case endedEarly(after: Int, length: Int)
    /// The reader has more bytes than the length of the stream.
    case deliversMore(length: Int)
    /// The stream was opened a second time, but can be read only once: `BodyStream.init(_:length:)`.
    case readBefore
    /// The stream could not be opened or read; the value describes the error.
    case unreadable(String)
}

extension BodyStreamError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .endedEarly(let count, let length): "the body ended after \(count) of \(length) bytes"
        case .deliversMore(let length): "the body is longer than the \(length) bytes that were announced"
        case .readBefore: "the body was to be sent again, and comes from a sequence that can be read only once"
        case .unreadable(let reason): "the body could not be read: \(reason)"
        }
    }
}
