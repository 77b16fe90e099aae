/// Files and environments: the user's actions on them, and the outcomes of reading and writing.
extension Workbench {
    mutating func perform(_ action: FileAction) -> [Outcome] {
        switch action {
        case .save:
            saves.edited = nil
            return save()
        case .undo:
            // Before the report, which looks for the item where it is now.
            let step = undo()
            return report(step, "undone", "Nothing to undo", "; U redoes it")
        case .redo:
            let step = redo()
            return report(step, "redone", "Nothing to redo", "")
        case .chooseEnvironment: return chooseEnvironment()
        case .signOut: return signOut()
        case .switchEnvironment(let name, let path):
            choose(environment: name, for: path)
            return .notify(.success, "Environment \(name)")
        case .saveAllAndQuit:
            return obstacle(about: dirtyFiles, quits: true) ?? saveAllAndQuit()
        case .saveAndEdit(let path):
            saves.edited = path
            return save(with: [path])
        case .saveAndClose(let path):
            saves.edited = nil
            saves.closed = path
            return save(with: [path])
        case .saveMovingSecrets(let paths, let quits): return saveMovingSecrets(paths) + (quits ? saveAllAndQuit() : [])
        case .saveAsItIs(let paths, let quits):
            return quits ? saveAllAndQuit() : save(paths.compactMap(file))
        case .saveForeign(let path, let target, let quits): return saveForeign(path, to: target, quits: quits)
        case .overwrite(let path): return file(at: path).map { save([$0], overwriting: true) } ?? []
        case .resolve(let choices, let path): return resolve(choices, of: path)
        case .restoreDraft(let path, let draft): return restore(draft, of: path)
        case .offerDraft(let path, let draft): return [.open(question(about: draft, of: path))]
        case .askToDiscard(let path, let draft): return askToDiscard(draft, of: path)
        case .discardDraft(let file): return [.effect(.discardDraft(path: file))]
        case .addScratch: return addScratch()
        case .askToImport: return [.open(.prompt(PromptOverlay(.curl)))]
        case .paste(let text): return paste(text)
        case .send(let text): return paste(text, sends: true)
        case .chooseSecrets: return chooseSecrets()
        case .moveSecrets(let secrets, let path): return moveSecrets(secrets, in: path)
        }
    }

    /// Names the edit that was undone or redone, and goes to its item.
    private mutating func report(_ step: EditHistories.Step, _ verb: String, _ none: String, _ hint: String)
        -> [Outcome]
    {
        switch step {
        case .nothing: return .notify(.info, none + (shownFile.map { " in \($0.name)" } ?? ""))
        case .blocked(let edit, let path):
            let name = file(at: path)?.name ?? path
            let last = verb == "undone" ? lastEdit(of: path)?.item.flatMap(node) : nil
            let text = "Not \(verb): \(edit.label) also changed \(name), which was edited since"
            return .notify(.warning, text) + [.perform(.tree(.select(last ?? .file(path))))]
        case .taken(let edit, let versions):
            let node = edit.item.flatMap(node)
            // The cursor may be in another file now.
            if node == nil { undoesNext = versions.keys.min() }
            return .notify(.info, "\(verb.asSentence): \(edit.label)\(hint)")
                + (node.map { [.perform(.tree(.select($0)))] } ?? [])
        }
    }

    /// Appends a message about an environment in use that an edit, or a change on disk, takes away.
    mutating func sayingWhatIsGone(
        from path: String, _ change: (inout Workbench) -> [Outcome]
    ) -> [Outcome] {
        let before = file(at: path)?.missingEnvironment
        let outcomes = change(&self)
        guard let file = file(at: path), file.missingEnvironment != before else { return outcomes }
        return outcomes + (file.withoutEnvironment ?? [])
    }

    private func signOut() -> [Outcome] {
        guard let file = context else { return .notify(.info, "There is no environment to sign out of") }
        return [.effect(.signOut(file: file.path, environment: file.chosenEnvironment?.name))]
    }

    private func chooseEnvironment() -> [Outcome] {
        guard let file = shownContext, let collection = file.collection else { return [] }
        guard !collection.environments.isEmpty else { return [.perform(.environments(.open))] }
        let items = collection.choosableEnvironments.map {
            PickerOverlay.Item(
                name: $0.name, note: ($0.protected ? "protected · " : "") + Credentials.masked(url: $0.host),
                action: .files(.switchEnvironment($0.name, path: file.path)))
        }
        let title = "Environment of \(file.name) · Tab edits them"
        var picker = PickerOverlay(title: title, items: items, current: file.environment)
        picker.alternative = .environments(.open)
        return [.open(.picker(picker))]
    }

    // MARK: Items

    func item(_ id: ItemID) -> CollectionItem? { file(of: id)?.collection?.item(id) }

    func node(_ id: ItemID) -> TreeNode? {
        item(id).map { item in if case .folder = item { .folder(id) } else { .request(id) } }
    }

