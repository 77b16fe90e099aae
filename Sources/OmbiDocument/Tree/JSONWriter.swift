/// Writes values of any size as JSON in portions, formatted as a `JSONTree` shows them or without any white space:
/// strings and numbers are copied as sent.
///
///     var writer = JSONWriter(document, form: .formatted)
///     while let portion = writer.next() { file.write(portion) }
///
/// For a broken or unfinished body, it writes the valid part; containers without an end get none.
public struct JSONWriter: Sendable {
    public enum Form: Sendable {
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
    public init(_ document: JSONDocument, form: Form) {
        self.init(document, JSONTops(document), form: form)
    }

    /// Creates a writer of some values, such as the matches of a query, with line breaks between them.
    public init(_ document: JSONDocument, nodes: [JSONNode], form: Form) {
        self.init(document, JSONTops(nodes.map(\.position), of: document), form: form)
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
    public var fraction: Double {
        guard !isFirst else { return 0 }
        let range = document.range(of: JSONNode(root))
        let offset = !pending.isEmpty ? pending.lowerBound : next < end ? document.offset(next) : range.upperBound
        return tops.fraction(ofLast: Double(offset - range.lowerBound) / Double(max(1, range.count)), at: offset)
    }

    /// Returns the next portion, of about `size` bytes; nil at the end. No line break ends the last one.
    public mutating func next(_ size: Int = 1 << 16) -> [UInt8]? {
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
