/// A folder or a collection whose settings are shown, and edited with the fields of a request: the query of that request
/// are the variables.
struct SharedNode: Equatable, Sendable {
    let node: TreeNode
    let settings: SavedRequest
    let requestCount: Int

    /// Nil for a request, for scratch requests, and for a file that says something of its own.
    init?(_ node: TreeNode, in file: OpenFile) {
        guard let collection = file.collection, !file.isScratch else { return nil }
        self.node = node
        switch node {
        case .request: return nil
        case .folder(let id):
            guard case .folder(let folder)? = collection.item(id) else { return nil }
            settings = SavedRequest(id: id, name: folder.name, folder.settings)
            requestCount = Collection(name: "", items: folder.items).requestCount
        case .file:
            guard file.disk == .known, file.conflicts.isEmpty else { return nil }
            settings = SavedRequest(id: Self.collection, name: collection.name, collection.settings)
            requestCount = collection.requestCount
        }
    }

    private static let collection = ItemID()
}

extension Workbench {
    /// The request in the request pane: the selected one, or the settings of a folder or a collection.
    var subject: SavedRequest? { shared?.settings ?? request }

    var subjectNode: TreeNode? { shared?.node ?? selected.map(TreeNode.request) }

    mutating func editSubject(_ change: (inout SavedRequest) -> Void) {
        guard let shared else { return editRequest(change) }
        var changed = shared.settings
        change(&changed)
        switch shared.node {
        case .request: break
        case .folder(let id):
            edit(id) { collection in
                collection.update(folder: id) { folder in
                    folder.name = changed.name
                    folder.settings.take(changed)
                }
            }
        case .file(let path):
            edit(path: path, "edit \(shared.settings.name)") { collection in
                collection.name = changed.name
                collection.settings.take(changed)
            }
        }
    }

    /// The folders of the subject, itself among them, the outermost first; nil for a request of no collection.
    var folders: [Folder]? {
        let collection = shownCollection
        switch subjectNode {
        case .request(let id): return collection?.folders(of: id)
        case .folder(let id): return collection?.folders(to: id)
        case .file: return []
        case nil: return nil
        }
    }

    var inheritance: Inheritance? {
        guard let collection = shownCollection else { return nil }
        var inheritance = Inheritance(collection, folders: folders, environment: environment)
        switch shared?.node {
        case .folder: inheritance.levels.removeFirst()
        case .file: inheritance.levels = []
        case .request, nil: break
        }
        return inheritance
    }
}

extension SavedRequest {
    fileprivate init(id: ItemID, name: String, _ settings: SharedSettings) {
        self.init(
            id: id, name: name, description: settings.description, path: "", query: settings.variables,
            headers: settings.headers, authentication: settings.authentication, policy: settings.policy,
            connection: settings.connection)
        tags = settings.tags
        (objective, trace) = (settings.objective, settings.trace)
    }
}

extension SharedSettings {
    fileprivate mutating func take(_ edited: SavedRequest) {
        (description, variables, headers) = (edited.description, edited.query, edited.headers)
        (authentication, policy, connection) = (edited.authentication, edited.policy, edited.connection)
        tags = edited.tags
        (objective, trace) = (edited.objective, edited.trace)
    }
}

/// The surroundings of what the request pane shows: its environment, the variables that hold for it, and what a request becomes
/// with them.
extension Workbench {
    var environment: Environment? { shownContextIndex.flatMap { files[$0].chosenEnvironment } }

    /// The reason why runs of the request are not kept in the history; nil where they are.
    var unrecorded: String? {
        if request?.isRecorded == false { return "Its runs are not kept: history is no in the tab About." }
        guard let environment, !environment.isRecorded else { return nil }
        return "Runs in \(environment.name) are not kept in the history; E Tab changes that."
    }

    /// The name of the environment in use for what the screen shows, where its file has that one no more.
    var missingEnvironment: String? { shownContextIndex.flatMap { files[$0].missingEnvironment } }

    /// The collection whose environments hold for what the screen shows.
    var shownCollection: Collection? { shownContextIndex.flatMap { files[$0].collection } }

    /// The folder of that file.
    var folder: String { shownContext?.folder ?? "." }

    /// The names that a template of the request may use.
    func templateNames(_ captures: CaptureIndex?) -> [String]? {
        shownCollection.map {
            Resolver.names(
                in: $0, folders: folders ?? [], own: request?.variables ?? [], environment: environment,
                overrides: overrides, captures: captures)
        }
    }

    /// Those names with what they become in an environment.
    func candidates(in environment: Environment?) -> [FieldChoice] {
        shownCollection.map {
            Resolver.candidates(
                in: $0, folders: folders ?? [], own: request?.variables ?? [], environment: environment,
                overrides: overrides)
        } ?? []
    }

    /// True for a variable that the command line sets.
    func isOverridden(_ name: String) -> Bool { overrides.variables.contains { $0.enabled && $0.name == name } }

    /// The variables that the command line sets, with their values.
    var overridden: [String: String] {
        Dictionary(overrides.variables.filter(\.enabled).map { ($0.name, $0.value) }) { $1 }
    }

    /// The requests that use each variable of a collection, and the variables that have no value.
    func uses(in collection: Collection) -> VariableUses { VariableUses(collection, overrides: overrides) }

    /// The URL of the request with everything filled in; nil where a part of it has no value.
    func address(_ captures: CaptureIndex?) -> String? {
        guard let request, let collection = context?.collection else { return nil }
        return Resolver.address(
            of: request, in: collection, environment: environment, overrides: overrides, captures: captures)
    }

    var host: String? {
        guard let environment, let collection = shownCollection else { return nil }
        return Resolver.host(of: environment, in: collection, overrides: overrides)
    }

    /// The order for any request of the open files; nil for one that is gone.
    func order(_ id: RunID, of item: ItemID) -> RunOrder? {
        guard item != selected else { return order(id) }
        guard let file = file(of: item), !file.isScratch else { return nil }
        return file.collection?.request(item).flatMap { file.order(id, for: $0) }
    }

    /// The run of the request in its surroundings.
    func order(_ id: RunID) -> RunOrder? { request.flatMap { context?.order(id, for: $0) } }
}

extension OpenFile {
    fileprivate func order(_ id: RunID, for request: SavedRequest) -> RunOrder? {
        collection.map {
            RunOrder(id: id, request: request, collection: $0, environment: chosenEnvironment?.name, file: path)
        }
    }
}

/// The node behind a row of the tree.
enum TreeNode: Hashable, Sendable {
    /// A collection file, by its path.
    case file(String)
    case folder(ItemID)
    case request(ItemID)

    var item: ItemID? {
        switch self {
        case .file: nil
        case .folder(let id), .request(let id): id
        }
    }
}
