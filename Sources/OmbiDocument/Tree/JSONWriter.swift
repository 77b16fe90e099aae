/// Writes values of any size as JSON in portions, formatted as a `JSONTree` shows them or without any white space:
/// strings and numbers are copied as sent.
///
///     var writer = JSONWriter(document, form: .formatted)
///     while let portion = writer.next() { file.write(portion) }
///
/// For a broken or unfinished body, it writes the valid part; containers without an end get none.
package struct JSONWriter: Sendable {
    package enum Form: Sendable {
        /// On lines of their own, indented by two spaces; short arrays of scalars on one line.
        case formatted
        /// On one line.
        case compact
        /// On one line as sent; if that spans several lines, without white space: as `ombi filter` prints it.
        case line
        /// A string as it reads, without quotes and escapes; other values as `line`.
        case text
    }

    private let document: JSONDocument
    private let form: Form
    private var tops: JSONTops
    /// The next entry, and the end of the value that it belongs to.
    private var next = 0
    private var end = 0
    private var root = 0
    private var depth = 0
    /// The depth of the top-level values.
    private var top = 0
    /// The end of the one-line container around the next entry.
    private var lineEnd = 0
    /// The unwritten part of a long scalar.
    private var pending = 0..<0
    private var isFirst = true
    private(set) var isDone = false

    /// Creates a writer of a whole document, with line breaks between several values.
    package init(_ document: JSONDocument, form: Form) {
        self.init(document, JSONTops(document), form: form)
    }

    /// Creates a writer of some values, such as the matches of a query, with line breaks between them.
    package init(_ document: JSONDocument, nodes: [JSONNode], form: Form) {
        self.init(document, JSONTops(document, at: nodes.map(\.position)), form: form)
    }

    /// Creates a writer of a value as shown at a depth, from its first byte on.
    init(_ document: JSONDocument, _ node: JSONNode, depth: Int) {
        self.init(document, nodes: [node], form: .formatted)
        top = depth
    }

    init(_ document: JSONDocument, _ tops: JSONTops, form: Form) {
        self.document = document
        self.form = form
        self.tops = tops
    }

    /// The progress, from 0 to 1.
    package var fraction: Double {
        guard !isFirst else { return 0 }
        let range = document.range(of: JSONNode(root))
        let offset = !pending.isEmpty ? pending.lowerBound : next < end ? document.offset(next) : range.upperBound
        return tops.fraction(ofLast: Double(offset - range.lowerBound) / Double(max(1, range.count)), at: offset)
    }

    /// Returns the next portion, of about `size` bytes; nil at the end. No line break ends the last one.
    package mutating func next(_ size: Int = 1 << 16) -> [UInt8]? {
        var portion: [UInt8] = []
        portion.reserveCapacity(size + 256)
        write(to: &portion, size)
        return portion.isEmpty ? nil : portion
    }

    /// Writes until the portion has `size` bytes, or some more, or everything is written.
    mutating func write(to portion: inout [UInt8], _ size: Int) {
        while portion.count < size, !isDone { isDone = !step(&portion, size) }
    }

    private mutating func step(_ portion: inout [UInt8], _ size: Int) -> Bool {
        if !pending.isEmpty {
            let part = pending.prefix(max(1, size - portion.count))
            portion.append(contentsOf: document.bytes(in: part.startIndex..<part.endIndex))
            pending = part.endIndex..<pending.upperBound
            return true
        }
        guard next < end else { return begin(&portion) }
        if document.isEnd(next) { close(&portion) } else { value(&portion) }
        return true
    }

    private mutating func begin(_ portion: inout [UInt8]) -> Bool {
        guard let node = tops.next() else { return false }
        if !isFirst { portion.append(0x0A) }
        isFirst = false
        (root, next, end) = (node.index, node.index, document.after(node.index))
        (depth, lineEnd) = (top, 0)
        if form == .text, let text = document.text(of: node) {
            portion.append(contentsOf: text.string.utf8)
            next = end
        } else if form == .line || form == .text, !document.hasLineBreak(in: node) {
            pending = document.range(of: node)
            next = end
        }
        return true
    }

    private mutating func value(_ portion: inout [UInt8]) {
        let index = next
        next += 1
        if index > root {
            if !document.isContainer(index - 1) { portion.append(UInt8(ascii: ",")) }
            separate(&portion, isFirst: document.isContainer(index - 1), isInLine: index < lineEnd)
            if let key = document.keyBytes(of: JSONNode(index)) {
                portion.append(contentsOf: document.bytes(in: key))
                portion.append(UInt8(ascii: ":"))
                if form == .formatted { portion.append(0x20) }
            }
        }
        if document.isScalar(index) {
            pending = document.range(of: JSONNode(index))
        } else {
            portion.append(document.firstByte(index))
            depth += 1
            if document.isOneLine(index) { lineEnd = max(lineEnd, document.after(index)) }
        }
    }

    private mutating func close(_ portion: inout [UInt8]) {
        depth -= 1
        if next >= lineEnd { separate(&portion, isFirst: false, isInLine: false) }
        portion.append(document.firstByte(next))
        next += 1
    }

    private func separate(_ portion: inout [UInt8], isFirst: Bool, isInLine: Bool) {
        guard form == .formatted else { return }
        if isInLine {
            if !isFirst { portion.append(0x20) }
        } else {
            portion.append(0x0A)
            portion.append(contentsOf: Self.spaces.prefix(2 * depth))
        }
    }

    /// The maximum depth of indentation: at depth 100,000 the spaces alone would be gigabytes.
    static let maximumIndentedDepth = 200
    private static let spaces = [UInt8](repeating: 0x20, count: 2 * maximumIndentedDepth)
}

