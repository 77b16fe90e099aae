/// Comparison of texts by lines.
extension DiffText {
    /// Compares two texts by lines; line endings are ignored.
    /// - Returns: false when cancelled.
    public mutating func add(from old: Bytes, to new: Bytes, isCancelled: () -> Bool = { false }) -> Bool {
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
