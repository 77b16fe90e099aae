/// The rectangle of each pane on the screen, in one of three shapes. Panes share the lines between them.
struct Layout: Equatable, Sendable {
    enum Shape: Equatable, Sendable {
        /// The collections, or the request over its response.
        case stacked
        /// The collections beside the request over its response.
        case split
        /// All three side by side.
        case columns
    }

    let shape: Shape
    /// Nil for a hidden pane; borders included.
    private(set) var tree: Rect?
    private(set) var request: Rect?
    private(set) var response: Rect?
    /// The line over the panes; nil where there is no room for it.
    private(set) var header: Rect?
    let status: Rect

    static let smallest = Size(columns: 40, rows: 10)
    private static let splitColumns = 100
    private static let threeColumns = 150
    private static let headerRows = 14
    /// Below it the request and the response cannot both show more than a line.
    private static let roomyRows = 20
    /// A border, a line and a border.
    private static let shrunkRows = 3

    /// - Parameters:
    ///   - isWriting: true while a body is edited, which gets most of the rows that it shares with the response.
    ///   - isUnsent: true for a request without a response, which gets most of the rows while it has the focus and no list
    ///     of requests shows.
    ///   - showsNode: true for a folder or a collection, which has no response and takes its rows where they are few.
    ///   - names: the columns that the list of requests needs for its names.
    init(
        size: Size, focus: Focus, zoomed: Bool, splits: Splits = Splits(), isWriting: Bool = false,
        isUnsent: Bool = false, showsNode: Bool = false, names: Int = 0
    ) {
        let screen = Rect(size)
        shape =
            size.columns >= Self.threeColumns ? .columns : size.columns >= Self.splitColumns ? .split : .stacked
        status = screen.bottom(1)
        var panes = screen.dropBottom(1)
        if size.rows >= Self.headerRows { header = panes.takeTop(1) }
        switch shape {
        case _ where zoomed: place(focus, in: panes)
        case .stacked where focus == .tree: tree = panes
        case .stacked where focus == .request && showsNode: request = panes
        case .stacked: stack(panes, focus, splits, isWriting, isUnsent)
        case .split: stack(takeTree(from: panes, splits, names), focus, splits, isWriting, false)
        case .columns:
            let right = takeTree(from: panes, splits, names)
            let columns = splits.requestColumns(of: right.columns)
            request = right.left(columns)
            response = right.dropLeft(columns - 1)
        }
    }

    /// Places the tree at the left, and returns the rest, which begins with the tree's right border.
    private mutating func takeTree(from panes: Rect, _ splits: Splits, _ names: Int) -> Rect {
        let columns = splits.treeColumns(of: panes.columns, names: names)
        tree = panes.left(columns)
        return panes.dropLeft(columns - 1)
    }

    private mutating func stack(
        _ panes: Rect, _ focus: Focus, _ splits: Splits, _ isWriting: Bool, _ isUnsent: Bool
    ) {
        var rows = splits.requestRows(of: panes.rows)
        let isFirst = isWriting || isUnsent && focus == .request && splits.rows == nil
        if isFirst { rows = max(rows, panes.rows * 2 / 3) }
        if panes.rows < Self.roomyRows - 2 {
            rows = focus == .request ? panes.rows - Self.shrunkRows + 1 : Self.shrunkRows
        }
        request = panes.top(rows)
        response = panes.dropTop(rows - 1)
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

    /// The line of a pane's frame that says where its list is: the lower one, but the upper one of a request above its
    /// response, whose title the line between them bears.
    func placeLine(of focus: Focus) -> Rect? {
        let rect = rect(of: focus)
        let isAbove = focus == .request && response?.row == rect.map { $0.endRow - 1 }
        return isAbove ? rect?.top(1) : rect?.bottom(1)
    }

    /// Returns the pane at a point. A line between two panes belongs to the one at its right or below, whose title it
    /// bears.
    func focus(at point: Point) -> Focus? {
        Focus.allCases.last { rect(of: $0)?.contains(point) ?? false }
    }

    func divider(at point: Point) -> Divider? {
        if let tree, tree.columns < status.columns, tree.contains(point), point.column == tree.endColumn - 1 {
            return .tree
        }
        guard let request, let response, request.contains(point), response.contains(point) else { return nil }
        return shape == .columns ? .requestColumns : .requestRows
    }

    func moving(_ divider: Divider, to point: Point, _ splits: Splits) -> Splits {
        var splits = splits
        switch divider {
        case .tree: splits.tree = point.column - status.column + 1
        case .requestColumns: splits.columns = point.column - (request?.column ?? 0) + 1
        case .requestRows: splits.rows = point.row - (request?.row ?? 0) + 1
        }
        return splits
    }

    private mutating func place(_ focus: Focus, in rect: Rect) {
        switch focus {
        case .tree: tree = rect
        case .request: request = rect
        case .response: response = rect
        }
    }
}

/// A line between panes that can be moved.
enum Divider: Equatable, Sendable {
    /// Between the collections and the rest.
    case tree
    /// Between the request and the response, beside or below each other.
    case requestColumns, requestRows
}

/// The sizes of the panes that the user has chosen, borders included; nil for the usual ones.
struct Splits: Equatable, Sendable {
    var tree: Int?
    var columns: Int?
    var rows: Int?

    private static let minimumColumns = 24
    /// A wider request would be empty: the rest is for the response.
    private static let usualRequestColumns = 90
    /// The names of all tabs, and the border.
    private static let columnsOfTabs = 75
    /// All tabs with the marks that most requests have, and the border.
    private static let columnsOfFullTabs = 84
    /// The list with names of usual lengths and the results of their runs.
    private static let usualTreeColumns = 36...50
    private static let minimumRows = 5

