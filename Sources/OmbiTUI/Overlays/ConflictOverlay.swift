/// The parts of a collection that were edited here and on disk, with both sides of each, to choose from.
struct ConflictOverlay: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        var part: MergePart
        var name: String
        /// The lines of a diff, from the file on disk to what shows here.
        var lines: [String]
        var takesTheirs: Bool?
    }

    private let path: String
    private let title: String
    private var entries: [Entry]
    private(set) var position = ListPosition()
    /// The first visible line of the diff.
    private var top = 0

    private static let maximumListed = 6
    private static let maximumLines = 500

    /// Nil when there are no conflicts.
    init?(_ file: OpenFile) {
        guard let mine = file.collection, let theirs = file.saved, !file.conflicts.isEmpty else { return nil }
        path = file.path
        title = "\(file.fileName): changed here and on disk"
        entries = file.conflicts.map { part in
            Entry(
                part: part, name: mine.name(of: part) ?? theirs.name(of: part) ?? "",
                lines: Self.diff(from: theirs.text(of: part), to: mine.text(of: part)))
        }
    }

    private static func diff(from theirs: String?, to mine: String?) -> [String] {
        guard let theirs else { return ["Deleted on disk, edited here:"] + lines(of: mine ?? "", "+") }
        guard let mine else { return ["Deleted here, edited on disk:"] + lines(of: theirs, "-") }
        var diff = DiffText(old: "on disk", new: "here", limit: 100_000)
        guard diff.add(from: Bytes(theirs.utf8), to: Bytes(mine.utf8)) else { return [] }
        // Without the names of the two sides.
        return Array(lines(of: String(decoding: diff.bytes, as: UTF8.self), "").dropFirst(2))
    }

    private static func lines(of text: String, _ sign: String) -> [String] {
        text.split(separator: "\n").prefix(maximumLines).map { sign + $0 }
    }

    // MARK: Keys

    /// Returns the choices once every conflict has one; nil while the overlay stays.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .mouse(.click(let point)): click(point, in: screen)
        case .move(.up), .move(.down), .move(.top), .move(.bottom):
            if case .move(let movement) = action { position.move(movement, count: entries.count, page: page) }
            top = 0
        case .move(.pageDown): scroll(by: 5)
        case .move(.pageUp): scroll(by: -5)
        case .mouse(.wheel(_, let lines)): scroll(by: lines)
        case .confirm(let isMine): choose(theirs: !isMine)
        case .accept: return submit()
        default: break
        }
        return nil
    }

    private var page: Int { min(entries.count, Self.maximumListed) }

    private mutating func scroll(by lines: Int) {
        top = min(max(0, top + lines), max(0, entries[position.cursor].lines.count - 1))
    }

    /// Chooses a side of the conflict under the cursor, and goes to the next one without a choice.
    private mutating func choose(theirs: Bool) {
        entries[position.cursor].takesTheirs = theirs
        goToOpen()
    }

    private mutating func goToOpen() {
        let open = entries.indices.filter { entries[$0].takesTheirs == nil }
        guard let next = open.first(where: { $0 > position.cursor }) ?? open.first else { return }
        position.place(at: next, count: entries.count, page: page)
        top = 0
    }

    private mutating func submit() -> [Action]? {
        let choices = entries.compactMap { entry in
            entry.takesTheirs.map { ConflictChoice(part: entry.part, takesTheirs: $0) }
        }
        guard choices.count == entries.count else {
            goToOpen()
            return nil
        }
        return [.files(.resolve(choices, path: path))]
    }

    /// Goes to the conflict at a point, or takes the other side of the one under the cursor.
    private mutating func click(_ point: Point, in screen: Rect) {
        let list = inside(in: screen).top(page)
        let row = position.offset + point.row - list.row
        guard list.contains(point), row < entries.count else { return }
        if row == position.cursor { entries[row].takesTheirs = !(entries[row].takesTheirs ?? true) }
        position.place(at: row, count: entries.count, page: page)
        top = 0
    }

    private func inside(in screen: Rect) -> Rect {
        let rows = min(page + 2 + entries[position.cursor].lines.count, screen.rows - 4)
        return OverlayFrame.inside(columns: min(96, screen.columns - 6), rows: rows, in: screen)
    }

    // MARK: Drawing

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let lines = entries[position.cursor].lines
        var inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        let list = inside.takeTop(page)
        for line in 0..<list.rows where position.offset + line < entries.count {
            draw(entries[position.offset + line], on: &surface, in: list.line(line))
            if position.offset + line == position.cursor { surface.restyle(list.line(line), adding: .highlight) }
        }
        let legend = inside.takeTop(2).bottom(1)
        surface.write("- on disk   + here", at: legend.origin, style: Style(.dim), limit: legend.columns)
        let diff = inside
        for line in 0..<diff.rows where top + line < lines.count {
            surface.write(
                lines[top + line], at: diff.line(line).origin, style: Style(Self.role(of: lines[top + line])),
                limit: diff.columns)
        }
        let mark = ListMark.spans(first: top, page: diff.rows, count: lines.count)
        OverlayFrame.mark(mark, around: diff, on: &surface)
        return nil
    }

    private func draw(_ entry: Entry, on surface: inout Surface, in row: Rect) {
        let choice = entry.takesTheirs.map { $0 ? "theirs" : "mine" } ?? "undecided"
        var pen = Pen(row)
        pen.write(entry.name, on: &surface, keeping: 8)
        pen.skip(to: row.columns - TextWidth.of(choice))
        pen.write(choice, Style(entry.takesTheirs == nil ? .warning : .success), on: &surface)
    }

    private static func role(of line: String) -> Role {
        switch line.first {
        case "+": .added
        case "-": .removed
        case "@": .dim
        default: .plain
        }
    }
}
