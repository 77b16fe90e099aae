import OmbiAuthentication
import OmbiCore
import OmbiDocument

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The collections that the user trusts, in a file that is readable by its owner only.
public struct TrustStore: Sendable {
    /// A trusted collection.
    public struct Entry: Equatable, Sendable {
        public var path: String
        /// SHA-256 of the lines.
        public var hash: String
        /// The things that it may do, for the comparison with later ones.
        public var lines: [String]
    }

    private let path: String
    private let fileSystem: any FileSystem
    private static let maximumSize = 8 << 20

    public init(path: String, fileSystem: any FileSystem = PosixFileSystem()) {
        self.path = path
        self.fileSystem = fileSystem
    }

    /// `$XDG_STATE_HOME/ombi/trust.json`, or `~/.local/state/ombi/trust.json`. Nil without a home folder.
    public static var standard: TrustStore? { StateFolder.path.map { TrustStore(path: $0 + "/trust.json") } }

    /// The trusted collections. A file that is damaged trusts none.
    public var entries: [Entry] {
        guard let bytes = try? fileSystem.read(path), bytes.count <= Self.maximumSize,
            let document = try? JSONDocument(checking: Bytes(bytes)), let root = document.firstRoot
        else { return [] }
        let log = ProblemLog(file: path, document: document)
        let file = ObjectReader(FileValue(node: root, kind: document.kind(of: root), log: log))
        return (file?.array("files") ?? []).compactMap(ObjectReader.init).map { object in
            Entry(
                path: object.string("path") ?? "", hash: object.string("sha256") ?? "",
                lines: (object.array("content") ?? []).compactMap(\.string))
        }
    }

    func entry(for file: String) -> Entry? {
        let real = realPath(file)
        return entries.first { $0.path == real }
    }

    static func hash(of lines: [String]) -> String {
        HashFunction.sha256.hex(Data(lines.joined(separator: "\n").utf8))
    }

    func trust(_ file: String, _ lines: [String]) throws(FileError) {
        let real = realPath(file)
        let entry = Entry(path: real, hash: Self.hash(of: lines), lines: lines)
        try write(entries.filter { $0.path != real } + [entry])
    }

    /// Returns false for a file that was not trusted. It need not exist any more.
    public func revoke(_ file: String) throws(FileError) -> Bool {
        let (known, real) = (entries, realPath(file))
        let left = known.filter { $0.path != real && $0.path != file }
        guard left.count < known.count else { return false }
        try write(left)
        return true
    }

    private func realPath(_ file: String) -> String {
        guard let real = try? fileSystem.resolve(file) else { return file }
        return real.hasPrefix("/") ? real : ((try? fileSystem.resolve(".")) ?? "") + "/" + real
    }

    private func write(_ entries: [Entry]) throws(FileError) {
        let files = entries.sorted { $0.path < $1.path }.map { entry in
            JSONValue.object([
                .init("path", .string(entry.path)), .init("sha256", .string(entry.hash)),
                .init("content", .array(entry.lines.map(JSONValue.string))),
            ])
        }
        let value = JSONValue.object([.init("version", .number(1)), .init("files", .array(files))])
        var content: [UInt8]? = Array(value.text.utf8)
        if let slash = path.lastIndex(of: "/") { try fileSystem.makeFolder(String(path[..<slash])) }
        try FileReplacement.replace(path, newFileMode: 0o600, fileSystem) { () throws(FileError) in content.take() }
    }
}