    func treeColumns(of columns: Int, names: Int) -> Int {
        // Long names take nothing from the tabs of the others.
        let maximum = max(Self.usualTreeColumns.upperBound, columns - 2 * Self.columnsOfTabs + 2)
        let share = max(columns * 3 / 10, Self.usualTreeColumns.lowerBound)
        let usual = min(max(names, TreePane.columnsForSparklines), share, maximum)
        return Self.clamp(tree ?? usual, columns, Self.minimumColumns)
    }

    func requestColumns(of columns: Int) -> Int {
        let usual = min(columns * 9 / 20, Self.usualRequestColumns)
        // Both have room for their tabs, where there is room for both; the rest is for the marks of the request's.
        let rest = columns - Self.columnsOfTabs + 1
        let roomy = rest >= Self.columnsOfTabs ? max(usual, min(rest, Self.columnsOfFullTabs)) : usual
        return Self.clamp(self.columns ?? roomy, columns, Self.minimumColumns)
    }

    func requestRows(of rows: Int) -> Int {
        Self.clamp(self.rows ?? min(rows * 2 / 5, 16), rows, Self.minimumRows)
    }

    private static func clamp(_ value: Int, _ whole: Int, _ least: Int) -> Int {
        max(least, min(value, whole - least))
    }

    /// Makes a part larger or smaller by so many cells.
    mutating func move(_ divider: Divider, by distance: Int, in layout: Layout) {
        switch divider {
        case .tree: tree = layout.tree.map { $0.columns + distance }
        case .requestColumns: columns = layout.request.map { $0.columns + distance }
        case .requestRows: rows = layout.request.map { $0.rows + distance }
        }
    }
}

/// The mouse: every part of the screen that looks as if it could be clicked can be.
extension AppState {
    /// The action of the key in the bottom line at a point; nil for everything else that the mouse does.
    func keyClicked(by action: Action) -> Action? {
        guard case .mouse(.click(let point)) = action, !Layout.isTooSmall(size) else { return nil }
        let line = layout.status
        guard line.contains(point) else { return nil }
        return statusLine.action(at: point.column - line.column, columns: line.columns)
    }

    /// Marks the row of an open list of completions that was clicked; false for a click elsewhere.
    mutating func marksCompletion(at point: Point) -> Bool {
        guard scopes.first == .completing, let cursor = draw().cursor else { return false }
        let whole = whole
        if environmentPane == nil, focus == .response {
            return responsePane.markCompletion(at: point, responseView, cursor: cursor, in: whole)
        }
        return environmentPane?.markCompletion(at: point, cursor: cursor, in: whole)
            ?? requestPane.markCompletion(at: point, cursor: cursor, in: whole)
    }

    mutating func perform(_ action: MouseAction) -> [Outcome] {
        switch action {
        case .click(let point): return click(point)
        case .drag(let point):
            if let moved {
                splits = layout.moving(moved, to: point, splits)
                return []
            }
            if focus == .tree, let inside = layout.inside(.tree) {
                let point = point.relative(to: inside)
                tree.placeCursor(at: point, selecting: true)
                // Not through the log: the mouse moves on.
                notice = tree.drag(toLine: point.row, in: workbench)
                return []
            }
            guard focus == .response, let inside = layout.inside(.response) else { return [] }
            responsePane.drag(point.relative(to: inside), responseView, in: &runs)
        case .release(let point):
            // It may have moved on since the last motion.
            if tree.drag?.hasMoved ?? false, let inside = layout.inside(.tree), inside.contains(point) {
                _ = tree.drag(toLine: point.relative(to: inside).row, in: workbench)
            }
            return tree.drop(in: &workbench)
        case .wheel(let point, let lines):
            switch layout.focus(at: point) {
            case .tree: tree.scroll(by: lines)
            case .request: requestPane.scroll(by: lines, in: workbench)
            case .response: responsePane.scroll(by: lines, responseView, in: &runs)
            case nil: break
            }
        }
        return []
    }

    private mutating func click(_ point: Point) -> [Outcome] {
        moved = layout.divider(at: point)
        if let row = layout.header, row.contains(point) {
            if header.isEnvironment(column: point.column, in: row) { return workbench.perform(.chooseEnvironment) }
            return header.isWayBack(column: point.column, in: row) ? [.focus(.tree)] : []
        }
        guard let pane = layout.focus(at: point), let inside = layout.inside(pane) else { return [] }
        focus = pane
        // The page of a folder was clicked, not the request behind it.
        if pane == .request, workbench.showsNode, workbench.shared == nil { return [] }
        guard inside.contains(point) else { return pane == .tree ? scroll(by: point) : [] }
        let point = point.relative(to: inside)
        switch pane {
        case .tree: tree.click(point, in: &workbench)
        case .request: return requestPane.click(point, in: &workbench)
        case .response: responsePane.click(point, responseView, in: &runs)
        }
        return []
    }

    /// Scrolls the list a page by the mark in its lower frame.
    private mutating func scroll(by point: Point) -> [Outcome] {
        guard let rect = layout.tree, point.row == rect.endRow - 1 else { return [] }
        let marks = tree.place(focused: true).map(\.text).joined()
        let place = Self.place(columns: TextWidth.of(marks), in: rect.bottom(1), isAtEnd: true).dropLeft(1).dropRight(1)
        guard place.contains(point), let first = marks.first, let last = marks.last else { return [] }
        if point.column == place.column, first == "↑" { tree.scroll(pages: -1) }
        if point.column == place.endColumn - 1, last == "↓" { tree.scroll(pages: 1) }
        return []
    }
}
