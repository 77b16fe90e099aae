import OmbiPlatform

/// The grants that outlive the program, in a file that is readable by its owner only.
package struct GrantStore: Sendable {
    /// A source that a collection may send to a destination, in the words of `Flow`.
    package struct Grant: Hashable, Sendable {
        /// The real path of the collection file.
        package var collection: String
        package var source: String
        package var destination: String
        /// The day on which it was given: `2026-01-31`.
        package var day: String

        /// `sends $TOKEN to https://api.example.com`
        package var text: String { "sends \(source) to \(destination)" }
    }

    private let path: String
    private let fileSystem: any FileSystem
    private static let maximumSize = 8 << 20

    package init(path: String, fileSystem: any FileSystem = PosixFileSystem()) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// `$XDG_STATE_HOME/ombi/trust.json`, or `~/.local/state/ombi/trust.json`. Nil without a home folder.
    package static var standard: GrantStore? { StateFolder.path.map { GrantStore(path: $0 + "/trust.json") } }

    /// The grants. None for a damaged file, for one of an earlier version, whose grants must be asked for again, or for
    /// one that other users own or may write, who could grant anything.
    package var grants: [Grant] {
        guard isOwn, let bytes = try? fileSystem.read(path), bytes.count <= Self.maximumSize,
            let document = try? JSONDocument(checking: Bytes(bytes))
        else { return [] }
        let file = ObjectReader(rootOf: ProblemLog(file: path, document: document))
        return (file?.array("grants") ?? []).compactMap(ObjectReader.init).compactMap { object in
            guard let collection = object.string("collection"), let source = object.string("source"),
                let destination = object.string("destination")
            else { return nil }
            return Grant(
                collection: collection, source: source, destination: destination, day: object.string("granted") ?? "")
        }
    }

    private var isOwn: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return [geteuid(), 0].contains(status.st_uid) && status.st_mode & 0o002 == 0
    }

    func grants(of file: String) -> [Grant] {
        let real = realPath(file)
        return grants.filter { $0.collection == real }
    }

    /// The identity of the file's content, which each change replaces.
    struct Stamp: Equatable, Sendable {
        fileprivate var inode: UInt64
        fileprivate var size: Int
        fileprivate var seconds: Int
        fileprivate var nanoseconds: Int
    }

    /// Nil without a file.
    var stamp: Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Stamp(
            inode: UInt64(status.st_ino), size: Int(status.st_size), seconds: Int(time.tv_sec),
            nanoseconds: Int(time.tv_nsec))
    }

    func add(_ flows: [Flow], of file: String, on date: Date = Date()) throws(FileError) {
        let real = realPath(file)
        let day = String(date.ISO8601Format().prefix(10))
        let new = flows.map {
            Grant(collection: real, source: $0.source.text, destination: $0.destination.text, day: day)
        }
        try StateLock.exclusively(path, fileSystem) { () throws(FileError) in
            let kept = grants.filter { old in !new.contains { $0.isSame(as: old) } }
            // A file that is replaced keeps its permissions.
            if !isOwn { fileSystem.remove(path) }
            try write(kept + new)
        }
    }

    /// Returns the number of grants that a collection had. The file need not exist any more.
    package func revoke(_ file: String) throws(FileError) -> Int {
        let real = realPath(file)
        return try StateLock.exclusively(path, fileSystem) { () throws(FileError) in
            let known = grants
            let left = known.filter { $0.collection != real && $0.collection != file }
            if left.count < known.count { try write(left) }
            return known.count - left.count
        }
    }

    private func realPath(_ file: String) -> String {
        guard let real = try? fileSystem.resolve(file) else { return file }
        return real.hasPrefix("/") ? real : ((try? fileSystem.resolve(".")) ?? "") + "/" + real
    }

    private func write(_ grants: [Grant]) throws(FileError) {
        let list = grants.sorted {
            ($0.collection, $0.destination, $0.source) < ($1.collection, $1.destination, $1.source)
        }
        let values = list.map { grant -> JSONValue in
            [
                "collection": .string(grant.collection), "source": .string(grant.source),
                "destination": .string(grant.destination), "granted": .string(grant.day),
            ]
        }
        let value: JSONValue = ["version": 2, "grants": .array(values)]
        try FileReplacement.replace(path, with: Array(value.text.utf8), newFileMode: 0o600, fileSystem)
    }
}

extension GrantStore.Grant {
    fileprivate func isSame(as other: GrantStore.Grant) -> Bool {
        (collection, source, destination) == (other.collection, other.source, other.destination)
    }
}
