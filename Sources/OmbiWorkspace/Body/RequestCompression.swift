internal import OmbiBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content coding in which the body of a request is sent (RFC 9110, section 8.4), made by a library of the system.
public enum RequestCompression: String, CaseIterable, Sendable {
    case gzip, zstd

    /// Returns nil where the library is missing.
    func compressed(_ data: Data) -> Data? {
        switch self {
        case .gzip: Gzip.compressed(data)
        case .zstd: ZstdLibrary.shared?.compressed(data)
        }
    }

    /// The name of the library, for an error.
    var library: String { self == .gzip ? "zlib" : "libzstd" }
}

/// gzip (RFC 1952), made of zlib's format (RFC 1950).
private enum Gzip {
    // Deflate, no flags, no time, unknown system: equal bodies give equal bytes.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    /// The bytes that zlib's own format has in front of the deflated ones.
    private static let front = 2
    /// The bytes that it has behind them.
    private static let end = 4

    static func compressed(_ data: Data) -> Data? {
        guard let zlib = Zlib.shared else { return nil }
        return data.withUnsafeBytes { bytes in
            guard let sum = zlib.checksum(bytes), let made = zlib.compressed(bytes, level: -1),
                made.count >= front + end
            else { return nil }
            var result = Data(header)
            result.append(contentsOf: made[front..<made.count - end])
            for number in [sum, UInt32(bytes.count)] {
                withUnsafeBytes(of: number.littleEndian) { result.append(contentsOf: $0) }
            }
            return result
        }
    }
}

/// Zstandard (RFC 8878) in one step, loaded when first used.
private struct ZstdLibrary: Sendable {
    private typealias Bound = @convention(c) @Sendable (Int) -> Int
    private typealias Compress =
        @convention(c) @Sendable (UnsafeMutablePointer<UInt8>, Int, UnsafePointer<UInt8>, Int, CInt) -> Int
    private typealias Check = @convention(c) @Sendable (Int) -> UInt32

    private let bound: Bound
    private let compress: Compress
    private let isError: Check

    static let shared = ZstdLibrary()

    #if canImport(Darwin)
    private static let names = ["libzstd.1.dylib"]
    #else
    private static let names = ["libzstd.so.1"]
    #endif

    /// That of the program `zstd`.
    private static let level: CInt = 3

    private init?() {
        guard let library = SharedLibrary(Self.names), let bound: Bound = library.find("ZSTD_compressBound"),
            let compress: Compress = library.find("ZSTD_compress"), let isError: Check = library.find("ZSTD_isError")
        else { return nil }
        (self.bound, self.compress, self.isError) = (bound, compress, isError)
    }

    func compressed(_ data: Data) -> Data? {
        let bytes = [UInt8](data)
        var made = [UInt8](repeating: 0, count: max(1, bound(bytes.count)))
        let room = made.count
        let count = compress(&made, room, bytes, bytes.count, Self.level)
        // An error is a number near the largest one.
        guard count >= 0, isError(count) == 0, count <= room else { return nil }
        return Data(made[..<count])
    }
}
