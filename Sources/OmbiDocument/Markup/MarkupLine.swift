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
    /// The maximum depth of indentation.
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
        let reader = ColumnReader(bytes: bytes, tabWidth: 8)
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
