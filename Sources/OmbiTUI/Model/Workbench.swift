import OmbiCore
import OmbiWorkspace

/// The open collection files, each as edited and as last read or written.
struct Workbench: Equatable, Sendable {
    private(set) var files: [OpenFile]

    init(_ loaded: [LoadedCollection] = []) {
        files = loaded.map(OpenFile.init)
    }

    func file(of item: ItemID) -> OpenFile? {
        files.first { $0.collection?.contains(item) ?? false }
    }

    func file(at path: String) -> OpenFile? {
        files.first { $0.path == path }
    }

    func request(_ id: ItemID) -> SavedRequest? {
        for file in files {
            if let request = file.collection?.request(id) { return request }
        }
        return nil
    }

    var dirtyFiles: [OpenFile] { files.filter(\.isDirty) }

    /// Changes the collection that holds the item.
    mutating func edit(_ item: ItemID, _ change: (inout Collection) -> Void) {
        guard let path = file(of: item)?.path else { return }
        edit(path: path, change)
    }

    mutating func edit(path: String, _ change: (inout Collection) -> Void) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].edit(change)
    }

    mutating func choose(environment: String?, for path: String) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].environment = environment
    }

    mutating func reload(_ loaded: LoadedCollection) {
        guard let index = files.firstIndex(where: { $0.path == loaded.path }) else { return }
        if let known = files[index].collection, known.text == loaded.collection?.text {
            // The same items keep their identities, and with those their runs.
            return files[index].markSaved(as: known, loaded.fingerprint)
        }
        let environment = files[index].environment
        files[index] = OpenFile(loaded)
        if files[index].collection?.environments.contains(where: { $0.name == environment }) ?? false {
            files[index].environment = environment
        }
    }

    mutating func markSaved(path: String, as collection: Collection, _ fingerprint: Fingerprint) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].markSaved(as: collection, fingerprint)
    }
}

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

    var chosenEnvironment: Environment? {
        collection?.environments.first { $0.name == environment }
    }

    /// Returns true when the item differs from the saved one.
    func isDirty(_ item: ItemID) -> Bool {
        isDirty && collection?.request(item) != saved?.request(item)
    }

    mutating func edit(_ change: (inout Collection) -> Void) {
        guard var edited = collection else { return }
        change(&edited)
        collection = edited
        isDirty = collection != saved
    }

    mutating func markSaved(as written: Collection, _ fingerprint: Fingerprint) {
        saved = written
        self.fingerprint = fingerprint
        isDirty = collection != saved
    }
}
