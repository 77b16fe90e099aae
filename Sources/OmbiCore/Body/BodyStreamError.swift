/// Why a stream could not be sent as a body.
public enum BodyStreamError: Error, Sendable, Hashable {
    /// The reader came to its end after fewer bytes than the stream said.
    case endedEarly(after: Int, length: Int)
    /// The reader had more bytes than the stream said.
    case deliversMore(length: Int)
    /// It was opened a second time, and can be read only once: `BodyStream.init(_:length:)`.
    case readBefore
    /// It could not be opened or read; in words.
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
