#if canImport(CCurl)
internal import CCurl

/// Zstandard (RFC 8878), decoded by its own library, with windows up to 8 MiB (RFC 9659).
final class ZstdStream: CodedStream {
    struct Functions: Sendable {
        typealias Object = UnsafeMutableRawPointer

        fileprivate let create: @convention(c) @Sendable () -> Object?
        fileprivate let limit: @convention(c) @Sendable (Object, CInt, CInt) -> Int
        fileprivate let step:
            @convention(c) @Sendable (
                Object, UnsafeMutablePointer<omb_zstd_output>, UnsafeMutablePointer<omb_zstd_input>
            ) -> Int
        fileprivate let free: @convention(c) @Sendable (Object) -> Int
        fileprivate let isError: @convention(c) @Sendable (Int) -> CUnsignedInt
        fileprivate let errorName: @convention(c) @Sendable (Int) -> UnsafePointer<CChar>?

        init(_ symbols: Symbols) throws(TransportError) {
            create = try symbols.find("ZSTD_createDStream")
            limit = try symbols.find("ZSTD_DCtx_setParameter")
            step = try symbols.find("ZSTD_decompressStream")
            free = try symbols.find("ZSTD_freeDStream")
            isError = try symbols.find("ZSTD_isError")
            errorName = try symbols.find("ZSTD_getErrorName")
        }
    }

    private let functions: Functions
    private let decoder: Functions.Object
    /// True before the first frame, and after each.
    private var isBetweenFrames = true
    private var framesAreOver = false
    private var hasFrame = false
    /// The output of the current frame, in bytes.
    private var produced = 0

    /// `ZSTD_d_windowLogMax`, and the exponent of 8 MiB.
    private static let windowLimit: (parameter: CInt, value: CInt) = (100, 23)

    /// Returns nil if memory is exhausted.
    init?(_ functions: Functions) {
        guard let decoder = functions.create() else { return nil }
        self.functions = functions
        self.decoder = decoder
        _ = functions.limit(decoder, Self.windowLimit.parameter, Self.windowLimit.value)
    }

    deinit { _ = functions.free(decoder) }

    var mayEnd: Bool { isBetweenFrames || framesAreOver }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int {
        if framesAreOver || input.isEmpty && isBetweenFrames { return skip(&input) }
        var source = omb_zstd_input(bytes: input.baseAddress, size: input.count, position: 0)
        var target = omb_zstd_output(bytes: output.baseAddress, size: output.count, position: 0)
        let result = functions.step(decoder, &target, &source)
        guard functions.isError(result) == 0 else {
            // Bytes after the last frame are not part of it.
            guard !hasFrame || produced > 0 else { return skip(&input) }
            throw CodingFault(reason: functions.errorName(result).map { String(cString: $0) } ?? "zstd gives up")
        }
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(source.position))
        produced += target.position
        isBetweenFrames = result == 0
        if isBetweenFrames { (hasFrame, produced) = (true, 0) }
        return target.position
    }

    private func skip(_ input: inout UnsafeRawBufferPointer) -> Int {
        framesAreOver = framesAreOver || !input.isEmpty
        input = UnsafeRawBufferPointer(rebasing: input.suffix(0))
        return 0
    }
}
#endif
