/// Every key and its action, generated from the keymap: those that are needed most, then all that work here, the
/// symbols of the screen, the other keys, and the actions without one. It shows in two columns where there is room, and
/// a search leaves the lines that match. The manual is shown in the same way, in one column; as it is read in order, a
/// search there ends at the first place in the whole text.
struct HelpOverlay: Equatable, Sendable {
    /// The lines for a width and a search: a page of the manual is not laid out anew for every key.
    private struct Content: Equatable {
        var width = 0
        var words: [String] = []
        var lines: [HelpLine] = []
    }

    private let title: String
    private let sections: [HelpSection]
    private let maximumColumns: Int
    private var content = Content()
    private var filter = TextField()
    private var isSearching = false
    private var top = 0
    /// The words that were searched for in the manual, whose places are marked.
    private var sought: [String] = []
    /// The line of the place that was gone to last.
    private var place = 0

    /// - Parameter first: the keys that are needed most.
    init(keymap: Keymap, scopes: [KeyScope], first: [Binding] = []) {
        title = "Keys"
        maximumColumns = 2
        let others = KeyScope.allCases.filter { !scopes.contains($0) }
        sections =
            (first.isEmpty ? [] : [HelpSection("Most used here", first)])
            + HelpSection.sections(of: scopes, in: keymap) + [.symbols, .typing(in: keymap)]
            + HelpSection.sections(of: others, in: keymap) + [.withoutKey(in: keymap)]
    }

    init(manual pages: [String]) {
        title = "Manual"
        maximumColumns = 1
        sections = ManualText.contents(of: pages) + ManualText.sections(of: pages)
    }

    var scope: KeyScope { isSearching ? .helpSearch : .help }

    private var isManual: Bool { maximumColumns == 1 }

    /// True while there are places to step through.
    var hasPlaces: Bool { !sought.isEmpty }

    /// Returns true when the help closes: with a search, that ends first.
    mutating func leave() -> Bool {
        guard isSearching || !filter.text.isEmpty else { return true }
        isSearching = false
        filter = TextField()
        top = 0
        return false
    }

    mutating func handle(_ action: Action, on screen: Size) {
        switch action {
        case .view(.find): isSearching = true
        case .view(.findNext): goToPlace(after: place, on: screen)
        case .view(.findPrevious): goToPlace(before: place, on: screen)
        case .accept where isManual: showPlaces(on: screen)
        case .accept: isSearching = false
        case .text(let edit) where isSearching:
            filter.perform(edit)
            content = content(columns: sheet(screen).width)
            top = 0
        case .move(let movement): move(movement, on: screen)
        case .mouse(.click(let point)): click(point, in: Rect(screen).dropBottom(1))
        case .mouse(.wheel(_, let lines)):
            for _ in 0..<abs(lines) { move(lines > 0 ? .down : .up, on: screen) }
        default: break
        }
    }

    /// Shows all of the manual again, from the first line that has the words.
    private mutating func showPlaces(on screen: Size) {
        sought = Self.words(in: filter.text)
        isSearching = false
        filter = TextField()
        // A page is gone to by its heading, wherever else its name occurs.
        let title = sought.joined(separator: " ")
        let heading = places(on: screen).first { line in
            content.lines[line].heading.split(separator: "›").last?.lowercased().contains(title) ?? false
        }
        goToPlace(after: heading.map { $0 - 1 } ?? -1, on: screen)
    }

    /// Goes to the next place, after the last one to the first.
    private mutating func goToPlace(after line: Int, on screen: Size) {
        let places = places(on: screen)
        guard let place = places.first(where: { $0 > line }) ?? places.first else { return }
        go(to: place, on: screen)
    }

    private mutating func goToPlace(before line: Int, on screen: Size) {
        let places = places(on: screen)
        guard let place = places.last(where: { $0 < line }) ?? places.last else { return }
        go(to: place, on: screen)
    }

    private mutating func go(to line: Int, on screen: Size) {
        (place, top) = (line, line)
        // Not beyond the last page.
        move(.right, on: screen)
    }

    /// The lines that have all the words.
    private mutating func places(on screen: Size) -> [Int] {
        guard hasPlaces else { return [] }
        content = content(columns: sheet(screen).width)
        return content.lines.indices.filter { content.lines[$0].contains(sought) }
    }

