/// The open collection files, each as edited and as last read or written, and the request that is worked on.
struct Workbench: Equatable, Sendable {
    private(set) var files: [OpenFile] { didSet { revision &+= 1 } }
    /// Counts the changes of `files`.
    private(set) var revision = 0
    private(set) var node: TreeNode?
    /// The open request; it stays while the cursor is on a folder.
    private(set) var request: SavedRequest?
    private(set) var selected: ItemID?
    /// True while the screen shows the folder or the collection under the cursor of the tree in place of that request.
    var showsNode = false { didSet { if showsNode != oldValue { follow() } } }
    /// That folder or collection, whose settings the request pane shows.
    @Rare private(set) var shared: SharedNode?
    /// True while a page takes the place of the request: that of a file without settings.
    var showsPage: Bool { showsNode && shared == nil }
    /// The names from the collection down to that request, or to the node under the cursor of the tree.
    private(set) var path: [String] = []
    /// The indices of its file, and of the file under the cursor of the tree.
    private var requestFile: Int?
    private var nodeFile: Int?
    /// True until the files of the command line have been read.
    var isReading = false
    var saves = PendingSaves()
    /// Files that changed on disk while a text of theirs is typed.
    var held: [String: LoadedCollection] = [:]
    /// Files that were closed, and those of other tools whose places new collections have taken; a change on disk does
    /// not bring them back.
    private(set) var replaced: Set<String> = []
    private var histories = EditHistories()
    /// Edits that may have brought secrets and files, until they are granted.
    private var typed: [TypedEdit] = []
    /// The file whose last edit the next action undoes or redoes, if it does: that of what was just deleted, or undone.
    var undoesNext: String?
    /// True right after a paste on the start screen: Enter sends what came.
    var sendsOnEnter = false
    /// The collection worked on last, whose environments and variables hold for scratch requests.
    private var home: String?

    /// Variables that hold over those of the files.
    let overrides: Overrides

    init(_ loaded: [LoadedCollection] = [], overrides: Overrides = Overrides()) {
        files = loaded.map(OpenFile.init)
        self.overrides = overrides
    }

    /// The same program with other files.
    func opening(_ loaded: [LoadedCollection]) -> Workbench {
        var opened = Workbench(loaded, overrides: overrides)
        if let scratch { opened.files.insert(scratch, at: 0) }
        return opened
    }

    // MARK: Finding

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

    var dirtyFiles: [OpenFile] { files.filter { $0.isDirty && !$0.isScratch } }

    // MARK: The selected request

    /// The file of the selected request; without one, the file under the cursor of the tree.
    var file: OpenFile? { fileIndex.map { files[$0] } }

    private var fileIndex: Int? { requestFile ?? nodeFile }

    /// The file of what the screen shows, which is the one to be saved, undone, and given another environment.
    var shownFile: OpenFile? { shownIndex.map { files[$0] } }

    private var shownIndex: Int? { showsNode ? nodeFile : fileIndex }

    /// The file whose environments hold for what the screen shows.
    var shownContext: OpenFile? { shownContextIndex.map { files[$0] } }

    /// Its index, for those who read one part of it in every frame: a copy of the whole costs more.
    var shownContextIndex: Int? { context(of: shownIndex) }

    var currentFile: OpenFile? { nodeFile.map { files[$0] } }

    /// True on a collection, and on what is in one.
    var isInCollection: Bool { nodeFile.map { files[$0].hasCollection } ?? false }

    /// True on a file that is no collection: it could not be read, or is not there.
    var isOnBrokenFile: Bool { nodeFile.map { !files[$0].hasCollection } ?? false }

    /// The file whose environments and variables hold for the request: its own, or for a scratch request that of the
    /// collection worked on last.
    var context: OpenFile? { context(of: fileIndex).map { files[$0] } }

    /// The collection whose environments and variables hold for scratch requests; nil where there are none.
    var scratchContext: OpenFile? {
        files.firstIndex(where: \.isScratch).flatMap { context(of: $0) }.map { files[$0] }
    }

