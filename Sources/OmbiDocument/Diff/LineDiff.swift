/// The changes between two texts, in lines. Lines that occur once in both anchor the texts (patience diff); between
/// them the shortest list of changes is searched for (Myers), as long as it is short enough to be worth reading.
package enum LineDiff {
    /// Returns the changes in order; all lines between them are equal. Line endings are ignored. nil when cancelled.
    package static func changes(
        from old: Bytes, to new: Bytes, isCancelled: () -> Bool = { false }
    ) -> [LineChange]? {
        var table = LineTable()
        guard let oldLines = table.lines(of: old, isCancelled: isCancelled),
            let newLines = table.lines(of: new, isCancelled: isCancelled)
        else { return nil }
        return changes(from: oldLines.numbers, to: newLines.numbers, isCancelled: isCancelled)
    }

    /// Returns the same for numbered lines: equal lines have equal numbers, from 0.
    static func changes(from old: [Int32], to new: [Int32], isCancelled: () -> Bool) -> [LineChange]? {
        var comparison = LineComparison(old: old, new: new)
        let inner = comparison.trimmed(LineChange(old: 0..<old.count, new: 0..<new.count))
        var before = LineChange(
            old: inner.old.lowerBound..<inner.old.lowerBound, new: inner.new.lowerBound..<inner.new.lowerBound)
        for (count, anchor) in LineAnchors.find(old, new, in: inner).enumerated() {
            if count & 0xFFF == 0, isCancelled() { return nil }
            comparison.compare(
                LineChange(
                    old: before.old.upperBound..<anchor.old.lowerBound,
                    new: before.new.upperBound..<anchor.new.lowerBound))
            before = anchor
        }
        comparison.compare(
            LineChange(
                old: before.old.upperBound..<inner.old.upperBound, new: before.new.upperBound..<inner.new.upperBound))
        return comparison.changes
    }
}

/// Lines of one text and the lines that replace them in another. One of the ranges may be empty.
package struct LineChange: Sendable, Equatable {
    package var old: Range<Int>
    package var new: Range<Int>
}

/// Compares the ranges of two texts between equal lines, and collects the differences.
struct LineComparison {
    let old: [Int32]
    let new: [Int32]
    private(set) var changes: [LineChange] = []

    /// The maximum number of edits in a range. With more, the whole range counts as changed: such a list helps no
    /// reader, and finding it takes quadratic time.
    private static let maximumEdits = 2048
    /// The steps left for all ranges. When none is left, up to `leastEdits` edits are still searched for.
    private var steps = 1 << 26
    private static let leastEdits = 32

    init(old: [Int32], new: [Int32]) {
        self.old = old
        self.new = new
    }

    /// Returns a range without the equal lines at its start and its end.
    func trimmed(_ range: LineChange) -> LineChange {
        var (oldStart, newStart) = (range.old.lowerBound, range.new.lowerBound)
        var (oldEnd, newEnd) = (range.old.upperBound, range.new.upperBound)
        while oldStart < oldEnd, newStart < newEnd, old[oldStart] == new[newStart] {
            oldStart += 1
            newStart += 1
        }
        while oldStart < oldEnd, newStart < newEnd, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        return LineChange(old: oldStart..<oldEnd, new: newStart..<newEnd)
    }

    mutating func compare(_ range: LineChange) {
        let range = trimmed(range)
        if range.old.isEmpty && range.new.isEmpty { return }
        if range.old.isEmpty || range.new.isEmpty { return add(range) }
        guard let trace = trace(range) else { return add(range) }
        walkBack(trace, range)
    }

    /// Adds a change, joined with the one before it when no line lies between.
    private mutating func add(_ change: LineChange) {
        if let last = changes.last, last.old.upperBound == change.old.lowerBound,
            last.new.upperBound == change.new.lowerBound
        {
            changes[changes.count - 1] = LineChange(
                old: last.old.lowerBound..<change.old.upperBound, new: last.new.lowerBound..<change.new.upperBound)
        } else {
            changes.append(change)
        }
    }

