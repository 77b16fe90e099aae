/// New collections, and further ones that are opened.
extension Workbench {
    /// Asks for what a new collection needs: for that of a file that does not exist its host alone.
    func askForCollection() -> [Outcome] {
        guard let file = currentFile, file.isMissing else { return [.open(.prompt(PromptOverlay(.newCollection)))] }
        return [.perform(.tree(.askForHost(name: file.stem, path: file.path)))]
    }

    /// Offers to create a file of the command line that does not exist.
    func offerToBegin() -> [Outcome] {
        guard let file = files.first(where: \.isMissing) else { return [] }
        return .question(
            "New collection", ["There is no \(file.path)."],
            yes: .init("create it as a new collection", .tree(.askForHost(name: file.stem, path: file.path))),
            no: .init("leave it", nil))
    }

    static func begin(_ name: String, host: String, path: String?) -> [Outcome] {
        [.effect(.begin(newCollection(name, host: host), path: path))]
    }

    /// A collection with an environment for its host, unless that is empty.
    static func newCollection(_ name: String, host: String) -> Collection {
        let host = Environment.host(from: host)
        let environments = host.isEmpty ? [] : [Environment(name: "default", host: host)]
        return Collection(schema: nil, name: name, environments: environments)
    }

    /// The reason why a text is not the host of a new collection; nil for one that is, and for none.
    static func problem(ofHost text: String) -> String? {
        if text.hasPrefix("/") { return "it needs a host: https://example.com" }
        let host = Environment.host(from: text)
        if host.isEmpty { return nil }
        do throws(FieldError) { try Environment.checkHost(host) } catch { return error.message }
        return nil
    }

    /// Takes in the file of a new collection, and asks for the name of its first request.
    mutating func begun(_ loaded: LoadedCollection) -> [Outcome] {
        if file(at: loaded.path) == nil { add(OpenFile(loaded)) } else { reload(loaded) }
        let created = [Outcome.notice(Notice(.success, "Created \(loaded.path)"))]
        if let id = saves.scratch, item(id) != nil {
            saves.scratch = nil
            return created
                + [.perform(.tree(.select(.request(id)))), .perform(.tree(.put(.file(loaded.path), .save)))]
        }
        if let first = file(at: loaded.path)?.collection?.requests.first {
            return created + [.perform(.tree(.select(.request(first.id))))]
        }
        let node = TreeNode.file(loaded.path)
        return created
            + [.perform(.tree(.select(node))), .open(.prompt(PromptOverlay(.firstRequest(after: node))))]
    }

    mutating func added(_ loaded: [LoadedCollection], at path: String) -> [Outcome] {
        let new = loaded.filter { file(at: $0.path) == nil && !$0.isMissing && !$0.isUnread }
        for file in new { add(OpenFile(file)) }
        guard let first = new.first else {
            guard let known = loaded.first else { return .notify(.warning, "No collections in \(path)") }
            if known.isMissing { return .notify(.warning, "\(path) does not exist") }
            let problem = file(at: known.path) == nil ? OpenFile(known).readProblem : nil
            return .notify(.warning, problem ?? "\(path) is open")
        }
        let added = new.compactMap { file(at: $0.path) }
        let readable = added.filter { $0.collection != nil }
        let opened: String? =
            readable.count > 1 ? "Opened \(readable.count) collections" : readable.first.map { "Opened \($0.path)" }
        return (opened.map { [Outcome].notify(.success, $0) } ?? []) + Self.unreadable(added)
            + added.compactMap(\.readOnlyNotice).map(Outcome.notice)
            + [.perform(.tree(.select(.file(first.path))))] + unsavedEdits(of: new)
    }
}

extension LoadedCollection {
    /// True for a file of which nothing could be read: such a path is mistyped, and has nothing to show.
    fileprivate var isUnread: Bool { collection == nil && fingerprint == .absent && !path.hasSuffix("/") }
}

extension OpenFile {
    /// True for a path of the command line without a file.
    var isMissing: Bool { !hasCollection && disk == .removed && fileName.hasSuffix(".json") }

    /// The problem of a file that could not be read; nil for any other.
    var readProblem: String? {
        guard collection == nil, !isMissing else { return nil }
        return "Could not read " + (firstError.map { "\($0.shortPlace): \($0.message)" } ?? fileName)
    }

    /// The name of the file without its extension.
    fileprivate var stem: String { fileName.hasSuffix(".json") ? String(fileName.dropLast(5)) : fileName }
}

