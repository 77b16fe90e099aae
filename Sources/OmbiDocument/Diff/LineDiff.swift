/// The changes between two texts, in lines. Lines that occur once in both anchor the texts (patience diff); between
/// them the shortest list of changes is searched for (Myers), as long as it is short enough to be worth reading.
public enum LineDiff {
    /// Returns the changes in order; all lines between them are equal. Line endings are ignored. nil when cancelled.
    public static func changes(
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
