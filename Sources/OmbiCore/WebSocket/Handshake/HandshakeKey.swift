#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(CryptoKit)
import CryptoKit
#endif

/// The key of one opening handshake, and the value that proves that the server has read it (RFC 6455 §4.2.2). Neither
/// is a security measure.
struct HandshakeKey: Sendable {
    /// The value of `Sec-WebSocket-Key`.
    let text: String
    /// The value of `Sec-WebSocket-Accept`.
    let accept: String

    /// - Parameter text: 16 random bytes in Base64.
    init(_ text: String) throws(TransportError) {
        self.text = text
        accept = try Self.sha1(Data((text + Self.suffix).utf8)).base64EncodedString()
    }

    static func random() throws(TransportError) -> HandshakeKey {
        try HandshakeKey(Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString())
    }

    // A cryptography package would be too large for this hash alone.
    private static func sha1(_ bytes: Data) throws(TransportError) -> Data {
        #if canImport(CryptoKit)
        return Data(Insecure.SHA1.hash(data: bytes))
        #else
        #if canImport(CCurl)
        if let hash = try CurlLibrary.shared.get().sha1?.hash(bytes) { return hash }
        #endif
        throw TransportError(
            code: .unsupportedOption,
            message: "a WebSocket needs SHA-1, and this system has no libcurl whose TLS library offers it")
        #endif
    }

    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
}
