/// The outcome of an import into a collection that an earlier import made.
package struct ImportMerge: Sendable {
    /// The requests that are new or differ, for a message: `2 changed, 1 added`. Nil when none does.
    package internal(set) var changes: String?
    /// False where the collection was left as it is.
    package internal(set) var isChanged = false
    /// The names of what was changed both here and in the source, and stays as it is here.
    package internal(set) var conflicts: [String] = []
    /// The names of what the source does not have any more, and stays.
    package internal(set) var dropped: [String] = []
    /// The name of the collection that the file was imported from, if this is another one: nothing was changed.
    package internal(set) var otherSource: String?
}

extension Imported {
    /// Brings a further import of the same source and the edits that were made since the last one together.
    ///
    /// Requests are recognized by the IDs of the source, else by method and path, else by their names. A member that
    /// both sides changed stays as it is in the collection; nothing is deleted because the source has it no longer.
    /// Environments alone are added.
    /// - Returns: nil, without a change, for a file that no import is known of.
    package func merge(
        into path: String, keeping place: ImportedSecretPlace, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(SaveError) -> ImportMerge? {
        let loaded = CollectionFile.load(path, fileSystem: fileSystem)
        guard let mine = loaded.collection, let record = ImportRecord(beside: path, fileSystem) else { return nil }
        var merge = ImportMergeRun(mine: mine, record, ImportRecord(written(keeping: place), sources))
        merge.run()
        var result = merge.result
        guard result.otherSource == nil else { return result }
        result.isChanged = merge.merged.json != mine.json
        do throws(FileError) {
            if place == .local { try addSecrets(missingIn: mine, beside: path, fileSystem) }
        } catch { throw .failed(error) }
        if result.isChanged {
            _ = try CollectionFile.save(
                merge.merged, to: path, expecting: loaded.fingerprint, fileSystem: fileSystem)
        }
        do throws(FileError) { try merge.newRecord.write(beside: path, fileSystem) } catch { throw .failed(error) }
        return result
    }

    /// The credentials that the local file beside a collection has with other values, which may be newer and stay.
    package func keptSecrets(
        beside path: String, fileSystem: some FileSystem = PosixFileSystem()
    ) -> [ImportedSecret] {
        guard let own = CollectionFile.load(path, fileSystem: fileSystem).collection?.overlay else { return [] }
        return secrets.filter { secret in
            let environment = own.environments.first { $0.name == secret.environment }
            let all = secret.environment == nil ? own.secrets : environment?.secrets ?? []
            guard case .value(let value)? = all.first(where: { $0.name == secret.name })?.source else { return false }
            return value != secret.value
        }
    }

    /// Adds the credentials that the local file does not have: those that it has may be newer.
    func addSecrets(
        missingIn mine: Collection, beside path: String, _ fileSystem: some FileSystem
    ) throws(FileError) {
        guard let local = OverlayFile.path(for: path) else { return }
        let own = mine.overlay
        let new = secrets.filter { secret in
            guard let name = secret.environment else { return !own.secrets.contains { $0.name == secret.name } }
            let environment = own.environments.first { $0.name == name }
            return !(environment?.secrets.contains { $0.name == secret.name } ?? false)
        }
        guard !new.isEmpty else { return }
        let ofAll = new.filter { $0.environment == nil }.map { (name: $0.name, value: $0.value) }
        let ofOne = new.compactMap { secret in
            secret.environment.map { (environment: $0, name: secret.name, value: secret.value) }
        }
        try OverlayFile.add(ofAll, ofEnvironments: ofOne, to: local, fileSystem)
    }
}

/// The merge of a collection, of the import that it comes from, and of a further one.
private struct ImportMergeRun {
    private var mine: Collection
    private let base: ImportRecord
    private var theirs: Collection
    private var sources: [ItemID: String]
    private(set) var merged: Collection
    private(set) var result = ImportMerge()

    init(mine: Collection, _ base: ImportRecord, _ theirs: ImportRecord) {
        (self.mine, self.base, merged) = (mine, base, mine)
        (self.theirs, sources) = (theirs.collection, theirs.sources)
        // In the form of a file, as the others are.
        guard var read = CollectionFile.read(Array(theirs.collection.text.utf8), file: "").collection,
            read.ids.count == theirs.collection.ids.count
        else { return }
        read.renew(Dictionary(zip(read.ids, theirs.collection.ids)) { first, _ in first })
        guard read.requests.isEmpty else {
            self.theirs = read
            return
        }
        self.theirs = base.collection
        sources = base.sources
        for name in read.environments.map(\.name) { self.theirs.take(.environment(name), from: read) }
        // Behind those that are there: the first one is in use.
        let known = Set(base.collection.environments.map(\.name))
        self.theirs.environments =
            self.theirs.environments.filter { known.contains($0.name) }
            + self.theirs.environments.filter { !known.contains($0.name) }
        for name in read.variables.map(\.name) { self.theirs.take(.variable(name), from: read) }
    }

