#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key of one opening handshake, and the value that proves that the server has read it (RFC 6455 §4.2.2). Neither
/// is a security measure.
struct HandshakeKey: Sendable {
    /// The value of `Sec-WebSocket-Key`.
    let text: String
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    /// - Parameter text: 16 random bytes in Base64.
    init(_ text: String) {
        self.text = text
        accept = Data(SHA1.hash(Array((text + Self.suffix).utf8))).base64EncodedString()
    }

    static func random() -> HandshakeKey {
        HandshakeKey(Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString())
    }

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
