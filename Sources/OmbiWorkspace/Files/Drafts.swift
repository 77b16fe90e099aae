#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Edits that were not saved when the program had to end, because the connection dropped for one: a file for each
/// collection, which only its owner can read, until they are saved or thrown away.
public struct Drafts: Sendable {
    private let folder: String
    private let fileSystem: any FileSystem

    /// - Parameter folder: Is made when there is something to keep.
    public init(folder: String, fileSystem: any FileSystem = PosixFileSystem()) {
        self.folder = folder
        self.fileSystem = fileSystem
    }

    /// Those of the user: in `$XDG_STATE_HOME/ombi/drafts`, or `~/.local/state/ombi/drafts`. Nil without a home.
    public static var standard: Drafts? {
        func folder(_ variable: String) -> String? {
            getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = folder("XDG_STATE_HOME") ?? folder("HOME").map { $0 + "/.local/state" }
        return state.map { Drafts(folder: $0 + "/ombi/drafts") }
    }

    /// Keeps a collection as it was edited.
    /// - Parameter fingerprint: What its file held when the edits began.
    public func keep(
        _ collection: Collection, of path: String, since fingerprint: Fingerprint
    ) throws(FileError) {
        let real = try fileSystem.resolve(path)
        let file = file(for: real)
        var content: [UInt8]? = Array("\(Self.head(real, fingerprint))\n\(collection.text)".utf8)
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(file, newFileMode: 0o600, fileSystem) { () throws(FileError) in content.take() }
    }

    /// What was kept of a collection that was just read; nil where that is nothing, or what its file holds. While the
    /// file has a mistake, so that nothing of it is open, what was kept stays where it is.
    public func draft(of loaded: LoadedCollection) -> Draft? {
        guard let current = loaded.collection, let real = try? fileSystem.resolve(loaded.path),
            let bytes = try? fileSystem.read(file(for: real)),
            let end = bytes.firstIndex(of: 0x0A)
        else { return nil }
        let head = String(decoding: bytes[..<end], as: UTF8.self)
        let (collection, _) = CollectionFile.read(Array(bytes[(end + 1)...]), file: loaded.path)
        guard let collection, head.hasSuffix(" " + real), collection.text != current.text else { return nil }
        return Draft(collection: collection, isOfThisFile: head == Self.head(real, loaded.fingerprint))
    }

    /// Forgets what was kept.
    public func discard(_ path: String) {
        if let real = try? fileSystem.resolve(path) { fileSystem.remove(file(for: real)) }
    }

    private func file(for path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return "\(folder)/\(Self.hash(path.utf8))-\(name.prefix(60))"
    }

    private static func head(_ path: String, _ fingerprint: Fingerprint) -> String {
        "ombi draft of \(hash(fingerprint.bytes ?? [])) \(path)"
    }

    /// FNV-1a, 64 bits.
    private static func hash(_ bytes: some Sequence<UInt8>) -> String {
        String(bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}

/// A collection as it was edited and not saved.
public struct Draft: Sendable, Equatable {
    public var collection: Collection
    /// Whether the file is still what was edited, and not changed since.
    public var isOfThisFile: Bool

    public init(collection: Collection, isOfThisFile: Bool) {
        self.collection = collection
        self.isOfThisFile = isOfThisFile
    }
}
