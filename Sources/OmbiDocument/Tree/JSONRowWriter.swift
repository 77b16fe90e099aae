/// Writes rows of a `JSONTree` in portions, as they are laid out, a line each: indented from the outermost on, strings
/// and numbers in full and as sent, folded containers written out. It steps from row to row and stores none of them.
public struct JSONRowWriter: Sendable {
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

    /// Returns the next portion, of `size` bytes or some more; the last one may be shorter. nil at the end.
    public mutating func next(_ size: Int = 1 << 16) -> [UInt8]? {
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

    /// Ends the line, and moves on.
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
    private let source: Bytes
    private let literal: ByteRange

    /// - Parameter literal: A string with its quotes, or the received part of one.
    init(in source: Bytes, literal: ByteRange) {
        self.source = source
        self.literal = literal
    }

    /// Returns the styles of a part of the literal, in order.
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
