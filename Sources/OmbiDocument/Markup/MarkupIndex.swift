/// XML or HTML as rows: one for each tag, each line of text and each short element. Rows are numbered; `RowFolds` keeps
/// which are visible when elements are folded.
package struct MarkupIndex: Sendable {
    private var builder: MarkupBuilder

    /// Creates an empty index.
    /// - Parameter start: The offset of the text, after a byte order mark.
    package init(isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        builder = MarkupBuilder(isHTML: isHTML, start: start, limits: limits)
    }

    package init(_ bytes: Bytes, isHTML: Bool, start: Int = 0, limits: IndexLimits = IndexLimits()) {
        self.init(isHTML: isHTML, start: start, limits: limits)
        extend(over: bytes, isComplete: true)
    }

    /// Reads the bytes since the last call. Existing rows do not change, except for the ends of their elements; an
    /// incomplete row is left for later.
    /// - Parameters:
    ///   - bytes: All bytes received so far, always at the same address.
    ///   - isCancelled: Polled once per MiB.
    package mutating func extend(over bytes: Bytes, isComplete: Bool, isCancelled: () -> Bool = { false }) {
        builder.extend(over: bytes, isComplete: isComplete, isCancelled: isCancelled)
    }

    package var rows: MarkupNodes { builder.nodes }
    /// The first error, in XML only. The whole text is shown nevertheless.
    package var problem: MarkupProblem? { builder.problem }

    /// The limit at which the index stopped; the remaining text is in no row.
    package var limit: IndexLimit? { builder.limit }

    /// Returns the last row of the element that begins in a row; of an unfinished one, the last row received.
    private func end(of row: Int) -> Int { min(Int(rows[row].end), rows.count - 1) }

    /// Returns the rows that folding the element of a row hides; empty if there is nothing to fold.
    package func foldable(_ row: Int) -> Range<Int> {
        guard rows.indices.contains(row), rows[row].kind == .open else { return row..<row }
        return row + 1..<max(row + 1, end(of: row) + 1)
    }

    /// Returns the start tag of the element that contains a row, or that it ends; nil outside of all elements.
    package func parent(of row: Int) -> Int? {
        guard rows.indices.contains(row), rows[row].parentRow != MarkupNode.noParent else { return nil }
        return Int(rows[row].parentRow)
    }

    /// Returns the row at an offset, or the one before it.
    package func row(at offset: Int) -> Int {
        max(0, rows.partitioningIndex { Int($0.offset) > offset } - 1)
    }

    /// Returns a row as spans: indented, white space in tags collapsed, `…` and the end tag after a folded element.
    package func spans(
        row: Int, in bytes: Bytes, isFolded: Bool = false, skipping: Int = 0, columns: Int, matches: [ByteRange] = []
    ) -> [TextSpan] {
        guard rows.indices.contains(row) else { return [] }
        let node = rows[row]
        var line = MarkupLine(bytes: bytes, matches: matches, skipping: skipping, columns: columns)
        line.indent(depth: node.depth)
        line.add(node)
        if isFolded, node.kind == .open {
            line.addPlain("…", .punctuation, at: node.range.upperBound)
            let last = rows[end(of: row)]
            if last.kind == .close, last.depth == node.depth { line.add(last) }
        }
        return line.spans
    }
}

/// Assembles the visible part of a row of markup from styled spans.
struct MarkupLine {
    let bytes: Bytes
    let matches: [ByteRange]
    let skipping: Int
    let columns: Int
    private(set) var spans: [TextSpan] = []
    /// The current column, counted from the start of the row, columns scrolled out of view included.
    private var column = 0

    private static let indentation = 2
    private static let maximumIndentedDepth = 40

    init(bytes: Bytes, matches: [ByteRange], skipping: Int, columns: Int) {
        self.bytes = bytes
        self.matches = matches
        self.skipping = max(0, skipping)
        self.columns = max(0, columns)
    }

    private var isFull: Bool { column >= skipping + columns }

    mutating func indent(depth: Int) {
        addPlain(String(repeating: " ", count: min(depth, Self.maximumIndentedDepth) * Self.indentation), .plain, at: 0)
    }

    /// Adds text that is not in the body, with an empty byte range.
    mutating func addPlain(_ text: String, _ style: TextStyle, at offset: Int) {
        let width = text.unicodeScalars.count
        let hidden = min(width, max(0, skipping - column))
        let shown = String(text.dropFirst(hidden).prefix(max(0, skipping + columns - max(column, skipping))))
        column += width
        guard !shown.isEmpty else { return }
        let count = shown.unicodeScalars.count
        spans.append(TextSpan(text: shown, style: style, range: offset..<offset, columns: count))
    }

