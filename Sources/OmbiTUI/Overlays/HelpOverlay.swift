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
        case .view(.findNext): goToPlace(from: place, forward: true, on: screen)
        case .view(.findPrevious): goToPlace(from: place, forward: false, on: screen)
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
        goToPlace(from: heading.map { $0 - 1 } ?? -1, forward: true, on: screen)
    }

    /// Goes to the next place, after the last one to the first, or to the previous one.
    private mutating func goToPlace(from line: Int, forward: Bool, on screen: Size) {
        let places = places(on: screen)
        let target =
            forward ? places.first { $0 > line } ?? places.first : places.last { $0 < line } ?? places.last
        guard let target else { return }
        (place, top) = (target, target)
        // Not beyond the last page.
        move(.right, on: screen)
    }

    /// The lines that have all the words.
    private mutating func places(on screen: Size) -> [Int] {
        guard hasPlaces else { return [] }
        content = content(columns: sheet(screen).width)
        return content.lines.indices.filter { content.lines[$0].contains(sought) }
    }

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
        let target = top + movement.rows(page: page, halfPage: page / 2)
        top = min(max(0, target), max(0, content.lines.count - page))
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

/// A part of the help: a heading, and keys or symbols with their meanings.
struct HelpSection: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var sign: String
        var label: String
        /// The column of the label; nil for that of all keys.
        var column: Int?

        static let blank = Entry(sign: "", label: "", column: 0)
    }

    let title: String
    private(set) var entries: [Entry]

    init(_ title: String, _ bindings: [Binding]) {
        self.title = title
        entries = KeymapRow.rows(of: bindings.filter { !$0.sequences.isEmpty }).map {
            Entry(sign: $0.keyNames, label: $0.label)
        }
    }

    /// The keys of some scopes, one section each, and of all of them those that edit a line: these are in most fields the
    /// same, and stand once.
    static func sections(of scopes: [KeyScope], in keymap: Keymap) -> [HelpSection] {
        let shared = Self.shared(in: keymap)
        return scopes.map { scope in
            HelpSection(scope.title, keymap.bindings.filter { $0.scope == scope && shared[line(of: $0)] == nil })
        }.filter { !$0.entries.isEmpty }
    }

    /// The keys that edit a line wherever text is typed.
    static func typing(in keymap: Keymap) -> HelpSection {
        var shared = Self.shared(in: keymap)
        return HelpSection(
            "Wherever text is typed", keymap.bindings.filter { shared.removeValue(forKey: line(of: $0)) != nil })
    }

    /// The actions without a key, where there is a palette that has them.
    static func withoutKey(in keymap: Keymap) -> HelpSection {
        let palette = keymap.bindings.first { $0.action == .app(.palette) && !$0.sequences.isEmpty }
        guard let keys = palette?.sequences.first else { return HelpSection("", [Entry]()) }
        var known: Set<String> = []
        let labels = keymap.bindings.filter { $0.sequences.isEmpty }.map(\.label).filter { known.insert($0).inserted }
        return HelpSection(
            "In the palette (\(Key.names(of: keys)))", labels.map { Entry(sign: "", label: $0, column: 0) })
    }

    private static func line(of binding: Binding) -> String { "\(binding.keyNames)\t\(binding.label)" }

    /// The lines of the keys for text that several scopes have alike, with their numbers.
    private static func shared(in keymap: Keymap) -> [String: Int] {
        let edits = keymap.bindings.filter { if case .text = $0.action { true } else { false } }
        return edits.reduce(into: [String: Int]()) { $0[line(of: $1), default: 0] += 1 }.filter { $0.value > 1 }
    }

    init(_ title: String, _ entries: [Entry]) {
        self.title = title
        self.entries = entries
    }

    static let symbols = HelpSection(
        "Symbols",
        [
            Entry(sign: "●", label: "Has unsaved edits"),
            Entry(sign: "◆", label: "Selected, to act on together; marked, to compare with"),
            Entry(sign: "✓", label: "Succeeded; valid; sent"),
            Entry(sign: "✗", label: "Failed; invalid; unreadable"),
            Entry(sign: "!", label: "A problem in the file, which the page of the collection shows"),
            Entry(sign: "·", label: "Switched off: not sent"),
            Entry(sign: "↻", label: "Running; in the header: how many run"),
            Entry(sign: "↑", label: "Inherited; in a frame: more above"),
            Entry(sign: "↓", label: "More below"),
            Entry(sign: "▾ ▸", label: "Open, closed; in the header: a choice"),
            Entry(sign: "→", label: "Redirected to"),
            Entry(sign: "2×", label: "The retries of the policy"),
            Entry(sign: "…", label: "Cut off, or not read to its end yet"),
            Entry(sign: "⏎", label: "A line break in a cell of a table"),
            Entry(sign: "░ ▒ ▚ ▓ █", label: "Resolve; connect; TLS; wait; receive"),
            Entry(sign: "─ · ▏", label: "Queued; between attempts; very short"),
            Entry(sign: "▓▓▓░░", label: "The part of the SLA that is left"),
        ])

    /// The part of the section in which all the words occur; all of it when its title has them.
    func matching(_ words: [String]) -> HelpSection {
        guard !Self.contains(words, in: title) else { return self }
        return HelpSection(
            title, entries.filter { Self.contains(words, in: "\(title) \($0.sign) \($0.label)") })
    }

    fileprivate static func contains(_ words: [String], in text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }

    /// The heading and the entries, with labels broken into lines.
    func lines(columns: Int) -> [HelpLine] {
        let margin = columns < 60 ? 17 : 20
        return [HelpLine(heading: title)]
            + entries.flatMap { entry in
                let width = TextWidth.of(entry.sign)
                let start = max(entry.column ?? margin, width == 0 ? 0 : width + 1)
                // Beside a long sign there is no room: the label goes below it.
                if entry.label.isEmpty || start > columns / 2 {
                    let texts = WrappedText.lines(of: entry.label, columns: columns - 4)
                    return [HelpLine(sign: entry.sign)] + texts.map { HelpLine(start: 4, text: $0) }
                }
                let texts = WrappedText.lines(of: entry.label, columns: columns - start)
                return texts.enumerated().map { index, text in
                    HelpLine(sign: index == 0 ? entry.sign : "", start: start, text: text)
                }
            }
    }
}

/// A line of the help.
struct HelpLine: Equatable, Sendable {
    var heading = ""
    var sign = ""
    var start = 0
    var text = ""

    /// True for a line in which all the words occur, in lowercase.
    func contains(_ words: [String]) -> Bool { HelpSection.contains(words, in: "\(heading) \(sign) \(text)") }

    func draw(on surface: inout Surface, in line: Rect) {
        var pen = Pen(line)
        pen.write(heading, Style(.title, .bold), on: &surface)
        pen.write(sign, Style(.footerKey), on: &surface)
        pen.skip(to: start)
        pen.write(text, on: &surface)
    }
}
