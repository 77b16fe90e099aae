import OmbiTerminal
import OmbiWorkspace

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
        let question = QuestionOverlay(
            title: "Discard", lines: ["Discard the unsaved edits of \(name)? They cannot be brought back."],
            yes: .init("discard them", .files(.discardDraft(path: draft.file))),
            no: .init("back", .files(.offerDraft(path: path, draft))), isDecision: true)
        return [.open(.question(question))]
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