    mutating func insert(_ items: [CollectionItem], at node: TreeNode) {
        let label = items.count == 1 ? "add \(items[0].name)" : "add \(items.count) items"
        switch node {
        case .file(let path):
            edit(path: path, label, item: items.first?.id) { for item in items { $0.insert(item, .root) } }
        case .folder(let id): edit(id, label) { for item in items { $0.insert(item, .into(id)) } }
        case .request(let id): edit(id, label) { for item in items.reversed() { $0.insert(item, .after(id)) } }
        }
    }

    func askForName(of id: ItemID?) -> [Outcome] {
        guard let id, let name = item(id)?.name else {
            guard let file = currentFile else { return Self.noCollection }
            return .notify(
                .info, file.collection == nil ? file.unreadable : "The name of a collection is in its file; e opens it")
        }
        return [.open(.prompt(PromptOverlay(.rename(id), text: name)))]
    }

    /// A warning where a request has the name of another one beside it: nothing else tells their recorded runs apart.
    func warningOfTwin(of id: ItemID) -> [Outcome] {
        guard let collection = file(of: id)?.collection, let name = collection.request(id)?.name else { return [] }
        let hasTwin = collection.siblings(in: collection.ancestors(of: id).last).contains { item in
            if case .request(let other) = item { other.id != id && other.name == name } else { false }
        }
        guard hasTwin else { return [] }
        let text = "Two requests here are named \(name): they have one history, and ombi run sends both"
        return .notify(.warning, text)
    }

    static let noCollection = [Outcome].notify(.info, "There is no collection yet; n begins one")

    /// Opens the file under the cursor in the user's editor, after a question about unsaved edits; begins it where there
    /// is none.
    func editFile() -> [Outcome] {
        guard let file = currentFile else { return Self.noCollection }
        if file.isMissing { return askForCollection() }
        if file.isScratch { return .notify(.info, "Scratch requests are in no file; w saves them to one") }
        guard file.isDirty else { return [.effect(file.inEditor)] }
        return .question(
            "Unsaved edits", ["\(file.name) has edits that are not saved."],
            yes: .init("save and open", .files(.saveAndEdit(path: file.path))), no: .init("back", nil))
    }

    // MARK: Saving

    /// Saves the file of the selected request; when that has no edits, every file that has some.
    private mutating func save() -> [Outcome] {
        if let request, shownFile?.isScratch ?? false { return askToSave(request) }
        return save(with: Set([shownFile?.path].compactMap { $0 }))
    }

    private mutating func save(with paths: Set<String>) -> [Outcome] {
        let together = saves.partners(of: paths)
        let files = files.filter { file in
            let isNews = file.isDirty || file.disk == .removed || file.foreignFormat != nil
            return together.contains(file.path) && !file.isScratch && isNews
        }
        let dirty = files.isEmpty ? dirtyFiles : files
        return dirty.isEmpty ? .notify(.info, "Nothing to save") : obstacle(about: dirty) ?? save(dirty)
    }

    /// Returns what keeps files from being saved, or has to be asked before; nil where nothing does.
    func obstacle(about files: [OpenFile], quits: Bool = false) -> [Outcome]? {
        files.lazy.compactMap { obstacle(to: $0, quits: quits) }.first
            ?? questionAboutSecrets(in: files, quits: quits)
    }

    mutating func save(_ files: [OpenFile], overwriting: Bool = false) -> [Outcome] {
        files.compactMap { file in
            // It is saved once its secrets are.
            guard let collection = file.collection, saves.awaitingSecrets[file.path] == nil else { return nil }
            guard saves.writing[file.path] == nil else {
                saves.repeated.insert(file.path)
                return nil
            }
            saves.writing[file.path] = collection
            return .effect(.save(path: file.path, collection, file.fingerprint, overwriting: overwriting))
        }
    }

    /// Quits, after a question about unsaved edits. A pending save of the current content counts as saved: quitting
    /// waits for it.
    mutating func quit() -> [Outcome] {
        let dirty = dirtyFiles.filter { saves.writing[$0.path] != $0.collection }
        let asksAboutScratch = (scratch?.isDirty ?? false) && !saves.keepsScratch
        guard !dirty.isEmpty || asksAboutScratch else { return quitWhenSaved() }
        let names = dirty.map(\.fileName).joined(separator: ", ")
        let count = Count.of(scratch?.collection?.requestCount ?? 0, "scratch request")
        let yes = dirty.isEmpty ? "keep for the next start" : "save and quit"
        let lines =
            (dirty.isEmpty ? [] : ["Not saved: \(names)"])
            + (asksAboutScratch
                ? ["Not in a collection: \(count)" + (dirty.isEmpty ? "" : ", kept for the next start")] : [])
        return .question(
            "Quit", lines, yes: .init(yes, .files(.saveAllAndQuit)),
            no: .init("quit without", .app(.quitWithoutSaving)))
    }

    private mutating func saveAllAndQuit() -> [Outcome] {
        saves.edited = nil
        saves.keepsScratch = true
        return save(dirtyFiles) + quitWhenSaved()
    }

    private mutating func quitWhenSaved() -> [Outcome] {
        saves.quitsAfterwards = saves.isPending
        guard !saves.isPending else { return [] }
        let kept = saves.keepsScratch ? unsaved.filter { $0.path == OpenFile.scratchPath } : []
        return kept.map { .effect(.keepDraft($0)) } + [.effect(.quit)]
    }

