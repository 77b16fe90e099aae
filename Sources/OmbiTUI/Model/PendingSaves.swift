import OmbiWorkspace

/// The saves that have begun, and what follows them.
struct PendingSaves: Equatable, Sendable {
    /// The content being written to each path.
    var writing: [String: Collection] = [:]
    /// The names of the files that were written since the last time that nothing was.
    private var written: [String] = []
    /// Files to be saved again: only one save of a file is pending at a time, because the next must know what the last
    /// one wrote.
    var repeated: Set<String> = []
    /// Files that changed on disk while they were written.
    var unread: Set<String> = []
    /// Secrets that went into the local file beside each path, which changes by that.
    var movedSecrets: [String: [Secret]] = [:]
    /// Secrets of files that are saved once these have gone into the files beside them.
    var awaitingSecrets: [String: [PlainSecret]] = [:]
    /// The same that have gone there, and are to be granted once their templates are saved.
    var ungranted: [String: [PlainSecret]] = [:]
    /// True when the program quits after the pending saves.
    var quitsAfterwards = false
    /// The file that opens in the user's editor once it is saved.
    var edited: String?
    /// The scratch request for which a collection is created.
    var scratch: ItemID?
    /// True when quitting keeps the scratch requests for the next start.
    var keepsScratch = false
    /// Files that an edit changed together since they were saved.
    private var linked: [Set<String>] = []

    var isPending: Bool { !writing.isEmpty || !awaitingSecrets.isEmpty }

    /// Ends a save.
    /// - Parameter name: that of a file that was written.
    /// - Returns: the names of all that are saved together with it.
    @discardableResult
    mutating func end(_ path: String, saved name: String? = nil) -> String {
        writing[path] = nil
        if let name, !written.contains(name) { written.append(name) }
        defer { if writing.isEmpty { written = [] } }
        return written.joined(separator: ", ")
    }

    mutating func link(_ paths: Set<String>) { linked.append(paths) }

    mutating func unlink(_ path: String) {
        linked = linked.map { $0.subtracting([path]) }.filter { $0.count > 1 }
    }

    /// The files to be saved with some, so that nothing that was moved is in both or in neither of them.
    func partners(of paths: Set<String>) -> Set<String> {
        var all = paths
        while let more = linked.first(where: { !$0.isDisjoint(with: all) && !$0.isSubset(of: all) }) {
            all.formUnion(more)
        }
        return all
    }
}
