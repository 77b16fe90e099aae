/// A body with its templates filled in: its bytes or its stream, and a text to show.
struct PreparedBody: Sendable, Equatable {
    var encoded: EncodedBody
    /// For commands: the text, or the files.
    var form: ExportedBody
    /// The text of a stream, with a line for each file; nil if the bytes are the text.
    private let outline: String?
    /// The bytes of a body that is sent compressed; nil for any other.
    private var plain: Data?
    /// The coding in which the body is sent; nil for none.
    private(set) var compression: RequestCompression?

    init(_ text: String, contentType: RequestHeaders.Value) {
        encoded = EncodedBody(data: Data(text.utf8), contentType: contentType)
        form = .text(text, contentType: contentType.text)
        outline = nil
    }

    init(_ form: ExportedBody, stream: BodyStream, contentType: RequestHeaders.Value, outline: String) {
        encoded = EncodedBody(stream: stream, contentType: contentType)
        self.form = form
        self.outline = outline
    }

    /// True if the text differs from the bytes sent.
    var namesFiles: Bool { outline != nil }

    /// True for a body that is a file, sent as its bytes are.
    var isFile: Bool { if case .file = form { true } else { false } }

    /// The body as text, in which files are named and not read.
    var text: String { outline ?? String(decoding: plain ?? encoded.data ?? Data(), as: UTF8.self) }

    /// Compresses a body in memory. Returns false if the library is missing.
    mutating func compress(by compression: RequestCompression) -> Bool {
        guard let data = encoded.data, let bytes = compression.compressed(data) else { return false }
        encoded = EncodedBody(data: bytes, contentType: encoded.contentType)
        (plain, self.compression) = (data, compression)
        return true
    }
}

/// Opens a file of a body, which is read while it is sent. The field names the file in an error.
typealias BodyOpener = (_ path: String, _ field: String) throws(ResolveError) -> BodyStream

extension BodyStream {
    /// `(./ada.png, 12345 bytes)`
    func outline(of path: String) -> String { "(\(path)\(length.map { ", \($0) bytes" } ?? ""))" }
}

/// The content of a body for export, independent of its kind: with its templates, or with them filled in.
enum ExportedBody: Sendable, Equatable {
    case json(JSONValue)
    case text(String, contentType: String)
    /// Sent as `application/x-www-form-urlencoded`.
    case form([Field])
    case multipart([MultipartPart])
    case file(String, contentType: String)
}

/// The content coding in which the body of a request is sent (RFC 9110, section 8.4), made by a library of the system.
package enum RequestCompression: String, CaseIterable, Sendable {
    case gzip, zstd

    /// Returns nil if the library is missing.
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
    /// The number of bytes after the compressed data.
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

    /// The default level of the program `zstd`.
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
