import OmbiDocument

/// The bytes of a text under edit, which are always valid UTF-8, and the starts of its lines. Positions are offsets in
/// bytes, at the start of a character. A line ends with a line break, LF or CR LF, which is one character, or with the
/// text.
package struct TextBuffer: Equatable, Sendable {
    package private(set) var bytes: [UInt8]
    /// The first is 0.
    private var starts: [Int]

    package init(_ text: String) {
        bytes = Array(text.utf8)
        starts = [0]
        starts += Self.lineStarts(in: bytes, at: 0)
    }

    package static func == (left: TextBuffer, right: TextBuffer) -> Bool { left.bytes == right.bytes }

    package var count: Int { bytes.count }
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package func text(_ range: ByteRange) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Lends the bytes to a reader, which must not keep them.
    package func read<Result>(_ body: (Bytes) -> Result) -> Result {
        bytes.withUnsafeBytes { body(Bytes(lent: $0)) }
    }

    // MARK: Lines

    package var lineCount: Int { starts.count }

    /// The number of the line, counted from 0, that holds an offset.
    package func line(at offset: Int) -> Int {
        max(0, starts.partitioningIndex { $0 > offset } - 1)
    }

    /// The bytes of a line, without its line break.
    package func range(ofLine line: Int) -> ByteRange {
        let line = min(max(0, line), starts.count - 1)
        return starts[line]..<(line + 1 < starts.count ? offset(before: starts[line + 1]) : bytes.count)
    }

    /// The line break after a line; empty after the last one.
    func lineBreak(ofLine line: Int) -> ByteRange {
        let end = range(ofLine: line).upperBound
        return end..<offset(after: end)
    }

    /// The line break of new lines: the first one of the text.
    var lineBreak: [UInt8] {
        let first = bytes[lineBreak(ofLine: 0)]
        return first.isEmpty ? [0x0A] : Array(first)
    }

    func lineRange(at offset: Int) -> ByteRange { range(ofLine: line(at: offset)) }

    // MARK: Changing

    /// Replaces a range. Takes the time of moving the bytes after it.
    mutating func replace(_ range: ByteRange, with new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
        let first = line(at: range.lowerBound) + 1
        let last = max(first, line(at: range.upperBound) + 1)
        let added = Self.lineStarts(in: new, at: range.lowerBound)
        starts.replaceSubrange(first..<last, with: added)
        let distance = new.count - range.count
        guard distance != 0 else { return }
        let moved = first + added.count..<starts.count
        starts.withUnsafeMutableBufferPointer { starts in
            for index in moved { starts[index] += distance }
        }
    }

    private static func lineStarts(in bytes: [UInt8], at offset: Int) -> [Int] {
        var starts: [Int] = []
        bytes.withUnsafeBufferPointer { bytes in
            for index in bytes.indices where bytes[index] == 0x0A { starts.append(offset + index + 1) }
        }
        return starts
    }

    // MARK: Characters

    /// No character that anybody types is longer; a longer one counts as several.
    private static let maximumCharacter = 256

    func offset(after offset: Int) -> Int {
        guard offset < count else { return count }
        if isPair(before: offset + 2) { return offset + 2 }
        let isPlain = bytes[offset] < 0x80 && (offset + 1 >= count || bytes[offset + 1] < 0x80)
        if isPlain { return offset + 1 }
        var end = min(lineRange(at: offset).upperBound, offset + Self.maximumCharacter)
        while end < count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return offset + (text(offset..<end).first?.utf8.count ?? 1)
    }

    func offset(before offset: Int) -> Int {
        guard offset > 0 else { return 0 }
        if bytes[offset - 1] < 0x80 { return offset - (isPair(before: offset) ? 2 : 1) }
        var start = max(lineRange(at: offset).lowerBound, offset - Self.maximumCharacter)
        while start < offset, bytes[start] & 0xC0 == 0x80 { start += 1 }
        return offset - (text(start..<offset).last?.utf8.count ?? 1)
    }

    /// True for CR LF.
    private func isPair(before offset: Int) -> Bool {
        offset >= 2 && offset <= count && bytes[offset - 1] == 0x0A && bytes[offset - 2] == 0x0D
    }

    func aligned(_ offset: Int) -> Int {
        var offset = min(max(0, offset), count)
        if isPair(before: offset + 1) { return offset - 1 }
        while offset > 0, offset < count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        guard offset > 0, offset < count, bytes[offset] >= 0x80 || bytes[offset - 1] >= 0x80 else { return offset }
        let before = self.offset(before: offset)
        return self.offset(after: before) > offset ? before : offset
    }

    /// True for a letter, a digit or an underscore, which word moves pass over in one step.
    func isWordPart(at offset: Int) -> Bool {
        guard offset < count else { return false }
        let byte = bytes[offset]
        if byte < 0x80 { return byte == 0x5F || (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 }
        return text(offset..<self.offset(after: offset)).first.map { $0.isLetter || $0.isNumber } ?? false
    }

    func isBlank(_ range: ByteRange) -> Bool { bytes[range].allSatisfy { $0 == 0x20 || $0 == 0x09 } }

    func indent(of range: ByteRange) -> ByteRange {
        let end = bytes[range].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? range.upperBound
        return range.lowerBound..<end
    }
}

/// The cursor, and the selection anchor; nil without a selection.
package struct TextSelection: Equatable, Sendable {
    package var cursor: Int
    package var anchor: Int?

    package init(_ cursor: Int, anchor: Int? = nil) {
        self.cursor = cursor
        self.anchor = anchor
    }

    package var range: ByteRange {
        let anchor = anchor ?? cursor
        return min(cursor, anchor)..<max(cursor, anchor)
    }
}

/// A replacement in a text, with the selections before and after it.
struct TextChange: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        /// Steps that belong together when they follow one another.
        case typing, deleting
        case single
    }

    var kind: Kind
    var offset: Int
    var removed: [UInt8]
    var inserted: [UInt8]
    var before: TextSelection
    var after: TextSelection
}