    private func context(of index: Int?) -> Int? {
        guard let index, files[index].isScratch else { return index }
        return files.firstIndex { $0.path == home } ?? files.firstIndex { $0.hasCollection && !$0.isScratch } ?? index
    }

    var collections: [OpenFile] { files.filter { $0.hasCollection && !$0.isScratch } }

    /// Moves the cursor of the tree to a node, and the panes to its request.
    mutating func select(_ node: TreeNode?) {
        guard node != self.node else { return }
        self.node = node
        follow()
    }

    /// Looks up the node and the request, which is done once for all that show them.
    private mutating func follow() {
        nodeFile = files.firstIndex { file in
            switch node {
            case .file(let path): file.path == path
            case .folder(let id), .request(let id): file.collection?.contains(id) ?? false
            case nil: false
            }
        }
        var id = selected
        // While the screen shows the problems of a file, no request of another one may be sent.
        if let nodeFile, !files[nodeFile].hasCollection { id = nil }
        if case .request(let item) = node { id = item }
        requestFile = id.flatMap { id in
            id == node?.item ? nodeFile : files.firstIndex { $0.collection?.contains(id) ?? false }
        }
        let settings = showsNode ? node.flatMap { node in nodeFile.flatMap { SharedNode(node, in: files[$0]) } } : nil
        if settings != nil || shared != nil { shared = settings }
        request = id.flatMap { id in requestFile.flatMap { files[$0].collection?.request(id) } }
        selected = request == nil ? nil : id
        path = names(to: showsNode ? node?.item : selected ?? node?.item)
        if let index = fileIndex, files[index].hasCollection, !files[index].isScratch { home = files[index].path }
    }

    private func names(to id: ItemID?) -> [String] {
        guard let index = shownIndex else { return [] }
        return [files[index].name] + (id.flatMap { files[index].collection?.path(to: $0) } ?? [])
    }

    // MARK: Editing

    /// Changes the collection that holds the item; `undo` takes it back.
    /// - Parameter label: the name of the edit, such as "delete list users"; nil for "edit" and the item.
    mutating func edit(_ item: ItemID, _ label: String? = nil, _ change: (inout Collection) -> Void) {
        guard let file = file(of: item) else { return }
        edit(path: file.path, label ?? "edit " + (file.collection?.item(item)?.name ?? ""), item: item, change)
    }

    mutating func edit(
        path: String, _ label: String, item: ItemID? = nil, _ change: (inout Collection) -> Void
    ) {
        record(label, item: item, in: path) { $0.edit(change) }
    }

    mutating func editRequest(_ change: (inout SavedRequest) -> Void) {
        guard let id = request?.id else { return }
        edit(id) { $0.update(id, change) }
    }

