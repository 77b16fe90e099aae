/// The visible rows when some are folded: maps row numbers to visible positions and back.
package struct RowFolds: Sendable, Equatable {
    /// In row order.
    private var folds: [Fold] = []
    /// The hidden ranges, merged and in order, each with the number of rows hidden before it.
    private var hidden: [Hidden] = []

    /// A visible row, and the rows after it that it hides.
    private struct Fold: Sendable, Equatable {
        var row: Int
        var hiding: Range<Int>
    }

    private struct Hidden: Sendable, Equatable {
        var rows: Range<Int>
        var before: Int
    }

    package init() {}

    /// The rows that hide others, in order.
    package var rows: [Int] { folds.map(\.row) }

    package func isFolded(_ row: Int) -> Bool {
        let index = folds.partitioningIndex { $0.row >= row }
        return index < folds.count && folds[index].row == row
    }

    /// Toggles the fold of the rows below a row. Folds inside it are kept.
    package mutating func toggle(_ row: Int, hiding rows: Range<Int>) {
        let index = folds.partitioningIndex { $0.row >= row }
        if index < folds.count, folds[index].row == row {
            folds.remove(at: index)
        } else if !rows.isEmpty {
            folds.insert(Fold(row: row, hiding: rows), at: index)
        }
        join()
    }

    /// Folds exactly these rows.
    package mutating func setFolds(_ all: some Sequence<(row: Int, hiding: Range<Int>)>) {
        folds = all.compactMap { $0.hiding.isEmpty ? nil : Fold(row: $0.row, hiding: $0.hiding) }
        let isInOrder = zip(folds, folds.dropFirst()).allSatisfy { $0.row < $1.row }
        if !isInOrder { folds.sort { $0.row < $1.row } }
        join()
    }

    package mutating func unfoldAll() {
        folds = []
        hidden = []
    }

    package mutating func reveal(_ row: Int) {
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

    /// Returns the number of visible rows among `count` rows.
    package func visibleCount(of count: Int) -> Int {
        guard let last = hidden.last else { return count }
        return count - last.before - last.rows.count
    }

    /// Returns the row at a visible position.
    package func row(at position: Int) -> Int {
        let next = hidden.partitioningIndex { $0.rows.lowerBound - $0.before > position }
        guard next > 0 else { return position }
        return position + hidden[next - 1].before + hidden[next - 1].rows.count
    }

    /// Returns the visible position of a row; a hidden one has the position of the row it is folded into.
    package func position(of row: Int) -> Int {
        let next = hidden.partitioningIndex { $0.rows.lowerBound > row }
        guard next > 0 else { return row }
        let last = hidden[next - 1]
        if last.rows.contains(row) { return max(0, last.rows.lowerBound - 1 - last.before) }
        return row - last.before - last.rows.count
    }
}