/// Writes rows of a `JSONTree` in portions, as they are laid out, a line each: indented from the outermost on, strings
/// and numbers in full and as sent, folded containers written out. It steps from row to row and stores none of them.
package struct JSONRowWriter: Sendable {
    private let tree: JSONTree
    private let last: JSONRow
    /// The row to write next, or being written.
    private var row: JSONRow?
    /// The depth of the outermost row; nil before the first portion.
    private var outermost: Int?
    /// The unwritten part of the row's value.
    private var value: JSONWriter?

    init(_ tree: JSONTree, from first: JSONRow, through last: JSONRow) {
        self.tree = tree
        self.last = last
        row = first <= last ? first : nil
    }

    private var document: JSONDocument { tree.document }

    /// Returns the next portion, of at least `size` bytes except for the last one; nil at the end.
    package mutating func next(_ size: Int = 1 << 16) -> [UInt8]? {
        var portion: [UInt8] = []
        while portion.count < size, let row {
            let outermost = self.outermost ?? Self.outermost(tree, from: row, through: last)
            self.outermost = outermost
            if value != nil {
                value?.write(to: &portion, size)
            } else {
                begin(row, depth: min(row.depth - outermost, JSONWriter.maximumIndentedDepth), &portion)
            }
            if value?.isDone ?? true { end(row, &portion) }
        }
        return portion.isEmpty ? nil : portion
    }

    private mutating func begin(_ row: JSONRow, depth: Int, _ portion: inout [UInt8]) {
        switch row.part {
        case .error: return
        case .raw: portion += tree.rest.map { document.bytes.array($0.range(of: row)) } ?? []
        case .end:
            portion.append(contentsOf: repeatElement(0x20, count: 2 * depth))
            portion.append(document.firstByte(row.index))
        case .value, .piece:
            guard let node = row.node, document.contains(node) else { return }
            portion.append(contentsOf: repeatElement(0x20, count: 2 * depth))
            if let key = document.keyBytes(of: node) {
                portion.append(contentsOf: document.bytes(in: key))
                portion += [UInt8(ascii: ":"), 0x20]
            }
            if document.isSpread(node.index), !tree.isFolded(row) {
                portion.append(document.firstByte(node.index))
            } else {
                value = JSONWriter(document, node, depth: depth)
            }
        }
    }

    private mutating func end(_ row: JSONRow, _ portion: inout [UInt8]) {
        value = nil
        if let node = row.node {
            let isWhole = row.part == .end || !document.isSpread(node.index) || tree.isFolded(row)
            if isWhole, tree.hasComma(after: node.index, depth: row.depth) { portion.append(UInt8(ascii: ",")) }
        }
        if row.part != .error { portion.append(0x0A) }
        // A long string that is opened was written with its first row.
        let isScalar = row.node.map { document.isScalar($0.index) } ?? false
        let next = tree.row(after: isScalar && row.part != .end ? tree.lastPiece(of: row) : row)
        self.row = next.flatMap { $0 <= last ? $0 : nil }
    }

    /// Returns the depth of the outermost of some rows: the first one, or the end of a container around it.
    private static func outermost(_ tree: JSONTree, from first: JSONRow, through last: JSONRow) -> Int {
        guard !first.isBehind, !last.isBehind, first.match == last.match else { return 0 }
        var outermost = first
        while let parent = tree.parent(of: outermost), !tree.document.isOpen(parent.index),
            tree.document.after(parent.index) - 1 <= last.index
        {
            outermost = parent
        }
        return outermost.depth
    }
}

