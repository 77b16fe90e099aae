import OmbiDocument

/// A text under edit: its cursor, its selection and its history, independent of the screen.
package struct EditedText: Equatable, Sendable {
    package private(set) var buffer: TextBuffer
    package private(set) var selection: TextSelection
    package private(set) var isMarking = false
    package private(set) var revision = 0
    private var history = TextHistory()
    /// The text that was cut or copied last.
    package var clipboard = ""
    private let isOneLine: Bool

    static let indent = [UInt8](repeating: 0x20, count: 2)

    package init(_ text: String, cursor: Int = 0, isOneLine: Bool = false) {
        buffer = TextBuffer(text)
        selection = TextSelection(0)
        self.isOneLine = isOneLine
        selection = TextSelection(buffer.aligned(cursor))
    }

    package var cursor: Int { selection.cursor }
    /// True until the first change.
    package var isUntouched: Bool { history.isEmpty }
    package var selected: ByteRange? { selection.range.isEmpty ? nil : selection.range }

    /// Performs an edit that needs no knowledge of the rows on the screen.
    package mutating func perform(_ edit: TextEdit) {
        switch edit {
        case .insert(let text): insert(text)
        case .newline: if !isOneLine { breakLine() }
        case .indent: indentLines()
        case .outdent: outdentLines()
        case .deleteBackward: delete(selected ?? buffer.offset(before: cursor)..<cursor, .deleting)
        case .deleteForward: delete(selected ?? cursor..<buffer.offset(after: cursor), .deleting)
        case .deleteWordBackward: delete(selected ?? wordStart..<cursor, .single)
        case .deleteWordForward: delete(selected ?? cursor..<wordEnd, .single)
        case .deleteToStart: delete(line.lowerBound..<cursor, .single)
        case .deleteToEnd: delete(cursor..<line.upperBound, .single)
        case .move(let move): target(of: move).map { place(at: $0) }
        case .select(let move): target(of: move).map { place(at: $0, selecting: true) }
        case .selectAll: selection = TextSelection(buffer.count, anchor: 0)
        case .mark: toggleMark()
        case .copy: copy()
        case .cut: cut()
        case .paste: if !clipboard.isEmpty { insert(clipboard) }
        case .duplicate: duplicate()
        case .moveLinesUp: moveLines(up: true)
        case .moveLinesDown: moveLines(up: false)
        case .undo: history.undo().map { apply($0.inserted, to: $0.removed, at: $0.offset, $0.before) }
        case .redo: history.redo().map { apply($0.removed, to: $0.inserted, at: $0.offset, $0.after) }
        }
    }

    /// Moves the cursor, with the selection where one is made.
    package mutating func place(at offset: Int, selecting: Bool = false) {
        let keeps = selecting || isMarking
        selection = TextSelection(buffer.aligned(offset), anchor: keeps ? selection.anchor ?? cursor : nil)
        history.seal()
    }

    package mutating func select(_ range: ByteRange) {
        isMarking = false
        selection = TextSelection(range.upperBound, anchor: range.lowerBound)
        history.seal()
    }

    private mutating func toggleMark() {
        isMarking.toggle()
        selection.anchor = isMarking ? cursor : nil
    }

    private mutating func apply(_ old: [UInt8], to new: [UInt8], at offset: Int, _ selection: TextSelection) {
        buffer.replace(offset..<offset + old.count, with: new)
        revision &+= 1
        self.selection = selection
        isMarking = false
    }

    // MARK: Changing

    /// Replaces a range as one step to undo.
    /// - Parameter after: The selection in the new text; nil puts the cursor after it.
    package mutating func replace(_ range: ByteRange, with text: String, after: TextSelection? = nil) {
        replace(range, with: Array(text.utf8), after: after)
    }

    mutating func replace(
        _ range: ByteRange, with new: [UInt8], _ kind: TextChange.Kind = .single, after: TextSelection? = nil
    ) {
        guard !range.isEmpty || !new.isEmpty else { return }
        let before = selection
        let removed = Array(buffer.bytes[range])
        buffer.replace(range, with: new)
        revision &+= 1
        selection = after ?? TextSelection(range.lowerBound + new.count)
        isMarking = false
        history.record(
            TextChange(
                kind: kind, offset: range.lowerBound, removed: removed, inserted: new, before: before, after: selection)
        )
    }

    private mutating func delete(_ range: ByteRange, _ kind: TextChange.Kind) {
        replace(range, with: [], selected == nil ? kind : .single, after: TextSelection(range.lowerBound))
    }

    /// Longer insertions were not typed.
    private static let maximumTyped = 40

    private mutating func insert(_ text: String) {
        let new = isOneLine ? Self.oneLine(text) : withLineBreaks(text)
        if !isOneLine, new == [0x7D] || new == [0x5D], insertClosing(new) { return }
        let isTyped = selected == nil && new.count <= Self.maximumTyped && !new.contains(0x0A)
        replace(selection.range, with: new, isTyped ? .typing : .single)
    }

    /// A pasted line break would end a field; a space keeps the words apart. None is left at an end of what was copied: in
    /// a password it would be part of it.
    private static func oneLine(_ text: String) -> [UInt8] {
        guard text.contains(where: \.isNewline) else { return Array(text.utf8) }
        var line = text.drop(while: \.isNewline)
        while line.last?.isNewline ?? false { line.removeLast() }
        return Array(String(line.map { $0.isNewline ? " " : $0 }).utf8)
    }

    /// A text from elsewhere takes the line breaks of this one.
    private func withLineBreaks(_ text: String) -> [UInt8] {
        let new = Array(text.utf8)
        guard new.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return new }
        let lineBreak = buffer.lineBreak
        var previous: UInt8 = 0
        return new.reduce(into: []) { lines, byte in
            if byte != 0x0A, byte != 0x0D {
                lines.append(byte)
            } else if byte == 0x0D || previous != 0x0D {
                lines += lineBreak
            }
            previous = byte
        }
    }

    // MARK: Clipboard

    private var chosen: ByteRange { selected ?? lines }

    /// The lines of the selection, with the line break after them if there is one.
    private var lines: ByteRange {
        let range = selection.range
        let end = buffer.lineBreak(ofLine: buffer.line(at: range.upperBound)).upperBound
        return buffer.lineRange(at: range.lowerBound).lowerBound..<end
    }

    private mutating func copy() {
        guard !chosen.isEmpty else { return }
        clipboard = buffer.text(chosen)
        if isMarking { toggleMark() }
    }

    private mutating func cut() {
        let range = chosen
        guard !range.isEmpty else { return }
        clipboard = buffer.text(range)
        replace(range, with: [UInt8](), after: TextSelection(range.lowerBound))
    }

    private mutating func duplicate() {
        guard !isOneLine else { return }
        let range = chosen
        var copy = Array(buffer.bytes[range])
        let isLines = selected == nil
        if isLines, copy.last != 0x0A || range.isEmpty { copy = buffer.lineBreak + copy }
        let moved = TextSelection(cursor + copy.count, anchor: isLines ? nil : range.upperBound)
        replace(range.upperBound..<range.upperBound, with: copy, after: moved)
    }

    private var line: ByteRange { buffer.lineRange(at: cursor) }
}

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
