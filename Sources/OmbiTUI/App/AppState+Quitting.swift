/// The end of the program: what it would cancel or lose is asked about before.
extension AppState {
    /// Cancels what the request or the folder runs, or quits where that runs nothing that was not cancelled before.
    mutating func interrupt() -> [Outcome] {
        if batchPane.isOpen { return interruptTable() }
        if let watch = runs.watch, watch.item == workbench.selected { return cancelWatch() }
        let node = folder ?? workbench.selected.map(TreeNode.request)
        guard let cancelled = runs.interrupt(node, at: now) else { return quit() }
        return cancelled.effects.map(Outcome.effect)
            + .notify(.info, "\(cancelled.name) is cancelled; Ctrl+C again quits")
    }

    /// Cancels the requests of the table, or does what Esc does where none is left to cancel.
    private mutating func interruptTable() -> [Outcome] {
        guard let batch = runs.batch, !batch.isEnded, let cancelled = runs.interrupt(batch.node, at: now) else {
            return [.perform(.leave)]
        }
        return cancelled.effects.map(Outcome.effect)
            + .notify(.info, "\(cancelled.name) is cancelled; Ctrl+C again closes the table")
    }

    /// Quits, after a question about what runs and then one about unsaved edits.
    mutating func quit() -> [Outcome] {
        let names = runs.underWay
        guard !names.isEmpty else { return workbench.quit() }
        return [.open(.question(Self.question(about: names)))]
    }

    /// Renews the question about what runs with its news, and closes it once nothing runs. It quits by no news: a key does.
    mutating func renewQuitting() -> [Outcome] {
        let index = overlays.firstIndex {
            if case .question(let question) = $0 { question.isAboutQuitting } else { false }
        }
        guard let index else { return [] }
        let names = runs.underWay
        guard names.isEmpty else {
            overlays[index] = .question(Self.question(about: names))
            return []
        }
        overlays.remove(at: index)
        return .notify(.info, "Nothing runs any more; q quits")
    }

    private static func question(about names: [String]) -> QuestionOverlay {
        var question = QuestionOverlay(
            title: "Quit",
            lines: [
                "Still running: \(names.joined(separator: ", "))",
                "Quitting cancels \(names.count == 1 ? "it" : "them").",
            ],
            yes: .init("quit", .app(.quitCancelling)), no: .init("stay", nil))
        question.isAboutQuitting = true
        return question
    }

    // MARK: Unsaved edits

    var isEdited: Bool {
        requestPane.editing != nil || environmentPane?.editing != nil || workbench.hasUnsaved
    }

    /// The edits that are not saved, with the text that is being typed.
    var unsaved: [UnsavedFile] {
        var copy = self
        copy.finish()
        return copy.workbench.unsaved
    }

    /// Submits the text that is being typed.
    private mutating func finish() {
        requestPane.finish(&workbench)
        environmentPane?.finish(&workbench)
    }

    /// Submits the text that is being typed, about which quitting then asks. A text that is refused stays, and nothing quits.
    mutating func finishBeforeQuitting() {
        guard workbench.saves.quitsAfterwards else { return }
        finish()
        if requestPane.editing != nil || environmentPane?.editing != nil { workbench.saves.quitsAfterwards = false }
    }

    /// Keeps drafts of everything unsaved, and quits.
    mutating func keepDrafts() -> [Outcome] {
        finish()
        return workbench.unsaved.map { .effect(.keepDraft($0)) } + [.effect(.quit)]
    }
}

/// The state of the screen that the next start in this workspace takes up again.
extension AppState {
    /// Nil while there is nothing to remember.
    var memory: WorkspaceMemory? {
        guard !workbench.files.isEmpty else { return nil }
        var memory = WorkspaceMemory()
        for file in workbench.files {
            let isGiven = file.environment == givenEnvironment
            memory.environments[file.path] = isGiven ? remembered?.environments[file.path] : file.environment
        }
        memory.selected = workbench.node.flatMap(workbench.remembered)
        let nodes = workbench.foldableNodes
        let (closed, open) = (nodes.filter(tree.closed.contains), nodes.filter { !tree.closed.contains($0) })
        memory.foldsOthers = open.count < closed.count
        memory.folds = (memory.foldsOthers ? open : closed).compactMap(workbench.remembered)
        memory.dividers = splits.dividers
        (memory.requestTab, memory.responseTab) = (requestPane.tab.rawValue, responsePane.tab.rawValue)
        memory.fullScreen = isZoomed ? focus.rawValue : nil
        memory.prompts = runs.viewerSettings.prompts
        return memory
    }
}

extension Workbench {
    /// The files and folders.
    var foldableNodes: [TreeNode] {
        func folders(_ items: [CollectionItem]) -> [TreeNode] {
            items.flatMap { item -> [TreeNode] in
                guard case .folder(let folder) = item else { return [] }
                return [.folder(folder.id)] + folders(folder.items)
            }
        }
        return files.flatMap { [.file($0.path)] + folders($0.collection?.items ?? []) }
    }

    func remembered(_ node: TreeNode) -> ItemPath? {
        if case .file(let path) = node { return ItemPath(file: path) }
        guard let id = node.item, let file = file(of: id), !file.isScratch, let path = file.collection?.path(to: id)
        else { return nil }
        return ItemPath(file: file.path, path: path)
    }

    /// The node of that name; nil when it is gone.
    func node(_ node: ItemPath) -> TreeNode? {
        guard let file = file(at: node.file) else { return nil }
        guard !node.path.isEmpty else { return .file(file.path) }
        return switch file.collection?.item(atPath: node.path) {
        case .folder(let folder): .folder(folder.id)
        case .request(let request): .request(request.id)
        case nil: nil
        }
    }

    func closedNodes(_ memory: WorkspaceMemory) -> Set<TreeNode> {
        let named = Set(memory.folds.compactMap(node))
        return memory.foldsOthers ? Set(foldableNodes).subtracting(named) : named
    }

    /// Chooses the environments of the last time, but where the command line gives one. Says which of them are gone.
    mutating func restore(environments: [String: String], besides given: String?) -> [Outcome] {
        var outcomes: [Outcome] = []
        for (path, name) in environments.sorted(by: { $0.key < $1.key }) {
            guard let file = file(at: path), given == nil || file.environment != given else { continue }
            choose(environment: name, for: path)
            outcomes += self.file(at: path)?.withoutEnvironment ?? []
        }
        return outcomes
    }
}

extension Splits {
    var dividers: [String: Int] {
        get { ["tree": tree, "columns": columns, "rows": rows].compactMapValues { $0 } }
        set { (tree, columns, rows) = (newValue["tree"], newValue["columns"], newValue["rows"]) }
    }
}

extension AppState {
    func away(at time: Duration) -> AwayRuns { runs.away(at: time) }
}
