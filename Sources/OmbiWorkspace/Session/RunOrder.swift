/// The input of a run: a request as it is in the editor, and where it goes.
public struct RunOrder: Equatable, Sendable {
    /// Identifies a run of a session.
    public typealias ID = Int

    public var id: ID
    public var request: SavedRequest
    public var collection: Collection
    /// The name of the environment; nil for none.
    public var environment: String?
    /// The path of the collection file.
    public var file: String
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

    public init(
        id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String, folders: [Folder]?,
        row: DataRow? = nil
    ) {
        self.id = id
        self.request = request
        self.collection = collection
        self.environment = environment
        self.file = file
        self.folders = folders
        self.row = row
    }

    /// Creates an order for a request that is looked up in the collection.
    public init(id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String) {
        self.init(
            id: id, request: request, collection: collection, environment: environment, file: file,
            folders: collection.folders(of: request.id))
    }

    /// The levels that the request inherits from.
    public var inheritance: Inheritance {
        Inheritance(collection, folders: folders, environment: chosenEnvironment)
    }

    /// The request by names.
    public var itemPath: ItemPath {
        ItemPath(file: file, path: (folders ?? []).map(\.name) + [request.name])
    }

    /// False where the request or its environment says that its runs are not kept.
    public var isRecorded: Bool { request.isRecorded && chosenEnvironment?.isRecorded ?? true }

    /// The folder of the collection file, the base of relative paths in it.
    var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }
}
