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

    public init(id: ID, request: SavedRequest, collection: Collection, environment: String?, file: String) {
        self.id = id
        self.request = request
        self.collection = collection
        self.environment = environment
        self.file = file
    }

    /// The folder of the collection file, the base of relative paths in it.
    var folder: String { file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "." }
}
