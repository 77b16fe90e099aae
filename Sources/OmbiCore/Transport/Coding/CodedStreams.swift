#if canImport(CCurl)
internal import CCurl

/// gzip (RFC 1952) and deflate (RFC 1950, and without its required header), decoded by zlib.
final class ZlibStream: CodedStream {
    struct Functions: Sendable {
        typealias Stream = UnsafeMutablePointer<omb_zlib_stream>

        fileprivate let start: @convention(c) @Sendable (Stream, CInt, UnsafePointer<CChar>, CInt) -> CInt
        fileprivate let step: @convention(c) @Sendable (Stream, CInt) -> CInt
        fileprivate let reset: @convention(c) @Sendable (Stream, CInt) -> CInt
        fileprivate let end: @convention(c) @Sendable (Stream) -> CInt

        init(_ symbols: Symbols) throws(TransportError) {
            start = try symbols.find("inflateInit2_")
            step = try symbols.find("inflate")
            reset = try symbols.find("inflateReset2")
            end = try symbols.find("inflateEnd")
        }
    }

    private enum State {
        case empty
        /// After the first byte of a deflated body, which is not enough to detect a header.
        case began(UInt8)
        case running
        /// After a member of gzip; another one may follow.
        case betweenMembers
        /// After the end; further bytes are ignored.
        case done
    }

    private let functions: Functions
    private let stream = Functions.Stream.allocate(capacity: 1)
    private let isGzip: Bool
    private var state = State.empty
    private var isFirstMember = true

    /// Returns nil if memory is exhausted.
    init?(_ functions: Functions, isGzip: Bool) {
        self.functions = functions
        self.isGzip = isGzip
        stream.initialize(to: omb_zlib_stream())
        let size = CInt(MemoryLayout<omb_zlib_stream>.size)
        guard functions.start(stream, isGzip ? Self.gzip : Self.zlib, "1.2.3", size) == 0 else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        _ = functions.end(stream)
        stream.deallocate()
    }

    // The formats as numbered by zlib.
    private static let gzip: CInt = 31
    private static let zlib: CInt = 15
    private static let bare: CInt = -15

    var mayEnd: Bool {
        switch state {
        case .empty, .betweenMembers, .done: true
        case .began: false
        // Bytes after a member that decode to nothing may be garbage.
        case .running: !isFirstMember && stream.pointee.total_out == 0
        }
    }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int {
        switch (state, input.first) {
        case (.empty, nil), (.began, nil), (.betweenMembers, nil): return 0
        case (.empty, _?) where isGzip: state = .running
        case (.empty, let byte?):
            state = .began(byte)
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            return try decode(&input, into: output)
        case (.began(let first), let second?): return try begin(first, second, &input, output)
        case (.betweenMembers, 0x1F):
            _ = functions.reset(stream, Self.gzip)
            isFirstMember = false
            state = .running
        case (.betweenMembers, _): state = .done
        case (.running, _), (.done, _): break
        }
        if case .done = state {
            input = UnsafeRawBufferPointer(rebasing: input.suffix(0))
            return 0
        }
        return try step(&input, output)
    }

    /// Detects the header of RFC 1950 §2.2: two bytes that name deflate, and are a multiple of 31.
    private func begin(
        _ first: UInt8, _ second: UInt8, _ input: inout UnsafeRawBufferPointer,
        _ output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int {
        let hasHeader = first & 15 == 8 && (Int(first) << 8 | Int(second)) % 31 == 0
        _ = functions.reset(stream, hasHeader ? Self.zlib : Self.bare)
        state = .running
        var byte = first
        var fault: CodingFault?
        let produced = withUnsafeBytes(of: &byte) { bytes in
            var bytes = bytes
            do throws(CodingFault) { return try step(&bytes, output) } catch {
                fault = error
                return 0
            }
        }
        if let fault { throw fault }
        return produced
    }

    private func step(
        _ input: inout UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int {
        let available = UInt32(clamping: input.count)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = available
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: output.count)
        let code = functions.step(stream, 0)
        let taken = Int(available - stream.pointee.avail_in)
        let produced = output.count - Int(stream.pointee.avail_out)
        let given = input
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(taken))
        switch code {
        case Self.isOK: return produced
        case Self.isStuck where taken > 0 || produced > 0 || input.isEmpty: return produced
        case Self.isEnd:
            state = isGzip ? .betweenMembers : .done
            return produced
        default:
            guard isFirstMember || stream.pointee.total_out > 0 else {
                state = .done
                return 0
            }
            // A wrong sum comes with the last bytes: these first, and the fault with the next call, for which a byte is left.
            if produced > 0, !given.isEmpty {
                input = UnsafeRawBufferPointer(rebasing: given.suffix(1))
                return produced
            }
            throw CodingFault(reason: stream.pointee.msg.map { String(cString: $0) } ?? "zlib gives up (\(code))")
        }
    }

    private static let isOK: CInt = 0
    private static let isEnd: CInt = 1
    private static let isStuck: CInt = -5
}

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

/// Brotli (RFC 7932), decoded by its own library.
final class BrotliStream: CodedStream {
    struct Functions: Sendable {
        typealias Object = UnsafeMutableRawPointer
        typealias Step =
            @convention(c) @Sendable (
                Object, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>,
                UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
                UnsafeMutablePointer<Int>?
            ) -> CInt

        fileprivate let create: @convention(c) @Sendable (Object?, Object?, Object?) -> Object?
        fileprivate let step: Step
        fileprivate let destroy: @convention(c) @Sendable (Object) -> Void
        fileprivate let errorCode: @convention(c) @Sendable (Object) -> CInt
        fileprivate let errorText: @convention(c) @Sendable (CInt) -> UnsafePointer<CChar>?

        init(_ symbols: Symbols) throws(TransportError) {
            create = try symbols.find("BrotliDecoderCreateInstance")
            step = try symbols.find("BrotliDecoderDecompressStream")
            destroy = try symbols.find("BrotliDecoderDestroyInstance")
            errorCode = try symbols.find("BrotliDecoderGetErrorCode")
            errorText = try symbols.find("BrotliDecoderErrorString")
        }
    }

    private let functions: Functions
    private let decoder: Functions.Object
    private var isEmpty = true
    private var isDone = false

    /// Returns nil if memory is exhausted.
    init?(_ functions: Functions) {
        guard let decoder = functions.create(nil, nil, nil) else { return nil }
        self.functions = functions
        self.decoder = decoder
    }

    deinit { functions.destroy(decoder) }

    var mayEnd: Bool { isEmpty || isDone }

    func decode(
        _ input: inout UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingFault) -> Int {
        guard !isDone else {
            input = UnsafeRawBufferPointer(rebasing: input.suffix(0))
            return 0
        }
        if !input.isEmpty { isEmpty = false }
        var (left, room) = (input.count, output.count)
        var start = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var end = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let code = functions.step(decoder, &left, &start, &room, &end, nil)
        input = UnsafeRawBufferPointer(rebasing: input.suffix(left))
        if code == Self.isError {
            let text = functions.errorText(functions.errorCode(decoder)).map { String(cString: $0) }
            throw CodingFault(reason: "error \(text ?? "of brotli")")
        }
        isDone = code == Self.isSuccess
        return output.count - room
    }

    private static let isError: CInt = 0
    private static let isSuccess: CInt = 1
}
#endif
