/// A body on the screen: its view, and the position in it.
package struct ViewerPage: Sendable, Equatable {
    package private(set) var document: BodyDocument
    private(set) var mode: ViewerMode
    private(set) var content: ViewerContent
    /// Positions of rows (see `ViewerRows`).
    private(set) var top = ViewerPosition.start
    private(set) var cursor = ViewerPosition.start
    /// The columns out of sight on the left.
    var left = 0
    /// The selection's anchor row; the cursor is at the other end. Nil without a selection.
    var anchor: ViewerPosition?
    private(set) var wraps: Bool
    /// The number of open levels; nil when the rows were not folded by level.
    private var level: Int?
    private(set) var columns = 80

    /// Deeper levels are not folded one by one.
    private static let deepest = 32

    init(_ document: BodyDocument, wraps: Bool = true) {
        self.document = document
        self.wraps = wraps
        mode = Self.firstMode(of: document)
        content = ViewerContent(document, mode, columns: columns, wraps: wraps)
        cursor = rows.aligned(.start)
        top = cursor
    }

    /// The initial mode. JSON with an error at its first values shows as text.
    private static func firstMode(of document: BodyDocument) -> ViewerMode {
        if case .picture = document.shape { return .formatted }
        guard document.kind.isText || document.kind == .empty else { return .hex }
        guard !document.isFiltered else { return .formatted }
        return document.json.map { $0.error != nil && $0.entryCount < 3 } ?? false ? .text : .formatted
    }

    package static func == (left: ViewerPage, right: ViewerPage) -> Bool {
        left.document == right.document && left.mode == right.mode && left.top == right.top
            && left.cursor == right.cursor && left.anchor == right.anchor && left.left == right.left
            && left.wraps == right.wraps
            && left.rows.last == right.rows.last
    }

    var rows: any ViewerRows { content.rows }

    /// The path of the row under the cursor, in the form for copying; nil if rows have only numbers.
    package var path: String? {
        switch content {
        case .json(let rows): rows.fullPath(at: cursor)
        case .markup: rows.path(at: cursor)
        case .text, .table, .events, .form, .picture, .hex: nil
        }
    }

    /// The JSON value under the cursor; nil on another kind of row.
    package var jsonNode: (document: JSONDocument, node: JSONNode)? {
        guard case .json(let rows) = content, let node = rows.node(at: cursor), let json = document.json else {
            return nil
        }
        return (json, node)
    }

    /// The path in its short form, which is a JSONPath: `$.names[0]`; nil in one of many roots.
    package var shortPath: String? { rows.path(at: cursor).flatMap { $0.hasPrefix("$") ? $0 : nil } }

    /// The bytes that a search in this mode goes through.
    var searched: Bytes {
        if case .hex = content { document.raw } else { document.text }
    }

    /// Returns false for a byte that a filter left out.
    func shows(byte offset: Int) -> Bool {
        if case .json(let rows) = content { rows.shows(byte: offset) } else { true }
    }

    /// Returns true when that many rows show all of the body.
    func showsAll(rows count: Int) -> Bool {
        top == rows.aligned(.start) && rows.position(top, movedBy: count - 1) >= rows.last
    }

    // MARK: Growing and resizing

    mutating func grow(to document: BodyDocument, page: Int) {
        let wasUntouched = cursor == rows.aligned(.start)
        let kindChanged = self.document.kind != document.kind
        let hadOneMode = modes.count == 1
        self.document = document
        if wasUntouched && kindChanged {
            let width = columns
            self = ViewerPage(document, wraps: wraps)
            resize(columns: width, page: page)
            return
        }
        if wasUntouched, mode == .formatted || hadOneMode { mode = Self.firstMode(of: document) }
        rebuild(before: content, page: page)
    }

    mutating func resize(columns: Int, page: Int) {
        if columns != self.columns {
            self.columns = columns
            rebuild(before: content, page: page)
        }
        content.fit(columns: columns, rows: page)
        show(page: page)
    }

    private mutating func rebuild(before: ViewerContent?, page: Int) {
        let (wasCursor, wasTop) = (rows.range(at: cursor).lowerBound, rows.range(at: top).lowerBound)
        content = ViewerContent(document, mode, columns: columns, wraps: wraps, before: before)
        if !(before?.isSameKind(as: content) ?? false) {
            cursor = rows.position(ofByte: wasCursor)
            top = rows.position(ofByte: wasTop)
            anchor = nil
        }
        anchor = anchor.map(rows.aligned)
        cursor = rows.aligned(cursor)
        top = rows.aligned(top)
        show(page: page)
    }

    // MARK: Moving

    mutating func move(_ movement: Movement, page: Int) {
        switch movement {
        case .up: step(-1, page: page)
        case .down: step(1, page: page)
        case .pageUp: scroll(by: -max(1, page - 1), page: page)
        case .pageDown: scroll(by: max(1, page - 1), page: page)
        case .halfPageUp: scroll(by: -max(1, page / 2), page: page)
        case .halfPageDown: scroll(by: max(1, page / 2), page: page)
        case .top:
            left = 0
            place(at: rows.aligned(.start), page: page)
        case .bottom: place(at: rows.last, page: page)
        case .left: scrollSideways(forward: false, page: page)
        case .right: scrollSideways(forward: true, page: page)
        }
    }

    private mutating func step(_ count: Int, page: Int) {
        cursor = rows.position(cursor, movedBy: count)
        show(page: page)
    }

    private mutating func scroll(by count: Int, page: Int) {
        cursor = rows.position(cursor, movedBy: count)
        top = min(rows.position(top, movedBy: count), lastTop(page))
        show(page: page)
    }

    /// Scrolls the page, and the cursor only where it would leave the screen.
    mutating func wheel(by count: Int, page: Int) {
        top = min(rows.position(top, movedBy: count), lastTop(page))
        cursor = min(max(cursor, top), rows.position(top, movedBy: page - 1))
        scrollBack(page: page)
    }

    mutating func place(at position: ViewerPosition, page: Int) {
        cursor = rows.aligned(position)
        show(page: page)
    }

    /// Moves the cursor to the row of a byte, unfolding what hides it; a row that was out of sight comes to the middle.
    mutating func go(toByte offset: Int, page: Int) {
        let end = anchor.map(remember)
        content.rows.reveal(byte: offset)
        anchor = end.map(recall)
        go(to: rows.position(ofByte: offset), page: page)
    }

    /// Moves the cursor to a row; one that was out of sight comes to the middle.
    mutating func go(to position: ViewerPosition, page: Int) {
        cursor = rows.aligned(position)
        if cursor < top || cursor > rows.position(top, movedBy: page - 1) {
            top = rows.position(cursor, movedBy: -page / 2)
        }
        show(page: page)
    }

    private mutating func show(page: Int) {
        cursor = rows.aligned(cursor)
        top = min(rows.aligned(top), cursor)
        let first = rows.position(cursor, movedBy: -(max(1, page) - 1))
        top = min(max(top, first), lastTop(page))
        scrollBack(page: page)
    }

    private func lastTop(_ page: Int) -> ViewerPosition { rows.position(rows.last, movedBy: -(max(1, page) - 1)) }

    // MARK: Folding

    /// A position that survives changes of the rows.
    private typealias Memory = (position: ViewerPosition, byte: Int)

    private func remember(_ position: ViewerPosition) -> Memory {
        (position, rows.range(at: position).lowerBound)
    }

    /// Returns the current position of a row. JSON rows keep their identity; the numbers of others change.
    private func recall(_ memory: Memory) -> ViewerPosition {
        memory.position.row == nil ? rows.position(ofByte: memory.byte) : rows.aligned(memory.position)
    }

    /// Folds or unfolds the row under the cursor.
    /// - Returns: False if there was nothing to fold.
    mutating func toggleFold(page: Int) -> Bool {
        guard rows.isFolded(at: cursor) != nil else { return false }
        let end = anchor.map(remember)
        content.rows.toggleFold(at: cursor)
        anchor = end.map(recall)
        show(page: page)
        return true
    }

    /// Folds the row under the cursor, or goes to its parent.
    mutating func foldOrGoToParent(page: Int) {
        if rows.isFolded(at: cursor) == false { return _ = toggleFold(page: page) }
        if let parent = rows.parent(of: cursor) { place(at: parent, page: page) }
    }

    /// Unfolds the row under the cursor, or goes to the row below.
    mutating func unfoldOrGoDown(page: Int) {
        if rows.isFolded(at: cursor) == true { return _ = toggleFold(page: page) }
        step(1, page: page)
    }

    /// Folds one level more (-1) or less (1), or unfolds all (nil).
    mutating func fold(_ change: Int?, page: Int) {
        guard rows.folds else { return }
        let (start, end) = (remember(cursor), anchor.map(remember))
        level = change.map { change in
            min(max(1, (level ?? (change < 0 ? 2 : Self.deepest)) + change), Self.deepest)
        }
        content.rows.fold(toLevel: level == Self.deepest ? nil : level)
        (cursor, anchor) = (recall(start), end.map(recall))
        top = min(top, cursor)
        show(page: page)
    }

    mutating func goToParent(page: Int) {
        if let parent = rows.parent(of: cursor) { place(at: parent, page: page) }
    }

    mutating func goToSibling(forward: Bool, page: Int) {
        if let sibling = rows.sibling(of: cursor, forward: forward) { place(at: sibling, page: page) }
    }

    // MARK: Modes

    var modes: [ViewerMode] {
        switch document.shape {
        case .json(let tree) where tree.isFiltered: [.formatted]
        case .hex, .empty: [.hex]
        case .text: [.text, .hex]
        case .picture: [.formatted, .hex]
        default: [.formatted, .text, .hex]
        }
    }

    /// The visible mode: content that has no other layout than its text is text when it is formatted.
    var shownMode: ViewerMode { modes.contains(mode) ? mode : modes[0] }

    var nextMode: ViewerMode { modes[((modes.firstIndex(of: shownMode) ?? 0) + 1) % modes.count] }

    mutating func switchMode(page: Int) {
        mode = nextMode
        left = 0
        rebuild(before: nil, page: page)
    }

    mutating func toggleWrap(page: Int) {
        wraps.toggle()
        left = 0
        rebuild(before: nil, page: page)
    }
}