    mutating func saved(_ path: String, _ collection: Collection, _ fingerprint: Fingerprint) -> [Outcome] {
        let names = saves.end(path, saved: file(at: path)?.fileName ?? path)
        markSaved(path: path, as: collection, fingerprint)
        let secrets = saves.ungranted.removeValue(forKey: path) ?? []
        let local = PlainSecrets.localFile(of: path) ?? ""
        let moved = secrets.isEmpty ? "" : ", and \(Count.of(secrets.count, "secret")) in \(local)"
        var outcomes: [Outcome] = .notify(.success, "Saved \(names)\(moved)")
        if !secrets.isEmpty { outcomes.append(.effect(.grantMoved(secrets, path: path))) }
        if saves.unread.remove(path) != nil { outcomes.append(.effect(.reload(path: path))) }
        if saves.repeated.remove(path) != nil, let file = file(at: path), file.isDirty {
            return outcomes + save([file])
        }
        if saves.edited == path, let file = file(at: path) {
            saves.edited = nil
            outcomes.append(.effect(file.inEditor))
        }
        if saves.closed == path, file(at: path)?.isDirty == false {
            saves.closed = nil
            outcomes.append(.perform(.tree(.close(path: path))))
        }
        guard saves.quitsAfterwards, !saves.isPending else { return outcomes }
        saves.quitsAfterwards = false
        // Text typed while the file was written needs the question again.
        return outcomes + quit()
    }

    mutating func saveFailed(_ path: String, _ message: String, changedOnDisk: Bool) -> [Outcome] {
        saves.end(path)
        saves.repeated.remove(path)
        saves.quitsAfterwards = false
        saves.edited = nil
        saves.keepsScratch = false
        saves.unread.remove(path)
        // The message of the merge follows.
        return changedOnDisk ? [.effect(.reload(path: path))] : .notify(.failure, message)
    }

    // MARK: Reading

    /// Takes over the files of the command line, in the environment of that name where they have it.
    mutating func open(_ loaded: [LoadedCollection], _ environment: String?) -> [Outcome] {
        self = opening(loaded)
        var outcomes: [Outcome] = []
        if let environment { outcomes += chooseEverywhere(environment) }
        // The last one shows, and the log has them all: the first file that could not be read.
        outcomes += files.filter { $0.collection != nil }.flatMap(Self.warning(of:))
        outcomes += Self.unreadable(files)
        return outcomes + offerToBegin() + unsavedEdits(of: loaded)
    }

    /// The files that could not be read, the first one last.
    static func unreadable(_ files: [OpenFile]) -> [Outcome] {
        files.reversed().compactMap(\.readProblem).flatMap { [Outcome].notify(.warning, $0) }
    }

    private mutating func chooseEverywhere(_ environment: String) -> [Outcome] {
        let having = files.filter { $0.collection?.canChoose(environment: environment) ?? false }
        for file in having { choose(environment: environment, for: file.path) }
        return having.isEmpty ? .notify(.failure, "No collection has an environment \(environment); E shows them") : []
    }

    /// The first problem of a file that could be read; of another tool's file, that it is read-only.
    private static func warning(of file: OpenFile) -> [Outcome] {
        if let notice = file.readOnlyNotice { return [.notice(notice)] }
        guard let first = file.problems.first else { return [] }
        let more = file.problems.count > 1 ? " · \(file.problems.count - 1) more, which ombi check lists" : ""
        return .notify(.warning, first.description + more)
    }

    mutating func reloaded(_ loaded: LoadedCollection) -> [Outcome] {
        let before = file(at: loaded.path)
        guard loaded.collection != nil else {
            // A file that cannot be read must not cost any edits.
            if !(before?.isDirty ?? false) { reload(loaded) }
            return .notify(.failure, loaded.problems.first?.description ?? "Could not be read")
        }
        reload(loaded)
        let warning = file(at: loaded.path).map(Self.warning(of:)) ?? []
        let name = loaded.path.split(separator: "/").last ?? ""
        let outcomes = warning.isEmpty ? .notify(.success, "Read \(name)") : warning
        // While it could not be read, there was nothing to restore.
        return before?.collection == nil ? outcomes + unsavedEdits(of: [loaded]) : outcomes
    }
}

extension OpenFile {
    /// Opens the file in the user's editor, at its first problem.
    var inEditor: Effect { .editFile(path: path, line: firstError?.position?.line ?? 1) }

    /// The answer to an action that needs the environment in use; nil where that is in the file.
    var withoutEnvironment: [Outcome]? {
        guard let others = collection?.choosableEnvironments.map(\.name) else { return nil }
        let names = others.prefix(3).joined(separator: ", ") + (others.count > 3 ? ", …" : "")
        if awaitsEnvironment {
            return .notify(.warning, "Nothing is sent from \(fileName) by itself; E chooses an environment: \(names)")
        }
        guard let name = missingEnvironment else { return nil }
        return .notify(.warning, "The environment \(name) is no longer in \(fileName); E chooses another: \(names)")
    }
}
