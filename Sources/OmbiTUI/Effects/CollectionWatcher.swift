import OmbiPlatform

/// Reads collection files again that others have written, and those that appear in a folder that was opened.
@MainActor
final class CollectionWatcher {
    private let work: BriefWork
    private let onRead: @Sendable (LoadedCollection) -> Void
    private let load: @Sendable (String) -> LoadedCollection
    private lazy var watcher = FolderWatcher { [weak self] folder, names in self?.changed(names, in: folder) }
    /// The open files in each watched folder, by their names there.
    private var files: [String: [String: String]] = [:]
    private var opened: Set<String> = []
    /// The folders whose collections are opened when they appear.
    private var wholeFolders: Set<String> = []
    /// Documents that the requests of collections are based on, each with the path of the collection.
    private var documents: [(folder: String, name: String, path: String)] = []
    /// The paths of the collections of other tools that have files in each folder.
    private var foreignFolders: [String: Set<String>] = [:]
    private var hasBegun = false
    private var reading: Set<String> = []
    /// Those of them that changed again meanwhile.
    private var repeated: Set<String> = []

    /// The time after which a file that cannot be read is read once more: somebody may be writing it.
    private let patience: DispatchTimeInterval

    /// - Parameters:
    ///   - work: reads the files.
    ///   - load: reads a file that is open.
    ///   - onRead: called in `work` with a file that may have changed.
    init(
        on work: BriefWork, patience: DispatchTimeInterval = .milliseconds(300),
        load: @escaping @Sendable (String) -> LoadedCollection = { CollectionFile.load($0) },
        onRead: @escaping @Sendable (LoadedCollection) -> Void
    ) {
        self.work = work
        self.patience = patience
        self.load = load
        self.onRead = onRead
    }

    /// Begins to watch.
    /// - Parameters:
    ///   - paths: those of the command line.
    ///   - open: the files that were read.
    ///   - start: the time before they were read, in nanoseconds since 1970. Files written since are read again.
    func watch(_ paths: [String], open: [String], since start: Int) {
        for path in paths where PosixFileSystem().isFolder(path) {
            opened.insert(path)
            watchFolders(in: path)
        }
        for path in open { watch(path, since: start) }
        hasBegun = true
    }

    /// Begins to watch a file that is open, and the one that it is a link to.
    func watch(_ path: String, since start: Int = .max) {
        let (folder, name) = Self.parts(of: path)
        guard files[folder]?[name] == nil else { return }
        files[folder, default: [:]][name] = path
        watcher.watch(folder)
        let system = PosixFileSystem()
        if let target = try? system.resolve(path), let real = try? system.resolve(folder) {
            let (realFolder, realName) = Self.parts(of: target)
            if realFolder != real || realName != name {
                files[realFolder, default: [:]][realName] = path
                watcher.watch(realFolder)
            }
        }
        if let stamp = FileStamp(path), stamp.time >= start { read(path, isNew: false) }
    }

    /// Begins to watch the documents that the requests of a file are based on, and the folders of another tool's files.
    func watchDocuments(of loaded: LoadedCollection) {
        for folder in loaded.foreignFolders
        where foreignFolders[folder, default: []].insert(loaded.path).inserted { watcher.watch(folder) }
        for document in loaded.documents {
            let (folder, name) = Self.parts(of: document)
            let isKnown = documents.contains { $0.folder == folder && $0.name == name && $0.path == loaded.path }
            guard !isKnown else { continue }
            documents.append((folder, name, loaded.path))
            watcher.watch(folder)
        }
    }

    func stop() { watcher.stop() }

    /// `("dir", "a.json")`
    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    // MARK: Changes

    private func changed(_ names: Set<String>?, in folder: String) {
        let known = files[folder] ?? [:]
        let isBeside = names?.contains(where: CollectionFinder.isBeside) ?? true
        var paths: Set<String> = []
        // Without a name, the folder itself is a collection of another tool.
        for (name, path) in known where isBeside || name.isEmpty || (names?.contains(name) ?? true) {
            paths.insert(path)
        }
        for document in documents where document.folder == folder && names?.contains(document.name) ?? true {
            paths.insert(document.path)
        }
        if names?.contains(where: Importer.mayBePart) ?? true { paths.formUnion(foreignFolders[folder] ?? []) }
        for path in paths { read(path, isNew: false) }
        if opened.contains(folder), names?.contains(CollectionFinder.subfolder) ?? true { watchFolders(in: folder) }
        guard wholeFolders.contains(folder) else { return }
        readNew(names.map(Array.init) ?? (try? PosixFileSystem().names(in: folder)) ?? [], in: folder)
    }

    private func readNew(_ names: [String], in folder: String) {
        for name in names where CollectionFinder.isCandidate(name) && files[folder]?[name] == nil {
            read(CollectionFinder.path(of: name, in: folder), isNew: true)
        }
    }

    private func watchFolders(in path: String) {
        for folder in CollectionFinder.folders(in: path) where wholeFolders.insert(folder).inserted {
            watcher.watch(folder)
            if folder != path, hasBegun { readNew((try? PosixFileSystem().names(in: folder)) ?? [], in: folder) }
        }
    }

    /// Reads a file, once at a time.
    private func read(_ path: String, isNew: Bool) {
        guard reading.insert(path).inserted else {
            repeated.insert(path)
            return
        }
        let (queue, load, patience, onRead) = (work.queue, load, patience, onRead)
        let read: @Sendable () -> LoadedCollection? = {
            isNew ? CollectionFinder.collection(at: path)?.specified() : load(path)
        }
        let finish: @Sendable (LoadedCollection?) -> Void = { [weak self] loaded in
            if let loaded { onRead(loaded) }
            DispatchQueue.main.async {
                MainActor.assumeIsolated {
                    if let loaded { self?.watchDocuments(of: loaded) }
                    self?.finished(path, isNew: isNew && loaded == nil)
                }
            }
        }
        work.add {
            let first = read()
            if first?.collection != nil || isNew && first == nil { return finish(first) }
            queue.asyncAfter(deadline: .now() + patience) { finish(read()) }
        }
    }

    private func finished(_ path: String, isNew: Bool) {
        reading.remove(path)
        if !isNew { watch(path) }
        if repeated.remove(path) != nil { read(path, isNew: isNew) }
    }
}

/// The attributes that change when a file is written or replaced.
struct FileStamp: Equatable {
    private let number: UInt64
    private let size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    let time: Int

    /// Nil when there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (number, size) = (UInt64(status.st_ino), Int64(status.st_size))
        #if canImport(Darwin)
        time = Self.nanoseconds(status.st_mtimespec)
        #else
        time = Self.nanoseconds(status.st_mtim)
        #endif
    }

    /// The present in the clock of the files, which lags behind by up to a hundredth of a second.
    static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return nanoseconds(time) - 10_000_000
    }

    private static func nanoseconds(_ time: timespec) -> Int { time.tv_sec &* 1_000_000_000 &+ time.tv_nsec }
}
