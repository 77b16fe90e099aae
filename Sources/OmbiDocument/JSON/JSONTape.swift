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
    /// The maximum length that fits; it stands for "this long or longer".
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