/// Scratch requests: they belong to no file until they are saved to one.
extension Workbench {
    /// The URL of a new request without an environment, to type after.
    static let emptyURL = "https://"

    /// Opens a new request, and its URL for editing.
    mutating func addScratch() -> [Outcome] {
        let path = environment == nil ? Self.emptyURL : "/"
        let request = SavedRequest(name: "scratch", path: path)
        addScratch(named([.request(request)]), isNew: true)
        return [.perform(.tree(.select(.request(request.id)))), .focus(.request), .perform(.request(.edit))]
    }

    /// The reason why a text opens nothing; nil for a URL, a curl command and the path of a file.
    static func problem(ofPaste text: String) -> String? {
        let text = PastedRequests.trimmed(text)
        guard !text.isEmpty, !Importer.isPath(text) else { return text.isEmpty ? "type it, or Esc goes back" : nil }
        do throws(ImportError) {
            let pasted = try PastedRequests(text)
            return pasted?.requests.isEmpty == false ? nil : "write a URL, a curl command or the path of a file"
        } catch {
            return "curl, \(error)"
        }
    }

    /// Opens the requests of a curl command or of a URL, or the file at a path.
    /// - Parameter sends: true where the first request is sent at once.
    mutating func paste(_ text: String, sends: Bool = false) -> [Outcome] {
        let text = PastedRequests.trimmed(text)
        if Importer.isPath(text) { return [.effect(.open(path: text))] }
        do throws(ImportError) {
            guard let pasted = try PastedRequests(text), !pasted.requests.isEmpty else {
                return .notify(.info, "Only a URL or a curl command can be pasted here")
            }
            let count = pasted.requests.count
            sendsOnEnter = files.isEmpty && !sends
            let advice = (sendsOnEnter ? "Enter sends it, " : "") + "w saves to a collection"
            addScratch(named(pasted.requests.map(CollectionItem.request)), isNew: true)
            let first = pasted.requests[0]
            let opened = count > 1 ? "Opened \(count) scratch requests" : "Opened \(first.name) as a scratch request"
            return pasted.outcomes("\(opened); \(advice)")
                + [.perform(.tree(.select(.request(first.id)))), .focus(.request)]
                + (sends ? [.perform(.run(.send))] : [])
        } catch {
            return .notify(.failure, "curl, \(error)")
        }
    }

    /// Gives items names that no other scratch request has.
    private func named(_ items: [CollectionItem]) -> [CollectionItem] {
        let known = scratch?.collection?.items ?? []
        return items.reduce(into: []) { named, item in
            var item = item
            item.name = Collection.freeName(for: item.name, among: known + named)
            named.append(item)
        }
    }

    /// Takes in what was kept for this start.
    mutating func restoreScratch(_ kept: Collection) -> [Outcome] {
        addScratch(named(kept.items), isNew: false)
        return .notify(.info, Count.of(kept.requestCount, "scratch request") + " from the last time")
    }

    // MARK: Saving

    func askToSave(_ request: SavedRequest) -> [Outcome] {
        var items = targets(for: [.request(request)], .save)
        items.append(.init(name: "New collection", action: .tree(.askToSaveInNew)))
        let current = context.flatMap { file in items.first { $0.action == .tree(.put(.file(file.path), .save)) } }
        var picker = PickerOverlay(title: "Save \(request.name) in", items: items, current: current?.name)
        picker.others = newFolders(.save)
        return [.open(.picker(picker))]
    }

    /// Moves the scratch request that is shown to a file, and saves it.
    mutating func saveScratch(at destination: TreeDestination) -> [Outcome] {
        guard let request, file?.isScratch ?? false else { return [] }
        let outcomes = put([request.id], at: destination, .save)
        guard let file = file(at: destination.path) else { return outcomes }
        if let asked = obstacle(about: [file]) {
            // Nothing is saved yet.
            return outcomes.filter { if case .notice = $0 { false } else { true } } + asked
        }
        return outcomes + save([file])
    }

    /// Begins a collection with a scratch request, and with its host as an environment.
    mutating func saveInNew(_ name: String) -> [Outcome] {
        guard let request else { return [] }
        saves.scratch = request.id
        let target = request.target
        let host = target.isURL ? String(target.text[..<Origin.pathStart(of: target.text)]) : ""
        return Self.begin(name, host: host.contains("{{") ? "" : host, path: nil)
    }
}