    /// The base of the next import.
    var newRecord: ImportRecord { ImportRecord(theirs, sources) }

    mutating func run() {
        identifyTheirs()
        identifyMine()
        renameDoubles()
        keepDropped()
        let merge = mine.merging(theirs, since: base.collection)
        merged = merge.collection
        merged.takeOverlay(from: mine)
        let conflicts = merge.conflicts.filter { !mergeMembers(of: $0) }
        result.changes = merged.requestChanges(since: mine)
        result.conflicts = conflicts.compactMap { merged.name(of: $0) ?? theirs.name(of: $0) }
    }

    /// Brings the members of a request together. Returns false where both sides changed the same one, which stays.
    private mutating func mergeMembers(of part: MergePart) -> Bool {
        guard case .item(let id) = part, let old = base.collection.request(id), let own = mine.request(id),
            let other = theirs.request(id), let merge = RequestMerge(base: old, mine: own, theirs: other)
        else { return false }
        merged.update(id) { $0 = merge.request }
        return !merge.isConflict
    }

    // MARK: Identities

    /// Gives the items of the source the identities that they had at the last import.
    private mutating func identifyTheirs() {
        var ids: [ItemID: ItemID] = [:]
        let requests = (theirs.requests, base.collection.requests)
        let paths = (Self.paths(theirs), Self.paths(base.collection))
        Self.pair(requests.0, requests.1, &ids) { Self.ownID(of: $0, $1 ? base.sources : sources) }
        // Many requests may have one path, as those of GraphQL: their names tell them apart, and their order does not.
        Self.pair(requests.0, requests.1, &ids) { request, isOther in
            (isOther ? paths.1 : paths.0)[request.id].map { $0 + "\u{0}" + Self.target(request) }
        }
        Self.pair(requests.0, requests.1, &ids) { request, _ in request.name + "\u{0}" + Self.target(request) }
        Self.pair(requests.0, requests.1, &ids) { request, _ in Self.target(request) }
        Self.pair(requests.0, requests.1, &ids) { ($1 ? paths.1 : paths.0)[$0.id] }
        Self.pair(requests.0, requests.1, &ids) { request, _ in Self.target(request) }
        let isRequest = Set(requests.0.map(\.id) + requests.1.map(\.id))
        let folders = paths.1.filter { !isRequest.contains($0.key) }.map { ($0.value, $0.key) }
        let folderIDs = Dictionary(folders) { first, _ in first }
        for (id, path) in paths.0 where !isRequest.contains(id) {
            if let known = folderIDs[path] { ids[id] = known }
        }
        let recognized = requests.0.count(where: { ids[$0.id] != nil })
        let fewer = min(requests.0.count, requests.1.count)
        // A collection that was only renamed still has most of its requests.
        if theirs.name != base.collection.name, recognized * 2 < fewer { result.otherSource = base.collection.name }
        theirs.renew(ids)
        self.sources = Dictionary(sources.map { (ids[$0.key] ?? $0.key, $0.value) }) { first, _ in first }
    }

    /// Gives the items of the collection the identities of those that they were imported as.
    private mutating func identifyMine() {
        mine = mine.withIdentities(of: base.collection)
        let (own, imported) = (Set(mine.ids), Set(base.collection.ids))
        var ids: [ItemID: ItemID] = [:]
        let left = mine.requests.filter { !imported.contains($0.id) }
        let others = base.collection.requests.filter { !own.contains($0.id) }
        Self.pair(left, others, &ids) { request, _ in Self.target(request) }
        mine.renew(ids)
    }

    /// Gives requests of the source another name where a request of one's own, to another address, has it.
    private mutating func renameDoubles() {
        let imported = Set(base.collection.ids)
        let (paths, theirPaths) = (Self.paths(mine), Self.paths(theirs))
        var own: [String: SavedRequest] = [:]
        for request in mine.requests where !imported.contains(request.id) {
            if let path = paths[request.id] { own[path] = request }
        }
        guard !own.isEmpty else { return }
        for request in theirs.requests {
            guard let path = theirPaths[request.id], let other = own[path],
                Self.target(other) != Self.target(request)
            else { continue }
            theirs.update(request.id) { $0.name += " 2" }
        }
    }

    private static func target(_ request: SavedRequest) -> String { "\(request.method.rawValue) \(request.path)" }

    /// The ID that the source has for a request; nil for one that is known by its method and path.
    private static func ownID(of request: SavedRequest, _ sources: [ItemID: String]) -> String? {
        guard let id = sources[request.id], id != target(request), !id.hasPrefix(target(request) + " #") else {
            return nil
        }
        return id
    }

