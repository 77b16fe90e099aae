#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key of one opening handshake, and the value that shows that the server has read it (RFC 6455 §4.2.2). Neither
/// guards anything.
struct HandshakeKey: Sendable {
    /// `Sec-WebSocket-Key`.
    let text: String
    /// `Sec-WebSocket-Accept`.
    let accept: String

    /// - Parameter text: 16 random bytes in Base64.
    init(_ text: String) throws(TransportError) {
        self.text = text
        guard let hash = try CurlLibrary.shared.get().sha1?.hash(Data((text + Self.suffix).utf8)) else {
            throw TransportError(
                code: .unsupportedOption,
                message: "the library for TLS of this system's libcurl offers no SHA-1, which a WebSocket needs")
        }
        accept = hash.base64EncodedString()
    }

    static func random() throws(TransportError) -> HandshakeKey {
        try HandshakeKey(Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString())
    }

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
