/// The completion of the text under edit: its candidates, and the list while it is open.
struct FieldCompletion: Equatable, Sendable {
    private(set) var list: CompletionList?
    private var source = CompletionSource()
    /// The folder read last, and the one that is being read.
    private var listing: FolderListing?
    private var asked: String?

    /// An action while the list is open, or that opens it.
    enum Handling: Equatable {
        /// The action means what it means without a list.
        case ignored
        case handled
        case insert(String, at: Range<Int>)
    }

    mutating func begin(_ source: CompletionSource) { self = FieldCompletion(source: source) }

    mutating func close() { list = nil }

    /// True for a template that is the name of a variable.
    func hasVariable(of template: String) -> Bool {
        guard template.hasPrefix("{{"), template.hasSuffix("}}") else { return false }
        let name = template.dropFirst(2).dropLast(2)
        return source.variables.contains { $0.name == name }
    }

    init(source: CompletionSource = CompletionSource()) { self.source = source }

    // MARK: Actions

    mutating func handle(_ action: Action, _ text: EditedText) -> Handling {
        guard let list else { return opens(action, text) ? .handled : .ignored }
        switch action {
        case .move(let movement): self.list?.move(movement)
        case .nextField: return insert(list)
        case .accept: return list.insertsOnEnter ? insert(list) : .ignored
        case .text(.move(.right)):
            return text.cursor == text.buffer.count ? insert(list) : .ignored
        case .leave: self.list = nil
        default: return .ignored
        }
        return .handled
    }

    private func insert(_ list: CompletionList) -> Handling {
        list.marked.map { .insert($0.name + list.suffix, at: list.range) } ?? .ignored
    }

    /// Opens the list of everything: when it is asked for, and by Down where the cursor has nowhere to go.
    private mutating func opens(_ action: Action, _ text: EditedText) -> Bool {
        let isAtEnd = action == .text(.move(.down)) && text.cursor == text.buffer.count
        guard isAtEnd || action == .editor(.complete) else { return false }
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: true, listing)
        return list != nil
    }

    // MARK: Following the text

    /// Opens, narrows or closes the list after an edit.
    /// - Parameter folder: that of the collection.
    mutating func follow(_ edit: TextEdit, _ text: EditedText, in folder: String) -> [Outcome] {
        switch edit {
        case .insert(let typed) where typed.utf8.count <= Self.maximumTyped: break
        case .deleteBackward, .deleteForward, .deleteWordBackward: break
        default:
            list = nil
            return []
        }
        return renew(text, in: folder)
    }

    /// Closes the list behind a chosen text, unless more of it follows: a name in a folder, the source of a secret.
    mutating func follow(inserted new: String, _ text: EditedText, in folder: String) -> [Outcome] {
        list = nil
        return new.last == "/" || new.last == " " ? renew(text, in: folder) : []
    }

    private mutating func renew(_ text: EditedText, in folder: String) -> [Outcome] {
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: false, listing)
        guard let wanted = source.folder(for: text.buffer.text(0..<text.cursor)), wanted != listing?.folder,
            wanted != asked
        else { return [] }
        asked = wanted
        return [.effect(.listFolder(wanted, in: folder))]
    }

    /// Longer texts were not typed.
    private static let maximumTyped = 40

    mutating func receive(_ listing: FolderListing, _ text: EditedText) {
        guard listing.folder == asked else { return }
        self.listing = listing
        asked = nil
        list = source.list(for: text.buffer, cursor: text.cursor, isAsked: false, listing)
    }

    // MARK: The screen

    func draw(_ text: EditedText, on surface: inout Surface, at cursor: Point, in area: Rect) {
        guard let list, let place = place(text, at: cursor, in: area) else { return }
        list.draw(on: &surface, place)
    }

    /// Marks the row of the open list at a point; false where there is none.
    mutating func mark(at point: Point, _ text: EditedText, cursor: Point, in area: Rect) -> Bool {
        place(text, at: cursor, in: area).flatMap { list?.mark(at: point, $0) } ?? false
    }

    private func place(_ text: EditedText, at cursor: Point, in area: Rect) -> CompletionList.Place? {
        guard let list, list.range.lowerBound <= text.cursor, text.cursor <= text.buffer.count else { return nil }
        let before = TextWidth.of(text.buffer.text(list.range.lowerBound..<text.cursor))
        return list.place(at: cursor, before: before, in: area)
    }
}

extension TextField {
    mutating func insert(_ text: String, at range: Range<Int>) { change { $0.replace(range, with: text) } }
}

/// The texts that could complete what is being typed, one of them marked.
struct CompletionList: Equatable, Sendable {
    /// The bytes of the text that a chosen one replaces.
    let range: Range<Int>
    /// The closest first.
    let items: [FieldChoice]
    /// Written behind the chosen one.
    let suffix: String
    private(set) var position = ListPosition()
    /// True once Up or Down has moved the mark.
    private(set) var isChosen = false
    private let typed: String
    /// True for a text that is not valid as it stands: a template without its end, a file that does not exist.
    private let isNeeded: Bool

