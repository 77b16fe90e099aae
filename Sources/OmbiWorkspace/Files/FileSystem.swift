import OmbiPlatform

/// The steps that reading and saving a file take. A seam: tests let each step fail, or end there like a killed process.
///
/// No step opens an existing file for writing: a save can only create a new file and rename it into place.
package protocol FileSystem: Sendable {
    /// The whole content of a regular file.
    func read(_ path: String) throws(FileError) -> [UInt8]
    /// The same without a copy.
    /// - Parameter onPortion: Called repeatedly with the part of a large file that was read so far.
    func content(_ path: String, onPortion: (_ soFar: Bytes) -> Void) throws(FileError) -> Bytes
    /// The names in a folder, in no order.
    func names(in folder: String) throws(FileError) -> [String]
    func isFolder(_ path: String) -> Bool
    /// Returns true for a symbolic link, even a broken one.
    func isLink(_ path: String) -> Bool
    /// The size of a file in bytes; 0 when there is none.
    func size(_ path: String) -> Int
    /// The absolute path with all symbolic links resolved. A file that does not exist has the path that it would have;
    /// one in a folder that does not exist keeps its own.
    func resolve(_ path: String) throws(FileError) -> String
    /// Permission bits; nil when there is no file. Throws when the file may not be written, or is not a regular one:
    /// replacing a device would remove it.
    func modeForReplacing(_ path: String) throws(FileError) -> UInt32?
    /// Creates a file, fills it with portions until there are no more, and flushes it to the disk. Fails when the file
    /// exists. A mode of nil gives the permissions of new files.
    func create(_ path: String, mode: UInt32?, _ next: () throws(FileError) -> [UInt8]?) throws(FileError)
    /// Creates a folder and its parents, for the user only. Does nothing if it exists.
    func makeFolder(_ path: String) throws(FileError)
    /// Replaces a file by another in one step.
    func rename(_ path: String, to target: String) throws(FileError)
    /// Renames a file in one step. Fails with `EEXIST` when the target exists.
    func renameWithoutReplacing(_ path: String, to target: String) throws(FileError)
    /// Flushes the names in a folder to the disk, as far as possible.
    func synchronize(folder: String)
    func remove(_ path: String)
    /// Removes the unfinished files of ended processes from a folder, as far as possible.
    /// - Parameter process: returns the ID of the process that creates a file of that name; nil for any other file.
    func removeLeftovers(in folder: String, of process: (String) -> Int32?)
}

extension FileSystem {
    package func content(_ path: String, onPortion: (_ soFar: Bytes) -> Void) throws(FileError) -> Bytes {
        Bytes(try read(path))
    }

    package func content(_ path: String) throws(FileError) -> Bytes { try content(path) { _ in } }

    func makeFolder(of file: String) throws(FileError) {
        let folder = RelativePath.folder(of: file)
        if !folder.isEmpty { try makeFolder(folder) }
    }
}

/// The names in a folder, to complete a path.
package struct FolderListing: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        package var name: String
        package var isFolder: Bool

        package init(_ name: String, isFolder: Bool = false) {
            self.name = name
            self.isFolder = isFolder
        }
    }

    /// The path of the folder, as requested.
    package var folder: String
    /// Sorted by name; empty for a folder that cannot be read.
    package var entries: [Entry]

    /// More names than anybody looks through.
    private static let maximumEntries = 4000

    package init(folder: String, entries: [Entry]) {
        self.folder = folder
        self.entries = entries
    }

    init(reading folder: String, at path: String, fileSystem: some FileSystem = PosixFileSystem()) {
        let names = (try? fileSystem.names(in: path)) ?? []
        let first = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(Self.maximumEntries)
        self.init(
            folder: folder, entries: first.map { Entry($0, isFolder: fileSystem.isFolder(path + "/" + $0)) })
    }
}

