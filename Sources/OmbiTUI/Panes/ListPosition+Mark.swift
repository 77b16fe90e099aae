import OmbiTerminal

extension ListPosition {
    /// `↑ 12/48 ↓`: the cursor, and whether there is more above and below.
    func mark(count: Int, page: Int, focused: Bool) -> [Span] {
        ListMark.spans(row: cursor + 1, first: offset, page: page, count: count, role: focused ? .plain : .dim)
    }
}
