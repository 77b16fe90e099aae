/// The edits of one collection that can be undone, and those that were undone and can be redone.
struct EditHistory: Equatable, Sendable {
    /// A state of the collection, with the text that its file had then.
    struct Version: Equatable, Sendable {
        var collection: Collection
        var text: Bytes?

        /// The texts say only how what is edited was laid out, and have no equality but being the same.
        static func == (one: Version, other: Version) -> Bool { one.collection == other.collection }
    }

    /// An edit, with the version on the other side of it.
    struct Edit: Equatable, Sendable {
        /// Such as "delete list users", for messages.
        var label: String
        /// The item that it changed; nil for the whole collection.
        var item: ItemID?
        var version: Version
        /// The number that an edit of several collections has in each of them.
        var link: Int?
    }

    private(set) var undone: [Edit] = []
    private(set) var done: [Edit] = []

    static let maximumEdits = 200
    /// The bytes of earlier texts of the file that edits keep. Edits share what is equal, but what is read from a file
    /// anew shares nothing with what was read before, and takes about twice the bytes of its text.
    static let maximumBytes = 32 << 20

    /// Records an edit with the version before it.
    /// - Parameter now: the text of the file after it.
    /// - Returns: the links of the edits that are forgotten for it.
    mutating func record(_ edit: Edit, now: Bytes?) -> [Int] {
        var forgotten = undone
        undone = []
        done.append(edit)
        let first = firstKept(now)
        forgotten += done[..<first]
        done.removeFirst(first)
        return forgotten.compactMap(\.link)
    }

    /// The index of the first edit within the limits. The last one is always within them.
    private func firstKept(_ now: Bytes?) -> Int {
        let first = max(0, done.count - Self.maximumEdits)
        var (text, bytes) = (now, 0)
        for index in done.indices[first...].reversed() {
            let earlier = done[index].version.text
            if let earlier, earlier.base != text?.base { bytes += earlier.count }
            text = earlier
            if bytes > Self.maximumBytes { return min(index + 1, done.count - 1) }
        }
        return first
    }

    /// Takes a change of the file in where the edits that are not saved begin: undoing these leaves it as it is.
    /// - Parameters:
    ///   - change: with the version that was saved.
    ///   - theirs: what the file holds since, with the identities of that version.
    /// - Returns: the links of the edits that are forgotten for it.
    mutating func insert(_ change: Edit, to theirs: Version) -> [Int] {
        let forgotten = undone
        undone = []
        let base = change.version.collection
        let first = done.lastIndex { edit in
            var base = base
            base.takeOverlay(from: edit.version.collection)
            return base == edit.version.collection
        }
        for index in done.indices[(first ?? 0)...] {
            let merge = done[index].version.collection.merging(theirs.collection, since: base)
            done[index].version = Version(collection: merge.collection, text: theirs.text)
        }
        if let first {
            done[first].version = theirs
            done.insert(change, at: first)
        }
        return forgotten.compactMap(\.link)
    }

    /// Steps back, from that version to the one before the last edit.
    mutating func undo(from version: Version) -> Edit? { Self.step(from: &done, to: &undone, version) }

    /// Steps forward again.
    mutating func redo(from version: Version) -> Edit? { Self.step(from: &undone, to: &done, version) }

    private static func step(from: inout [Edit], to: inout [Edit], _ version: Version) -> Edit? {
        guard let edit = from.popLast() else { return nil }
        var other = edit
        other.version = version
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
        guard done.count >= 2, done[done.count - 2].version.collection == collection else { return }
        if done.suffix(2).allSatisfy({ $0.link == nil }) { done.removeLast(2) }
    }

    /// Makes one edit of the last two.
    mutating func joinLastEdits() {
        guard done.count >= 2, done.suffix(2).allSatisfy({ $0.link == nil && $0.item == done.last?.item }) else {
            return
        }
        done.removeLast()
    }
}