/// Unsaved edits: those of programs that ended or still run, and those that the next start is to find.
extension Workbench {
    /// Messages about unsaved edits of files that were just opened: those of another running Ombi, and drafts that cannot
    /// be read. Other drafts are offered.
    func unsavedEdits(of loaded: [LoadedCollection]) -> [Outcome] {
        let problems = loaded.compactMap { file in
            file.draftProblem.map { Outcome.notice(Self.notice(ofDraft: $0, of: file.path)) }
        }
        let offers = loaded.compactMap { file in file.draft.map { Outcome.ask(question(about: $0, of: file.path)) } }
        return Self.warning(ofEditors: loaded) + problems + offers
    }

    /// Says why the edits in a draft cannot be restored, and where they are.
    static func notice(ofDraft problem: Problem, of path: String) -> Notice {
        let name = path.split(separator: "/").last ?? ""
        let advice = "The draft is kept: take what you need from it, then delete it"
        return Notice(.warning, "Unsaved edits of \(name) cannot be restored: \(problem). \(advice)")
    }

    /// The question about the edits that a program has left. They are lost only after a second one.
    func question(about draft: Draft, of path: String) -> Overlay {
        let name = file(at: path)?.fileName ?? path
        var lines = ["\(name) has unsaved edits from an Ombi that ended."]
        if draft.base != nil {
            lines.append("The file has changed since; the edits are merged with it.")
        } else if !draft.isOfThisFile {
            lines.append("The file has changed since: saving the edits would revert that.")
        }
        let question = QuestionOverlay(
            title: "Unsaved edits", lines: lines,
            yes: .init("restore the edits", .files(.restoreDraft(path: path, draft))),
            no: .init("discard them", .files(.askToDiscard(path: path, draft))), isDecision: true)
        return .question(question)
    }

    func askToDiscard(_ draft: Draft, of path: String) -> [Outcome] {
        let name = file(at: path)?.fileName ?? path
        return .question(
            "Discard", ["Discard the unsaved edits of \(name)? They cannot be brought back."],
            yes: .init("discard them", .files(.discardDraft(path: draft.file))),
            no: .init("back", .files(.offerDraft(path: path, draft))), isDecision: true)
    }

    /// Brings the edits of a draft back, merged with the file as it is now, and goes to the first request that they
    /// changed.
    mutating func restore(_ draft: Draft, of path: String) -> [Outcome] {
        restoreEdits(draft, of: path)
        let file = file(at: path)
        let dirty = file?.dirtyRequests ?? []
        let first = file?.collection?.requests.first { dirty.contains($0.id) }
        let replacing = unsaved.first { $0.path == path }.map {
            Outcome.effect(.replaceDraft(path: draft.file, by: $0))
        }
        let going =
            [replacing ?? .effect(.discardDraft(path: draft.file))]
            + [.perform(.tree(.select(first.map { .request($0.id) } ?? .file(path))))]
        let count = file?.conflicts.count ?? 0
        guard count > 0 else {
            let name = dirty.count == 1 ? first.map { " of \($0.name)" } ?? "" : ""
            return going + .notify(.success, "Edits\(name) restored; w saves them, u undoes them")
        }
        let conflicts = Count.of(count, "conflict")
        return going + .notify(.warning, "Edits restored, with \(conflicts) with the file; w shows them again")
            + askAboutConflicts(of: path)
    }

    /// Names the files that another running Ombi has unsaved edits of.
    static func warning(ofEditors loaded: [LoadedCollection]) -> [Outcome] {
        let edited = loaded.filter { $0.editor != nil && $0.collection != nil }
        guard let first = edited.first, let process = first.editor else { return [] }
        let names = edited.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
        let verb = names.count == 1 ? "has" : "have"
        return .notify(
            .warning, "\(names.joined(separator: ", ")) \(verb) unsaved edits in another Ombi (process \(process))")
    }

    /// The edits that are not saved, and the scratch requests.
    var unsaved: [UnsavedFile] {
        (dirtyFiles + (hasScratch ? [scratch].compactMap { $0 } : [])).compactMap { file in
            file.collection.map { .init(path: file.path, collection: $0, fingerprint: file.base) }
        }
    }

    /// True while something would be lost if the program ended.
    var hasUnsaved: Bool { files.contains(where: \.isDirty) || hasScratch }

    private var hasScratch: Bool { scratch?.collection?.items.isEmpty == false }
}