    static let maximumRows = 8
    /// More would not be looked through.
    private static let maximumItems = 100

    /// Returns nil where nothing matches, and where the only match is there already.
    init?(
        _ typed: String, at range: Range<Int>, of candidates: [FieldChoice], suffix: String = "", isNeeded: Bool = false
    ) {
        let items = Self.matches(typed, candidates)
        guard let first = items.first, isNeeded || items.count > 1 || first.name != typed else { return nil }
        self.items = Array(items.prefix(Self.maximumItems))
        self.typed = typed
        self.range = range
        self.suffix = suffix
        self.isNeeded = isNeeded
    }

    /// True where Enter inserts the marked row, too; it submits the text otherwise.
    var insertsOnEnter: Bool { isChosen || isNeeded }

    /// Those that begin with the text come first, then those that hold it, or its letters in order.
    private static func matches(_ typed: String, _ candidates: [FieldChoice]) -> [FieldChoice] {
        guard !typed.isEmpty else { return candidates }
        let start = typed.lowercased()
        let match = FuzzyMatch(typed)
        var (beginning, others): ([FieldChoice], [(score: Int, choice: FieldChoice)]) = ([], [])
        for choice in candidates {
            if choice.name.lowercased().hasPrefix(start) {
                beginning.append(choice)
            } else if let score = match.score(choice.name) {
                others.append((score, choice))
            }
        }
        return beginning + others.sorted { $0.score > $1.score }.map(\.choice)
    }

    /// The row that Tab inserts. A text that is complete as it stands is left alone, unless another row is chosen.
    var marked: FieldChoice? {
        isChosen || isNeeded || items.first?.name != typed ? items[safe: position.cursor] : nil
    }

    mutating func move(_ movement: Movement) {
        // The first step marks the first row where none is marked.
        if marked != nil { position.move(movement, count: items.count, page: Self.maximumRows) }
        isChosen = true
    }

    /// Marks the row at a point; false for a point outside of the list.
    mutating func mark(at point: Point, _ place: Place) -> Bool {
        guard place.rect.contains(point) else { return false }
        position.place(at: place.first + point.row - place.rect.row, count: items.count, page: Self.maximumRows)
        isChosen = true
        return true
    }

    // MARK: Drawing

    /// The place of the list on the screen.
    struct Place: Equatable {
        var rect: Rect
        /// The item in its first row.
        var first: Int
        var names: Int
    }

    private static let maximumColumns = 56
    /// The mark, the spaces between name and note, and one at the end.
    private static let otherColumns = 4

    /// Returns the place below the cursor of the text, or above where there is more room; never on its row.
    /// - Parameter before: the columns of the replaced text, which end at the cursor.
    func place(at cursor: Point, before: Int, in area: Rect) -> Place {
        let (above, below) = (max(0, cursor.row - area.row), max(0, area.endRow - cursor.row - 1))
        let wanted = min(items.count, Self.maximumRows)
        let isBelow = below >= min(wanted, 3) || below >= above
        let rows = min(wanted, isBelow ? below : above)
        let names = min(items.map { TextWidth.of($0.name) }.max() ?? 0, Self.maximumColumns / 2)
        // A wide screen has room for descriptions.
        let maximum = min(max(Self.maximumColumns, area.columns / 2), area.columns)
        let columns = min(names + notes + Self.otherColumns, maximum)
        let left = max(area.column, min(cursor.column - before - 1, area.endColumn - columns))
        let row = isBelow ? cursor.row + 1 : cursor.row - rows
        // A list with less room than its position counts on keeps the mark in view.
        let first = min(position.offset + max(0, position.cursor - position.offset - rows + 1), items.count - rows)
        return Place(rect: Rect(column: left, row: row, columns: columns, rows: rows), first: first, names: names)
    }

    private var notes: Int { items.map { TextWidth.of($0.note) }.max() ?? 0 }

    func draw(on surface: inout Surface, _ place: Place) {
        let rect = place.rect
        surface.fill(rect)
        let reserve = notes > 0 ? min(notes, 8) + 3 : 1
        for line in 0..<rect.rows {
            let item = items[place.first + line]
            let isMarked = marked != nil && place.first + line == position.cursor
            var pen = Pen(rect.line(line))
            pen.write(isMarked ? "▌" : " ", Style(.info), on: &surface)
            pen.write(item.name.padded(to: place.names), on: &surface, keeping: reserve)
            pen.skip(2)
            pen.write(item.note, Style(.dim), on: &surface, keeping: 1)
            surface.restyle(rect.line(line), adding: isMarked ? [.highlight, .reverse, .bold] : .highlight)
        }
    }
}
