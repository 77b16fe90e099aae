/// One collection file: its collection as saved and as edited.
struct OpenFile: Equatable, Sendable {
    let path: String
    @Rare private(set) var collection: Collection? { didSet { chooseEnvironment() } }
    @Rare private(set) var saved: Collection?
    /// The collection before the file had an error.
    @Rare private var lastRead: Collection?
    /// The names of scratch requests that an earlier Ombi has left.
    private var recalled: [ItemID: [String]] = [:]
    private(set) var problems: [Problem]
    /// The requests in which one of them is.
    private(set) var itemsWithProblems: Set<ItemID> = []
    private(set) var fingerprint: Fingerprint
    /// The name of the environment for its requests. It stays when the file has that environment no more.
    var environment: String? { didSet { chooseEnvironment() } }
    /// That environment with what it inherits, which every frame asks for.
    @Rare private(set) var chosenEnvironment: Environment?
    private(set) var isDirty = false
    /// The parts that were edited here and on disk; `saved` has the other side.
    private(set) var conflicts: [MergePart] = []
    /// The content of the file before the merges in which they arose.
    private var beforeConflicts: Fingerprint?
    /// The state of the file, compared with what was read or written last.
    var disk = Disk.known { didSet { if disk == .removed { fingerprint = fingerprint.removed } } }

    enum Disk: Equatable, Sendable {
        case known, removed
        /// It changed, and has that problem since.
        case unreadable(String)
    }

    init(_ loaded: LoadedCollection) {
        path = loaded.path
        collection = loaded.collection
        saved = loaded.collection
        problems = loaded.problems
        itemsWithProblems = loaded.itemsWithProblems
        fingerprint = loaded.fingerprint
        environment = loaded.collection?.defaultEnvironment?.name
        if loaded.isMissing { disk = .removed }
        chooseEnvironment()
    }

    /// The format of another tool's file, "a Postman collection", which is read-only; nil for a file of Ombi.
    var foreignFormat: String? { collection?.overlay.foreignFormat }

    /// False for a file that could not be read.
    var hasCollection: Bool { if case .some = collection { true } else { false } }

    /// The name of the collection, or of the file when it could not be read.
    var name: String { collection?.name ?? fileName }

    var fileName: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The problem for which the file cannot be read, or the first one of a file that can.
    var firstError: Problem? { problems.first { $0.severity == .error } ?? problems.first }

    /// True where the page of the collection has more to say of the file: problems in it, or on disk.
    var hasProblem: Bool { !problems.isEmpty || disk != .known || !conflicts.isEmpty }

    /// The answer to an action that needs the contents of a file that could not be read.
    var unreadable: String {
        isMissing
            ? "There is no \(fileName); Enter creates it" : "\(fileName) could not be read; Enter opens it in $EDITOR"
    }