    /// Returns the farthest point of each diagonal for each number of edits (Myers 1986, figure 2); nil for too many
    /// edits.
    private mutating func trace(_ range: LineChange) -> [[Int32]]? {
        let (oldCount, newCount) = (range.old.count, range.new.count)
        let most = min(Self.maximumEdits, oldCount + newCount)
        var reached = [Int32](repeating: 0, count: 2 * most + 3)
        var trace: [[Int32]] = []
        for edits in 0...most where edits <= Self.leastEdits || steps > 0 {
            steps -= edits
            trace.append(Array(reached[(most + 1 - edits)...(most + 1 + edits)]))
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let position = diagonal + most + 1
                let goesDown = diagonal == -edits || diagonal != edits && reached[position - 1] < reached[position + 1]
                let start = Int(goesDown ? reached[position + 1] : reached[position - 1] + 1)
                var x = start
                while x < oldCount, x - diagonal < newCount, x - diagonal >= 0,
                    old[range.old.lowerBound + x] == new[range.new.lowerBound + x - diagonal]
                {
                    x += 1
                }
                steps -= x - start
                reached[position] = Int32(x)
                if x >= oldCount, x - diagonal >= newCount { return trace }
            }
        }
        return nil
    }

    /// Walks from the end of a range back to its start, along the edits that led there, and adds them.
    private mutating func walkBack(_ trace: [[Int32]], _ range: LineChange) {
        var edits: [LineChange] = []
        var (x, y) = (range.old.count, range.new.count)
        for count in stride(from: trace.count - 1, to: 0, by: -1) {
            let reached = trace[count]
            let diagonal = x - y
            func at(_ diagonal: Int) -> Int {
                let index = diagonal + count
                return reached.indices.contains(index) ? Int(reached[index]) : 0
            }
            let goesDown = diagonal == -count || diagonal != count && at(diagonal - 1) < at(diagonal + 1)
            let fromDiagonal = goesDown ? diagonal + 1 : diagonal - 1
            let fromX = at(fromDiagonal)
            let fromY = fromX - fromDiagonal
            let (oldStart, newStart) = (range.old.lowerBound + fromX, range.new.lowerBound + fromY)
            edits.append(
                LineChange(
                    old: oldStart..<(goesDown ? oldStart : oldStart + 1),
                    new: newStart..<(goesDown ? newStart + 1 : newStart)))
            (x, y) = (fromX, fromY)
        }
        for edit in edits.reversed() { add(edit) }
    }
}

/// The lines that occur once in both texts, in the same order: the parts that did not move.
enum LineAnchors {
    static func find(_ old: [Int32], _ new: [Int32], in range: LineChange) -> [LineChange] {
        let most = max(old.max() ?? 0, new.max() ?? 0)
        let oldLines = uniqueLines(of: old, range.old, most)
        let newLines = uniqueLines(of: new, range.new, most)
        var pairs: [(old: Int, new: Int)] = []
        for line in range.old {
            let number = Int(old[line])
            if oldLines[number] == line, newLines[number] >= 0 { pairs.append((line, newLines[number])) }
        }
        return longestIncreasing(pairs).map { LineChange(old: $0.old..<$0.old + 1, new: $0.new..<$0.new + 1) }
    }

    /// Returns the line of each number; -1 for numbers that do not occur, -2 for those that occur more than once.
    private static func uniqueLines(of lines: [Int32], _ range: Range<Int>, _ most: Int32) -> [Int] {
        var uniqueLines = [Int](repeating: -1, count: Int(most) + 1)
        for line in range {
            let number = Int(lines[line])
            uniqueLines[number] = uniqueLines[number] == -1 ? line : -2
        }
        return uniqueLines
    }

    /// Returns the longest list of pairs in which both sides increase (patience sorting).
    private static func longestIncreasing(_ pairs: [(old: Int, new: Int)]) -> [(old: Int, new: Int)] {
        var tops: [Int] = []
        var previous = [Int](repeating: -1, count: pairs.count)
        for index in pairs.indices {
            let pile = tops.partitioningIndex { pairs[$0].new > pairs[index].new }
            if pile > 0 { previous[index] = tops[pile - 1] }
            if pile == tops.count { tops.append(index) } else { tops[pile] = index }
        }
        var chain: [(old: Int, new: Int)] = []
        var next = tops.last ?? -1
        while next >= 0 {
            chain.append(pairs[next])
            next = previous[next]
        }
        return chain.reversed()
    }
}

