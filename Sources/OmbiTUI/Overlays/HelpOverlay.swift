import OmbiTerminal

/// Every key and its action, generated from the keymap; the keys that work here come first.
struct HelpOverlay: Equatable, Sendable {
    struct Line: Equatable, Sendable {
        var keys: String
        var label: String
        var isHeading = false
    }

    private let lines: [Line]
    private(set) var top = 0

    init(keymap: Keymap, scopes: [KeyScope]) {
        let others = KeyScope.allCases.filter { !scopes.contains($0) }
        lines = (scopes + others).flatMap { scope -> [Line] in
            let bindings = keymap.bindings.filter { $0.scope == scope }
            let rows = bindings.map { Line(keys: $0.keyNames, label: $0.label) }
            return [Line(keys: scope.rawValue, label: "", isHeading: true)] + rows + [Line(keys: "", label: "")]
        }
    }

    mutating func handle(_ action: Action, on screen: Size) {
        let rows = Self.rows(in: screen)
        switch action {
        case .move(let movement): move(movement, rows: rows)
        case .mouse(.wheel(_, let lines)):
            for _ in 0..<abs(lines) { move(lines > 0 ? .down : .up, rows: rows) }
        default: break
        }
    }

    private mutating func move(_ movement: Movement, rows: Int) {
        switch movement {
        case .up: top -= 1
        case .down: top += 1
        case .pageUp, .halfPageUp: top -= rows
        case .pageDown, .halfPageDown: top += rows
        case .top: top = 0
        case .bottom: top = lines.count
        case .left, .right: break
        }
        top = min(max(0, top), max(0, lines.count - rows))
    }

    /// The lines that fit on a screen of that size.
    private static func rows(in size: Size) -> Int { max(1, size.rows - 4) }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let rows = min(lines.count, Self.rows(in: screen.size))
        let inside = OverlayFrame.draw(
            "Keys", columns: min(68, screen.columns - 6), rows: rows, on: &surface, in: screen)
        for row in 0..<rows where top + row < lines.count {
            let line = lines[top + row]
            var pen = Pen(inside.line(row))
            if line.isHeading {
                pen.write(line.keys, Style(.title, .bold), on: &surface)
            } else {
                pen.write(line.keys.padded(to: 20), Style(.footerKey), on: &surface)
                pen.write(line.label, on: &surface)
            }
        }
        return nil
    }
}

extension Binding {
    /// "Up k"
    var keyNames: String { keys.map(\.name).joined(separator: " ") }
}
