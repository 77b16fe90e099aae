/// A position in a list: the row under the cursor and the first visible row.
package struct ListPosition: Equatable, Sendable {
    package private(set) var cursor = 0
    package private(set) var offset = 0

    package init() {}

    /// Moves the cursor and keeps it among `count` rows, of which `page` are visible.
    package mutating func move(_ movement: Movement, count: Int, page: Int) {
        guard movement != .left, movement != .right else { return }
        let rows = movement.rows(page: max(1, page - 1), halfPage: max(1, page / 2))
        place(at: cursor + rows, count: count, page: page)
    }

    package mutating func place(at row: Int, count: Int, page: Int) {
        cursor = min(max(0, row), max(0, count - 1))
        offset = min(max(offset, cursor - max(0, page - 1)), cursor)
        offset = min(offset, max(0, count - page))
    }

    /// Keeps the cursor on its row, which is at another place now: rows came or went above it.
    package mutating func follow(_ row: Int) {
        if offset > 0 { offset = max(0, offset + row - cursor) }
        cursor = row
    }

    /// The first of `rows` rows that show: a small screen has fewer than the position counts on.
    package func first(ofVisible rows: Int) -> Int { max(min(offset, cursor), cursor - max(0, rows - 1)) }

    /// Scrolls by `rows`, taking the cursor along only where it would leave the screen.
    package mutating func scroll(by rows: Int, count: Int, page: Int) {
        offset = min(max(0, offset + rows), max(0, count - page))
        cursor = min(max(cursor, offset), max(0, min(count, offset + page) - 1))
    }
}

/// `↑ 12/48 ↓` in the frame of a list or a text: the current row, and arrows if there are more above and below.
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
    /// `↑ 12/48 ↓`: the cursor, and arrows if there are more rows above and below.
    package func mark(count: Int, page: Int, focused: Bool) -> [Span] {
        ListMark.spans(row: cursor + 1, first: offset, page: page, count: count, role: focused ? .plain : .dim)
    }
}

/// A step of a cursor through a list or a body. The raw value is its name in settings.
package enum Movement: String, Equatable, Sendable {
    case up, down, left, right
    case pageUp, pageDown
    case halfPageUp, halfPageDown
    case top, bottom

    /// The rows that it goes down, negative for up: beyond the ends of any text for the first and the last row, and none
    /// for a step to the side.
    package func rows(page: Int, halfPage: Int) -> Int {
        switch self {
        case .up: -1
        case .down: 1
        case .pageUp: -page
        case .pageDown: page
        case .halfPageUp: -halfPage
        case .halfPageDown: halfPage
        case .top: .min / 2
        case .bottom: .max / 2
        case .left, .right: 0
        }
    }
}
