/// Indexes a JSON body while it arrives, in one pass and with about 8 bytes per value, and reports the first error.
///
/// It belongs to one thread. It returns values that any thread may read while this one continues:
///
///     let index = JSONIndex(roots: .one)
///     let soFar = index.append(bytes)    // all bytes received so far
///     let document = index.finish()      // a `JSONDocument` with the error, if any
package final class JSONIndex {
    package static let maximumByteCount = IndexLimits.maximumByteCount

    private var bytes = Bytes.empty
    private let maximumByteCount: Int
    private(set) var scanner: JSONScanner
    private var error: JSONSyntaxError?
    private var isFinished = false

    /// - Parameter roots: `one` makes a second value in the body an error.
    package init(
        roots: JSONRoots, limits: IndexLimits = IndexLimits(), maximumByteCount: Int = JSONIndex.maximumByteCount
    ) {
        self.maximumByteCount = maximumByteCount
        scanner = JSONScanner(base: bytes.base, tape: JSONTape(), roots: roots, limits: limits)
    }

    /// Returns the document of a complete body.
    package static func document(_ bytes: Bytes, roots: JSONRoots = .one) -> JSONDocument {
        let index = JSONIndex(roots: roots)
        _ = index.append(bytes)
        return index.finish()
    }

    /// Reads the bytes that have come since the last call.
    /// - Parameter body: All bytes received so far, from the start of the body. Fewer than before change nothing.
    package func append(_ body: Bytes) -> JSONDocument {
        guard !isFinished, body.count > bytes.count else { return document }
        bytes = body
        // Also after an error: the memory of before may be gone.
        scanner.base = body.base
        // Bytes after an error are kept to be shown, and not read.
        guard error == nil else { return document }
        let count = body.count
        // On a copy in a local variable; see JSONScanner.
        var pass = scanner
        scanner.open = []  // its only other owner, so that the stack is not copied
        pass.scan(upTo: min(count, maximumByteCount))
        if count > maximumByteCount, pass.failure == nil {
            _ = pass.fail(at: maximumByteCount, "the body is larger than 4 GiB; the rest is not indexed")
        }
        scanner = pass
        noteFailure()
        return document
    }

    /// Ends the body: an unfinished value is now an error.
    package func finish() -> JSONDocument {
        guard !isFinished else { return document }
        isFinished = true
        guard error == nil else { return document }
        if scanner.state == .number, scanner.numberPhase.isWhole { scanner.appendScalar() }
        if let reason = scanner.truncation { _ = scanner.fail(at: scanner.end, reason) }
        noteFailure()
        return document
    }

    /// The document of the part that was read.
    package var document: JSONDocument {
        JSONDocument(
            bytes: bytes, tape: scanner.tape, count: scanner.count, byteCount: scanner.end,
            open: scanner.open.map { $0 >> 1 }, rootCount: scanner.rootCount, error: error,
            isFinished: isFinished, hasByteOrderMark: scanner.hasByteOrderMark,
            hasEscapedKeys: scanner.hasEscapedKeys, limit: scanner.limit)
    }

    private func noteFailure() {
        guard let failure = scanner.failure, error == nil else { return }
        error = JSONSyntaxError(offset: failure.offset, reason: failure.reason, in: bytes)
    }
}

/// The structure of a body: an entry of two 32-bit words for each value, in document order, and one more for each
/// container that is closed.
///
/// The first word is an offset in the body. The second, the *link*, gives the kind of the entry:
///
///     link > own index, top bit clear   a closed container; the link is the index after its closing entry
///     link = own index                  a container that is open
///     link < own index                  a closing entry; the link is the index of its container
///     top bit set                       a scalar; below it a bit for "has escapes", and its length in 30 bits
///
/// The next and the previous sibling are one step away, and a body of numbers costs 8 bytes per value.
// Proof of Sendable: one thread, that of the JSONIndex, writes; others read below the count of a JSONDocument that was
// handed to them, which orders the writes before the reads. Words below that count are written again only where a
// container is closed that was open in that document, and a document never reads the links of what is open in it.
// Neither the chunks nor the table move or shrink before `deinit`.
final class JSONTape: @unchecked Sendable {
    static let chunkShift = 16
    static let chunkMask = (1 << chunkShift) - 1
    /// Indices take 31 bits: the top bit of a link marks scalars.
    static let maximumCount = 1 << 31
    /// In bytes.
    static let entrySize = 8
    static let scalarBit: UInt32 = 0x8000_0000
    static let escapeBit: UInt32 = 0x4000_0000
    /// The maximum length that fits; it represents all lengths from there on.
    static let maximumLength: UInt32 = 0x3FFF_FFFF

    typealias Chunk = UnsafeMutablePointer<UInt32>

    /// The addresses of the chunks. There is room for all of them from the start, so that the table never moves; its
    /// unused part is not touched and costs no memory.
    let table: UnsafeMutablePointer<Chunk>
    private var chunkCount = 0

    init() { table = .allocate(capacity: Self.maximumCount >> Self.chunkShift) }

    deinit {
        for index in 0..<chunkCount { table[index].deallocate() }
        table.deallocate()
    }

    /// Allocates the chunk for the entry at `index`, the first that does not fit into the last chunk.
    func grow(at index: Int) -> Chunk {
        let chunk = Chunk.allocate(capacity: 2 << Self.chunkShift)
        table[index >> Self.chunkShift] = chunk
        chunkCount += 1
        return chunk
    }
}

/// Sixteen bytes examined at once: the hot loops of the index skip plain bytes in blocks.
///
/// Only `==` and the bitwise operators of whole vectors become single instructions. Ordered comparisons, and operators
/// with a scalar on the right, are loops over the lanes, and fifty times slower.
struct ByteBlock {
    static let size = 16
    private typealias Mask = SIMD16<UInt8>
    private let bytes: SIMD16<UInt8>

    @inline(__always) init(at address: UnsafePointer<UInt8>) {
        bytes = UnsafeRawPointer(address).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The number of bytes before the first that ends a plain run in a string: a quote, a backslash, a control
    /// character, or anything beyond ASCII.
    @inline(__always) var plainTextLength: Int {
        let isControl = mask((bytes & Mask(repeating: 0xE0)) .== Mask(repeating: 0))
        return Self.first(has(0x22) | has(0x5C) | isControl | bytes & Mask(repeating: 0x80))
    }

    /// The number of bytes before the first that is not white space.
    @inline(__always) var whitespaceLength: Int {
        Self.first(~(has(0x20) | has(0x0A) | has(0x0D) | has(0x09)))
    }

    /// True if there is a line feed or a carriage return.
    @inline(__always) var hasLineBreak: Bool { Self.first(has(0x0A) | has(0x0D)) < Self.size }

    @inline(__always) private func has(_ byte: UInt8) -> Mask { mask(bytes .== Mask(repeating: byte)) }

    @inline(__always) private func mask(_ mask: SIMDMask<SIMD16<Int8>>) -> Mask { unsafeBitCast(mask, to: Mask.self) }

    /// Returns the index of the first lane that is not zero; 16 when there is none.
    @inline(__always) private static func first(_ mask: Mask) -> Int {
        let words = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        if words[0] != 0 { return words[0].trailingZeroBitCount >> 3 }
        return 8 + words[1].trailingZeroBitCount >> 3
    }
}
