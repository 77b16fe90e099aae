/// The messages so far, each with its age and in full; the latest at the bottom, where it opens.
struct LogOverlay: Equatable, Sendable {
    private let entries: [MessageLog.Entry]
    /// The time when it was opened, on the clock of the program.
    private let now: Duration
    /// The lines below the window.
    private var below = 0

    private static let maximumColumns = 110
    private static let ageColumns = 8

    init(_ log: MessageLog, at now: Duration) {
        entries = log.entries
        self.now = now
    }

    mutating func handle(_ action: Action, on screen: Size) {
        switch action {
        case .move(let movement): move(movement, on: screen)
        case .mouse(.wheel(_, let lines)): for _ in 0..<abs(lines) { move(lines > 0 ? .down : .up, on: screen) }
        default: break
        }
    }

    private mutating func move(_ movement: Movement, on screen: Size) {
        // Overlays leave the key line free.
        let rows = Self.rows(in: Size(columns: screen.columns, rows: screen.rows - 1))
        let count = lines(columns: Self.columns(in: screen)).count
        below = min(max(0, below - movement.rows(page: rows, halfPage: rows)), max(0, count - rows))
    }

    private static func rows(in size: Size) -> Int { max(1, size.rows - 4) }
    private static func columns(in size: Size) -> Int { max(20, min(maximumColumns, size.columns - 6)) }

    private func lines(columns: Int) -> [(age: String, text: String, role: Role)] {
        entries.flatMap { entry in
            let text = entry.notice.text + (entry.count > 1 ? " (\(entry.count) times)" : "")
            return WrappedText.lines(of: text, columns: columns - Self.ageColumns).enumerated().map {
                ($0.offset == 0 ? Self.age(now - entry.time) : "", $0.element, entry.notice.kind.role)
            }
        }
    }

    /// "now", "40 s", "12 min", "3 h"
    private static func age(_ age: Duration) -> String {
        let seconds = age.components.seconds
        switch seconds {
        case ..<1: return "now"
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        default: return "\(seconds / 3600) h"
        }
    }

    func inside(in screen: Rect) -> Rect {
        let columns = Self.columns(in: screen.size)
        let rows = max(1, min(lines(columns: columns).count, Self.rows(in: screen.size)))
        return OverlayFrame.inside(columns: columns, rows: rows, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw("Messages", around: inside(in: screen), on: &surface)
        let all = lines(columns: Self.columns(in: screen.size))
        if all.isEmpty {
            var pen = Pen(inside)
            pen.write("No messages so far.", Style(.dim), on: &surface)
        }
        for (row, line) in all.dropLast(below).suffix(inside.rows).enumerated() {
            var pen = Pen(inside.line(row))
            pen.write(line.age.padded(to: Self.ageColumns), Style(.dim), on: &surface)
            pen.write(line.text, Style(line.role), on: &surface)
        }
        let first = max(0, all.count - below - inside.rows)
        let mark = ListMark.spans(first: first, page: inside.rows, count: all.count)
        OverlayFrame.mark(mark, around: inside, on: &surface)
        return nil
    }
}
