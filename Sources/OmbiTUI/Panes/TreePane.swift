import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The pane of collections: the folded nodes, the row under the cursor, and the look of the rows.
struct TreePane: Equatable, Sendable {
    private(set) var rows: [TreeRow] = []
    private(set) var position = ListPosition()
    private var closed: Set<TreeNode> = []

    /// Folders start folded when there are more rows than this.
    static let maximumOpenRows = 60

    var current: TreeRow? { rows.indices.contains(position.cursor) ? rows[position.cursor] : nil }

    mutating func open(_ workbench: Workbench, page: Int) {
        closed = []
        rows = TreeRow.rows(of: workbench, closed: [])
        if rows.count > Self.maximumOpenRows {
            closed = Set(rows.map(\.node).filter { if case .folder = $0 { true } else { false } })
        }
        refresh(workbench, page: page)
        let first = rows.firstIndex { $0.method != nil } ?? 0
        position.place(at: first, count: rows.count, page: page)
    }

    /// Updates the rows after an edit; the cursor stays on its node where that still shows.
    mutating func refresh(_ workbench: Workbench, page: Int) {
        let node = current?.node
        rows = TreeRow.rows(of: workbench, closed: closed)
        let row = rows.firstIndex { $0.node == node } ?? position.cursor
        position.place(at: row, count: rows.count, page: page)
    }

    mutating func move(_ movement: Movement, workbench: Workbench, page: Int) {
        switch movement {
        case .left: fold(workbench, page: page)
        case .right: unfold(workbench, page: page)
        default: position.move(movement, count: rows.count, page: page)
        }
    }

    /// Folds or unfolds the node under the cursor.
    mutating func toggle(_ workbench: Workbench, page: Int) {
        guard let row = current, row.method == nil else { return }
        if row.isOpen { closed.insert(row.node) } else { closed.remove(row.node) }
        refresh(workbench, page: page)
    }

    mutating func select(_ node: TreeNode, workbench: Workbench, page: Int) {
        refresh(workbench, page: page)
        guard let row = rows.firstIndex(where: { $0.node == node }) else { return }
        position.place(at: row, count: rows.count, page: page)
    }

    mutating func unfold(_ node: TreeNode) { closed.remove(node) }

    mutating func place(atLine line: Int, page: Int) {
        position.place(at: position.offset + line, count: rows.count, page: page)
    }

    mutating func scroll(by lines: Int, page: Int) {
        position.scroll(by: lines, count: rows.count, page: page)
    }

    private mutating func fold(_ workbench: Workbench, page: Int) {
        guard let row = current else { return }
        if row.method == nil, row.isOpen { return toggle(workbench, page: page) }
        let parent = rows[..<position.cursor].lastIndex { $0.depth < row.depth }
        if let parent { position.place(at: parent, count: rows.count, page: page) }
    }

    private mutating func unfold(_ workbench: Workbench, page: Int) {
        guard let row = current, row.method == nil, !row.isOpen else { return }
        toggle(workbench, page: page)
    }
}

/// The state of a run, as a mark beside its request.
enum TreeMark: Equatable, Sendable {
    case running, succeeded, failed
}

extension TreePane {
    func draw(on surface: inout Surface, in rect: Rect, runs: [ItemID: RunState], focused: Bool) {
        for line in 0..<rect.rows where position.offset + line < rows.count {
            let index = position.offset + line
            let place = Rect(column: rect.column, row: rect.row + line, columns: rect.columns, rows: 1)
            let mark = rows[index].node.item.flatMap { runs[$0]?.mark }
            // Only the name is highlighted: a move then costs half the bytes of whole rows.
            let highlight: Role? = index != position.cursor ? nil : focused ? .selection : .inactiveSelection
            draw(rows[index], on: &surface, in: place, mark: mark, highlight: highlight)
        }
        if rows.isEmpty { drawEmpty(on: &surface, in: rect) }
    }

    private func draw(_ row: TreeRow, on surface: inout Surface, in rect: Rect, mark: TreeMark?, highlight: Role?) {
        var pen = Pen(rect)
        if let mark {
            pen.write(mark.glyph, Style(mark.role), on: &surface)
        } else {
            pen.skip(1)
        }
        pen.skip(max(0, row.depth * 2 - 1))
        if let method = row.method {
            let end = pen.column - rect.column + 6
            pen.write(method.shortName, Style(method.role), on: &surface)
            pen.skip(to: end)
        } else {
            pen.write(
                row.isBroken ? "✗ " : row.isOpen ? "▾ " : "▸ ", Style(row.isBroken ? .failure : .dim), on: &surface)
        }
        let style = highlight.map { Style($0) } ?? Style(.plain, row.depth == 0 ? .bold : [])
        pen.write(row.name, style, on: &surface, keeping: row.isDirty ? 2 : 0)
        if row.isDirty { pen.write(" ●", Style(.warning), on: &surface) }
    }

    private func drawEmpty(on surface: inout Surface, in rect: Rect) {
        let lines = ["No collections here.", "", "ombi demo shows one;", "ombi PATH opens yours."]
        for (line, text) in lines.enumerated() where line < rect.rows {
            surface.write(
                text, at: Point(column: rect.column + 1, row: rect.row + line), style: Style(.dim),
                limit: rect.columns - 1)
        }
    }
}

extension TreeMark {
    var glyph: String {
        switch self {
        case .running: "↻"
        case .succeeded: "✓"
        case .failed: "✗"
        }
    }

    var role: Role {
        switch self {
        case .running: .running
        case .succeeded: .success
        case .failed: .failure
        }
    }
}

extension RunState {
    /// The mark beside the request in the tree.
    var mark: TreeMark {
        switch stage {
        case .preparing, .attempting, .waiting: .running
        case .ended: failures.isEmpty ? .succeeded : .failed
        }
    }
}