    /// Pairs requests of which no other has the same key.
    private static func pair(
        _ requests: [SavedRequest], _ others: [SavedRequest], _ ids: inout [ItemID: ItemID],
        by key: (_ request: SavedRequest, _ isOther: Bool) -> String?
    ) {
        let taken = Set(ids.values)
        var twins: [String: [ItemID]] = [:]
        for other in others where !taken.contains(other.id) {
            if let key = key(other, true) { twins[key, default: []].append(other.id) }
        }
        let left = requests.filter { ids[$0.id] == nil }
        let counts = Dictionary(left.compactMap { key($0, false) }.map { ($0, 1) }, uniquingKeysWith: +)
        for request in left {
            guard let key = key(request, false), counts[key] == 1, let twins = twins[key], twins.count == 1 else {
                continue
            }
            ids[request.id] = twins[0]
        }
    }

    /// The names from the outermost folder down, in one text, by the items.
    private static func paths(_ collection: Collection) -> [ItemID: String] {
        var paths: [ItemID: String] = [:]
        func add(_ items: [CollectionItem], below path: String) {
            for item in items {
                let own = path + "\u{0}" + item.name
                paths[item.id] = own
                add(item.items, below: own)
            }
        }
        add(collection.items, below: "")
        return paths
    }

    // MARK: Dropped parts

    /// Keeps what the source has no longer, as far as the collection has it.
    private mutating func keepDropped() {
        for request in base.collection.requests where !theirs.contains(request.id) && mine.contains(request.id) {
            theirs.take(.item(request.id), from: base.collection)
            sources[request.id] = base.sources[request.id]
            result.dropped.append(mine.path(to: request.id).joined(separator: " › "))
        }
        let environments = Set(theirs.environments.map(\.name))
        let variables = Set(theirs.variables.map(\.name))
        for name in base.collection.environments.map(\.name) where !environments.contains(name) {
            guard mine.environments.contains(where: { $0.name == name }) else { continue }
            keep(.environment(name))
        }
        for name in base.collection.variables.map(\.name) where !variables.contains(name) {
            guard mine.variables.contains(where: { $0.name == name }) else { continue }
            keep(.variable(name))
        }
    }

    private mutating func keep(_ part: MergePart) {
        theirs.take(part, from: base.collection)
        if let name = mine.name(of: part) { result.dropped.append(name) }
    }
}

/// A collection as the last import made it, in `NAME.import.json` beside its file: the base of the merge with the next
/// import. Each request has the ID of the source in it.
struct ImportRecord {
    var collection: Collection
    /// The IDs of the requests in the source, each once.
    private(set) var sources: [ItemID: String]

    /// The key of the ID in a request.
    private static let key = "source"

    /// - Parameter sources: the IDs that the source has; other requests have their method and their path.
    init(_ collection: Collection, _ sources: [ItemID: String]) {
        self.collection = collection
        var (taken, own): (UniqueNames, [ItemID: String]) = (UniqueNames(separator: " #"), [:])
        for request in collection.requests {
            own[request.id] = taken.take(sources[request.id] ?? "\(request.method.rawValue) \(request.path)")
        }
        self.sources = own
    }

    /// The path beside that of a collection; nil for a file that has none.
    static func path(for file: String) -> String? {
        CollectionFinder.isCandidate(file.split(separator: "/").last.map(String.init) ?? file)
            ? String(file.dropLast(".json".count)) + CollectionFinder.importSuffix : nil
    }

    // MARK: The file

    /// Nil where there is none, or none that can be read.
    init?(beside file: String, _ fileSystem: some FileSystem) {
        guard let path = Self.path(for: file), let bytes = try? fileSystem.read(path),
            var collection = CollectionFile.read(bytes, file: path).collection
        else { return nil }
        var sources: [ItemID: String] = [:]
        collection.items.changeRequests { request in
            let entry = request.unknown.entries.first { $0.member.key == Self.key }
            sources[request.id] = entry?.member.value.stringValue
            request.unknown.entries.removeAll { $0.member.key == Self.key }
        }
        (self.collection, self.sources) = (collection, sources)
    }

    /// Writes the file if it is to hold something else.
    func write(beside file: String, _ fileSystem: some FileSystem) throws(FileError) {
        guard let path = Self.path(for: file) else { return }
        let text = Array(text.utf8)
        try FileReplacement.change(path, fileSystem) { known throws(FileError) in known == text ? nil : text }
    }

    private var text: String {
        var written = collection
        let sources = sources
        written.items.changeRequests { request in
            guard let source = sources[request.id] else { return }
            let member = JSONValue.Member(Self.key, .string(source))
            request.unknown.entries.append(UnknownMembers.Entry(previousKey: "request", member: member))
        }
        return written.text
    }
}
