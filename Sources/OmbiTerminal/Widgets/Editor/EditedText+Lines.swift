import OmbiDocument

/// Indents, and changes of whole lines.
extension EditedText {
    private static let openings: [UInt8] = [0x7B, 0x5B]
    private static let closings: [UInt8] = [0x7D, 0x5D]

    /// Breaks the line. The new one keeps the indentation of the old one, deeper after an opening bracket; between a
    /// bracket and its partner, the partner gets a separate line.
    mutating func breakLine() {
        let range = selection.range
        let start = buffer.lineRange(at: range.lowerBound).lowerBound
        let indent = Array(buffer.bytes[buffer.indent(of: start..<range.lowerBound)])
        var new = buffer.lineBreak + indent
        let before = buffer.bytes[start..<range.lowerBound].last { $0 != 0x20 && $0 != 0x09 }
        guard let before, let kind = Self.openings.firstIndex(of: before) else {
            return replace(range, with: new)
        }
        new += Self.indent
        let cursor = TextSelection(range.lowerBound + new.count)
        if range.upperBound < buffer.count, buffer.bytes[range.upperBound] == Self.closings[kind] {
            new += buffer.lineBreak + indent
        }
        replace(range, with: new, after: cursor)
    }

    /// Inserts a closing bracket that begins its line one indent less deep. Returns false anywhere else.
    mutating func insertClosing(_ bracket: [UInt8]) -> Bool {
        let start = buffer.lineRange(at: cursor).lowerBound
        guard selected == nil, buffer.isBlank(start..<cursor), cursor - start >= Self.indent.count else { return false }
        let removed = cursor - Self.indent.count..<cursor
        guard buffer.bytes[removed].elementsEqual(Self.indent) else { return false }
        replace(removed, with: bracket)
        return true
    }

    mutating func indentLines() {
        guard selected != nil else { return perform(.insert(String(decoding: Self.indent, as: UTF8.self))) }
        changeLines { line in line.isEmpty ? [] : Self.indent + line }
    }

    mutating func outdentLines() {
        changeLines { line in
            let blanks = line.prefix { $0 == 0x20 }.count
            return Array(line.dropFirst(line.first == 0x09 ? 1 : min(blanks, Self.indent.count)))
        }
    }

    /// Changes each line of the selection as one step, and keeps an existing selection over them.
    private mutating func changeLines(_ change: (ArraySlice<UInt8>) -> [UInt8]) {
        let first = buffer.line(at: selection.range.lowerBound)
        let last = buffer.line(at: selection.range.upperBound)
        let range = buffer.range(ofLine: first).lowerBound..<buffer.range(ofLine: last).upperBound
        var new: [UInt8] = []
        for line in first...last {
            new += change(buffer.bytes[buffer.range(ofLine: line)])
            if line < last { new += buffer.bytes[buffer.lineBreak(ofLine: line)] }
        }
        guard !new.elementsEqual(buffer.bytes[range]) else { return }
        let end = range.lowerBound + new.count
        let offset = max(range.lowerBound, cursor + new.count - range.count)
        let after = selected == nil ? TextSelection(offset) : TextSelection(end, anchor: range.lowerBound)
        replace(range, with: new, after: after)
    }

    /// Swaps the lines of the selection with the one above or below, as one step.
    mutating func moveLines(up: Bool) {
        let first = buffer.line(at: selection.range.lowerBound)
        let last = buffer.line(at: selection.range.upperBound)
        guard up ? first > 0 : last + 1 < buffer.lineCount else { return }
        let moved = buffer.range(ofLine: first).lowerBound..<buffer.range(ofLine: last).upperBound
        let other = buffer.range(ofLine: up ? first - 1 : last + 1)
        let whole = min(moved.lowerBound, other.lowerBound)..<max(moved.upperBound, other.upperBound)
        let (above, below) = up ? (moved, other) : (other, moved)
        let between = buffer.bytes[buffer.lineBreak(ofLine: up ? first - 1 : last)]
        let distance = (other.count + between.count) * (up ? -1 : 1)
        let after = TextSelection(cursor + distance, anchor: selection.anchor.map { $0 + distance })
        replace(whole, with: Array(buffer.bytes[above] + between + buffer.bytes[below]), after: after)
    }
}

/// The bracket at the cursor and its partner. Brackets in double quotes count among themselves alone, and quotes end
/// with their line.
extension EditedText {
    struct Brackets: Equatable {
        var bracket: Int
        var partner: Int
    }

    private static let pairs: [(open: UInt8, close: UInt8)] = [(0x7B, 0x7D), (0x5B, 0x5D), (0x28, 0x29)]

    /// Returns the bracket under the cursor or before it, and its partner within a range.
    func brackets(within range: ByteRange) -> Brackets? {
        for offset in [cursor, cursor - 1] where offset >= 0 && offset < buffer.count {
            for pair in Self.pairs {
                let byte = buffer.bytes[offset]
                guard byte == pair.open || byte == pair.close else { continue }
                let partner = byte == pair.open ? closing(offset, pair, range) : opening(offset, pair, range)
                return partner.map { Brackets(bracket: offset, partner: $0) }
            }
        }
        return nil
    }