    private mutating func record(
        _ label: String, item: ItemID?, in path: String, _ change: (inout OpenFile) -> Void
    ) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        let before = files[index].version
        change(&files[index])
        guard let before, files[index].collection != before.collection else { return }
        follow()
        record(label, item: item, [path: before])
        let edit = files[index].collection.flatMap {
            TypedEdit(
                file: path, from: before.collection, to: $0, request: item, environment: files[index].environment)
        }
        if let edit { typed.append(edit) }
    }

    /// Returns the edits since the last call whose new sources are to be granted.
    mutating func takeTyped() -> [TypedEdit] {
        defer { typed = [] }
        return typed
    }

    private mutating func record(_ label: String, item: ItemID?, _ before: [String: EditHistory.Version]) {
        let files = files
        histories.record(label, item: item, before) { path in files.first { $0.path == path }?.fingerprint.text }
    }

    /// Changes several collections as one edit, which is undone in all of them.
    mutating func editAll(
        _ paths: Set<String>, _ label: String, item: ItemID?, _ change: (inout [String: Collection]) -> Void
    ) {
        var changed: [String: Collection] = [:]
        for path in paths { changed[path] = file(at: path)?.collection }
        let old = changed
        change(&changed)
        let edited = changed.filter { old[$0] != $1 }
        guard !edited.isEmpty else { return }
        var before: [String: EditHistory.Version] = [:]
        for path in edited.keys { before[path] = file(at: path)?.version }
        set(edited) { file, collection in file.edit { $0 = collection } }
        record(label, item: item, before)
    }

    /// Sets files to another state, and links them where they are several.
    private mutating func set<State>(_ states: [String: State], _ change: (inout OpenFile, State) -> Void) {
        for index in files.indices {
            if let state = states[files[index].path] { change(&files[index], state) }
        }
        if states.count > 1 { saves.link(Set(states.keys)) }
        follow()
    }

    /// The number of edits of the collection that can be undone.
    var undoCount: Int { shownFile.map { histories.undoCount(of: $0.path) } ?? 0 }

    /// The number of undone edits that can be redone.
    var redoCount: Int { shownFile.map { histories.redoCount(of: $0.path) } ?? 0 }

    func lastEdit(of path: String) -> EditHistory.Edit? { histories.last(of: path) }

    /// Restores the collections as they were before the last edit of the one that is worked on, or before what was just
    /// deleted.
    mutating func undo() -> EditHistories.Step {
        defer { undoesNext = nil }
        return step(in: undoesNext) { histories, path, files in
            histories.undo(of: path) { path in files.first { $0.path == path }?.version }
        }
    }

    /// Restores the collections as they were before the last `undo`.
    mutating func redo() -> EditHistories.Step {
        defer { undoesNext = nil }
        return step(in: undoesNext) { histories, path, files in
            histories.redo(of: path) { path in files.first { $0.path == path }?.version }
        }
    }

    private mutating func step(
        in path: String?, _ step: (inout EditHistories, String, [OpenFile]) -> EditHistories.Step
    ) -> EditHistories.Step {
        guard let path = path ?? shownFile?.path else { return .nothing }
        let result = step(&histories, path, files)
        if case .taken(_, let versions) = result { set(versions) { $0.restore($1) } }
        return result
    }

    /// Forgets the last two edits when the second reverted the first.
    mutating func forgetRevertedEdit() {
        guard let file, let collection = file.collection else { return }
        histories.forgetRevertedEdit(of: file.path, collection)
    }

    /// Makes one edit of the last two.
    mutating func joinLastEdits() { file.map { histories.joinLastEdits(of: $0.path) } }

    // MARK: Files

    mutating func choose(environment: String?, for path: String) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].environment = environment
    }

    /// Takes over a file that was read again. Different contents are an edit, which can be undone.
    mutating func reload(_ loaded: LoadedCollection) {
        guard let index = files.firstIndex(where: { $0.path == loaded.path }) else { return }
        let known = files[index].collection
        if let known, known.text == loaded.collection?.text {
            // The same items keep their identities, and with those their runs.
            return files[index].takeLayout(of: loaded, as: known)
        }
        if known == nil {
            files[index].replace(by: loaded)
        } else {
            record("reload \(files[index].fileName)", item: nil, in: loaded.path) { $0.replace(by: loaded) }
        }
        follow()
    }

    /// Merges a file that was read again with the edits that are not saved. The edits are then those of the file as it
    /// is now: to undo them one by one leaves what has changed in it, which is undone last.
    mutating func merge(_ loaded: LoadedCollection) {
        guard let index = files.firstIndex(where: { $0.path == loaded.path }) else { return }
        let (base, label) = (files[index].savedVersion, "reload \(files[index].fileName)")
        files[index].merge(loaded)
        if let base, let theirs = files[index].savedVersion {
            histories.insert(label, of: loaded.path, from: base, to: theirs)
        }
        follow()
        separateTwins(in: loaded.path)
    }

    mutating func restoreEdits(_ draft: Draft, of path: String) {
        record("restore unsaved edits", item: nil, in: path) { $0.restore(draft) }
    }

    mutating func resolveConflicts(_ choices: [ConflictChoice], of path: String) {
        let name = file(at: path)?.fileName ?? ""
        record("resolve conflicts of \(name)", item: nil, in: path) { $0.resolve(choices) }
        separateTwins(in: path)
    }

    /// Gives items a new identity that were moved to another file, and came back with the changes on disk.
    private mutating func separateTwins(in path: String) {
        guard let index = files.firstIndex(where: { $0.path == path }), let collection = files[index].collection else {
            return
        }
        let others = files.filter { $0.path != path }.compactMap(\.collection)
        let twins = collection.ids.filter { id in others.contains { $0.contains(id) } }
        guard !twins.isEmpty else { return }
        files[index].renew(Dictionary(twins.map { ($0, ItemID()) }) { first, _ in first })
        follow()
    }

    /// Goes on in a new collection, with the edits and their history, in place of another tool's file.
    mutating func goOn(in loaded: LoadedCollection, from path: String) {
        // The watch of the folder may have found it already.
        files.removeAll { $0.path == loaded.path }
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].goOn(in: loaded)
        histories.rename(path, to: loaded.path)
        saves.unlink(path)
        held[path] = nil
        replaced.insert(path)
        if home == path { home = loaded.path }
        if node == .file(path) { node = .file(loaded.path) }
        follow()
    }

    /// Closes a file, with the edits that are not saved.
    mutating func close(_ path: String) {
        files.removeAll { $0.path == path }
        histories.forget(path)
        saves.unlink(path)
        held[path] = nil
        replaced.insert(path)
        if home == path { home = nil }
        follow()
    }

    mutating func set(_ disk: OpenFile.Disk, of path: String) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].disk = disk
    }

    mutating func addToOverlay(_ secrets: [Secret], of path: String) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].addToOverlay(secrets)
        follow()
    }

    /// Takes what lies beside a file. Returns false where it is as before, but for the secrets that were moved there.
    mutating func takeOverlay(from loaded: LoadedCollection) -> Bool {
        guard let index = files.firstIndex(where: { $0.path == loaded.path }), var new = loaded.collection?.overlay,
            var old = files[index].collection?.overlay, !new.isSame(as: old)
        else { return false }
        files[index].takeOverlay(from: loaded)
        follow()
        let moved = saves.movedSecrets[loaded.path] ?? []
        old.secrets.removeAll(where: moved.contains)
        new.secrets.removeAll(where: moved.contains)
        return !new.isSame(as: old)
    }

    /// Adds a file after those of its folder that come before it.
    mutating func add(_ file: OpenFile) {
        replaced.remove(file.path)
        let folder = file.path.dropLast(file.fileName.count)
        let siblings = files.indices.filter { files[$0].path.dropLast(files[$0].fileName.count) == folder }
        let next = siblings.first { file.fileName.utf8.lexicographicallyPrecedes(files[$0].fileName.utf8) }
        files.insert(file, at: next ?? siblings.last.map { $0 + 1 } ?? files.count)
        follow()
    }

    mutating func markSaved(path: String, as collection: Collection, _ fingerprint: Fingerprint) {
        guard let index = files.firstIndex(where: { $0.path == path }) else { return }
        files[index].markSaved(as: collection, fingerprint)
        saves.unlink(path)
    }

    // MARK: Scratch requests

    var scratch: OpenFile? { files.first(where: \.isScratch) }

    /// Adds scratch requests at the end of theirs.
    /// - Parameter isNew: false for those that were kept from an earlier time: they count as edited.
    mutating func addScratch(_ items: [CollectionItem], isNew: Bool) {
        if scratch == nil { files.insert(.scratch, at: 0) }
        guard let index = files.firstIndex(where: \.isScratch) else { return }
        if isNew { files[index].accept(items) } else { files[index].recall(items) }
        let label = items.count == 1 ? "add \(items[0].name)" : "add \(items.count) items"
        edit(path: OpenFile.scratchPath, label, item: items.first?.id) { $0.items += items }
    }
}
