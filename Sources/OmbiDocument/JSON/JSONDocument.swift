/// A snapshot of what a `JSONIndex` has read so far: the range and the kind of each value. It is small, copies
/// nothing of the body and never changes; more of the body gives a new document, in which nodes mean the same.
///
/// It holds complete values, and containers that have begun. Both members of a duplicate key are present. A node of
/// another index counts as absent: nothing traps.
// Proof of Sendable: see Bytes and JSONTape, which this value keeps alive and whose memory it reads below `count`
// and `byteCount` only.
public struct JSONDocument: @unchecked Sendable {
    /// All bytes received: more than have been read where an error ended the reading.
    package let bytes: Bytes
    private let tape: JSONTape
    /// The number of entries in the tape.
    let count: Int
    /// The number of bytes of the body that have been read.
    public let byteCount: Int
    /// The containers whose end has not come, outermost first. The index may write their links meanwhile.
    let open: [UInt32]
    private let lastOpen: Int
    /// The number of complete values that are in no container.
    public let rootCount: Int
    /// The first syntax error. Everything before it is in the document.
    public let error: JSONSyntaxError?
    /// True when no more of the body will come.
    public let isFinished: Bool
    /// True if the body begins with the UTF-8 form of U+FEFF, which is skipped (RFC 8259, section 8.1).
    public let hasByteOrderMark: Bool
    let hasEscapedKeys: Bool
    /// The limit at which the index stopped, which is the error then.
    public let limit: IndexLimit?

    init(
        bytes: Bytes, tape: JSONTape, count: Int, byteCount: Int, open: [UInt32], rootCount: Int,
        error: JSONSyntaxError?, isFinished: Bool, hasByteOrderMark: Bool, hasEscapedKeys: Bool, limit: IndexLimit?
    ) {
        self.bytes = bytes
        self.tape = tape
        self.count = count
        self.byteCount = byteCount
        self.open = open
        lastOpen = open.last.map { Int($0) } ?? -1
        self.rootCount = rootCount
        self.error = error
        self.isFinished = isFinished
        self.hasByteOrderMark = hasByteOrderMark
        self.hasEscapedKeys = hasEscapedKeys
        self.limit = limit
    }

    /// The number of values and closing entries. The index takes 8 bytes for each.
    public var entryCount: Int { count }
}

/// The tape, entry by entry. Indices are below `count`.
extension JSONDocument {
    @inline(__always) func offset(_ index: Int) -> Int {
        Int(tape.table[index >> JSONTape.chunkShift][(index & JSONTape.chunkMask) << 1])
    }

    @inline(__always) func link(_ index: Int) -> UInt32 {
        tape.table[index >> JSONTape.chunkShift][(index & JSONTape.chunkMask) << 1 | 1]
    }

    @inline(__always) func firstByte(_ index: Int) -> UInt8 { bytes.base[offset(index)] }

    /// Returns true for a container whose end has not come. Its link must not be read.
    @inline(__always) func isOpen(_ index: Int) -> Bool { index <= lastOpen && isOpenSearched(index) }

    private func isOpenSearched(_ index: Int) -> Bool {
        var (low, high) = (0, open.count)
        while low < high {
            let middle = (low + high) >> 1
            if Int(open[middle]) < index { low = middle + 1 } else { high = middle }
        }
        return low < open.count && Int(open[low]) == index
    }

    /// Returns the index after the entry and all that is in it; `count` when its end has not come.
    @inline(__always) func after(_ index: Int) -> Int {
        if isOpen(index) { return count }
        let link = link(index)
        return link & JSONTape.scalarBit != 0 ? index + 1 : Int(link)
    }

    /// Returns true for an entry that only marks the end of a container.
    @inline(__always) func isEnd(_ index: Int) -> Bool { !isOpen(index) && Int(link(index)) < index }

    /// Returns `index` if it is that of a value: neither past the end nor the end of a container.
    @inline(__always) func value(_ index: Int) -> Int? { index < count && !isEnd(index) ? index : nil }

    @inline(__always) func isScalar(_ index: Int) -> Bool {
        !isOpen(index) && link(index) & JSONTape.scalarBit != 0
    }

    /// Returns the index of the first value in the container at `index`; nil for a scalar, too.
    @inline(__always) func firstChild(_ index: Int) -> Int? { isScalar(index) ? nil : value(index + 1) }

    /// Returns the index of the value that ends just before `index` in the same container; nil when there is none,
    /// because the entry before is a container, and thus the parent.
    func previousSibling(_ index: Int) -> Int? {
        guard index > 0 else { return nil }
        let before = index - 1
        if isOpen(before) { return nil }
        let link = link(before)
        if link & JSONTape.scalarBit != 0 { return before }
        return Int(link) < before ? Int(link) : nil
    }

    func lastChild(_ index: Int) -> Int? {
        if isOpen(index) { return lastChildOfOpen(index) }
        let link = link(index)
        return link & JSONTape.scalarBit != 0 ? nil : previousSibling(Int(link) - 1)
    }

    private func lastChildOfOpen(_ index: Int) -> Int? {
        // The last child is open itself, or the last value in the tape.
        if let inner = open.first(where: { $0 > UInt32(truncatingIfNeeded: index) }) { return Int(inner) }
        return previousSibling(count)
    }
}

extension JSONDocument {
    /// Returns true if the string at `index` has escapes.
    @inline(__always) func hasEscapes(_ index: Int) -> Bool { link(index) & JSONTape.escapeBit != 0 }
}
