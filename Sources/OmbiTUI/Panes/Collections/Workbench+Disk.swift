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

/// Files of other tools: they are shown, sent and edited in memory, and saved as new collections only.
extension Workbench {
    /// Asks for the path of the collection that a file becomes; nil for a file of Ombi.
    func askForNewFile(of file: OpenFile, quits: Bool) -> [Outcome]? {
        guard let format = file.foreignFormat else { return nil }
        guard saves.converting[file.path] == nil else { return .notify(.info, "\(file.fileName) is being saved") }
        let subject = PromptOverlay.Subject.newFile(of: file.path, format: format, quits: quits)
        return [.open(.prompt(PromptOverlay(subject, text: file.proposedPath, isSelected: true)))]
    }

    /// The reason why a text is not the path of a new collection; nil for one that is.
    static func problem(ofNewFile text: String, from path: String) -> String? {
        let name = text.split(separator: "/").last.map(String.init) ?? ""
        if text.hasSuffix("/") || !CollectionFinder.isCandidate(name) { return "write NAME.json" }
        return text == path ? "this is the file that is read; write another name" : nil
    }

    /// Makes a new collection of a file as it was read; the edits are saved to that after it.
    mutating func saveForeign(_ path: String, to target: String, quits: Bool) -> [Outcome] {
        guard let file = file(at: path), file.foreignFormat != nil, saves.converting[path] == nil else { return [] }
        let target = target.hasPrefix("./") ? String(target.dropFirst(2)) : target
        guard self.file(at: target) == nil else {
            return .notify(.warning, "Not saved: \(target) is open; w asks for another name")
        }
        saves.converting[path] = quits
        return [.effect(.convert(path: path, file.fingerprint, to: target))]
    }

    /// Goes on in a new collection, to which the edits are saved, and the history of the requests goes along.
    /// - Parameter new: nil where there is none.
    mutating func converted(_ path: String, to new: LoadedCollection?, _ notice: Notice) -> [Outcome] {
        let quits = saves.converting.removeValue(forKey: path) ?? false
        guard let new, let old = file(at: path)?.saved else {
            saves.edited = nil
            return [.notice(notice)]
        }
        var outcomes: [Outcome] = [.notice(notice)]
        old.forEachRequest { request, folders in
            let names = folders.map(\.name) + [request.name]
            outcomes.append(.move((ItemPath(file: path, path: names), ItemPath(file: new.path, path: names))))
        }
        let together = saves.partners(of: [path]).subtracting([path])
        goOn(in: new, from: path)
        if saves.edited == path { saves.edited = new.path }
        if quits { return outcomes + perform(.saveAllAndQuit) }
        let edited = files.filter { ($0.path == new.path || together.contains($0.path)) && $0.isDirty }
        guard edited.isEmpty else { return outcomes + (obstacle(about: edited) ?? save(edited)) }
        if saves.edited == new.path, let file = file(at: new.path) {
            saves.edited = nil
            outcomes.append(.effect(file.inEditor))
        }
        return outcomes
    }
}

extension OpenFile {
    /// `shop.json` beside `shop.postman_collection.json`, and `shop.ombi.json` beside `shop.json`.
    fileprivate var proposedPath: String {
        let stem = fileName.prefix { $0 != "." }
        let name = stem.isEmpty ? "collection.json" : "\(stem).json"
        return CollectionFinder.path(of: name == fileName ? "\(stem).ombi.json" : name, in: folder)
    }

    /// Says that the file is another tool's, and how much of it is left out; nil for a file of Ombi.
    var readOnlyNotice: Notice? {
        guard let format = foreignFormat else { return nil }
        let losses = problems.isEmpty ? "" : " · \(Count.of(problems.count, "part")) left out, listed on its page"
        if awaitsEnvironment {
            return Notice(.info, "\(fileName) is \(format), read-only: E chooses an environment to send to\(losses)")
        }
        return Notice(.info, "\(fileName) is \(format), read-only: w makes a collection of it\(losses)")
    }

    /// A clause on the key that writes a file that is gone.
    var rescue: String { foreignFormat == nil ? "w writes it again" : "w makes a collection of what it was" }
}
