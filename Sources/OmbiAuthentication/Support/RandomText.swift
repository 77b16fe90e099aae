#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Unguessable text from the system's random number generator.
enum RandomText {
    /// Returns 256 random bits as 43 characters of base64url.
    static func token() -> String { bytes(32).base64URL }

    static func bytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
