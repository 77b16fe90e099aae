/// A list to choose from; typing narrows it down.
struct PickerOverlay: Equatable, Sendable {
    struct Item: Equatable, Sendable {
        var name: String
        var note = ""
        /// Other names that find it.
        var aliases: [String] = []
        var action: Action
        /// The word for it in the key line, which finds it where that is typed as a whole.
        var footer: String?
        /// False for a command that can do nothing now.
        var isPossible = true

        /// The text that is searched.
        fileprivate var text: String { ([name, note] + aliases).joined(separator: " ") }

        /// More than any match scores.
        private static let inFront = 1 << 40

        /// Returns a score that is higher for closer matches: names that begin with what is typed come before all others, and
        /// first the one that is typed as a whole.
        func score(_ match: FuzzyMatch, typed: String) -> Int? {
            if footer?.lowercased() == typed { return .max }
            guard let score = match.score(text) else { return nil }
            let names = ([name] + aliases).map { $0.lowercased() }
            if names.contains(typed) { return .max }
            return names.contains { $0.hasPrefix(typed) } ? score + Self.inFront : score
        }
    }

    /// A choice that is typed and stands in no list.
    enum TypedChoice: Equatable, Sendable {
        case method(of: SavedRequest)
        case newFolder(in: String, path: String, Transfer)

        /// True for one that is offered below what matches the text; any other needs a text that matches nothing.
        var isBelowMatches: Bool { if case .newFolder = self { true } else { false } }

        func item(_ text: String) -> Item? {
            switch self {
            case .method(var request):
                guard let method = try? RequestMethod(text: text.uppercased()) else { return nil }
                request.method = method
                return Item(name: method.rawValue, note: "sent as it is", action: .request(.replace(request)))
            case .newFolder(let collection, let path, let transfer):
                let name = text.trimmed
                return Item(
                    name: "New folder \"\(name)\" in \(collection)",
                    action: .tree(.putInNewFolder(name, path: path, transfer)))
            }
        }
    }

    let title: String
    private let items: [Item]
    private(set) var filter = TextField()
    private(set) var position = ListPosition()
    /// The action of Tab.
    var alternative: Action?
    /// The choices that a text may be.
    var others: [TypedChoice] = []
    /// The heading of rows that are a table.
    var heading = ""
    /// True for the palette, which remembers its choices.
    var isPalette = false
    /// The items that match the filter, the closest first.
    private(set) var shown: [Item]

    /// - Parameter current: the name of the item under the cursor at first.
    init(title: String, items: [Item], current: String? = nil) {
        self.title = title
        self.items = items
        shown = items
        let row = items.firstIndex { $0.name == current } ?? 0
        position.place(at: row, count: items.count, page: items.count)
    }

    private var matches: [Item] {
        let match = FuzzyMatch(filter.text)
        guard !match.isEmpty else { return items }
        let typed = filter.text.lowercased()
        let scored = items.enumerated().compactMap { index, item in
            item.score(match, typed: typed).map { (score: $0, index: index) }
        }
        // Matches by chance show only where nothing else is found.
        let close = scored.filter { $0.score >= 0 || !match.isLoose(items[$0.index].text) }
        let found = (close.isEmpty ? scored : close).sorted { ($1.score, $0.index) < ($0.score, $1.index) }
            .map { items[$0.index] }
        return found + others.filter { found.isEmpty || $0.isBelowMatches }.compactMap { $0.item(filter.text) }
    }

    var chosen: Item? { shown[safe: position.cursor] }

    /// Returns the chosen action; nil while the picker stays open.
    mutating func handle(_ action: Action, in screen: Rect) -> [Action]? {
        switch action {
        case .move(let movement): position.move(movement, count: shown.count, page: Self.maximumRows)
        case .mouse(.wheel(_, let lines)): position.scroll(by: lines, count: shown.count, page: page(in: screen))
        case .mouse(.click(let point)): return click(point, in: screen)
        case .text(let edit): perform(edit)
        case .accept: return chosen.map { [$0.action] }
        case .nextField: return alternative.map { [$0] }
        default: break
        }
        return nil
    }

    /// Chooses the row at a point, or places the caret in the filter.
    private mutating func click(_ point: Point, in screen: Rect) -> [Action]? {
        let inside = inside(in: screen)
        if inside.top(1).contains(point) {
            filter.click(column: point.column - inside.column, in: inside.columns)
        }
        let list = inside.dropTop(2)
        guard list.contains(point) else { return nil }
        let row = position.first(ofVisible: list.rows) + point.row - list.row
        guard row < shown.count else { return nil }
        position.place(at: row, count: shown.count, page: Self.maximumRows)
        return [shown[row].action]
    }

    private func page(in screen: Rect) -> Int { max(1, min(Self.maximumRows, inside(in: screen).rows - 2)) }

    private mutating func perform(_ edit: TextEdit) {
        if case .insert(let text) = edit {
            filter.perform(.insert(String(text.prefix(max(0, Self.maximumFilter - filter.text.count)))))
        } else {
            filter.perform(edit)
        }
        shown = matches
        position.place(at: 0, count: shown.count, page: Self.maximumRows)
    }

    private static let maximumRows = 14
    /// In characters: no name is as long, and each is searched for it.
    private static let maximumFilter = 200

    func inside(in screen: Rect) -> Rect {
        let widths = (items + shown).map { TextWidth.of($0.name) + TextWidth.of($0.note) + 3 }
        let columns = max(36, TextWidth.of(title) + 2, TextWidth.of(heading), widths.max() ?? 0)
        let rows = min(items.count + others.count { $0.isBelowMatches }, Self.maximumRows)
        return OverlayFrame.inside(columns: min(columns, screen.columns - 6), rows: rows + 2, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        let cursor = filter.draw(on: &surface, in: inside.top(1))
        if filter.text.isEmpty {
            let hint = others.contains { $0.isBelowMatches } ? "Type to filter, or a new folder" : "Type to filter"
            surface.write(hint, at: inside.origin, style: Style(.dim, .underline), limit: inside.columns)
        }
        surface.write(heading, at: inside.line(1).origin, style: Style(.dim), limit: inside.columns)
        let list = inside.dropTop(2)
        let first = position.first(ofVisible: list.rows)
        for line in 0..<list.rows where first + line < shown.count {
            let item = shown[first + line]
            var pen = Pen(list.line(line))
            let noteColumns = TextWidth.of(item.note)
            pen.write(item.name, on: &surface, keeping: noteColumns <= list.columns / 3 ? noteColumns + 2 : 0)
            pen.skip(to: max(pen.column - list.column + 2, list.columns - noteColumns))
            pen.write(item.note, Style(.dim), on: &surface)
            if first + line == position.cursor {
                surface.restyle(list.line(line), adding: .highlight)
            }
        }
        if shown.isEmpty {
            surface.write("No match; Backspace shows more", at: list.origin, style: Style(.dim), limit: list.columns)
        }
        if shown.count > list.rows {
            let mark = ListMark.spans(row: position.cursor + 1, first: first, page: list.rows, count: shown.count)
            OverlayFrame.mark(mark, around: inside, on: &surface)
        }
        return cursor
    }
}
