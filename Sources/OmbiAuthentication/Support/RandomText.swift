#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Text that nobody can guess, from the random numbers of the system.
enum RandomText {
    /// 256 bits, as 43 letters, digits, "-" and "_".
    static func token() -> String { bytes(32).base64URL }

    static func bytes(_ count: Int) -> Data {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
