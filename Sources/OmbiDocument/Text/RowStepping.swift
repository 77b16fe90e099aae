/// Content that is divided into rows step by step, from any position.
public protocol RowStepping {
    associatedtype Row
    /// Returns the row below; nil at the end.
    func row(after row: Row) -> Row?
    /// Returns the row above; nil at the start.
    func row(before row: Row) -> Row?
}

extension RowStepping {
    /// Returns the rows from `first` on, at most `limit`.
    public func rows(from first: Row, limit: Int) -> [Row] {
        var rows: [Row] = []
        var next: Row? = first
        while let row = next, rows.count < limit {
            rows.append(row)
            next = self.row(after: row)
        }
        return rows
    }

    /// Returns the row that is `distance` rows below, or above if negative, as far as there are any.
    public func row(_ start: Row, movedBy distance: Int) -> Row {
        var row = start
        for _ in 0..<distance.magnitude {
            guard let next = distance < 0 ? self.row(before: row) : self.row(after: row) else { break }
            row = next
        }
        return row
    }
}
