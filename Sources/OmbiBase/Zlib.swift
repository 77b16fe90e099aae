/// zlib in one step, loaded when first used.
package struct Zlib: Sendable {
    private typealias Bytes = UnsafePointer<UInt8>
    private typealias Bound = @convention(c) @Sendable (UInt) -> UInt
    private typealias Compress =
        @convention(c) @Sendable (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, Bytes, UInt, CInt) -> CInt
    private typealias Expand =
        @convention(c) @Sendable (UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt>, Bytes, UInt) -> CInt
    private typealias Checksum = @convention(c) @Sendable (UInt, Bytes, UInt32) -> UInt

    private let bound: Bound
    private let compress: Compress
    private let expand: Expand
    private let sum: Checksum

    /// Nil where the library is missing.
    package static let shared = Zlib()

    #if canImport(Darwin)
    private static let names = ["/usr/lib/libz.dylib"]
    #else
    private static let names = ["libz.so.1"]
    #endif

    private init?() {
        guard let library = SharedLibrary(Self.names), let bound: Bound = library.find("compressBound"),
            let compress: Compress = library.find("compress2"), let expand: Expand = library.find("uncompress"),
            let sum: Checksum = library.find("crc32")
        else { return nil }
        (self.bound, self.compress, self.expand, self.sum) = (bound, compress, expand, sum)
    }

    /// Returns the bytes in zlib's format (RFC 1950); nil where there is no memory for them.
    /// - Parameter level: 1, the fastest, to 9, the smallest; -1 for zlib's own choice.
    package func compressed(_ bytes: UnsafeRawBufferPointer, level: Int) -> [UInt8]? {
        var count = bound(UInt(bytes.count))
        var code: CInt = 0
        let made = [UInt8](unsafeUninitializedCapacity: Int(count)) { target, filled in
            guard let start = target.baseAddress else { return code = -1 }
            code = Self.reading(bytes) { compress(start, &count, $0, UInt(bytes.count), CInt(level)) }
            filled = code == 0 ? Int(count) : 0
        }
        return code == 0 ? made : nil
    }

    /// zlib makes nothing smaller than a 1032nd.
    private static let maximumRatio = 1040

    /// Returns nil for damaged bytes, and where the result has another size.
    package func expanded(_ bytes: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        // A damaged size would ask for any amount of memory.
        guard size > 0, !bytes.isEmpty, size / Self.maximumRatio <= bytes.count else { return nil }
        var code: CInt = 0
        let made = [UInt8](unsafeUninitializedCapacity: size) { target, filled in
            guard let start = target.baseAddress else { return code = -1 }
            var count = UInt(size)
            code = Self.reading(bytes) { expand(start, &count, $0, UInt(bytes.count)) }
            filled = code == 0 ? Int(count) : 0
        }
        return code == 0 && made.count == size ? made : nil
    }

    /// Returns the CRC-32 of the bytes, as gzip has it (RFC 1952); nil for 4 GiB and more.
    package func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard let count = UInt32(exactly: bytes.count) else { return nil }
        return Self.reading(bytes) { UInt32(truncatingIfNeeded: sum(0, $0, count)) }
    }

    /// Reads also no bytes from an address: for zlib's checksum no address means the sum to begin with.
    private static func reading<Result>(_ bytes: UnsafeRawBufferPointer, _ read: (Bytes) -> Result) -> Result {
        if let start = bytes.bindMemory(to: UInt8.self).baseAddress { return read(start) }
        return withUnsafePointer(to: 0) { read($0) }
    }
}
