internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The form of contents in the history: made smaller by zlib, or as they are where it is missing.
enum ContentCompression {
    /// The fastest one: others wait to be recorded.
    private static let level = 1

    /// Returns nil where that makes it no smaller.
    static func compressed(_ data: Data) -> Data? {
        guard !data.isEmpty, let made = data.withUnsafeBytes({ Zlib.shared?.compressed($0, level: level) }),
            made.count < data.count
        else { return nil }
        return Data(made)
    }

    /// Returns nil for damaged bytes.
    /// - Parameter size: that of the result.
    static func expanded(_ data: Data, size: Int) -> Data? {
        data.withUnsafeBytes { Zlib.shared?.expanded($0, size: size) }.map { Data($0) }
    }
}