    /// The folder of the file, at which relative paths in it start.
    var folder: String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "." }

    private mutating func chooseEnvironment() {
        let canChoose = collection?.canChoose(environment: environment) ?? false
        chosenEnvironment = canChoose ? environment.flatMap { collection?.environment(named: $0) } : nil
    }

    /// The name of the environment in use, where the file has others, but not that one any more. Nothing is sent then.
    var missingEnvironment: String? {
        if case .some = chosenEnvironment { return nil }
        guard let environment, let collection, collection.defaultEnvironment != nil else { return nil }
        return environment
    }

    /// True for a file from which nothing is sent until an environment is chosen, and none is.
    var awaitsEnvironment: Bool {
        if case .some = chosenEnvironment { return false }
        return collection?.overlay.awaitsEnvironment ?? false
    }

    /// Without a name, chooses as at the start.
    private mutating func chooseFirstEnvironment() {
        if environment == nil { environment = collection?.defaultEnvironment?.name }
    }

    /// Returns true when the request differs from the saved one.
    func isDirty(_ item: ItemID) -> Bool {
        isDirty && collection?.request(item) != saved?.request(item)
    }

    var dirtyRequests: Set<ItemID> {
        guard isDirty || isScratch else { return [] }
        let pairs = saved?.requests.map { ($0.id, $0) } ?? []
        let saved = Dictionary(pairs) { first, _ in first }
        return Set((collection?.requests ?? []).filter { saved[$0.id] != $0 }.map(\.id))
    }

    mutating func edit(_ change: (inout Collection) -> Void) {
        guard let before = collection else { return }
        var edited = before
        change(&edited)
        edited.takeOverlay(from: before)
        environment = edited.environmentName(following: environment, in: before)
        collection = edited
        compare()
    }

    /// The content of the file that was edited. With conflicts it is that before them: edits that are merged since it
    /// have the same conflicts again.
    var base: Fingerprint { conflicts.isEmpty ? fingerprint : beforeConflicts ?? fingerprint }

    /// The collection as it is, for undo.
    var version: EditHistory.Version? {
        collection.map { .init(collection: $0, text: fingerprint.text) }
    }

    /// The collection as it was last read or written.
    var savedVersion: EditHistory.Version? {
        saved.map { .init(collection: $0, text: fingerprint.text) }
    }

    /// Goes back to a version, whose text is that of what comes back with it.
    mutating func restore(_ version: EditHistory.Version) {
        edit { $0 = version.collection }
        fingerprint = fingerprint.recalling(version.text)
    }

    mutating func markSaved(as written: Collection, _ fingerprint: Fingerprint) {
        saved = written
        self.fingerprint = fingerprint
        disk = .known
        compare()
    }

    private mutating func compare() {
        isDirty = collection != saved
        // A scratch request that is gone was not wanted.
        if isScratch { isDirty = !dirtyRequests.isEmpty }
        conflicts.removeAll { [saved, collection] in saved?.text(of: $0) == collection?.text(of: $0) }
    }

    /// Gives items other identities.
    mutating func renew(_ ids: [ItemID: ItemID]) {
        collection?.renew(ids)
        saved?.renew(ids)
        conflicts = conflicts.map { part in
            if case .item(let id) = part { .item(ids[id] ?? id) } else { part }
        }
    }

    // MARK: Scratch requests

    /// The path by which the scratch requests of this folder are known; no file of requests has it.
    static let scratchPath = ItemPath.scratchFile

    static var scratch: OpenFile {
        let collection = Collection(schema: nil, name: "Scratch")
        return OpenFile(LoadedCollection(path: scratchPath, collection: collection, fingerprint: .absent))
    }

    /// True for the requests that belong to no file.
    var isScratch: Bool { path == Self.scratchPath }

    /// Takes items for what needs no saving as long as it is not edited.
    mutating func accept(_ items: [CollectionItem]) { saved?.items += items }

    /// Notes that the runs of scratch requests were recorded under these names at an earlier time.
    mutating func recall(_ items: [CollectionItem]) { for item in items { recalled[item.id] = [item.name] } }

    /// True for a request whose runs are recorded as those of this file.
    func records(_ id: ItemID) -> Bool { recalled[id] != nil || saved?.contains(id) ?? false }

    /// The names under which the runs of a request are recorded: those with which it was saved last.
    func recordedNames(of id: ItemID) -> [String]? { recalled[id] ?? saved?.path(to: id) }

    // MARK: Changes on disk

    /// Takes over what was read again, in place of everything here.
    mutating func replace(by loaded: LoadedCollection) {
        var file = OpenFile(loaded)
        if let known = collection ?? lastRead, let read = file.collection {
            // The same items keep their identities, and with those their runs.
            let same = read.withIdentities(of: known)
            file.collection = same
            file.markProblems(of: read, in: same)
        }
        file.saved = file.collection
        file.lastRead = file.collection ?? collection ?? lastRead
        if environment != nil { file.environment = environment }
        self = file
    }

    /// True for a collection whose place another tool's file has taken: it is not to be lost in that.
    func isLost(in loaded: LoadedCollection) -> Bool {
        hasCollection && foreignFormat == nil && loaded.collection?.overlay.isForeign == true
    }

    /// Takes over another layout of the file, in which the problems have other places.
    mutating func takeLayout(of loaded: LoadedCollection, as known: Collection) {
        problems = loaded.problems
        itemsWithProblems = loaded.itemsWithProblems
        if let read = loaded.collection { markProblems(of: read, in: known) }
        markSaved(as: known, loaded.fingerprint)
    }

    /// Goes on in the file of a new collection that was made of this one as it was read.
    /// The edits are those of that file.
    mutating func goOn(in loaded: LoadedCollection) {
        guard let mine = collection, let read = loaded.collection else { return }
        let base = saved ?? mine
        let merge = mine.merging(read.withIdentities(of: base), since: base)
        var file = OpenFile(loaded)
        file.collection = merge.collection
        file.collection?.takeOverlay(from: read)
        if environment != nil { file.environment = environment }
        file.markSaved(as: merge.theirs, loaded.fingerprint)
        self = file
    }

    /// Takes what lies beside the file, which may have changed alone.
    mutating func takeOverlay(from loaded: LoadedCollection) {
        collection?.takeOverlay(from: loaded.collection)
        saved?.takeOverlay(from: loaded.collection)
        problems = loaded.problems
        itemsWithProblems = loaded.itemsWithProblems
        if let read = loaded.collection, let saved { markProblems(of: read, in: saved) }
        chooseFirstEnvironment()
    }

    /// Adds secrets to what lies beside the file, as it will be read.
    mutating func addToOverlay(_ secrets: [Secret]) {
        collection?.addLocal(secrets)
        saved?.addLocal(secrets)
    }

    /// Follows the items with problems to the identities that they have kept.
    private mutating func markProblems(of read: Collection, in same: Collection) {
        guard !itemsWithProblems.isEmpty else { return }
        let pairs = zip(read.requests.map(\.id), same.requests.map(\.id))
        itemsWithProblems = Set(pairs.filter { itemsWithProblems.contains($0.0) }.map(\.1))
    }

    mutating func merge(_ loaded: LoadedCollection) {
        guard let mine = collection, let read = loaded.collection else { return }
        beforeConflicts = self.base
        let base = saved ?? Collection(schema: nil, name: "")
        let theirs = read.withIdentities(of: base)
        itemsWithProblems = loaded.itemsWithProblems
        markProblems(of: read, in: theirs)
        let merge = mine.merging(theirs, since: base)
        collection = merge.collection
        collection?.takeOverlay(from: read)
        conflicts += merge.conflicts.filter { !conflicts.contains($0) }
        problems = loaded.problems
        markSaved(as: merge.theirs, loaded.fingerprint)
        chooseFirstEnvironment()
    }

    /// Restores the edits of a draft, and merges them with what the file has become since.
    mutating func restore(_ draft: Draft) {
        guard let current = collection else { return }
        let base = draft.base?.withIdentities(of: current) ?? current
        let merge = draft.collection.withIdentities(of: base).merging(current, since: base)
        collection = merge.collection
        collection?.takeOverlay(from: current)
        conflicts = merge.conflicts
        beforeConflicts = draft.fingerprint
        markSaved(as: merge.theirs, fingerprint)
        chooseFirstEnvironment()
    }

    /// Ends conflicts: each with mine, which stays, or with theirs.
    mutating func resolve(_ choices: [ConflictChoice]) {
        guard var chosen = collection, let saved else { return }
        for choice in choices where choice.takesTheirs { chosen.take(choice.part, from: saved) }
        collection = chosen
        conflicts.removeAll { part in choices.contains { $0.part == part } }
        compare()
    }
}