/// The content of a file when it was last read or written, to detect changes by others since.
///
/// It is the content itself, so that no change goes unnoticed; collection files are small.
package struct Fingerprint: Sendable {
    /// Nil when there was no file.
    package let content: Bytes?
    /// The text of the file at an earlier time: a save restores its formatting for values that come back.
    let earlier: Bytes?

    package init(_ content: Bytes) { self.init(content, earlier: nil) }

    package init(bytes: [UInt8]) { self.init(Bytes(bytes)) }

    private init(_ content: Bytes?, earlier: Bytes?) { (self.content, self.earlier) = (content, earlier) }

    /// The fingerprint of a file that does not exist.
    package static let absent = Fingerprint(nil, earlier: nil)

    /// The content of the file, or the one that it had before it was removed.
    package var text: Bytes? { content ?? earlier }

    /// The fingerprint of the file once it is gone: a save writes it with the text that it had.
    package var removed: Fingerprint { Fingerprint(nil, earlier: text) }

    /// This fingerprint, with an earlier text of the file whose formatting a save restores.
    package func recalling(_ earlier: Bytes?) -> Fingerprint {
        guard let earlier, earlier.base != content?.base else { return self }
        return Fingerprint(content, earlier: earlier)
    }

    /// A copy of the content; nil when there was no file.
    package var bytes: [UInt8]? { content.map { $0.array(0..<$0.count) } }
}

/// Compares the contents alone: an earlier text is not in the file.
extension Fingerprint: Equatable {
    package static func == (one: Fingerprint, other: Fingerprint) -> Bool {
        switch (one.content, other.content) {
        case (nil, nil): true
        case (let content?, let other?): content.hasBytes(of: other)
        default: false
        }
    }
}

/// The identity of a file, independent of its name: a replacement has another one.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Nil if there is no file at the path.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }
}

/// The content of a pipe in the place of a file: the standard input, `<(…)` of a shell, or a FIFO. It is read once, to its end.
///
/// A collection that comes this way has no file: its paths start at the current folder, it gets no lasting grant, and it is
/// not saved.
package enum PipedFile {
    /// The contents of the pipes that this process has read.
    private static let contents = Lock<[String: Result<[UInt8], FileError>]>([:])

    package static func isStandardInput(_ path: String) -> Bool { descriptor(of: path) == 0 }

    /// Returns the open descriptor that a path names; nil for any other path. A FIFO that is opened again has lost its writer.
    package static func descriptor(of path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdin": return 0
        case "/dev/stdout": return 1
        case "/dev/stderr": return 2
        default: break
        }
        let folder = ["/dev/fd/", "/proc/self/fd/"].first { path.hasPrefix($0) }
        return folder.flatMap { Int32(path.dropFirst($0.count)) }
    }

    /// Returns true for `-` and for the path of a pipe. Opens nothing: a writer would lose its reader.
    package static func isPipe(_ path: String) -> Bool { isStandardInput(path) || Workspace.isPipe(path) }

    /// The name of the collection in a pipe. It has no slash, so it is in the current folder.
    package static func name(of path: String) -> String {
        isStandardInput(path) ? "standard input" : path.split(separator: "/").joined(separator: ":") + " (pipe)"
    }

    /// Returns true for the name of a collection in a pipe, which is no path.
    package static func isName(_ file: String) -> Bool { file == "standard input" || file.hasSuffix(" (pipe)") }

    /// Splits a selection into a pipe and the path of an item in its collection; nil for the selection of a file.
    package static func split(_ selection: String) -> (pipe: String, path: [String])? {
        let parts = selection.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for count in stride(from: parts.count, to: 0, by: -1) {
            let pipe = parts[..<count].joined(separator: "/")
            if isPipe(pipe) { return (pipe, Array(parts[count...])) }
        }
        return nil
    }

    /// Reads a collection to the end of a pipe. Never throws: errors are among the problems of the result.
    package static func collection(_ path: String) -> LoadedCollection {
        let name = name(of: path)
        do throws(FileError) {
            let content = try PosixFileSystem(readsPipes: true).content(path)
            return CollectionFile.load(name, content: content, ReadAhead(), PosixFileSystem())
        } catch {
            let problem = Problem(file: name, message: error.reason)
            return LoadedCollection(path: name, collection: nil, problems: [problem], fingerprint: .absent)
        }
    }

    /// The maximum wait for a writer of a FIFO, in milliseconds.
    private static let writerLimit: Int32 = 30_000

    /// Reads a file that a collection names, or a pipe, which is read once for all requests.
    static func read(_ path: String) throws(FileError) -> [UInt8] {
        guard Workspace.isPipe(path) else { return try PosixFileSystem().read(path) }
        let result = contents.withLock { known in
            let result =
                known[path]
                ?? Result { () throws(FileError) in
                    try PosixFileSystem(readsPipes: true, within: writerLimit).read(path)
                }
            known[path] = result
            return result
        }
        return try result.get()
    }
}

