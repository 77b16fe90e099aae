/// A snapshot of the range and kind of each value that a `JSONIndex` has read so far. It is small, copies nothing of
/// the body and never changes; more of the body gives a new document, in which nodes keep their meaning.
///
/// It holds complete values, and containers that have begun. Both members of a duplicate key are present. A node of
/// another index counts as absent: nothing traps.
// Proof of Sendable: see Bytes and JSONTape, which this value keeps alive and whose memory it reads below `count`
// and `byteCount` only.
package struct JSONDocument: @unchecked Sendable {
    /// All bytes received: more than have been read where an error ended the reading.
    package let bytes: Bytes
    private let tape: JSONTape
    /// The number of entries in the tape.
    let count: Int
    /// The number of bytes of the body that have been read.
    package let byteCount: Int
    /// The containers whose end has not come, outermost first. The index may write their links meanwhile.
    let open: [UInt32]
    private let lastOpen: Int
    /// The number of complete values that are in no container.
    package let rootCount: Int
    /// The first syntax error. Everything before it is in the document.
    package let error: JSONSyntaxError?
    /// True when no more of the body will come.
    package let isFinished: Bool
    /// True if the body begins with the UTF-8 form of U+FEFF, which is skipped (RFC 8259, section 8.1).
    package let hasByteOrderMark: Bool
    let hasEscapedKeys: Bool
    /// The limit at which the index stopped, which is then the error.
    package let limit: IndexLimit?

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
    package var entryCount: Int { count }
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
        let next = open.partitioningIndex { Int($0) >= index }
        return next < open.count && Int(open[next]) == index
    }

    /// Returns the index after the entry and all that is in it; `count` when its end has not come.
    @inline(__always) func after(_ index: Int) -> Int {
        if isOpen(index) { return count }
        let link = link(index)
        return link & JSONTape.scalarBit != 0 ? index + 1 : Int(link)
    }

    /// Returns true for an entry that only marks the end of a container.
    @inline(__always) func isEnd(_ index: Int) -> Bool { !isOpen(index) && Int(link(index)) < index }

    /// Returns `index` if a value is there: neither past the end nor the end of a container.
    @inline(__always) func value(_ index: Int) -> Int? { index < count && !isEnd(index) ? index : nil }

    @inline(__always) func isScalar(_ index: Int) -> Bool {
        !isOpen(index) && link(index) & JSONTape.scalarBit != 0
    }

    /// Returns the index of the first value in the container at `index`; nil for a scalar, too.
    @inline(__always) func firstChild(_ index: Int) -> Int? { isScalar(index) ? nil : value(index + 1) }

    /// Returns the index of the value that ends just before `index` in the same container; nil if the entry before it
    /// is a container, and thus the parent.
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
    @inline(__always) func hasEscapes(_ index: Int) -> Bool { link(index) & JSONTape.escapeBit != 0 }
}

/// The position of a value in a `JSONDocument`: four bytes, and valid in every later document of the same index. Nodes
/// compare in document order, in which a container comes before its contents.
package struct JSONNode: Hashable, Comparable, Sendable {
    /// Increases in document order, with gaps.
    package let position: UInt32

    @inline(__always) init(_ index: Int) { position = UInt32(truncatingIfNeeded: index) }

    @inline(__always) var index: Int { Int(position) }

    package static func < (left: JSONNode, right: JSONNode) -> Bool { left.position < right.position }
}

/// The kind of a JSON value.
package enum JSONKind: String, Sendable, CaseIterable {
    case object, array, string, number, `true`, `false`, null

    /// Creates the kind of a value by its first byte, which must be valid.
    @inline(__always) init(firstByte byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"): self = .true
        case UInt8(ascii: "f"): self = .false
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }

    package var isContainer: Bool { self == .object || self == .array }
}

/// The number of values that a body may hold.
package enum JSONRoots: Sendable {
    /// One, as in RFC 8259: anything but white space after it is an error.
    case one
    /// Any number, none included: JSON Lines, or values one after another.
    case many
}

/// The layout of values in lines.
extension JSONDocument {
    /// The maximum length of an array of scalars on one line, in bytes.
    private static let maximumLineLength = 60

    @inline(__always) func isContainer(_ index: Int) -> Bool { !isScalar(index) && !isEnd(index) }

    /// Returns true for values that take one line at any width: scalars, empty containers, and short arrays of scalars.
    @inline(__always) func isOneLine(_ index: Int) -> Bool {
        if isOpen(index) { return false }
        let link = link(index)
        if link & JSONTape.scalarBit != 0 { return true }
        let inner = Int(link) - index - 2
        if inner == 0 { return true }
        // Each element takes at least one byte, and two for its separator.
        return inner <= Self.maximumLineLength / 3 && isArray(index) && isShortArray(index, inner)
    }

    private func isShortArray(_ index: Int, _ count: Int) -> Bool {
        var length = 2 * count
        for element in index + 1...index + count {
            let link = link(element)
            guard link & JSONTape.scalarBit != 0 else { return false }
            length += Int(link & JSONTape.maximumLength)
            if length > Self.maximumLineLength { return false }
        }
        return true
    }

    /// Returns true while the container at `index` may still turn out to fit on one line.
    func mayBecomeOneLine(_ index: Int) -> Bool {
        guard !isFinished, error == nil, isOpen(index) else { return false }
        return count - index - 1 <= (isArray(index) ? Self.maximumLineLength / 3 : 0)
    }

    /// Returns true for a container on several lines.
    func isSpread(_ index: Int) -> Bool { isContainer(index) && !isOneLine(index) }

    /// Returns the start of the row of a value: its key if it has one, or else the value.
    func start(_ index: Int) -> Int { keyBytes(of: JSONNode(index))?.lowerBound ?? offset(index) }
}

extension JSONDocument {
    /// Appends a value as sent, on one line: a container that spans several lines loses the white space between its
    /// tokens. Nothing else changes; strings have no line breaks in them.
    package func appendLine(of node: JSONNode, to result: inout [UInt8]) {
        let source = bytes(in: range(of: node))
        guard let first = source.first, JSONKind(firstByte: first).isContainer, Self.hasLineBreak(source) else {
            return result.append(contentsOf: source)
        }
        var next = 0
        while next < source.count {
            let start = next
            if source[next] == 0x22 {
                next = Self.end(ofString: source, from: next)
            } else {
                while next < source.count, source[next] > 0x20, source[next] != 0x22 { next += 1 }
            }
            result.append(contentsOf: source[start..<next])
            while next < source.count, source[next] <= 0x20 { next += 1 }
        }
    }

    /// Returns true for a container that spans several lines as sent.
    func hasLineBreak(in node: JSONNode) -> Bool {
        !isScalar(node.index) && Self.hasLineBreak(bytes(in: range(of: node)))
    }

    private static func hasLineBreak(_ source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = source.baseAddress else { return false }
        var next = 0
        while next + ByteBlock.size <= source.count {
            if ByteBlock(at: base + next).hasLineBreak { return true }
            next += ByteBlock.size
        }
        return source[next...].contains { $0 == 0x0A || $0 == 0x0D }
    }

    private static func end(ofString source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var next = start + 1
        while next < source.count, source[next] != 0x22 { next += source[next] == 0x5C ? 2 : 1 }
        return min(next + 1, source.count)
    }
}
