import OmbiWorkspace

/// One collection file: its collection as saved and as edited.
struct OpenFile: Equatable, Sendable {
    let path: String
    private(set) var collection: Collection?
    private(set) var saved: Collection?
    private(set) var problems: [Problem]
    private(set) var fingerprint: Fingerprint
    /// The name of the environment for its requests.
    var environment: String?
    private(set) var isDirty = false

    init(_ loaded: LoadedCollection) {
        path = loaded.path
        collection = loaded.collection
        saved = loaded.collection
        problems = loaded.problems
        fingerprint = loaded.fingerprint
        environment = loaded.collection?.environments.first?.name
    }

    /// The name of the collection, or of the file when it could not be read.
    var name: String { collection?.name ?? fileName }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The folder of the file, at which relative paths in it start.
    var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    var chosenEnvironment: Environment? {
        collection?.environments.first { $0.name == environment }
    }

    /// Returns true when the request differs from the saved one.
    func isDirty(_ item: ItemID) -> Bool {
        isDirty && collection?.request(item) != saved?.request(item)
    }

    /// The requests that differ from the saved ones.
    var dirtyRequests: Set<ItemID> {
        guard isDirty else { return [] }
        let pairs = saved?.requests.map { ($0.id, $0) } ?? []
        let saved = Dictionary(pairs) { first, _ in first }
        return Set((collection?.requests ?? []).filter { saved[$0.id] != $0 }.map(\.id))
    }

    mutating func edit(_ change: (inout Collection) -> Void) {
        guard let before = collection else { return }
        var edited = before
        change(&edited)
        environment = edited.environmentName(following: environment, in: before)
        collection = edited
        isDirty = collection != saved
    }

    mutating func markSaved(as written: Collection, _ fingerprint: Fingerprint) {
        saved = written
        self.fingerprint = fingerprint
        isDirty = collection != saved
    }
}
