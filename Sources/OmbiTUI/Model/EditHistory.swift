import OmbiWorkspace

/// The edits of one collection that can be undone, and those that were undone and can be redone.
struct EditHistory: Equatable, Sendable {
    /// An edit, with the collection on the other side of it.
    struct Edit: Equatable, Sendable {
        /// Such as "delete list users", for messages.
        var label: String
        /// The item that it changed; nil for the whole collection.
        var item: ItemID?
        var collection: Collection
    }

    private(set) var undone: [Edit] = []
    private(set) var done: [Edit] = []

    private static let maximumEdits = 200

    /// Records an edit with the collection as it was before.
    mutating func record(_ edit: Edit) {
        undone = []
        done.append(edit)
        if done.count > Self.maximumEdits { done.removeFirst() }
    }

    /// Steps back, from that collection to the one before the last edit.
    mutating func undo(from collection: Collection) -> Edit? {
        guard let edit = done.popLast() else { return nil }
        undone.append(Edit(label: edit.label, item: edit.item, collection: collection))
        return edit
    }

    /// Steps forward again.
    mutating func redo(from collection: Collection) -> Edit? {
        guard let edit = undone.popLast() else { return nil }
        done.append(Edit(label: edit.label, item: edit.item, collection: collection))
        return edit
    }

    /// Forgets the last two edits when the second reverted the first.
    mutating func forgetRevertedEdit(of collection: Collection) {
        if done.count >= 2, done[done.count - 2].collection == collection { done.removeLast(2) }
    }
}
