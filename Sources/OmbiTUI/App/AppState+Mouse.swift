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
                tree.selectInSearch(to: point)
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