    private func closing(_ offset: Int, _ pair: (open: UInt8, close: UInt8), _ range: ByteRange) -> Int? {
        guard !isQuoted(offset) else { return nil }
        return buffer.bytes.withUnsafeBufferPointer { bytes in
            var depth = 0
            var isQuoted = false
            var index = offset
            while index < min(range.upperBound, bytes.count) {
                let byte = bytes[index]
                if isQuoted, byte == 0x5C {
                    index += 1
                } else if byte == 0x22 {
                    isQuoted.toggle()
                } else if byte == 0x0A {
                    isQuoted = false
                } else if !isQuoted, byte == pair.open {
                    depth += 1
                } else if !isQuoted, byte == pair.close {
                    depth -= 1
                    if depth == 0 { return index }
                }
                index += 1
            }
            return nil
        }
    }

    private func opening(_ offset: Int, _ pair: (open: UInt8, close: UInt8), _ range: ByteRange) -> Int? {
        var depth = 0
        var line = buffer.line(at: offset)
        var end = offset + 1
        guard !isQuoted(offset) else { return nil }
        while line >= 0 {
            let start = buffer.range(ofLine: line).lowerBound
            for index in unquoted(pair, in: start..<end).reversed() {
                guard index >= range.lowerBound else { return nil }
                depth += buffer.bytes[index] == pair.close ? 1 : -1
                if depth == 0 { return index }
            }
            guard start > range.lowerBound else { return nil }
            line -= 1
            end = start
        }
        return nil
    }

    private func isQuoted(_ offset: Int) -> Bool {
        let byte = buffer.bytes[offset]
        let start = buffer.lineRange(at: offset).lowerBound
        return unquoted((byte, byte), in: start..<offset + 1).last != offset
    }

    /// The brackets of a part of a line that are not in quotes.
    private func unquoted(_ pair: (open: UInt8, close: UInt8), in range: ByteRange) -> [Int] {
        var found: [Int] = []
        var isQuoted = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = buffer.bytes[index]
            if isQuoted, byte == 0x5C { index += 1 } else if byte == 0x22 { isQuoted.toggle() }
            if !isQuoted, byte == pair.open || byte == pair.close { found.append(index) }
            index += 1
        }
        return found
    }
}

/// The rows that a text under edit takes on the screen: its lines, or parts of them where long lines are wrapped.
struct EditorRows {
    let buffer: TextBuffer
    private let layout: TextLayout?
    private let reader: ColumnReader

    /// - Parameter columns: The width at which lines wrap; nil for no wrapping.
    init(_ buffer: TextBuffer, bytes: Bytes, columns: Int?) {
        self.buffer = buffer
        layout = columns.map { TextLayout(bytes: bytes, lines: LineIndex(), columns: $0) }
        reader = ColumnReader(bytes: bytes)
    }

    func row(at offset: Int) -> TextRow {
        let line = buffer.lineRange(at: offset)
        return layout?.row(at: offset, of: line) ?? TextRow(range: line, line: line)
    }

    func row(after row: TextRow) -> TextRow? {
        if !row.endsLine { return layout?.row(at: row.range.upperBound, of: row.line) }
        return row.line.upperBound < buffer.count ? self.row(at: buffer.offset(after: row.line.upperBound)) : nil
    }

    func row(before row: TextRow) -> TextRow? {
        row.range.lowerBound > 0 ? self.row(at: buffer.offset(before: row.range.lowerBound)) : nil
    }

    /// Returns the row `count` rows away, clamped to the text.
    func row(_ row: TextRow, movedBy count: Int) -> TextRow {
        if layout == nil {
            let line = buffer.range(ofLine: buffer.line(at: row.line.lowerBound) + count)
            return TextRow(range: line, line: line)
        }
        var row = row
        for _ in 0..<abs(count) {
            guard let next = count > 0 ? self.row(after: row) : self.row(before: row) else { break }
            row = next
        }
        return row
    }

    /// The columns of a row before an offset.
    /// - Parameter start: a known position before it; nil for the start of the row.
    func column(of offset: Int, in row: TextRow, from start: ColumnReader.Position? = nil) -> Int {
        let start = start ?? ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        return reader.advance(start, toOffset: offset, toColumn: .max, end: row.range.upperBound).column
    }

    /// The part of a row that shows in some columns: its start, and the offset of its end.
    func visible(_ row: TextRow, left: Int, columns: Int) -> (start: ColumnReader.Position, end: Int) {
        let end = row.range.upperBound
        let first = ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        let start = reader.advance(first, toOffset: end, toColumn: left, end: end)
        return (start, reader.advance(start, toOffset: end, toColumn: left + columns + 2, end: end).offset)
    }

    /// The offset of the character at a column of a row; the last one of a row that is too short.
    func offset(ofColumn column: Int, in row: TextRow) -> Int {
        let start = ColumnReader.Position(offset: row.range.lowerBound, column: 0)
        let end = row.range.upperBound
        let offset = reader.advance(start, toOffset: end, toColumn: column, end: end).offset
        // The end of a wrapped row is the start of the next one.
        return buffer.aligned(offset == end && !row.endsLine ? buffer.offset(before: offset) : offset)
    }
}