    /// Places the caret in the search.
    private mutating func click(_ point: Point, in screen: Rect) {
        let field = inside(in: screen).top(1).dropLeft(1)
        guard isFiltered, field.contains(point) else { return }
        isSearching = true
        filter.click(column: point.column - field.column, in: field.columns)
    }

    private mutating func move(_ movement: Movement, on screen: Size) {
        let sheet = sheet(screen)
        let page = sheet.page(isFiltered: isFiltered)
        content = content(columns: sheet.width)
        let count = content.lines.count
        switch movement {
        case .up: top -= 1
        case .down: top += 1
        case .pageUp: top -= page
        case .pageDown: top += page
        case .halfPageUp: top -= page / 2
        case .halfPageDown: top += page / 2
        case .top: top = 0
        case .bottom: top = count
        case .left, .right: break
        }
        top = min(max(0, top), max(0, count - page))
    }

    private var isFiltered: Bool { isSearching || !filter.text.isEmpty }

    private func content(columns: Int) -> Content {
        let words = Self.words(in: filter.text)
        guard columns != content.width || words != content.words else { return content }
        let shown = sections.map { $0.matching(words) }.filter { !$0.entries.isEmpty }
        let lines = shown.map { $0.lines(columns: columns) }.joined(separator: [HelpLine()])
        return Content(width: columns, words: words, lines: Array(lines))
    }

    private static func words(in text: String) -> [String] {
        text.lowercased().split(separator: " ").map(String.init)
    }

    private func sheet(_ screen: Size) -> Sheet { Sheet(screen, maximumColumns: maximumColumns) }

    // MARK: Drawing

    /// The measures of the help on a screen, with its last row, which stays free.
    private struct Sheet {
        let inside: Int
        let rows: Int
        let columns: Int
        static let gap = 3

        init(_ screen: Size, maximumColumns: Int) {
            columns = screen.columns >= 104 ? maximumColumns : 1
            let width = columns == 2 ? 140 : maximumColumns == 1 ? 100 : 68
            // A frame beside that of a pane would be two lines: it covers that, or leaves room.
            inside = max(1, screen.columns - width <= 6 ? screen.columns - 4 : width)
            rows = max(1, screen.rows - 5)
        }

        var width: Int { (inside - Self.gap * (columns - 1)) / columns }

        /// The lines that show at once.
        func page(isFiltered: Bool) -> Int { columns * max(1, rows - (isFiltered ? 2 : 0)) }
    }

    func inside(in screen: Rect) -> Rect {
        let sheet = sheet(Size(columns: screen.columns, rows: screen.rows + 1))
        return OverlayFrame.inside(columns: sheet.inside, rows: sheet.rows, in: screen)
    }

    func draw(on surface: inout Surface, in screen: Rect) -> Point? {
        let sheet = sheet(Size(columns: screen.columns, rows: screen.rows + 1))
        var inside = OverlayFrame.draw(title, around: inside(in: screen), on: &surface)
        let cursor = isFiltered ? drawSearch(on: &surface, in: inside.top(1)) : nil
        if isFiltered { inside = inside.dropTop(2) }
        let lines = content(columns: sheet.width).lines
        let page = inside.rows * sheet.columns
        OverlayFrame.mark(ListMark.spans(first: top, page: page, count: lines.count), around: inside, on: &surface)
        if lines.isEmpty {
            surface.write(
                "No match; Backspace shows more", at: inside.origin, style: Style(.dim), limit: inside.columns)
        }
        for column in 0..<sheet.columns {
            let part = inside.dropLeft(column * (sheet.width + Sheet.gap)).left(sheet.width)
            for row in 0..<inside.rows {
                let index = top + column * inside.rows + row
                guard index < lines.count else { continue }
                lines[index].draw(on: &surface, in: part.line(row))
                if hasPlaces, lines[index].contains(sought) {
                    surface.restyle(part.line(row), adding: .highlight)
                }
            }
        }
        return cursor
    }

    private func drawSearch(on surface: inout Surface, in line: Rect) -> Point? {
        surface.write("/", at: line.origin, style: Style(.footerKey, .bold))
        guard isSearching else {
            surface.write(filter.text, at: line.dropLeft(1).origin, limit: line.columns - 1)
            return nil
        }
        return filter.draw(on: &surface, in: line.dropLeft(1))
    }
}