/// The end of a conflict.
struct ConflictChoice: Equatable, Sendable {
    var part: MergePart
    var takesTheirs: Bool
}

/// The saves that have begun, and what follows them.
struct PendingSaves: Equatable, Sendable {
    /// The content being written to each path.
    var writing: [String: Collection] = [:]
    /// The names of the files that were written since the last time that nothing was.
    private var written: [String] = []
    /// Files to be saved again: only one save of a file is pending at a time, because the next must know what the last
    /// one wrote.
    var repeated: Set<String> = []
    /// Files that changed on disk while they were written.
    var unread: Set<String> = []
    /// The files of other tools of which new collections are being made; true where the program quits after that.
    var converting: [String: Bool] = [:]
    /// Secrets that went into the local file beside each path, which changes by that.
    var movedSecrets: [String: [Secret]] = [:]
    /// Secrets of files that are saved once these have gone into the files beside them.
    var awaitingSecrets: [String: [PlainSecret]] = [:]
    /// The same that have gone there, and are to be granted once their templates are saved.
    var ungranted: [String: [PlainSecret]] = [:]
    /// True when the program quits after the pending saves.
    var quitsAfterwards = false
    /// The file that opens in the user's editor once it is saved.
    var edited: String? { didSet { closed = nil } }
    /// The file that is closed once it is saved.
    var closed: String?
    /// The scratch request for which a collection is created.
    var scratch: ItemID?
    /// True when quitting keeps the scratch requests for the next start.
    var keepsScratch = false
    /// Files that an edit changed together since they were saved.
    private var linked: [Set<String>] = []

    var isPending: Bool { !writing.isEmpty || !awaitingSecrets.isEmpty }

    /// Ends a save.
    /// - Parameter name: that of a file that was written.
    /// - Returns: the names of all that are saved together with it.
    @discardableResult
    mutating func end(_ path: String, saved name: String? = nil) -> String {
        writing[path] = nil
        if let name, !written.contains(name) { written.append(name) }
        defer { if writing.isEmpty { written = [] } }
        return written.joined(separator: ", ")
    }

    mutating func link(_ paths: Set<String>) { linked.append(paths) }

    mutating func unlink(_ path: String) {
        linked = linked.map { $0.subtracting([path]) }.filter { $0.count > 1 }
    }

    /// The files to be saved with some, so that nothing that was moved is in both or in neither of them.
    func partners(of paths: Set<String>) -> Set<String> {
        var all = paths
        while let more = linked.first(where: { !$0.isDisjoint(with: all) && !$0.isSubset(of: all) }) {
            all.formUnion(more)
        }
        return all
    }
}

/// An edited file: its path, the collection, and the content of the file when the edits began.
struct UnsavedFile: Equatable, Sendable {
    var path: String
    var collection: Collection
    var fingerprint: Fingerprint
}
