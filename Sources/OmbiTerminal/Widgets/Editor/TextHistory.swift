import OmbiDocument

/// The cursor, and the other end of the selection; nil where nothing is selected.
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
    /// True after a move of the cursor: what follows is a change of its own.
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

    /// Adds a change to the last one when the two were made as one; false when not.
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
