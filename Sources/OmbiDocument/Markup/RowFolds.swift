/// Which rows show when some are folded away: rows by number on one side, visible rows by number on the other.
public struct RowFolds: Sendable, Equatable {
    /// In the order of the rows.
    private var folds: [Fold] = []
    /// What is hidden, joined, in order; with the rows hidden before.
    private var hidden: [Hidden] = []

    /// A row that stays, and the rows behind it that it hides.
    private struct Fold: Sendable, Equatable {
        var row: Int
        var hiding: Range<Int>
    }

    private struct Hidden: Sendable, Equatable {
        var rows: Range<Int>
        var before: Int
    }

    public init() {}

    /// The rows that hide others, in order.
    public var rows: [Int] { folds.map(\.row) }

    public func isFolded(_ row: Int) -> Bool {
        let index = folds.partitioningIndex { $0.row >= row }
        return index < folds.count && folds[index].row == row
    }

    /// Folds, or unfolds, what a row has below it. Folds inside of it are kept for when it is unfolded.
    public mutating func toggle(_ row: Int, hiding rows: Range<Int>) {
        let index = folds.partitioningIndex { $0.row >= row }
        if index < folds.count, folds[index].row == row {
            folds.remove(at: index)
        } else if !rows.isEmpty {
            folds.insert(Fold(row: row, hiding: rows), at: index)
        }
        join()
    }

    /// Folds these rows and no others.
    public mutating func setFolds(_ all: some Sequence<(row: Int, hiding: Range<Int>)>) {
        folds = all.compactMap { $0.hiding.isEmpty ? nil : Fold(row: $0.row, hiding: $0.hiding) }
        let isInOrder = zip(folds, folds.dropFirst()).allSatisfy { $0.row < $1.row }
        if !isInOrder { folds.sort { $0.row < $1.row } }
        join()
    }

    public mutating func unfoldAll() {
        folds = []
        hidden = []
    }

    /// Unfolds whatever hides a row.
    public mutating func reveal(_ row: Int) {
        guard hidden.contains(where: { $0.rows.contains(row) }) else { return }
        folds.removeAll { $0.hiding.contains(row) }
        join()
    }

    private mutating func join() {
        hidden = []
        var count = 0
        for fold in folds {
            let rows = fold.hiding
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
