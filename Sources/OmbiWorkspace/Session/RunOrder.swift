/// The input of a run: a request as it is in the editor, and where it goes.
public struct RunOrder: Equatable, Sendable {
    /// Identifies a run of a session.
    public typealias ID = Int

    public var id: ID
    private var content: Content
    /// The name of the environment; nil for none.
    public var environment: String?
    /// The path of the collection file.
    public var file: String
    /// The path under which the run is recorded; nil for that of the request as it is.
    public var recordedPath: ItemPath?
    /// The folders of the request, the outermost first; nil for a request that is not in the collection.
    public var folders: [Folder]?
    /// The values of this run, from a file of data; nil for a run by itself.
    public var row: DataRow?
    /// True to send the messages of a WebSocket as soon as it is open.
    public var sendsMessages = false
    /// The pages to request; nil for as many as the request says.
    public var pages: PageLimit?
    /// True to go on behind the pages of the last run of this request.
    public var continuesPages = false
    /// True to keep the place of the next page, so that another run can go on there.
    public var keepsPlace = false
    /// The runs that this one is sent with; nil for one by itself.
    public var group: RunGroup?

    public init(
        id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String, folders: [Folder]?,
        row: DataRow? = nil
    ) {
        self.id = id
        content = Content(request, collection)
        self.environment = environment
        self.file = file
        self.folders = folders
        self.row = row
    }

    public var request: SavedRequest {
        _read { yield content.request }
        set { content = Content(newValue, content.collection) }
    }

    public var collection: Collection {
        _read { yield content.collection }
        set { content = Content(content.request, newValue) }
    }

    /// The large parts, which copies of an order share.
    private final class Content: Equatable, Sendable {
        let request: SavedRequest
        let collection: Collection

        init(_ request: SavedRequest, _ collection: Collection) {
            (self.request, self.collection) = (request, collection)
        }

        static func == (one: Content, other: Content) -> Bool {
            one === other || one.request == other.request && one.collection == other.collection
        }
    }

    /// Creates an order for a request that is looked up in the collection.
    public init(id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String) {
        self.init(
            id: id, request: request, collection: collection, environment: environment, file: file,
            folders: collection.folders(of: request.id))
    }

    /// The order of another request of the collection that goes where this one does.
    func order(of request: SavedRequest) -> RunOrder {
        guard request.id != self.request.id else { return self }
        var order = self
        (order.request, order.recordedPath, order.folders) = (request, nil, collection.folders(of: request.id))
        return order
    }

    /// The levels that the request inherits from.
    public var inheritance: Inheritance {
        Inheritance(collection, folders: folders, environment: chosenEnvironment)
    }

    /// The request by names, as its runs are recorded.
    public var itemPath: ItemPath {
        recordedPath ?? ItemPath(file: file, path: (folders ?? []).map(\.name) + [request.name])
    }

    /// False where the request or its environment says that its runs are not kept.
    public var isRecorded: Bool { request.isRecorded && chosenEnvironment?.isRecorded ?? true }

    /// The folder of the collection file, the base of relative paths in it.
    var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }
}

extension RunOrder {
    /// The number of the row that a request of the collection takes values from, itself or by way of variables and of
    /// requests that are sent first; nil for a run that is the same for every row, and may be shared by them.
    func row(of request: SavedRequest) -> Int? {
        guard let row else { return nil }
        let columns = Set(row.variables.map(\.name))
        return columns.isDisjoint(with: names(neededBy: request)) ? nil : row.number
    }

    /// The variables that a request names, that their values name, and those that the requests name that capture them.
    private func names(neededBy request: SavedRequest) -> Set<String> {
        let index = CaptureIndex(collection)
        var requests = [request]
        var visited: Set<ItemID> = []
        var needed: Set<String> = []
        while let request = requests.popLast() {
            guard visited.insert(request.id).inserted else { continue }
            let folders = request.id == self.request.id ? self.folders : collection.folders(of: request.id)
            let levels = Inheritance(collection, folders: folders, environment: chosenEnvironment).levels
            var left = VariableUses.names(in: request).union(VariableUses.names(in: [chosenEnvironment?.host ?? ""]))
            for level in levels { left.formUnion(VariableUses.names(in: level.settings)) }
            let values = (levels.reversed().flatMap(\.settings.variables) + request.variables).filter(\.enabled)
            while let name = left.popFirst() {
                guard needed.insert(name).inserted else { continue }
                left.formUnion(VariableUses.names(in: values.filter { $0.name == name }.map(\.value)))
                requests += index.requests[name] ?? []
            }
        }
        return needed
    }
}

extension RunOrder {
    /// The requests that may be sent before this one, for variables that they capture: as if nothing had been captured so
    /// far. Reads no secrets.
    public var sentFirst: [SavedRequest] {
        let index = CaptureIndex(collection)
        guard !index.requests.isEmpty else { return [] }
        var resolver = Resolver.preview(collection, chosenEnvironment, Overrides())
        resolver.folder = folder
        do throws(ResolveError) {
            return try index.plan(request, index.scope(for: [request])) { (request, scope) throws(ResolveError) in
                resolver.captured = scope
                _ = try resolver.resolve(request)
            }.map(\.request)
        } catch {
            // It cannot be told from a request with an error which others it needs.
            return index.requests.values.flatMap { $0 }
        }
    }
}
