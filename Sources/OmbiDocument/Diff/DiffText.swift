/// A comparison of two bodies as a text in the manner of a unified diff: lines of the old one after `-`, of the new one
/// after `+`, a few lines around them after a space, and an `@@` line with the position wherever something is left out.
///
///     var text = DiffText(old: "before.json", new: "after.json")
///     guard text.add(from: oldTree, to: newTree) else { return }   // cancelled
///     text.isSame ? print("the same") : file.write(text.bytes)
package struct DiffText: Sendable {
    /// The lines, each ending with LF. Values and lines are verbatim, long ones cut.
    package private(set) var bytes: [UInt8]
    package internal(set) var count = 0
    /// The offset of the first line of each difference; several in one line have one.
    package internal(set) var positions: [Int] = []
    /// True when some did not fit; the last line says so.
    package private(set) var isCut = false
    /// The number of lines or values shown around a difference.
    let context: Int
    private let limit: Int

    /// The maximum number of differences shown.
    static let maximumChanges = 100_000
    /// The maximum number of bytes shown of one value or line.
    static let maximumLineBytes = 4096

    /// - Parameters:
    ///   - old, new: The names of the bodies, for the first two lines.
    ///   - limit: The number of bytes of text after which the rest is left out.
    package init(old: String, new: String, context: Int = 3, limit: Int = 64 << 20) {
        self.context = min(max(0, context), 1 << 20)
        self.limit = limit
        bytes = []
        for (sign, name) in [("--- ", old), ("+++ ", new)] {
            bytes += sign.utf8
            bytes += name.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "?") : $0 }
            endLine()
        }
    }

    package var isSame: Bool { count == 0 }

    /// True when no more fits.
    var isFull: Bool { bytes.count >= limit }

    /// Ends a text that does not fit, with a line that says so.
    mutating func cut() {
        isCut = true
        add("@@ more differs, which is not shown")
        endLine()
    }
}

/// Parts of lines.
extension DiffText {
    /// Notes that the next line begins a difference.
    mutating func beginDifference() { if positions.last != bytes.count { positions.append(bytes.count) } }

    mutating func add(_ byte: UInt8) { bytes.append(byte) }
    mutating func add(_ text: String) { bytes += text.utf8 }
    mutating func add(blanks count: Int) { bytes += repeatElement(0x20, count: count) }
    mutating func endLine() { bytes.append(0x0A) }

    mutating func add(_ range: ByteRange, of source: Bytes) {
        source.withUnsafeBytes(range) { bytes.append(contentsOf: $0) }
    }

    /// Adds a part of a body; of a long one the bytes around `position`, and the numbers of bytes left out.
    mutating func add(_ range: ByteRange, of source: Bytes, around position: Int) {
        guard range.count > Self.maximumLineBytes else { return add(range, of: source) }
        let most = Self.maximumLineBytes
        let start = min(max(range.lowerBound, position - most / 4), range.upperBound - most)
        let shown = Self.character(at: start, source)..<Self.character(at: start + most, source)
        if shown.lowerBound > range.lowerBound { addGap(shown.lowerBound - range.lowerBound) }
        add(shown, of: source)
        if shown.upperBound < range.upperBound { addGap(range.upperBound - shown.upperBound) }
    }

    private mutating func addGap(_ count: Int) { add("\u{2026}(\(GroupedNumber.text(count)) bytes)\u{2026}") }

    /// Returns the start of the UTF-8 character at an offset.
    private static func character(at offset: Int, _ source: Bytes) -> Int {
        (0..<4).first { source[offset - $0] & 0xC0 != 0x80 }.map { offset - $0 } ?? offset
    }

    /// Returns the offsets of the first byte that differs in long parts of two bodies, to show the bytes around it.
    /// Short parts are shown whole.
    static func firstDifferences(_ left: ByteRange, of old: Bytes, _ right: ByteRange, of new: Bytes) -> (
        old: Int, new: Int
    ) {
        guard max(left.count, right.count) > maximumLineBytes else { return (left.lowerBound, right.lowerBound) }
        let same = old[left].firstDifference(from: new[right]) ?? 0
        return (left.lowerBound + same, right.lowerBound + same)
    }
}

extension Bytes {
    /// Returns the first offset at which two bodies differ, or the end of the shorter one if the other continues; nil
    /// if they are equal.
    func firstDifference(from other: Bytes) -> Int? {
        let end = min(count, other.count)
        var offset = 0
        while offset + 8 <= end {
            let different = ByteScan.word(base, offset) ^ ByteScan.word(other.base, offset)
            if different != 0 { return offset + different.trailingZeroBitCount >> 3 }
            offset += 8
        }
        while offset < end, base[offset] == other.base[offset] { offset += 1 }
        return offset < max(count, other.count) ? offset : nil
    }
}

