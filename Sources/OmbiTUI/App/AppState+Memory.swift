import OmbiWorkspace

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
        memory.selected = workbench.node.flatMap(node)
        let nodes = workbench.foldableNodes
        let (closed, open) = (nodes.filter(tree.closed.contains), nodes.filter { !tree.closed.contains($0) })
        memory.foldsOthers = open.count < closed.count
        memory.folds = (memory.foldsOthers ? open : closed).compactMap(node)
        memory.dividers = splits.dividers
        (memory.requestTab, memory.responseTab) = (requestPane.tab.rawValue, responsePane.tab.rawValue)
        memory.fullScreen = isZoomed ? focus.rawValue : nil
        memory.prompts = runs.prompts
        return memory
    }

    private func node(_ node: TreeNode) -> ItemPath? { workbench.remembered(node) }
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

    /// The node by its names.
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

    /// The nodes that were folded.
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
    /// The positions by their names.
    var dividers: [String: Int] {
        get { ["tree": tree, "columns": columns, "rows": rows].compactMapValues { $0 } }
        set { (tree, columns, rows) = (newValue["tree"], newValue["columns"], newValue["rows"]) }
    }
}

extension AppState {
    func away(at time: Duration) -> AwayRuns { runs.away(at: time) }
}
