#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A complete message of a WebSocket (RFC 6455 §5.6).
public enum WebSocketMessage: Sendable, Hashable {
    /// Text; sent as UTF-8.
    case text(String)
    /// Bytes.
    case binary(Data)

    /// The kind of a message.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Text.
        case text
        /// Bytes.
        case binary
    }

    /// The kind of the message.
    public var kind: Kind {
        switch self {
        case .text: .text
        case .binary: .binary
        }
    }

    /// The length in bytes; of text, in UTF-8.
    public var count: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }

    /// The text; nil for bytes.
    public var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    /// The bytes; of text, in UTF-8.
    public var data: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .binary(let data): data
        }
    }
}

extension WebSocketMessage: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self = .text(text) }
}