/// Comparison of texts by lines.
extension DiffText {
    /// Compares two texts by lines; line endings are ignored.
    /// - Returns: false when cancelled.
    package mutating func add(from old: Bytes, to new: Bytes, isCancelled: () -> Bool = { false }) -> Bool {
        var table = LineTable()
        guard let oldLines = table.lines(of: old, isCancelled: isCancelled),
            let newLines = table.lines(of: new, isCancelled: isCancelled),
            let changes = LineDiff.changes(from: oldLines.numbers, to: newLines.numbers, isCancelled: isCancelled)
        else { return false }
        var rest = changes[...]
        while !rest.isEmpty {
            if isCancelled() { return false }
            guard !isFull, count < Self.maximumChanges else {
                cut()
                break
            }
            let group = rest.prefix(neighbours(rest))
            rest = rest.dropFirst(group.count)
            add(group, oldLines, newLines)
        }
        return true
    }

    /// Returns the number of leading changes so close together that everything between them is shown.
    private func neighbours(_ changes: ArraySlice<LineChange>) -> Int {
        zip(changes, changes.dropFirst()).prefix { $1.old.lowerBound - $0.old.upperBound <= 2 * context }.count + 1
    }

    private mutating func add(_ group: ArraySlice<LineChange>, _ old: TextLines, _ new: TextLines) {
        guard let first = group.first, let last = group.last else { return }
        let before = min(context, first.new.lowerBound)
        let after = min(context, new.count - last.new.upperBound)
        addHead(
            first.old.lowerBound - before..<last.old.upperBound + after,
            first.new.lowerBound - before..<last.new.upperBound + after)
        var next = first.new.lowerBound - before
        for change in group {
            add(next..<change.new.lowerBound, new)
            beginDifference()
            add(change, old, new)
            next = change.new.upperBound
            count += 1
            if isFull { return }
        }
        add(next..<next + after, new)
    }

    /// Adds the head of a group. Lines count from 1; an empty range has the number of the line above.
    private mutating func addHead(_ old: Range<Int>, _ new: Range<Int>) {
        func hunkRange(_ lines: Range<Int>) -> String { "\(lines.lowerBound + (lines.isEmpty ? 0 : 1)),\(lines.count)" }
        add("@@ -\(hunkRange(old)) +\(hunkRange(new)) @@")
        endLine()
    }

    private mutating func add(_ same: Range<Int>, _ new: TextLines) {
        for line in same { add(0x20, new[line], of: new.bytes) }
    }

    private mutating func add(_ change: LineChange, _ old: TextLines, _ new: TextLines) {
        // The same number of lines on both sides is taken for changed lines, pair by pair.
        let isPaired = change.old.count == change.new.count
        for (left, right) in zip(change.old, isPaired ? change.new : change.old) where !isFull {
            let around = isPaired ? Self.firstDifferences(old[left], of: old.bytes, new[right], of: new.bytes).old : nil
            add(UInt8(ascii: "-"), old[left], of: old.bytes, around: around)
        }
        for (left, right) in zip(isPaired ? change.old : change.new, change.new) where !isFull {
            let around = isPaired ? Self.firstDifferences(old[left], of: old.bytes, new[right], of: new.bytes).new : nil
            add(UInt8(ascii: "+"), new[right], of: new.bytes, around: around)
        }
    }

    private mutating func add(_ sign: UInt8, _ line: ByteRange, of source: Bytes, around position: Int? = nil) {
        add(sign)
        add(line, of: source, around: position ?? line.lowerBound)
        endLine()
    }
}

/// Comparison of binary bodies.
extension DiffText {
    /// Shows the first byte that differs, in its row of each body.
    /// - Returns: Its offset; nil when the bodies are equal.
    @discardableResult
    package mutating func addBytes(from old: Bytes, to new: Bytes) -> Int? {
        guard let offset = old.firstDifference(from: new) else { return nil }
        count = 1
        add("@@ byte \(offset), the first that differs, of \(old.count) and \(new.count)")
        endLine()
        for (sign, bytes) in [(UInt8(ascii: "-"), old), (UInt8(ascii: "+"), new)] {
            let row = HexLayout.spans(row: offset / HexLayout.rowSize, in: bytes)
            guard !row.isEmpty else { continue }
            add(sign)
            add(row.map(\.text).joined())
            endLine()
        }
        return offset
    }
}
