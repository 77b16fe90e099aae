import OmbiWorkspace

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

    /// The node of that.
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

    /// The levels that the subject inherits from.
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
        objective = settings.objective
    }
}

extension SharedSettings {
    fileprivate mutating func take(_ edited: SavedRequest) {
        (description, variables, headers) = (edited.description, edited.query, edited.headers)
        (authentication, policy, connection) = (edited.authentication, edited.policy, edited.connection)
        tags = edited.tags
        objective = edited.objective
    }
}
