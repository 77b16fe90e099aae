/// The starts of the lines of a text, found while it arrives. It keeps one number for each 4 KiB, regardless of line
/// length, so 100 MB cost 200 kB; the rest is counted on demand.
///
/// A line ends at LF, CR LF or a lone CR. A text that ends with a line ending has no empty line after it; an empty text
/// has one line.
package struct LineIndex: Sendable {
    /// The number of lines that end before each block of `blockSize` bytes.
    private var endsBefore: [Int] = [0]
    /// The number of bytes indexed.
    package private(set) var indexed = 0
    /// True when the whole text is indexed, and no more will come.
    package private(set) var isComplete = false
    /// The number of line ends in the block that is not full yet.
    private var endsInLast = 0

    static let blockSize = 4096

    package init() {}

    package init(_ bytes: Bytes) {
        extend(over: bytes, isComplete: true)
    }

    /// Indexes the bytes since the last call, at most `limit` of them, so that a long text can be shown, or cancelled,
    /// in between.
    package mutating func extend(over bytes: Bytes, isComplete complete: Bool, limit: Int = .max) {
        // The byte after a CR decides whether it ends a line.
        let available = complete ? bytes.count : bytes.count - 1
        let end = available - indexed > limit ? indexed + limit : available
        while indexed < end {
            let blockEnd = min(end, endsBefore.count * Self.blockSize)
            endsInLast += ByteScan.lineEnds(in: bytes, indexed..<blockEnd)
            indexed = blockEnd
            if blockEnd == endsBefore.count * Self.blockSize {
                endsBefore.append(endsBefore[endsBefore.count - 1] + endsInLast)
                endsInLast = 0
            }
        }
        isComplete = complete && indexed >= bytes.count
    }

    /// The number of line ends found so far.
    private var ends: Int { endsBefore[endsBefore.count - 1] + endsInLast }

    /// Returns the number of lines, including the one that is still arriving.
    package func lineCount(in bytes: Bytes) -> Int {
        let last = indexed - 1
        let endsWithLine = isComplete && last >= 0 && ByteScan.isLineEnd(bytes, last)
        return endsWithLine ? max(1, ends) : ends + 1
    }

    /// Returns the number of the line at an offset, from 0; the last known line after the indexed part.
    package func line(at offset: Int, in bytes: Bytes) -> Int {
        let offset = min(max(0, offset), indexed)
        let block = min(offset / Self.blockSize, endsBefore.count - 1)
        return endsBefore[block] + ByteScan.lineEnds(in: bytes, block * Self.blockSize..<offset)
    }

    /// Returns the start of a line, from 0; nil if it is not indexed yet or does not exist.
    package func start(of line: Int, in bytes: Bytes) -> Int? {
        if line == 0 { return 0 }
        guard line > 0, line <= ends else { return nil }
        // The last block with fewer line ends before it has the one searched for.
        let block = max(0, endsBefore.partitioningIndex { $0 >= line } - 1)
        var left = line - endsBefore[block]
        var offset = block * Self.blockSize
        while let end = ByteScan.first(0x0A, or: 0x0D, in: bytes, offset..<indexed) {
            if ByteScan.isLineEnd(bytes, end) { left -= 1 }
            if left == 0 { return end + 1 }
            offset = end + 1
        }
        return nil
    }

    /// Returns a line without its line ending; nil if it is not indexed yet or does not exist.
    package func range(of line: Int, in bytes: Bytes) -> ByteRange? {
        guard let start = start(of: line, in: bytes) else { return nil }
        if line > 0, isComplete, start >= bytes.count { return nil }
        let behind = isComplete ? nil : Self.nextLine(after: max(start, indexed), in: bytes)
        guard let next = self.start(of: line + 1, in: bytes) ?? behind else { return start..<bytes.count }
        return start..<Self.withoutEnd(start..<next, in: bytes)
    }

    /// Returns the line around an offset, without its line ending, by reading no further than it reaches.
    package func range(around offset: Int, in bytes: Bytes) -> ByteRange {
        let offset = min(max(0, offset), bytes.count)
        if offset <= indexed, let range = range(of: line(at: offset, in: bytes), in: bytes) { return range }
        let start = Self.lineStart(before: offset, in: bytes)
        let next = Self.nextLine(after: offset, in: bytes) ?? bytes.count
        return start..<Self.withoutEnd(start..<next, in: bytes)
    }

    /// Returns the start of the line that an offset lies in, by reading backwards.
    static func lineStart(before offset: Int, in bytes: Bytes) -> Int {
        var end = min(offset, bytes.count)
        while let found = ByteScan.last(0x0A, or: 0x0D, in: bytes, 0..<end) {
            // A CR before an LF ends no line.
            if ByteScan.isLineEnd(bytes, found) { return found + 1 }
            end = found
        }
        return 0
    }

    /// Returns the start of the line after the one at an offset; nil if there is no line end.
    static func nextLine(after offset: Int, in bytes: Bytes) -> Int? {
        var start = offset
        while let found = ByteScan.first(0x0A, or: 0x0D, in: bytes, start..<bytes.count) {
            if ByteScan.isLineEnd(bytes, found) { return found + 1 }
            start = found + 1
        }
        return nil
    }

    /// Returns the end of a line, given with its line ending, without it.
    static func withoutEnd(_ line: ByteRange, in bytes: Bytes) -> Int {
        var end = line.upperBound
        if end > line.lowerBound, bytes[end - 1] == 0x0A { end -= 1 }
        if end > line.lowerBound, bytes[end - 1] == 0x0D, end == line.upperBound || bytes[end] == 0x0A { end -= 1 }
        return end
    }
}

extension RandomAccessCollection {
    /// Returns the first index whose element passes a test that all elements after it pass as well, by binary search.
    @inlinable package func partitioningIndex(where passes: (Element) -> Bool) -> Index {
        var low = startIndex
        var length = count
        while length > 0 {
            let half = length / 2
            let middle = index(low, offsetBy: half)
            if passes(self[middle]) {
                length = half
            } else {
                low = index(after: middle)
                length -= half + 1
            }
        }
        return low
    }
}