/// The changes of a text that can be undone, and those that were. A word that was typed is one change, as is a paste.
struct TextHistory: Equatable, Sendable {
    private var done: [TextChange] = []
    private var undone: [TextChange] = []
    /// The bytes that both hold.
    private var byteCount = 0
    /// True after a move of the cursor: the next change is a separate step.
    private var isSealed = true

    private static let maximumByteCount = 64 << 20
    private static let maximumCount = 10_000

    var isEmpty: Bool { done.isEmpty && undone.isEmpty }

    mutating func seal() { isSealed = true }

    mutating func record(_ change: TextChange) {
        for change in undone { byteCount -= change.size }
        undone.removeAll()
        byteCount += change.size
        if isSealed || !merge(change) { done.append(change) }
        isSealed = false
        while done.count > 1, byteCount > Self.maximumByteCount || done.count > Self.maximumCount {
            byteCount -= done.removeFirst().size
        }
    }

    mutating func undo() -> TextChange? {
        guard let change = done.popLast() else { return nil }
        undone.append(change)
        isSealed = true
        return change
    }

    mutating func redo() -> TextChange? {
        guard let change = undone.popLast() else { return nil }
        done.append(change)
        isSealed = true
        return change
    }

    /// Merges a change into the last one if both belong to one step; returns false otherwise.
    private mutating func merge(_ change: TextChange) -> Bool {
        guard let index = done.indices.last, done[index].kind == change.kind else { return false }
        switch change.kind {
        case .typing:
            guard change.removed.isEmpty, change.offset == done[index].offset + done[index].inserted.count,
                !Self.startsWord(change.inserted, after: done[index].inserted)
            else { return false }
            done[index].inserted += change.inserted
        case .deleting where change.offset + change.removed.count == done[index].offset:
            done[index].removed.insert(contentsOf: change.removed, at: 0)
            done[index].offset = change.offset
        case .deleting where change.offset == done[index].offset:
            done[index].removed += change.removed
        case .deleting, .single: return false
        }
        done[index].after = change.after
        return true
    }

    private static func startsWord(_ new: [UInt8], after old: [UInt8]) -> Bool {
        old.last == 0x20 && new.first != 0x20
    }
}

extension TextChange {
    fileprivate var size: Int { removed.count + inserted.count }
}
