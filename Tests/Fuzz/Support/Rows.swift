extension RowStepping {
    /// Returns the rows from `first` on, at most `limit`.
    func rows(from first: Row, limit: Int) -> [Row] {
        Array(sequence(first: first) { self.row(after: $0) }.prefix(limit))
    }
}
