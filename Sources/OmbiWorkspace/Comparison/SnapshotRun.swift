import OmbiPlatform

/// The snapshots of a run: compares each response with its file, writes missing ones, and accepts new ones on request.
/// It needs no history.
package final class SnapshotRun: Sendable {
    /// The treatment of responses that have no snapshot, or another one.
    package enum Mode: Sendable {
        /// Missing ones are written.
        case write
        /// Writes nothing, and fails for a missing snapshot, which CI could not commit.
        case check
        /// All are written.
        case update
    }

    /// An error before anything is sent.
    package enum Failure: Error {
        case file(FileError)
        /// The name of two collections, whose snapshots would have the same files.
        case ambiguous(String)
    }

    /// The counts of a run, and the files to name.
    package struct Summary: Equatable, Sendable {
        /// The new files.
        package var written: [String] = []
        /// The files with another content than before.
        package var updated: [String] = []
        package var same = 0
        package var differing = 0
        package var missing = 0
        /// The files that no request of the collections has any more.
        package var obsolete: [String] = []
        /// True if a file could not be read or written.
        package var hasError = false
    }

    private struct State {
        var summary = Summary()
        /// The files that this run has written or accepted.
        var accepted: Set<String> = []
    }

    /// The header that is always kept.
    private static let standardHeaders = ["Content-Type"]

    private let folder: SnapshotFolder
    private let mode: Mode
    private let headers: [String]
    /// By the path of the collection file.
    private let names: [String: SnapshotNames]
    private let state = Lock(State())

    /// - Parameters:
    ///   - headers: The headers to keep in addition to `Content-Type`.
    ///   - collections: The collections of the run, by the paths of their files.
    package init(
        _ path: String, mode: Mode, headers: [String] = [], of collections: [String: Collection]
    ) throws(Failure) {
        do throws(FileError) { folder = try SnapshotFolder(path) } catch { throw .file(error) }
        self.mode = mode
        var all = Self.standardHeaders
        for header in headers where !all.contains(where: { $0.lowercased() == header.lowercased() }) {
            all.append(header)
        }
        self.headers = all
        names = collections.mapValues(SnapshotNames.init)
        var owners: Set<String> = []
        for file in collections.keys.sorted() {
            guard let names = names[file], !owners.insert(names.folder).inserted else { continue }
            throw .ambiguous(collections[file]?.name ?? names.folder)
        }
    }

    /// Returns the differences of a result from its snapshot, a sentence each; none if it matches, or has become the
    /// snapshot.
    ///
    /// Only a result that passed becomes a snapshot. Several may be judged at the same time.
    package func failures(of result: SessionResult, _ order: RunOrder) -> [String] {
        let paths = order.request.ignoredPaths.compactMap { try? JSONPath($0) }
        guard let file = names[order.file]?.file(of: order.request.id, row: order.row?.number),
            let new = ResponseSnapshot(result, headers: headers, ignoring: paths)
        else { return [] }
        do throws(FileError) {
            if mode == .update {
                if !result.passed { return [] }
                if try accept(new, file) { return [] }
            }
            var known = try folder.read(file)
            if known == nil, mode == .write, result.passed {
                if try accept(new, file) { return [] }
                // Another run of the request has written it meanwhile.
                known = try folder.read(file)
            }
            return known.map { compare(new, $0, file, paths) } ?? missing(file, result)
        } catch {
            state.withLock { $0.summary.hasError = true }
            return ["its snapshot cannot be used: \(error.description)"]
        }
    }

    /// Makes a response the snapshot, unless another run of the request has become it.
    /// - Returns: false for such a one, which is compared.
    private func accept(_ new: ResponseSnapshot, _ file: String) throws(FileError) -> Bool {
        let text = new.text
        return try state.withLock { (state: inout State) throws(FileError) -> Bool in
            guard state.accepted.insert(file).inserted else { return false }
            let known = try folder.read(file)
            guard known != Array(text.utf8) else {
                state.summary.same += 1
                return true
            }
            try folder.write(text, to: file)
            if known == nil { state.summary.written.append(file) } else { state.summary.updated.append(file) }
            return true
        }
    }

    private func missing(_ file: String, _ result: SessionResult) -> [String] {
        // A response that failed is no model for others.
        guard result.passed else { return [] }
        state.withLock { $0.summary.missing += 1 }
        return ["there is no snapshot \(file); --update-snapshots writes it"]
    }

    private func compare(
        _ new: ResponseSnapshot, _ known: [UInt8], _ file: String, _ paths: [JSONPath]
    ) -> [String] {
        guard let old = ResponseSnapshot(known) else {
            state.withLock { $0.summary.differing += 1 }
            return ["\(file) is no snapshot; --update-snapshots writes it again"]
        }
        let differences = new.differences(from: old, headers: headers, ignoring: paths)
        state.withLock { state in
            if differences.isEmpty { state.summary.same += 1 } else { state.summary.differing += 1 }
        }
        guard let first = differences.first else { return [] }
        return ["differs from its snapshot \(file): \(first)"] + differences.dropFirst()
    }

    /// Returns the counts, and looks for files of the collections that no request has any more.
    package func summary() -> Summary {
        var summary = state.withLock { $0.summary }
        for names in names.values { summary.obsolete += names.obsolete(folder.files(in: names.folder)) }
        summary.obsolete.sort()
        summary.written.sort()
        summary.updated.sort()
        return summary
    }
}

