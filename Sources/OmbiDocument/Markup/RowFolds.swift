/// Which rows show when some are folded away: rows by number on one side, visible rows by number on the other.
public struct RowFolds: Sendable, Equatable {
    /// The first row that a fold hides, by the row that stays, and the row behind the last one.
    private var folds: [Int: Range<Int>] = [:]
    /// What is hidden, joined, in order; with the rows hidden before.
    private var hidden: [Hidden] = []

    private struct Hidden: Sendable, Equatable {
        var rows: Range<Int>
        var before: Int
    }

    public init() {}

    public var isEmpty: Bool { folds.isEmpty }

    public func isFolded(_ row: Int) -> Bool { folds[row] != nil }

    /// Folds, or unfolds, what a row has below it. Folds inside of it are kept for when it is unfolded.
    public mutating func toggle(_ row: Int, hiding rows: Range<Int>) {
        if folds.removeValue(forKey: row) == nil, !rows.isEmpty { folds[row] = rows }
        join()
    }

    /// Folds many at once.
    public mutating func fold(_ all: some Sequence<(row: Int, hiding: Range<Int>)>) {
        for fold in all where !fold.hiding.isEmpty { folds[fold.row] = fold.hiding }
        join()
    }

    public mutating func unfoldAll() {
        folds = [:]
        hidden = []
    }

    /// Unfolds whatever hides a row.
    public mutating func reveal(_ row: Int) {
        guard folds.contains(where: { $0.value.contains(row) }) else { return }
        folds = folds.filter { !$0.value.contains(row) }
        join()
    }

    private mutating func join() {
        hidden = []
        var count = 0
        for rows in folds.values.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = hidden.last, rows.lowerBound < last.rows.upperBound {
                guard rows.upperBound > last.rows.upperBound else { continue }
                count += rows.upperBound - last.rows.upperBound
                hidden[hidden.count - 1].rows = last.rows.lowerBound..<rows.upperBound
            } else {
                hidden.append(Hidden(rows: rows, before: count))
                count += rows.count
            }
        }
    }

    /// How many of so many rows show.
    public func visibleCount(of count: Int) -> Int {
        guard let last = hidden.last else { return count }
        return count - last.before - last.rows.count
    }

    /// The row that shows in a place.
    public func row(at place: Int) -> Int {
        let next = hidden.partitioningIndex { $0.rows.lowerBound - $0.before > place }
        guard next > 0 else { return place }
        return place + hidden[next - 1].before + hidden[next - 1].rows.count
    }

    /// The place in which a row shows; for a hidden one, that of the row that it is folded into.
    public func place(of row: Int) -> Int {
        let next = hidden.partitioningIndex { $0.rows.lowerBound > row }
        guard next > 0 else { return row }
        let last = hidden[next - 1]
        if last.rows.contains(row) { return max(0, last.rows.lowerBound - 1 - last.before) }
        return row - last.before - last.rows.count
    }
}
