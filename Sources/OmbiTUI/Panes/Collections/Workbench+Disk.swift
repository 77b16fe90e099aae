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
        guard !replaced.contains(loaded.path) else { return [] }
        held[loaded.path] = loaded
        // An own save is no news.
        let isKnown = loaded.fingerprint == file(at: loaded.path)?.fingerprint
        guard !isKnown, saves.writing[loaded.path] == nil else { return [] }
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
        return .question(
            "Overwrite",
            ["\(file.path) cannot be read any more:", problem, "Saving overwrites it with what shows here."],
            yes: .init("overwrite the file", .files(.overwrite(path: file.path))), no: .init("leave it", nil))
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
        if saves.closed == path { saves.closed = new.path }
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

/// Secrets that stand in a collection in plain text, and the offer to move them into the local file beside it.
extension Workbench {
    /// Lists what looks like a secret in the file under the cursor.
    func chooseSecrets() -> [Outcome] {
        guard let file = shownFile, let collection = file.collection else { return Self.noCollection }
        guard !file.isScratch, let local = PlainSecrets.localFile(of: file.path) else {
            return .notify(.info, "Scratch requests have no local file; w saves them to a collection")
        }
        guard file.foreignFormat == nil else {
            return .notify(.info, "\(file.fileName) is read-only; w makes a collection of it first")
        }
        guard let found = PlainSecrets(of: collection, file: file.path)?.found, !found.isEmpty else {
            return .notify(.info, "Nothing in \(file.fileName) looks like a secret in plain text")
        }
        guard collection.defaultEnvironment != nil else {
            return .notify(.warning, "\(file.fileName) has no environment, which a secret needs; E Tab A adds one")
        }
        let each = found.map { secret in
            PickerOverlay.Item(
                name: "{{\(secret.name)}}", note: "\(secret.kind) in \(secret.place)",
                action: .files(.moveSecrets([secret], path: file.path)))
        }
        let all = PickerOverlay.Item(
            name: "All \(found.count)", note: "the values go to \(local), templates take their places",
            action: .files(.moveSecrets(found, path: file.path)))
        let items = (found.count > 1 ? [all] : []) + each
        return [.open(.picker(PickerOverlay(title: "Move secrets to \(local)", items: items)))]
    }

    /// Puts templates in the places of secrets, as one edit, and keeps their values in the local file.
    mutating func moveSecrets(_ secrets: [PlainSecret], in path: String) -> [Outcome] {
        guard let file = file(at: path), let collection = file.collection,
            let changed = PlainSecrets(of: collection, file: path)?.collection(without: secrets, of: collection)
        else { return .notify(.warning, "Not moved: the collection has changed meanwhile") }
        let label = secrets.count == 1 ? "move {{\(secrets[0].name)}} out" : "move \(secrets.count) secrets out"
        edit(path: path, label) { $0 = changed }
        let moved = secrets.map(\.moved)
        saves.movedSecrets[path, default: []] += moved
        // They are used at once: the file beside this one is read again some time after it was written.
        addToOverlay(moved, of: path)
        return [.effect(.keepSecrets(secrets, path: path))]
    }

    // MARK: Saving

    /// Asks about secrets that edits have brought into files in clear; nil where there are none.
    func questionAboutSecrets(in files: [OpenFile], quits: Bool) -> [Outcome]? {
        let found = files.map { ($0, newSecrets(in: $0)) }.filter { !$0.1.isEmpty }
        guard let first = found.first else { return nil }
        let paths = files.map(\.path)
        let names = found.map(\.0.fileName).joined(separator: ", ")
        let lines = found.flatMap(\.1).map { "  {{\($0.name)}}: \($0.kind) in \($0.place)" }
        let more = lines.count > Self.maximumListed ? ["  and \(lines.count - Self.maximumListed) more"] : []
        let local = found.count == 1 ? PlainSecrets.localFile(of: first.0.path) ?? "" : "the local files"
        return .question(
            "Secrets in plain text", ["\(names) would contain:"] + lines.prefix(Self.maximumListed) + more,
            yes: .init("move to \(local)", .files(.saveMovingSecrets(paths, quits: quits))),
            no: .init("save as it is", .files(.saveAsItIs(paths, quits: quits))))
    }

    private static let maximumListed = 6

    /// The secrets that a file would have in clear, and has not yet. Those without a place for their values count, too.
    private func newSecrets(in file: OpenFile) -> [PlainSecret] {
        guard !file.isScratch, file.isDirty, let collection = file.collection,
            PlainSecrets.localFile(of: file.path) != nil,
            collection.defaultEnvironment != nil
        else { return [] }
        return PlainSecrets.new(in: collection, since: file.savedVersion?.collection, file: file.path)
    }

    /// Saves files, each once its secrets are in the file beside it.
    mutating func saveMovingSecrets(_ paths: [String]) -> [Outcome] {
        paths.compactMap(file).flatMap { file in
            let secrets = newSecrets(in: file)
            guard !secrets.isEmpty else { return save([file]) }
            let outcomes = moveSecrets(secrets, in: file.path)
            // A file that waits for secrets that stayed where they are could not be saved any more.
            if case .effect(.keepSecrets)? = outcomes.first { saves.awaitingSecrets[file.path] = secrets }
            return outcomes
        }
    }

    /// Saves the file that waited for its secrets; where they could not be kept, its text comes back instead.
    mutating func kept(_ path: String, _ notice: Notice, _ isKept: Bool) -> [Outcome] {
        let outcomes: [Outcome] = [.notice(notice)]
        guard let secrets = saves.awaitingSecrets.removeValue(forKey: path) else { return outcomes }
        guard isKept, let file = file(at: path) else {
            saves.quitsAfterwards = false
            return outcomes
        }
        saves.ungranted[path] = secrets
        return outcomes + save([file])
    }
}
