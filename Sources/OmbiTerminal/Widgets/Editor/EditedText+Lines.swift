import OmbiDocument

/// Indents, and changes of whole lines.
extension EditedText {
    private static let openings: [UInt8] = [0x7B, 0x5B]
    private static let closings: [UInt8] = [0x7D, 0x5D]

    /// Breaks the line. The new one is indented as the old one is, deeper after an opening bracket; between a bracket
    /// and its partner, the partner gets a line of its own.
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

    /// Changes each line of the selection as one step, and selects them where something was selected.
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
