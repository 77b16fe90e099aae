internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// zlib in one step, loaded when first used. Without it contents are kept as they are.
struct ContentCompression: Sendable {
    private typealias Bytes = UnsafePointer<UInt8>

    private typealias Bound = @convention(c) @Sendable (UInt) -> UInt
    private typealias Compress =
        @convention(c) @Sendable (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, Bytes, UInt, CInt) -> CInt
    private typealias Expand =
        @convention(c) @Sendable (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, Bytes, UInt) -> CInt

    private let bound: Bound
    private let compress: Compress
    private let expand: Expand

    static let shared = ContentCompression()

    #if canImport(Darwin)
    private static let names = ["/usr/lib/libz.dylib"]
    #else
    private static let names = ["libz.so.1"]
    #endif

    private init?() {
        guard let library = SharedLibrary(Self.names), let bound: Bound = library.find("compressBound"),
            let compress: Compress = library.find("compress2"), let expand: Expand = library.find("uncompress")
        else { return nil }
        (self.bound, self.compress, self.expand) = (bound, compress, expand)
    }

    /// Returns nil where that makes it no smaller.
    func compressed(_ data: Data) -> Data? {
        guard !data.isEmpty else { return nil }
        var count = bound(UInt(data.count))
        var result = Data(count: Int(count))
        let code = result.withUnsafeMutableBytes { target in
            data.withUnsafeBytes { source -> CInt in
                guard let target = target.bindMemory(to: UInt8.self).baseAddress,
                    let bytes = source.bindMemory(to: UInt8.self).baseAddress
                else { return -1 }
                // The fastest level: others wait to be recorded.
                return compress(target, &count, bytes, UInt(source.count), 1)
            }
        }
        guard code == 0, Int(count) < data.count else { return nil }
        return result.prefix(Int(count))
    }

    /// zlib makes nothing smaller than a 1032nd.
    private static let maximumRatio = 1040

    /// Returns nil for damaged bytes.
    /// - Parameter size: that of the result.
    func expanded(_ data: Data, size: Int) -> Data? {
        // A damaged size would ask for any amount of memory.
        guard size > 0, !data.isEmpty, size / Self.maximumRatio <= data.count else { return nil }
        var count = UInt(size)
        var result = Data(count: size)
        let code = result.withUnsafeMutableBytes { target in
            data.withUnsafeBytes { source -> CInt in
                guard let target = target.bindMemory(to: UInt8.self).baseAddress,
                    let bytes = source.bindMemory(to: UInt8.self).baseAddress
                else { return -1 }
                return expand(target, &count, bytes, UInt(source.count))
            }
        }
        return code == 0 && Int(count) == size ? result : nil
    }
}
