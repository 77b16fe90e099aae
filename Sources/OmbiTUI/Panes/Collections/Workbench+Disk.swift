import OmbiTerminal
import OmbiWorkspace

/// Files that others change while they are open: read again, or merged with the edits that are not saved.
extension Workbench {
    /// Takes in a file that was read again.
    /// - Parameter mayAsk: false while an overlay of conflicts would come in between.
    mutating func changed(_ loaded: LoadedCollection, mayAsk: Bool = true) -> [Outcome] {
        sayingWhatIsGone(from: loaded.path) { $0.takeChange(loaded, mayAsk: mayAsk) }
    }

    private mutating func takeChange(_ loaded: LoadedCollection, mayAsk: Bool) -> [Outcome] {
        guard let file = file(at: loaded.path) else { return appeared(loaded) }
        guard saves.writing[file.path] == nil else {
            // It may be what is being written.
            saves.unread.insert(file.path)
            return []
        }
        guard let theirs = loaded.collection, !file.isLost(in: loaded) else { return becameUnreadable(file, loaded) }
        let isOverlaid = takeOverlay(from: loaded)
        guard loaded.fingerprint != file.fingerprint else {
            let outcomes = isBack(file)
            let notice = "what lies beside \(file.fileName) changed on disk"
            guard isOverlaid, outcomes.isEmpty else { return outcomes }
            let problem = self.file(at: loaded.path)?.problems.first { $0.severity == .error }
            guard let problem else { return .notify(.info, notice) }
            return .notify(.warning, problem.description)
        }
        guard file.collection != nil else { return reloaded(loaded) }
        let changes = file.saved.flatMap { theirs.withIdentities(of: $0).requestChanges(since: $0) }
        let suffix = changes.map { ": \($0)" } ?? ""
        guard file.isDirty else {
            reload(loaded)
            return .notify(.info, "\(file.fileName) changed on disk\(suffix)")
        }
        merge(loaded)
        let count = self.file(at: file.path)?.conflicts.count ?? 0
        guard count > 0 else {
            return .notify(.info, "\(file.fileName) changed on disk, merged with your edits\(suffix)")
        }
        let conflicts = count == 1 ? "1 conflict" : "\(count) conflicts"
        let remedy = mayAsk ? "w shows them again" : "w shows them"
        return .notify(.warning, "\(file.fileName) changed on disk: \(conflicts) with your edits; \(remedy)")
            + (mayAsk ? askAboutConflicts(of: file.path) : [])
    }

    /// Reads a file again once a run had the grant for the document that its request is based on.
    func readingDocument(after result: SessionResult, of item: ItemID) -> [Outcome] {
        guard request(item)?.operation?.isWithheld ?? false, result.prepared != nil, let file = file(of: item) else {
            return []
        }
        return [.effect(.reload(path: file.path))]
    }

    /// A file that cannot be read, or is gone: everything stays as it shows.
    private mutating func becameUnreadable(_ file: OpenFile, _ loaded: LoadedCollection) -> [Outcome] {
        guard file.collection != nil else {
            guard file.problems != loaded.problems else { return [] }
            reload(loaded)
            return .notify(.failure, loaded.problems.first?.description ?? "\(file.fileName) cannot be read")
        }
        let problem = loaded.collection?.overlay.foreignFormat.map { "\(file.fileName) is \($0) now" }
        let reason = problem ?? loaded.problems.first?.description ?? ""
        let state = loaded.isMissing ? OpenFile.Disk.removed : .unreadable(reason)
        guard file.disk != state, !(loaded.isMissing && file.fingerprint == .absent) else { return [] }
        set(state, of: file.path)
        switch state {
        case .unreadable(let problem): return .notify(.failure, "\(problem); still showing the last valid version")
        case .removed: return .notify(.warning, "\(file.fileName) was removed from disk; \(file.rescue)")
        case .known: return []
        }
    }

    /// A file that holds again what was read or written last.
    private mutating func isBack(_ file: OpenFile) -> [Outcome] {
        guard file.disk != .known else { return [] }
        set(.known, of: file.path)
        return .notify(.info, "\(file.fileName) is on disk as before")
    }

    private mutating func appeared(_ loaded: LoadedCollection) -> [Outcome] {
        guard !loaded.isMissing, !replaced.contains(loaded.path) else { return [] }
        add(OpenFile(loaded))
        guard loaded.collection != nil else {
            return .notify(.warning, loaded.problems.first?.description ?? "\(loaded.path) cannot be read")
        }
        return .notify(.info, "\(loaded.path) is new: opened") + unsavedEdits(of: [loaded])
    }

    // MARK: Files under a field

    /// Keeps what was read until the text that is being typed belongs to the request.
    mutating func hold(_ loaded: LoadedCollection) -> [Outcome] {
        held[loaded.path] = loaded
        return .notify(.info, "\(loaded.path) changed on disk; it is read when the edit ends")
    }

    mutating func takeHeld(mayAsk: Bool) -> [Outcome] {
        let loaded = held.values.sorted { $0.path < $1.path }
        held = [:]
        return loaded.flatMap { changed($0, mayAsk: mayAsk) }
    }

    // MARK: Conflicts

    func askAboutConflicts(of path: String) -> [Outcome] {
        guard let file = file(at: path), let overlay = ConflictOverlay(file) else { return [] }
        return [.open(.conflicts(overlay))]
    }

    /// Ends conflicts: each with mine, or with theirs.
    mutating func resolve(_ choices: [ConflictChoice], of path: String) -> [Outcome] {
        resolveConflicts(choices, of: path)
        guard let file = file(at: path) else { return [] }
        return .notify(.success, file.isDirty ? "Conflicts resolved; w saves \(file.fileName)" : "Conflicts resolved")
    }

    /// The question before a file is saved, nil when nothing stands against it.
    func obstacle(to file: OpenFile, quits: Bool = false) -> [Outcome]? {
        if !file.conflicts.isEmpty { return askAboutConflicts(of: file.path) }
        if let asked = askForNewFile(of: file, quits: quits) { return asked }
        guard case .unreadable(let problem) = file.disk else { return nil }
        let question = QuestionOverlay(
            title: "Overwrite",
            lines: ["\(file.path) cannot be read any more:", problem, "Saving overwrites it with what shows here."],
            yes: .init("overwrite the file", .files(.overwrite(path: file.path))),
            no: .init("leave it", nil))
        return [.open(.question(question))]
    }
}
