import OmbiTerminal

/// The rectangle of each pane on the screen.
struct Layout: Equatable, Sendable {
    /// Nil for a hidden pane. Borders included: request and response share the line between them.
    private(set) var tree: Rect?
    private(set) var request: Rect?
    private(set) var response: Rect?
    private(set) var status: Rect

    static let smallest = Size(columns: 40, rows: 10)
    /// From this width on the tree always shows.
    static let wide = 100

    init(size: Size, focus: Focus, zoomed: Bool) {
        let screen = Rect(column: 0, row: 0, columns: size.columns, rows: size.rows)
        status = screen.bottom(1)
        let panes = screen.dropBottom(1)
        if zoomed {
            place(focus, in: panes)
            return
        }
        let isWide = size.columns >= Self.wide
        var right = panes
        if isWide || focus == .tree {
            let columns = isWide ? min(size.columns * 3 / 10, 40) : max(26, size.columns * 9 / 20)
            tree = panes.left(columns)
            right = panes.dropLeft(columns)
        }
        let requestRows = max(5, min(right.rows * 2 / 5, 16))
        request = right.top(requestRows)
        response = right.dropTop(requestRows - 1)
    }

    static func isTooSmall(_ size: Size) -> Bool {
        size.columns < smallest.columns || size.rows < smallest.rows
    }

    /// The part of a pane inside its border. The tree uses its first column for marks; the others leave it empty.
    func inside(_ focus: Focus) -> Rect? {
        let inside = rect(of: focus)?.inset(by: 1)
        return focus == .tree ? inside : inside?.dropLeft(1)
    }

    func rect(of focus: Focus) -> Rect? {
        switch focus {
        case .tree: tree
        case .request: request
        case .response: response
        }
    }

    /// Returns the pane at a point. The line that request and response share belongs to the response, whose title it
    /// bears.
    func focus(at point: Point) -> Focus? {
        Focus.allCases.last { rect(of: $0)?.contains(point) ?? false }
    }

    private mutating func place(_ focus: Focus, in rect: Rect) {
        switch focus {
        case .tree: tree = rect
        case .request: request = rect
        case .response: response = rect
        }
    }
}