    mutating func add(_ node: MarkupNode) {
        switch node.kind {
        case .comment: add(node.range, .comment)
        case .declaration: addTag(node.range, isDeclaration: true)
        case .raw: add(node.range, .code)
        case .text: addText(node.range)
        case .open, .close, .strayClose: addTag(node.range, isDeclaration: false)
        case .element:
            let start = endOfTag(node.range)
            let text = ByteScan.first(UInt8(ascii: "<"), in: bytes, start..<node.range.upperBound)
            addTag(node.range.lowerBound..<start, isDeclaration: false)
            addText(start..<(text ?? node.range.upperBound))
            if let text { addTag(text..<node.range.upperBound, isDeclaration: false) }
        }
    }

    private mutating func add(_ range: ByteRange, _ style: TextStyle) {
        guard !range.isEmpty, !isFull else { return }
        let reader = ColumnReader(bytes: bytes)
        var position = ColumnReader.Position(offset: range.lowerBound, column: column)
        position = reader.advance(
            position, toOffset: range.upperBound, toColumn: skipping + columns, end: range.upperBound)
        let found = SpanBuilder.spans(
            of: range, in: bytes, startColumn: column, skipping: max(0, skipping - column),
            columns: skipping + columns - max(column, skipping), styles: [StyledRange(range, style)], matches: matches)
        spans += found
        column = position.offset < range.upperBound ? skipping + columns : position.column
    }

    /// Adds text with its entities highlighted.
    private mutating func addText(_ range: ByteRange) {
        var start = range.lowerBound
        while start < range.upperBound, !isFull {
            let sign = ByteScan.first(UInt8(ascii: "&"), in: bytes, start..<range.upperBound) ?? range.upperBound
            add(start..<sign, .plain)
            guard sign < range.upperBound else { return }
            let near = sign..<min(range.upperBound, sign + 32)
            let end = ByteScan.first(UInt8(ascii: ";"), or: 0x20, in: bytes, near)
            let isEntity = end.map { bytes[$0] == UInt8(ascii: ";") } ?? false
            start = isEntity ? (end ?? sign) + 1 : sign + 1
            add(sign..<start, isEntity ? .literal : .plain)
        }
    }

    private func endOfTag(_ range: ByteRange) -> Int {
        var offset = range.lowerBound
        var quote: UInt8 = 0
        while offset < range.upperBound {
            let byte = bytes[offset]
            offset += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: ">") {
                return offset
            } else if byte == 0x22 || byte == 0x27 {
                quote = byte
            }
        }
        return range.upperBound
    }

    private mutating func addTag(_ range: ByteRange, isDeclaration: Bool) {
        var offset = range.lowerBound
        var isName = true
        while offset < range.upperBound, !isFull {
            let byte = bytes[offset]
            let start = offset
            if MarkupBuilder.isBlank(byte) {
                while offset < range.upperBound, MarkupBuilder.isBlank(bytes[offset]) { offset += 1 }
                addPlain(" ", .plain, at: start)
            } else if "<>/?!=[]".utf8.contains(byte) {
                offset += 1
                add(start..<offset, .punctuation)
            } else if byte == 0x22 || byte == 0x27 {
                offset = (ByteScan.first(byte, in: bytes, offset + 1..<range.upperBound) ?? range.upperBound - 1) + 1
                add(start..<offset, .string)
            } else {
                while offset < range.upperBound, !Self.endsWord(bytes[offset]) { offset += 1 }
                let isValue = start > range.lowerBound && bytes[start - 1] == UInt8(ascii: "=")
                add(start..<offset, isName ? (isDeclaration ? .literal : .tag) : isValue ? .string : .key)
                isName = false
            }
        }
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        MarkupBuilder.isBlank(byte) || byte == 0x22 || byte == 0x27 || "<>/?!=[]".utf8.contains(byte)
    }
}

