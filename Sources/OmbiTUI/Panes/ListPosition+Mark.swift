import OmbiTerminal

extension ListPosition {
    /// `↑ 12/48 ↓`: the cursor, and whether there is more above and below.
    func mark(count: Int, page: Int, focused: Bool) -> [Span] {
        let up = offset > 0 ? "↑ " : ""
        let down = offset + page < count ? " ↓" : ""
        return [Span(text: "\(up)\(min(cursor + 1, count))/\(count)\(down)", role: focused ? .plain : .dim)]
    }
}
