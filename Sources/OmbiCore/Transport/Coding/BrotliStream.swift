#if canImport(CCurl)
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