/// A row of an XML or HTML text: a tag, a line of text, a comment. Twenty bytes, because there are millions of them.
package struct MarkupNode: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, Equatable {
        /// A start tag whose element continues in the rows below.
        case open
        /// The end tag of an element.
        case close
        /// An end tag without a start tag.
        case strayClose
        /// An element in one row: without content, or with a short text.
        case element
        case text
        /// Text in which tags do not count: CDATA, scripts.
        case raw
        case comment
        /// `<?xml ?>`, `<!DOCTYPE>`, processing instructions.
        case declaration
    }

    let offset: UInt32
    var length: UInt32
    /// The last row of the element; its own row for all but `open`, and `notEnded` for an unfinished element.
    var end: UInt32
    /// The start tag of the element that contains the row, or that the row ends; `noParent` outside of all.
    var parentRow: UInt32
    var depthBits: UInt16
    package internal(set) var kind: Kind

    static let notEnded = UInt32.max
    static let noParent = UInt32.max

    /// The number of enclosing elements; at most 65,535 are counted.
    package var depth: Int { Int(depthBits) }
    package var range: ByteRange { Int(offset)..<Int(offset) + Int(length) }
}

/// The rows of a growing text, in blocks: a copy shares all blocks but those that change as more rows are added.
package struct MarkupNodes: RandomAccessCollection, Sendable {
    private var blocks: [[MarkupNode]] = []
    package private(set) var count = 0

    private static let shift = 14
    private static let mask = (1 << shift) - 1

    package var startIndex: Int { 0 }
    package var endIndex: Int { count }

    package internal(set) subscript(index: Int) -> MarkupNode {
        get { blocks[index >> Self.shift][index & Self.mask] }
        set { blocks[index >> Self.shift][index & Self.mask] = newValue }
    }

    mutating func append(_ node: MarkupNode) {
        if count & Self.mask == 0 {
            var block: [MarkupNode] = []
            // Most texts are small.
            if count > 0 { block.reserveCapacity(1 << Self.shift) }
            blocks.append(block)
        }
        blocks[blocks.count - 1].append(node)
        count += 1
    }
}

/// The name of an HTML element, regardless of case, as a number that is fast to look up. Longer names than eight
/// letters are distinguished by the first eight and by their length.
struct HTMLName: Hashable, Sendable, ExpressibleByStringLiteral {
    private let letters: UInt64
    private let length: Int

    init(stringLiteral name: String) { self.init(name.utf8, length: name.utf8.count) }

    init(_ range: ByteRange, in bytes: Bytes) { self.init(bytes.buffer(range), length: range.count) }

    private init(_ name: some Sequence<UInt8>, length: Int) {
        letters = name.prefix(8).reduce(0) { $0 << 8 | UInt64($1 >= 0x41 && $1 <= 0x5A ? $1 | 0x20 : $1) }
        self.length = length
    }
}

/// The tags that HTML lets an element omit (HTML Standard, section 13.1.2), as far as they affect indentation.
struct HTMLRule: Sendable {
    /// True if the element has no end tag.
    var isVoid = false
    /// True if the content is not markup.
    var isRaw = false
    /// The elements that end where this one begins, if one of them is the innermost.
    var ended: [HTMLName] = []

    static func of(_ name: HTMLName) -> HTMLRule { all[name] ?? none }

    private static let none = HTMLRule()

    private static let all: [HTMLName: HTMLRule] = {
        var all: [HTMLName: HTMLRule] = [:]
        for name in void { all[name, default: none].isVoid = true }
        for name in raw { all[name, default: none].isRaw = true }
        for name in blocks { all[name, default: none].ended = ["p"] }
        for (name, ended) in endedBy { all[name, default: none].ended = ended }
        return all
    }()

    private static let void: [HTMLName] = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr", "param",
    ]

    private static let raw: [HTMLName] = ["script", "style", "textarea", "title", "xmp", "noembed"]

    private static let endedBy: [HTMLName: [HTMLName]] = [
        "li": ["li", "p"], "dt": ["dt", "dd", "p"], "dd": ["dt", "dd", "p"], "option": ["option"],
        "optgroup": ["option", "optgroup"], "tr": ["tr", "td", "th"], "td": ["td", "th"], "th": ["td", "th"],
        "tbody": ["tr", "td", "th", "thead", "tbody"], "tfoot": ["tr", "td", "th", "tbody"], "body": ["head"],
    ]

    private static let blocks: [HTMLName] = [
        "address", "article", "aside", "blockquote", "div", "dl", "fieldset", "footer", "form", "h1", "h2", "h3", "h4",
        "h5", "h6", "header", "hr", "main", "menu", "nav", "ol", "p", "pre", "section", "table", "ul",
    ]
}

/// The first error in a text of markup.
package struct MarkupProblem: Error, Sendable, Equatable {
    package var offset: Int
    package var reason: String
}
