/// What is cut into rows step by step, from any place of it.
public protocol RowStepping {
    associatedtype Row
    /// The row below. Nil at the end.
    func row(after row: Row) -> Row?
    /// The row above. Nil at the start.
    func row(before row: Row) -> Row?
}

extension RowStepping {
    /// The rows from one on, as many as a screen has.
    public func rows(from first: Row, limit: Int) -> [Row] {
        var rows: [Row] = []
        var next: Row? = first
        while let row = next, rows.count < limit {
            rows.append(row)
            next = self.row(after: row)
        }
        return rows
    }

    /// Goes up (negative) or down by rows, as far as there are any.
    public func row(_ start: Row, movedBy distance: Int) -> Row {
        var row = start
        for _ in 0..<distance.magnitude {
            guard let next = distance < 0 ? self.row(before: row) : self.row(after: row) else { break }
            row = next
        }
        return row
    }
}