extension CollectionFinder {
    /// Loads collections that are only read: from files, folders and pipes.
    package static func loadOnce(_ paths: [String]) -> [LoadedCollection] {
        guard paths.contains(where: PipedFile.isPipe) else { return load(paths) }
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }.flatMap { path in
            PipedFile.isPipe(path) ? [PipedFile.collection(path)] : load([path])
        }
    }
}

/// A failed file operation. Its description names the remedy.
package struct FileError: Error, Sendable, Equatable {
    /// The operation that failed: "read", "write", …
    package var operation: String
    package var path: String
    /// The `errno` of the failed call.
    package var code: Int32

    package static let cancelled = ECANCELED

    /// The code of an existing file that may not be overwritten.
    package static let isThere = EEXIST

    /// The code of a symbolic link where none is followed.
    static let isLink = ENOLINK

    /// The code of a pipe that has no grant.
    static let isWithheld = ENOMSG

    /// The code of a pipe that received no data in time.
    static let isUnwritten = ETIME

    /// True when there is no file at the path.
    package var isAbsence: Bool { code == ENOENT || code == ENOTDIR }

    var isFull: Bool { code == ENOSPC || code == EDQUOT }

    package init(operation: String, path: String, code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }
}

extension FileError: CustomStringConvertible {
    package var description: String { "cannot \(operation) \(path): \(reason)" }

    /// The cause, without the path.
    package var reason: String {
        switch code {
        case ENOENT: missingFolder.map { "there is no folder \($0); create it" } ?? "no such file or folder"
        case ENOTDIR: "a part of the path is a file, not a folder"
        case EISDIR: "it is a folder, not a file"
        case EACCES, EPERM: "permission denied; check who may \(operation) it (ls -l)"
        case ENOSPC, EDQUOT: "no space left; free some and try again"
        case EROFS: "the file system is read-only; choose another place"
        case ENAMETOOLONG: "the name is too long"
        case Self.isLink: "it is a symbolic link, which may lead anywhere; put a regular file in its place"
        case Self.isWithheld: "it is a pipe, which needs a grant; ombi trust, --grant or --trust gives one"
        case Self.isUnwritten: "it is a pipe that no program writes to; start that program first"
        case ELOOP: "its symbolic links go in a circle"
        case EFBIG where operation == "read": "it is larger than \(PosixFileSystem.maximumFileSize >> 20) MiB"
        case EFBIG: "it would be larger than this file system or the process allows (ulimit -f)"
        case EIO: "the disk or the network drive failed"
        case EMFILE, ENFILE: "too many files are open; close some programs and try again"
        case ECANCELED: "it was cancelled"
        case EEXIST: "it is there already"
        case EINVAL: "it is not a regular file"
        case ENXIO: "no program reads from it; start that program first"
        default: String(cString: strerror(code))
        }
    }

    /// The folder without which the file cannot be written; nil where it is there.
    private var missingFolder: String? {
        guard operation == "write", let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return nil }
        let folder = String(path[..<slash])
        return PosixFileSystem().isFolder(folder) ? nil : folder
    }
}

/// Why a collection was not saved. The file on disk is unchanged.
package enum SaveError: Error, Sendable, Equatable {
    /// Another program changed the file since it was loaded.
    case changedOnDisk(String)
    /// Another program removed the file since it was loaded.
    case removedOnDisk(String)
    case failed(FileError)
    /// The file could not be read again.
    case unreadable(Problem)
    /// The file belongs to another tool.
    case foreign(String)
}

extension SaveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .changedOnDisk(let path):
            "\(path) was changed on disk since it was opened; reload it, or overwrite it"
        case .removedOnDisk(let path):
            "\(path) was removed from disk since it was opened; overwrite to write it again"
        case .failed(let error):
            "\(error); nothing was changed on disk"
        case .unreadable(let problem):
            "\(problem.file) could not be read again: \(problem.message)"
                + (problem.position.map { ", on line \($0.line) of what would be written" } ?? "")
                + "; nothing was changed on disk"
        case .foreign(let path):
            "\(path) is a file of another tool, which is never written; "
                + "`ombi import \(ShellQuotes.word(path)) --to NAME.json` makes a collection of it"
        }
    }
}