extension SnapshotRun.Failure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .file(let error): error.description
        case .ambiguous(let name):
            "two collections are named \(name), and their snapshots would have the same names; run them one by one, "
                + "each with a folder of its own"
        }
    }
}

/// A folder of snapshot files in a repository. Below it no symbolic link is followed: a file from elsewhere is neither
/// shown in a comparison nor overwritten.
struct SnapshotFolder: Sendable {
    private let root: String
    private let fileSystem = PosixFileSystem()

    /// The maximum number of files that are looked at for those that no request has.
    private static let maximumFiles = 100_000

    /// The folder itself may be a link: it is named by the user.
    init(_ path: String) throws(FileError) {
        let system = PosixFileSystem()
        root = try system.resolve(path)
        if !system.isFolder(root), try system.modeForReplacing(root) != nil {
            throw FileError(operation: "write", path: path, code: ENOTDIR)
        }
    }

    /// Returns nil if the file does not exist.
    func read(_ name: String) throws(FileError) -> [UInt8]? {
        let path = try path(of: name, "read")
        var content: [UInt8]?
        do throws(FileError) { content = try fileSystem.read(path) } catch  where error.isAbsence {}
        return content
    }

    /// Writes a file in one step, and the folders that it is in.
    func write(_ text: String, to name: String) throws(FileError) {
        let path = try path(of: name, "write")
        try fileSystem.makeFolder(of: path)
        let content = Array(text.utf8)
        try FileReplacement.change(path, fileSystem) { (_: [UInt8]?) throws(FileError) in content }
    }

    /// Returns the path of a file, none of whose folders below this one is a link.
    private func path(of name: String, _ operation: String) throws(FileError) -> String {
        var path = root
        for part in name.split(separator: "/") {
            path += "/\(part)"
            guard !fileSystem.isLink(path) else {
                throw FileError(operation: operation, path: path, code: FileError.isLink)
            }
        }
        return path
    }

    /// Returns the snapshots in a folder and below it, sorted.
    func files(in folder: String) -> [String] {
        var (found, left) = ([String](), [folder])
        while let folder = left.popLast(), found.count < Self.maximumFiles {
            guard !fileSystem.isLink(root + "/" + folder) else { continue }
            for name in (try? fileSystem.names(in: root + "/" + folder)) ?? [] where !name.hasPrefix(".") {
                let path = folder + "/" + name
                if name.hasSuffix(SnapshotNames.suffix) {
                    found.append(path)
                } else if fileSystem.isFolder(root + "/" + path) {
                    left.append(path)
                }
            }
        }
        return found.sorted()
    }
}

/// The names of the snapshot files of a collection: `shop/users/list-users.snap` for the request `list users` in the
/// folder `users` of `shop`, and `list-users@2.snap` with the second row of a file of data.
///
/// They hold ASCII letters in lower case, digits, `-` and `_` only, so that they are the same on every file system. Of
/// siblings that would have one name, the later ones have a number.
package struct SnapshotNames: Sendable, Equatable {
    static let suffix = ".snap"
    private static let maximumLength = 80

    package let folder: String
    private var names: [ItemID: String] = [:]

    package init(_ collection: Collection) {
        folder = Self.word(collection.name)
        add(collection.items, in: folder)
    }

    private mutating func add(_ items: [CollectionItem], in folder: String) {
        // A file has an ending, so that no folder has its name.
        var (files, folders) = ([String: Int](), [String: Int]())
        for item in items {
            switch item {
            case .request(let request):
                names[request.id] = folder + "/" + Self.free(Self.word(request.name), &files)
            case .folder(let inner): add(inner.items, in: folder + "/" + Self.free(Self.word(inner.name), &folders))
            }
        }
    }

    private static func free(_ word: String, _ taken: inout [String: Int]) -> String {
        let count = taken[word, default: 0] + 1
        taken[word] = count
        return count == 1 ? word : "\(word)~\(count)"
    }

    /// Returns a name as a word. A lossy conversion appends a hash, so that it stays unique.
    static func word(_ name: String) -> String {
        var word = ""
        var isLossy = false
        for scalar in name.unicodeScalars {
            switch scalar {
            case "a"..."z", "0"..."9", "_": word.unicodeScalars.append(scalar)
            case "A"..."Z": word += String(scalar).lowercased()
            default:
                isLossy = isLossy || !scalar.isASCII
                if !word.isEmpty, word.last != "-" { word += "-" }
            }
        }
        if word.last == "-" { word.removeLast() }
        guard isLossy || word.isEmpty || word.count > maximumLength else { return word }
        let hash = WorkspaceContent.digest(Data(name.utf8)).prefix(8)
        return word.isEmpty ? String(hash) : "\(word.prefix(maximumLength))-\(hash)"
    }

    /// The file of a request, below the folder of all snapshots; nil if it is not in the collection.
    func file(of request: ItemID, row: Int?) -> String? {
        names[request].map { $0 + (row.map { "@\($0)" } ?? "") + Self.suffix }
    }

    /// Returns the files that belong to none of the requests, with any row.
    func obsolete(_ files: [String]) -> [String] {
        let known = Set(names.values)
        return files.filter { file in
            let name = file.dropLast(Self.suffix.count)
            return !known.contains(String(name.prefix { $0 != "@" }))
        }
    }
}
