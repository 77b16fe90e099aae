#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Copies of unsaved edits that survive the end of the program: one file for each collection and process, readable by its
/// owner only. The drafts of a running process are left to it.
public struct Drafts: Sendable {
    private let folder: String
    private let fileSystem: any FileSystem
    private let process: Int32
    private let isRunning: @Sendable (Int32) -> Bool

    /// - Parameters:
    ///   - folder: created with the first draft.
    ///   - process: the ID of the process that writes drafts.
    ///   - isRunning: returns true for the ID of a running process.
    public init(
        folder: String, fileSystem: any FileSystem = PosixFileSystem(), process: Int32 = getpid(),
        isRunning: @escaping @Sendable (Int32) -> Bool = { kill($0, 0) == 0 || errno != ESRCH }
    ) {
        self.folder = folder
        self.fileSystem = fileSystem
        self.process = process
        self.isRunning = isRunning
    }

    /// The user's drafts: in `$XDG_STATE_HOME/ombi/drafts`, or `~/.local/state/ombi/drafts`. Nil without a home folder.
    public static var standard: Drafts? {
        StateFolder.path.map { Drafts(folder: $0 + "/drafts") }
    }

    /// Writes the draft of an edited collection.
    /// - Parameter fingerprint: the content of its file when the edits began.
    public func keep(
        _ collection: Collection, of path: String, since fingerprint: Fingerprint
    ) throws(FileError) {
        let real = try fileSystem.resolve(path)
        let file = ownFile(for: real)
        var content: [UInt8]? = Array("\(Self.head(real, fingerprint))\n\(collection.text)".utf8)
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(file, newFileMode: 0o600, fileSystem) { () throws(FileError) in content.take() }
    }

    /// Returns the draft of a file that was just read; nil if there is none, or if it equals the file. The draft of a file
    /// with an error is kept.
    public func draft(of loaded: LoadedCollection) -> Draft? {
        guard let current = loaded.collection, let real = try? fileSystem.resolve(loaded.path) else { return nil }
        for file in leftFiles(for: real) {
            if let draft = draft(in: file, of: real, current, loaded) { return draft }
        }
        return nil
    }

    private func draft(
        in file: String, of real: String, _ current: Collection, _ loaded: LoadedCollection
    ) -> Draft? {
        guard let bytes = try? fileSystem.read(file), let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let (collection, _) = CollectionFile.read(Array(bytes[(end + 1)...]), file: loaded.path)
        guard let collection, head.hasSuffix(" " + real) else { return nil }
        guard collection.text != current.text else {
            fileSystem.remove(file)
            return nil
        }
        return Draft(collection: collection, isOfThisFile: head == Self.head(real, loaded.fingerprint))
    }

    /// Deletes the drafts of a file that ended processes have left.
    public func discard(_ path: String) {
        guard let real = try? fileSystem.resolve(path) else { return }
        for file in leftFiles(for: real) { fileSystem.remove(file) }
    }

    /// Deletes this process's draft of a file.
    public func discardOwn(_ path: String) {
        if let real = try? fileSystem.resolve(path) { fileSystem.remove(ownFile(for: real)) }
    }

    private func ownFile(for path: String) -> String { "\(folder)/\(Self.name(for: path)).\(process)" }

    /// The drafts of processes that have ended.
    private func leftFiles(for path: String) -> [String] {
        let start = Self.name(for: path) + "."
        let names = ((try? fileSystem.names(in: folder)) ?? []).filter { name in
            guard name.hasPrefix(start), let process = Int32(name.dropFirst(start.count)) else { return false }
            return !isRunning(process)
        }
        return names.sorted().map { folder + "/" + $0 }
    }

    private static func name(for path: String) -> String {
        "\(hash(path.utf8))-\((path.split(separator: "/").last ?? "").prefix(60))"
    }

    private static func head(_ path: String, _ fingerprint: Fingerprint) -> String {
        "ombi draft of \(hash(fingerprint.bytes ?? [])) \(path)"
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> String { String(ContentHash.of(bytes), radix: 16) }
}

/// An edited collection that was not saved.
public struct Draft: Sendable, Equatable {
    public var collection: Collection
    /// True while the file still holds the content that was edited.
    public var isOfThisFile: Bool

    public init(collection: Collection, isOfThisFile: Bool) {
        self.collection = collection
        self.isOfThisFile = isOfThisFile
    }
}
