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
        /// The number that an edit of several collections has in each of them.
        var link: Int?
    }

    private(set) var undone: [Edit] = []
    private(set) var done: [Edit] = []

    private static let maximumEdits = 200

    /// Records an edit with the collection as it was before.
    /// - Returns: the links of the edits that are forgotten for it.
    mutating func record(_ edit: Edit) -> [Int] {
        var forgotten = undone
        undone = []
        done.append(edit)
        if done.count > Self.maximumEdits { forgotten.append(done.removeFirst()) }
        return forgotten.compactMap(\.link)
    }

    /// Steps back, from that collection to the one before the last edit.
    mutating func undo(from collection: Collection) -> Edit? { Self.step(from: &done, to: &undone, collection) }

    /// Steps forward again.
    mutating func redo(from collection: Collection) -> Edit? { Self.step(from: &undone, to: &done, collection) }

    private static func step(from: inout [Edit], to: inout [Edit], _ collection: Collection) -> Edit? {
        guard let edit = from.popLast() else { return nil }
        var other = edit
        other.collection = collection
        to.append(other)
        return edit
    }

    /// Forgets the edit with a link, and those that cannot be reached without it.
    /// - Returns: the links of the others.
    mutating func forget(_ link: Int) -> [Int] {
        var forgotten: [Edit] = []
        for edits in [\EditHistory.done, \.undone] {
            guard let index = self[keyPath: edits].lastIndex(where: { $0.link == link }) else { continue }
            forgotten += self[keyPath: edits][..<index]
            self[keyPath: edits].removeFirst(index + 1)
        }
        return forgotten.compactMap(\.link)
    }

    /// Forgets the last two edits when the second reverted the first.
    mutating func forgetRevertedEdit(of collection: Collection) {
        guard done.count >= 2, done[done.count - 2].collection == collection else { return }
        if done.suffix(2).allSatisfy({ $0.link == nil }) { done.removeLast(2) }
    }
}

/// The histories of the open files. An edit of several files is undone and redone in all of them, or in none.
struct EditHistories: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// The edit also changed a file that was edited since.
        case blocked(EditHistory.Edit, path: String)
        /// The collections to be restored, by their paths.
        case taken(EditHistory.Edit, [String: Collection])
    }

    private var histories: [String: EditHistory] = [:]
    private var lastLink = 0

    func undoCount(of path: String) -> Int { histories[path]?.done.count ?? 0 }

    func redoCount(of path: String) -> Int { histories[path]?.undone.count ?? 0 }

    /// The edit of a file that would be undone next.
    func last(of path: String) -> EditHistory.Edit? { histories[path]?.done.last }

    /// Records an edit with the collections that it changed, as they were before.
    mutating func record(_ label: String, item: ItemID?, _ before: [String: Collection]) {
        let isLinked = before.count > 1
        if isLinked { lastLink += 1 }
        var forgotten: [Int] = []
        for (path, collection) in before {
            let edit = EditHistory.Edit(
                label: label, item: item, collection: collection, link: isLinked ? lastLink : nil)
            forgotten += histories[path, default: EditHistory()].record(edit)
        }
        // An edit that one file cannot reach any more goes in the others, too.
        while let link = forgotten.popLast() {
            for path in histories.keys { forgotten += histories[path]?.forget(link) ?? [] }
        }
    }

    mutating func undo(of path: String, from collection: (String) -> Collection?) -> Step {
        step(path, \.done, collection) { $0.undo(from: $1) }
    }

    mutating func redo(of path: String, from collection: (String) -> Collection?) -> Step {
        step(path, \.undone, collection) { $0.redo(from: $1) }
    }

    private mutating func step(
        _ path: String, _ edits: KeyPath<EditHistory, [EditHistory.Edit]>, _ collection: (String) -> Collection?,
        _ take: (inout EditHistory, Collection) -> EditHistory.Edit?
    ) -> Step {
        guard let edit = histories[path]?[keyPath: edits].last else { return .nothing }
        let isOfEdit = { (other: EditHistory.Edit) in other.link == edit.link }
        let paths =
            edit.link == nil ? [path] : histories.filter { $1[keyPath: edits].contains(where: isOfEdit) }.keys.sorted()
        let blocking = paths.first {
            histories[$0]?[keyPath: edits].last.map(isOfEdit) != true || collection($0) == nil
        }
        if let blocking { return .blocked(edit, path: blocking) }
        var restored: [String: Collection] = [:]
        for path in paths {
            guard let current = collection(path), var history = histories[path] else { continue }
            restored[path] = take(&history, current)?.collection
            histories[path] = history
        }
        return .taken(edit, restored)
    }

    mutating func forgetRevertedEdit(of path: String, _ collection: Collection) {
        histories[path]?.forgetRevertedEdit(of: collection)
    }
}