/// The styles of the escapes in a string.
struct JSONEscapes {
    let source: Bytes
    /// A string with its quotes, or the received part of one.
    let literal: ByteRange

    func styles(of part: ByteRange) -> [StyledRange] {
        var styles: [StyledRange] = []
        var (plain, next) = (part.lowerBound, start(before: part.lowerBound))
        while next < part.upperBound {
            guard source.base[next] == 0x5C, next + 1 < literal.upperBound else {
                next += 1
                continue
            }
            let end = min(next + (source[next + 1] == UInt8(ascii: "u") ? 6 : 2), literal.upperBound)
            let style = style(of: next)
            if style != .string {
                if plain < next { styles.append(StyledRange(plain..<next, .string)) }
                styles.append(StyledRange(next..<end, style))
                plain = end
            }
            next = end
        }
        if plain < part.upperBound { styles.append(StyledRange(plain..<part.upperBound, .string)) }
        return styles
    }

    /// Returns the start of the escape around `offset`, or `offset`.
    private func start(before offset: Int) -> Int {
        for back in stride(from: min(5, offset - literal.lowerBound), to: 0, by: -1) {
            let start = offset - back
            guard source.base[start] == 0x5C else { continue }
            var run = start
            while run > literal.lowerBound, source.base[run - 1] == 0x5C { run -= 1 }
            guard (start - run) & 1 == 0 else { continue }
            let length = source[start + 1] == UInt8(ascii: "u") ? 6 : 2
            if start + length > offset { return start }
        }
        return offset
    }

    /// Returns the style of an escape: common ones look like text, others are styled by what they encode.
    private func style(of escape: Int) -> TextStyle {
        switch source[escape + 1] {
        case UInt8(ascii: "u"): break
        case UInt8(ascii: "b"), UInt8(ascii: "f"): return .control
        case UInt8(ascii: "/"): return .code
        default: return .string
        }
        guard let unit = unit(at: escape) else { return .string }
        if unit < 0x20 || 0x7F..<0xA0 ~= unit { return .control }
        switch unit & 0xFC00 {
        case 0xD800: return self.unit(at: escape + 6).map { $0 & 0xFC00 == 0xDC00 } == true ? .code : .invalid
        case 0xDC00: return isSecond(escape) ? .code : .invalid
        default: return .code
        }
    }

    private func isSecond(_ escape: Int) -> Bool {
        guard escape - 6 > literal.lowerBound, let before = unit(at: escape - 6), before & 0xFC00 == 0xD800 else {
            return false
        }
        var run = escape - 6
        while run > literal.lowerBound, source.base[run - 1] == 0x5C { run -= 1 }
        return (escape - 6 - run) & 1 == 0
    }

    /// Returns the code unit of `\u` and four digits.
    private func unit(at escape: Int) -> UInt32? {
        guard escape + 6 < literal.upperBound, source.base[escape] == 0x5C, source.base[escape + 1] == UInt8(ascii: "u")
        else { return nil }
        return Hexadecimal.fourDigits(at: source.base + escape + 2)
    }
}
