/// `↑ 12/48 ↓` in the frame of a list or a text: a row of it, and whether there is more above and below.
package enum ListMark {
    package static func spans(row: Int, first: Int, page: Int, count: Int, role: Role = .plain) -> [Span] {
        let up = first > 0 ? "↑ " : ""
        let down = first + page < count ? " ↓" : ""
        return [Span(text: "\(up)\(min(row, count))/\(count)\(down)", role: role)]
    }

    /// The mark of a text without a cursor, with its last row that shows; nothing where all of it does.
    package static func spans(first: Int, page: Int, count: Int, role: Role = .plain) -> [Span] {
        count > page ? spans(row: first + page, first: first, page: page, count: count, role: role) : []
    }
}

extension ListPosition {
    /// `↑ 12/48 ↓`: the cursor, and whether there is more above and below.
    package func mark(count: Int, page: Int, focused: Bool) -> [Span] {
        ListMark.spans(row: cursor + 1, first: offset, page: page, count: count, role: focused ? .plain : .dim)
    }
}
