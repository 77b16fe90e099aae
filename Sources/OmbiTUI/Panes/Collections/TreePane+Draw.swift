import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The state of a run, as a mark beside its request.
enum TreeMark: Equatable, Sendable {
    case running, succeeded, failed
}

extension TreePane {
    func draw(on surface: inout Surface, in rect: Rect, runs: Runs, isReading: Bool, focused: Bool) {
        for line in 0..<rect.rows where position.offset + line < rows.count {
            let index = position.offset + line
            let place = Rect(column: rect.column, row: rect.row + line, columns: rect.columns, rows: 1)
            let mark = runs[rows[index].node.item]?.mark
            // Only the name is highlighted: a move then costs half the bytes of whole rows.
            let highlight: Role? = index != position.cursor ? nil : focused ? .selection : .inactiveSelection
            draw(rows[index], on: &surface, in: place, mark: mark, highlight: highlight)
        }
        if rows.isEmpty { drawEmpty(isReading: isReading, on: &surface, in: rect) }
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

    private func drawEmpty(isReading: Bool, on surface: inout Surface, in rect: Rect) {
        let hint = ["No collections here.", "", "ombi demo shows one;", "ombi PATH opens yours."]
        let lines = isReading ? ["Reading the collections …"] : hint
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
