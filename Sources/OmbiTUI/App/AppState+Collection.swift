import OmbiCore
import OmbiWorkspace

/// Changes to the collections themselves: items, files, undo, quitting.
extension AppState {
    mutating func askNewRequest() -> [Effect] { ask { .newRequest(after: $0) } }

    mutating func askNewFolder() -> [Effect] { ask { .newFolder(after: $0) } }

    private mutating func ask(_ subject: (TreeNode) -> PromptOverlay.Subject) -> [Effect] {
        guard focus == .tree, let node = tree.current?.node, currentFile?.collection != nil else { return [] }
        let prompt = subject(node)
        overlays.append(.prompt(PromptOverlay(prompt, title: prompt.title)))
        return []
    }

    mutating func askRename() -> [Effect] {
        let id = focus == .tree ? tree.current?.node.item : selected
        guard let id, let name = file(holding: id)?.collection?.item(id)?.name else { return [] }
        overlays.append(.prompt(PromptOverlay(.rename(id), title: "Rename", text: name)))
        return []
    }

    /// Applies the text of a prompt.
    mutating func answer(_ prompt: PromptOverlay) -> [Effect] {
        let name = prompt.field.text
        guard name.contains(where: { $0 != " " }) else { return tell(.warning, "nothing changed: a name is needed") }
        switch prompt.subject {
        case .rename(let id): edit { $0.edit(id) { _ = $0.rename(id, name) } }
        case .newRequest(let node):
            let request = SavedRequest(name: name, path: "/")
            insert(.request(request), at: node)
            tree.select(.request(request.id), workbench: workbench, page: treePage)
            followTree()
            _ = show(.request)
            return startEditing()
        case .newFolder(let node):
            let folder = Folder(name: name)
            insert(.folder(folder), at: node)
            tree.select(.folder(folder.id), workbench: workbench, page: treePage)
        }
        return []
    }

    private mutating func insert(_ item: CollectionItem, at node: TreeNode) {
        tree.unfold(node)
        edit { workbench in
            switch node {
            case .file(let path): workbench.edit(path: path) { _ = $0.insert(item, .root) }
            case .folder(let id): workbench.edit(id) { _ = $0.insert(item, .into(id)) }
            case .request(let id): workbench.edit(id) { _ = $0.insert(item, .after(id)) }
            }
        }
    }

    mutating func deleteItem() -> [Effect] {
        guard let id = tree.current?.node.item, let item = file(holding: id)?.collection?.item(id) else { return [] }
        edit { $0.edit(id) { _ = $0.remove(id) } }
        followTree()
        if request == nil { selected = nil }
        return tell(.info, "deleted \(item.name); u brings it back")
    }

    mutating func duplicateItem() -> [Effect] {
        guard let id = tree.current?.node.item else { return [] }
        var copy: ItemID?
        edit { $0.edit(id) { copy = $0.duplicate(id) } }
        if let copy { tree.select(.request(copy), workbench: workbench, page: treePage) }
        followTree()
        return []
    }

    mutating func moveItem(by distance: Int) -> [Effect] {
        guard let id = tree.current?.node.item else { return [] }
        edit { $0.edit(id) { _ = $0.move(id, by: distance) } }
        return []
    }

    mutating func undoEdit() -> [Effect] {
        guard let before = undo.popLast() else { return tell(.info, "nothing to undo") }
        workbench = workbench.undoing(to: before)
        tree.refresh(workbench, page: treePage)
        followTree()
        return tell(.info, "undone")
    }

    // MARK: Files

    /// Saves the file of the selected request; when that has no edits, every file that has some.
    mutating func save() -> [Effect] {
        let files = (file.map { [$0] } ?? []).filter(\.isDirty)
        let dirty = files.isEmpty ? workbench.dirtyFiles : files
        return dirty.isEmpty ? tell(.info, "nothing to save") : save(dirty)
    }

    mutating func save(_ files: [OpenFile], overwriting: Bool = false) -> [Effect] {
        files.compactMap { file in
            guard let collection = file.collection else { return nil }
            guard saving[file.path] == nil else {
                savesAgain.insert(file.path)
                return nil
            }
            saving[file.path] = collection
            return .save(path: file.path, collection, file.fingerprint, overwriting: overwriting)
        }
    }

    /// Quits, after a question about unsaved edits. A pending save of the current content counts as saved: quitting
    /// waits for it.
    mutating func quit() -> [Effect] {
        let dirty = workbench.dirtyFiles.filter { saving[$0.path] != $0.collection }
        guard !dirty.isEmpty else { return quitWhenSaved() }
        let names = dirty.map(\.fileName).joined(separator: ", ")
        overlays.append(
            .question(
                QuestionOverlay(
                    subject: .quitUnsaved, lines: ["Not saved: \(names)"], yes: "save and quit", no: "quit without")))
        return []
    }

    mutating func quitWhenSaved() -> [Effect] {
        quitsAfterSaving = !saving.isEmpty
        return saving.isEmpty ? [.quit] : []
    }

    // MARK: Drafts

    /// Keeps drafts when the program has to end: of everything unsaved, including the text being typed.
    mutating func keepDrafts() -> [Effect] {
        finishEditing()
        return unsaved.map { .keepDraft(path: $0.path, $0.collection, $0.fingerprint) }
    }

    var isEdited: Bool { requestPane.editing != nil || workbench.files.contains(where: \.isDirty) }

    /// The edits that are not saved, with the text that is being typed.
    var unsaved: [UnsavedFile] {
        var state = self
        state.finishEditing()
        return state.workbench.dirtyFiles.compactMap { file in
            file.collection.map { .init(path: file.path, collection: $0, fingerprint: file.fingerprint) }
        }
    }

    mutating func offer(_ draft: Draft, of path: String) {
        let name = workbench.file(at: path)?.fileName ?? path
        var lines = ["\(name) was edited and not saved when Ombi was ended."]
        if !draft.isOfThisFile { lines.append("The file has changed since: saving the edits would undo that.") }
        overlays.append(
            .question(
                QuestionOverlay(
                    subject: .draft(path: path, draft.collection), lines: lines, yes: "take the edits back",
                    no: "throw them away")))
    }

    private func file(holding id: ItemID) -> OpenFile? { workbench.file(of: id) }
}

extension PromptOverlay.Subject {
    var title: String {
        switch self {
        case .rename: "Rename"
        case .newRequest: "Name of the new request"
        case .newFolder: "Name of the new folder"
        }
    }
}

extension Workbench {
    /// Returns the files as they are on disk now, with the collections as they were edited before.
    func undoing(to before: Workbench) -> Workbench {
        var result = self
        for file in before.files {
            guard let collection = file.collection else { continue }
            result.edit(path: file.path) { $0 = collection }
        }
        return result
    }
}
