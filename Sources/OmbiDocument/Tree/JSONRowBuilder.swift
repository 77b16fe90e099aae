/// Builds the spans of one row, from left to right.
struct JSONRowBuilder {
    let tree: JSONTree
    let row: JSONRow
    let columns: Int
    let matches: [ByteRange]
    private var spans: [TextSpan] = []
    private(set) var column = 0
    /// True when something did not fit.
    private(set) var isCut = false

    init(tree: JSONTree, row: JSONRow, columns: Int, matches: [ByteRange]) {
        self.tree = tree
        self.row = row
        self.columns = columns
        self.matches = matches
    }

    private var document: JSONDocument { tree.document }

    mutating func build() -> [TextSpan] {
        switch row.part {
        case .error: error()
        case .raw: raw()
        case .value, .piece, .end:
            guard row.index < document.count else { return [] }
            if row.part == .value { value() } else if row.part == .piece { piece() } else { end() }
        }
        return spans
    }

    private mutating func error() {
        guard let error = tree.rest?.error else { return }
        let position = error.position
        let location = "line \(GroupedNumber.text(position.line)), column \(GroupedNumber.text(position.column))"
        note("\(location) (byte \(GroupedNumber.text(error.offset))): \(error.reason)", .invalid, at: error.offset)
    }

    private mutating func raw() {
        guard let rest = tree.rest else { return }
        source(rest.range(of: row), [StyledRange(rest.error.offset..<rest.error.offset + 1, .invalid)])
    }

    private mutating func end() {
        indent()
        source(document.offset(row.index), 1, .punctuation)
        if let node = row.node { comma(after: node.index) }
    }

    private mutating func value() {
        head()
        let index = row.index
        if document.isScalar(index) {
            if tree.opened.contains(row.entry) { piece(isFirst: true) } else { scalar() }
        } else if document.isOneLine(index) {
            oneLine()
        } else if tree.isFolded(row) {
            folded()
        } else {
            source(document.offset(index), 1, .punctuation)
        }
        if let node = row.node, tree.hasDuplicateKey(node) { note("  duplicate key", .emphasis) }
    }
}

/// Indentation, paths and keys.
extension JSONRowBuilder {
    mutating func head() {
        indent()
        if row.depth == 0, tree.isFiltered {
            path(tree.shortPath(of: JSONNode(row.index)))
            return note(": ", .punctuation)
        }
        guard let key = document.keyBytes(of: JSONNode(row.index)) else { return }
        // A key leaves half of the row to its value.
        let room = max(column + 1, (columns + column) / 2)
        source(key, keyStyles(key), upTo: room)
        if isCut {
            isCut = false
            note("\u{2026}", .comment)
        }
        note(": ", .punctuation)
    }

    private func keyStyles(_ key: ByteRange) -> [StyledRange] {
        guard document.hasEscapedKeys else { return [StyledRange(key, .key)] }
        return JSONEscapes(source: document.bytes, literal: key).styles(of: key).map {
            $0.style == .string ? StyledRange($0.range, .key) : $0
        }
    }

    /// Indents by two columns for each level; deeper than half of the row, a note gives the depth instead.
    private mutating func indent() {
        let spaces = 2 * row.depth
        // The width of the tree, so that nothing moves when it is scrolled sideways.
        guard spaces > max(8, tree.columns / 2) else {
            return spaces > 0 ? note(String(repeating: " ", count: spaces), .plain) : ()
        }
        note("\u{22EF} depth \(GroupedNumber.text(row.depth)) ", .comment)
    }
}

/// Values.
extension JSONRowBuilder {
    private mutating func scalar() {
        let range = document.range(of: JSONNode(row.index))
        let hasComma = tree.hasComma(after: row.index, depth: row.depth)
        let room = columns - column - (hasComma ? 1 : 0)
        let reader = ColumnReader(bytes: document.bytes)
        let whole = reader.advance(
            .init(offset: range.lowerBound, column: 0), toOffset: range.upperBound, toColumn: max(0, room),
            end: range.upperBound)
        if whole.offset == range.upperBound {
            source(range, scalarStyles(range, of: range))
        } else {
            cut(range, reader, room: room)
        }
        if hasComma { note(",", .punctuation) }
    }

    private mutating func cut(_ range: ByteRange, _ reader: ColumnReader, room: Int) {
        var left = range
        // The note takes room from the text that it counts: twice is enough for its length to settle.
        for _ in 0..<2 {
            let note = more(left).unicodeScalars.count
            let shown = reader.advance(
                .init(offset: range.lowerBound, column: 0), toOffset: range.upperBound,
                toColumn: max(0, room - (left == range ? 20 : note)), end: range.upperBound)
            left = shown.offset..<range.upperBound
        }
        let shown = range.lowerBound..<left.lowerBound
        source(shown, scalarStyles(shown, of: range))
        note(more(left), .comment)
    }