/// The histories of the open files. An edit of several files is undone and redone in all of them, or in none.
struct EditHistories: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        case nothing
        /// The edit also changed a file that was edited since.
        case blocked(EditHistory.Edit, path: String)
        /// The versions to be restored, by their paths.
        case taken(EditHistory.Edit, [String: EditHistory.Version])
    }

    private var histories: [String: EditHistory] = [:]
    private var lastLink = 0

    func undoCount(of path: String) -> Int { histories[path]?.done.count ?? 0 }

    func redoCount(of path: String) -> Int { histories[path]?.undone.count ?? 0 }

    /// The edit of a file that would be undone next.
    func last(of path: String) -> EditHistory.Edit? { histories[path]?.done.last }

    /// Records an edit with the versions that it changed, as they were before.
    /// - Parameter now: returns the text of a file after it.
    mutating func record(
        _ label: String, item: ItemID?, _ before: [String: EditHistory.Version], now: (String) -> Bytes?
    ) {
        let isLinked = before.count > 1
        if isLinked { lastLink += 1 }
        var forgotten: [Int] = []
        for (path, version) in before {
            let edit = EditHistory.Edit(label: label, item: item, version: version, link: isLinked ? lastLink : nil)
            forgotten += histories[path, default: EditHistory()].record(edit, now: now(path))
        }
        forget(forgotten)
    }

    /// Takes a change of a file in below the edits of it that are not saved.
    mutating func insert(
        _ label: String, of path: String, from base: EditHistory.Version, to theirs: EditHistory.Version
    ) {
        let change = EditHistory.Edit(label: label, version: base)
        forget(histories[path]?.insert(change, to: theirs) ?? [])
    }

    /// Forgets edits in all files: what one file cannot reach any more goes in the others, too.
    private mutating func forget(_ links: [Int]) {
        var forgotten = links
        while let link = forgotten.popLast() {
            for path in histories.keys { forgotten += histories[path]?.forget(link) ?? [] }
        }
    }

    /// Forgets the edits of a file, and what others cannot undo without them.
    mutating func forget(_ path: String) {
        let history = histories.removeValue(forKey: path)
        forget(((history?.done ?? []) + (history?.undone ?? [])).compactMap(\.link))
    }

    /// Moves the edits of a file to the one that takes its place.
    mutating func rename(_ path: String, to new: String) { histories[new] = histories.removeValue(forKey: path) }

    mutating func undo(of path: String, from version: (String) -> EditHistory.Version?) -> Step {
        step(path, \.done, version) { $0.undo(from: $1) }
    }

    mutating func redo(of path: String, from version: (String) -> EditHistory.Version?) -> Step {
        step(path, \.undone, version) { $0.redo(from: $1) }
    }

    private mutating func step(
        _ path: String, _ edits: KeyPath<EditHistory, [EditHistory.Edit]>,
        _ version: (String) -> EditHistory.Version?,
        _ take: (inout EditHistory, EditHistory.Version) -> EditHistory.Edit?
    ) -> Step {
        guard let edit = histories[path]?[keyPath: edits].last else { return .nothing }
        let isOfEdit = { (other: EditHistory.Edit) in other.link == edit.link }
        let paths =
            edit.link == nil ? [path] : histories.filter { $1[keyPath: edits].contains(where: isOfEdit) }.keys.sorted()
        let blocking = paths.first {
            histories[$0]?[keyPath: edits].last.map(isOfEdit) != true || version($0) == nil
        }
        if let blocking { return .blocked(edit, path: blocking) }
        var restored: [String: EditHistory.Version] = [:]
        for path in paths {
            guard let current = version(path), var history = histories[path] else { continue }
            restored[path] = take(&history, current)?.version
            histories[path] = history
        }
        return .taken(edit, restored)
    }

    mutating func forgetRevertedEdit(of path: String, _ collection: Collection) {
        histories[path]?.forgetRevertedEdit(of: collection)
    }

    mutating func joinLastEdits(of path: String) { histories[path]?.joinLastEdits() }
}
