import OmbiDocument

/// The positions that moves go to.
extension EditedText {
    /// Returns nil for a move that has no target here, or depends on the rows of the screen.
    func target(of move: TextMove) -> Int? {
        switch move {
        case .left: buffer.offset(before: cursor)
        case .right: buffer.offset(after: cursor)
        case .wordLeft: wordStart
        case .wordRight: wordEnd
        case .start: lineStart
        case .end: buffer.lineRange(at: cursor).upperBound
        case .paragraphUp: paragraph(from: buffer.line(at: cursor), by: -1)
        case .paragraphDown: paragraph(from: buffer.line(at: cursor), by: 1)
        case .textStart: 0
        case .textEnd: buffer.count
        case .bracket: brackets(within: 0..<buffer.count)?.partner
        case .up, .down, .pageUp, .pageDown: nil
        }
    }

    var wordStart: Int {
        var offset = cursor
        while offset > 0, !buffer.isWordPart(at: buffer.offset(before: offset)) {
            offset = buffer.offset(before: offset)
        }
        while offset > 0, buffer.isWordPart(at: buffer.offset(before: offset)) {
            offset = buffer.offset(before: offset)
        }
        return offset
    }

    var wordEnd: Int {
        var offset = cursor
        while offset < buffer.count, !buffer.isWordPart(at: offset) { offset = buffer.offset(after: offset) }
        while offset < buffer.count, buffer.isWordPart(at: offset) { offset = buffer.offset(after: offset) }
        return offset
    }

    /// The first character of the line that is not blank; at that one the start of the line.
    private var lineStart: Int {
        let line = buffer.lineRange(at: cursor)
        let text = buffer.indent(of: line).upperBound
        return cursor == text || cursor == line.lowerBound && text == line.upperBound ? line.lowerBound : text
    }

    /// The next blank line after a line that is not, or an end of the text.
    private func paragraph(from line: Int, by step: Int) -> Int {
        var line = line
        var wasText = false
        while (0..<buffer.lineCount).contains(line + step) {
            line += step
            let range = buffer.range(ofLine: line)
            let isBlank = buffer.isBlank(range)
            if isBlank, wasText { return range.lowerBound }
            wasText = wasText || !isBlank
        }
        return step < 0 ? 0 : buffer.count
    }
}