    /// Returns the size of the hidden rest: in characters or, where counting them takes long, in bytes.
    private func more(_ range: ByteRange) -> String {
        guard range.count <= 1 << 16 else { return "\u{2026} \(GroupedNumber.bytes(range.count)) more" }
        let quotes = document.firstByte(row.index) == 0x22 ? 1 : 0
        let characters = document.bytes(in: range).reduce(into: -quotes) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        return "\u{2026} \(GroupedNumber.text(characters)) more"
    }

    private func scalarStyles(_ part: ByteRange, of range: ByteRange) -> [StyledRange] {
        switch document.kind(of: JSONNode(row.index)) {
        case .string: stringStyles(part, of: range, index: row.index)
        case .number: [StyledRange(part, .number)]
        default: [StyledRange(part, .literal)]
        }
    }

    private func stringStyles(_ part: ByteRange, of range: ByteRange, index: Int) -> [StyledRange] {
        guard document.hasEscapes(index) else { return [StyledRange(part, .string)] }
        return JSONEscapes(source: document.bytes, literal: range).styles(of: part)
    }

    private mutating func piece(isFirst: Bool = false) {
        guard let part = tree.pieceRange(of: row) else { return }
        if !isFirst {
            let start = columns - tree.scalarColumns(of: row)
            note(String(repeating: " ", count: max(0, min(start, columns - 8))), .plain)
        }
        let range = document.range(of: JSONNode(row.index))
        source(part, scalarStyles(part, of: range))
        if part.upperBound == range.upperBound { comma(after: row.index) }
    }

    private mutating func oneLine() {
        let (index, after) = (row.index, document.after(row.index))
        source(document.offset(index), 1, .punctuation)
        for element in index + 1..<after - 1 {
            if element > index + 1 { note(", ", .punctuation) }
            let range = document.range(of: JSONNode(element))
            switch document.kind(of: JSONNode(element)) {
            case .string: source(range, stringStyles(range, of: range, index: element))
            case .number: source(range, [StyledRange(range, .number)])
            default: source(range, [StyledRange(range, .literal)])
            }
        }
        source(document.offset(after - 1), 1, .punctuation)
        comma(after: index)
    }

    private mutating func folded() {
        let isArray = document.isArray(row.index)
        note(isArray ? "[\u{2026}]" : "{\u{2026}}", .punctuation)
        comma(after: row.index)
        let (count, isExact) = tree.childCount(of: JSONNode(row.index))
        let noun = isArray ? "item" : "member"
        let number = GroupedNumber.text(count) + (isExact ? "" : "+")
        note(" \(number) \(noun)\(count == 1 && isExact ? "" : "s")", .comment)
    }

    private mutating func comma(after index: Int) {
        if tree.hasComma(after: index, depth: row.depth) { note(",", .punctuation) }
    }
}

/// Pieces of text.
extension JSONRowBuilder {
    /// Adds text that is not in the body, with characters of one column.
    private mutating func note(_ text: String, _ style: TextStyle, at offset: Int? = nil) {
        let room = max(0, columns - column)
        if text.unicodeScalars.count > room { isCut = true }
        guard room > 0 else { return }
        let position = offset ?? spans.last?.range.upperBound ?? tree.byte(of: row)
        let shown = text.unicodeScalars.count <= room ? text : String(text.unicodeScalars.prefix(room))
        let width = shown.unicodeScalars.count
        spans.append(TextSpan(text: shown, style: style, range: position..<position, columns: width))
        column += width
    }

    /// Adds the path of a match, or its more specific end: text that is not in the body, but has names from it.
    private mutating func path(_ path: String) {
        let text = Bytes(path.utf8)
        let all = 0..<text.count
        let room = max(0, columns / 2 - column)
        let width = ColumnReader(bytes: text).advance(
            .init(offset: 0, column: 0), toOffset: text.count, toColumn: .max, end: text.count
        ).column
        let hidden = width > room ? width - room + 1 : 0
        if hidden > 0 { note("\u{2026}", .comment) }
        let start = document.offset(row.index)
        let spans = SpanBuilder.spans(
            of: all, in: text, skipping: hidden, columns: width - hidden, styles: [StyledRange(all, .comment)])
        for var span in spans {
            span.range = start..<start
            column += span.columns
            self.spans.append(span)
        }
    }

    private mutating func source(_ offset: Int, _ count: Int, _ style: TextStyle) {
        source(offset..<offset + count, [StyledRange(offset..<offset + count, style)])
    }

    private mutating func source(_ range: ByteRange, _ styles: [StyledRange], upTo limit: Int? = nil) {
        let room = max(0, min(limit ?? columns, columns) - column)
        let more = SpanBuilder.spans(of: range, in: document.bytes, columns: room, styles: styles, matches: matches)
        if (more.last?.range.upperBound ?? range.lowerBound) < range.upperBound { isCut = true }
        column += more.reduce(0) { $0 + $1.columns }
        spans += more
    }
}
