#if canImport(CCurl)
/// The content codings that can be decoded: those whose libraries libcurl has loaded.
struct ContentCodings: Sendable {
    private let zlib: ZlibStream.Functions?
    private let brotli: BrotliStream.Functions?
    private let zstd: ZstdStream.Functions?

    init(_ symbols: Symbols) {
        zlib = try? ZlibStream.Functions(symbols)
        brotli = try? BrotliStream.Functions(symbols)
        zstd = try? ZstdStream.Functions(symbols)
    }

    /// The codings for `Accept-Encoding`, best first.
    var names: [String] {
        (brotli == nil ? [] : ["br"]) + (zstd == nil ? [] : ["zstd"]) + (zlib == nil ? [] : ["gzip", "deflate"])
    }

    /// - Parameter name: The coding in lower case.
    func stream(_ name: String) -> (any CodedStream)? {
        switch name {
        case "gzip", "x-gzip": zlib.flatMap { ZlibStream($0, isGzip: true) }
        case "deflate": zlib.flatMap { ZlibStream($0, isGzip: false) }
        case "br": brotli.flatMap { BrotliStream($0) }
        case "zstd": zstd.flatMap { ZstdStream($0) }
        default: nil
        }
    }
}
#endif