/// Gives equal lines equal numbers, in one text and across several.
struct LineTable {
    private let hash = ByteHash()
    private var numbers = HashNumbers()
    /// The first line of each number.
    private var lines: [UnsafeBufferPointer<UInt8>] = []
    /// Keeps the memory of `lines` alive.
    private var texts: [Bytes] = []

    /// - Returns: nil when cancelled.
    mutating func lines(of text: Bytes, isCancelled: () -> Bool = { false }) -> TextLines? {
        texts.append(text)
        var lines = TextLines(text)
        while let line = lines.next() {
            if lines.count & 0xFFFF == 0xFFFF, isCancelled() { return nil }
            lines.add(line, number: number(of: text.buffer(line.lowerBound..<LineIndex.withoutEnd(line, in: text))))
        }
        return isCancelled() ? nil : lines
    }

    private mutating func number(of line: UnsafeBufferPointer<UInt8>) -> Int32 {
        let number = numbers.number(of: hash(line)) { lines[Int($0)].elementsEqual(line) }
        if number == lines.count { lines.append(line) }
        return number
    }
}

/// A text split into lines, with a number for each: equal lines have equal numbers.
struct TextLines {
    let bytes: Bytes
    private(set) var numbers: [Int32] = []
    /// The start of each line, and of the one to come.
    private var starts = [0]

    init(_ bytes: Bytes) { self.bytes = bytes }

    var count: Int { numbers.count }

    /// A line without its line ending.
    subscript(line: Int) -> ByteRange {
        starts[line]..<LineIndex.withoutEnd(starts[line]..<starts[line + 1], in: bytes)
    }

    /// Returns the line after those that were added, with its line ending; nil at the end.
    func next() -> ByteRange? {
        let start = starts[starts.count - 1]
        return start < bytes.count ? start..<(LineIndex.nextLine(after: start, in: bytes) ?? bytes.count) : nil
    }

    mutating func add(_ line: ByteRange, number: Int32) {
        numbers.append(number)
        starts.append(line.upperBound)
    }
}

/// Numbers hashes from 0 in order of appearance. The hashes are good ones (`ByteHash`): they are not hashed again.
struct HashNumbers {
    /// The numbers, each in the slot of its hash or after it; -1 in empty slots.
    private var slots = [Int32](repeating: -1, count: 1 << 8)
    /// The hash of each number.
    private var hashes: [UInt64] = []

    /// Returns the number of a hash; nil when it has none.
    func find(_ hash: UInt64) -> Int32? {
        let number = slots[slot(of: hash) { _ in true }]
        return number < 0 ? nil : number
    }

    /// Returns the number of a hash, new or known.
    /// - Parameter isSame: Returns true if the earlier item with this hash and number is equal to the current one.
    @inline(__always)
    mutating func number(of hash: UInt64, isSame: (Int32) -> Bool = { _ in true }) -> Int32 {
        let slot = slot(of: hash, isSame: isSame)
        if slots[slot] >= 0 { return slots[slot] }
        let number = Int32(truncatingIfNeeded: hashes.count)
        slots[slot] = number
        hashes.append(hash)
        if hashes.count * 2 > slots.count { grow() }
        return number
    }

    /// Returns the slot of a hash, or the empty slot for it.
    @inline(__always)
    private func slot(of hash: UInt64, isSame: (Int32) -> Bool) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] >= 0, hashes[Int(slots[slot])] != hash || !isSame(slots[slot]) { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        slots = [Int32](repeating: -1, count: slots.count * 4)
        let mask = slots.count - 1
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & mask
            while slots[slot] >= 0 { slot = (slot + 1) & mask }
            slots[slot] = Int32(truncatingIfNeeded: number)
        }
    }
}

/// Seeded hashes of texts: unpredictable, so that no crafted body can collide with another one or slow a comparison
/// down.
struct ByteHash: Sendable {
    let seed: UInt64

    /// - Parameter seed: The same for texts that are compared.
    init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed }

    func callAsFunction(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        guard let base = bytes.baseAddress else { return Self.mix(hash, 0) }
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = Self.mix(hash, ByteScan.word(base, offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(base[offset])
            offset += 1
        }
        return Self.mix(hash, rest)
    }

    @inline(__always) static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = (left ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: right ^ 0xE703_7ED1_A0B4_28DB)
        return product.high ^ product.low ^ left &* 3
    }
}
