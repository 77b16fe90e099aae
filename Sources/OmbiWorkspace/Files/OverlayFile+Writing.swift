import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension OverlayFile {
    /// Adds secrets of every environment to a local file, which nobody else may read from then on.
    static func add(
        _ secrets: [(name: String, value: String)], to path: String, _ fileSystem: some FileSystem
    ) throws(FileError) {
        let known = try? fileSystem.read(path)
        if known != nil, chmod(path, 0o600) != 0 { throw FileError(operation: "write", path: path, code: errno) }
        var members: [JSONValue.Member] = [.init("version", .number(1))]
        if let known {
            guard let document = try? JSONDocument(checking: Bytes(known)), let root = document.firstRoot,
                case .object(let read) = document.value(of: root)
            else { throw FileError(operation: "change", path: path, code: EINVAL) }
            members = read
        }
        let new = secrets.map { JSONValue.Member($0.name, .object([.init("value", .string($0.value))])) }
        if let index = members.firstIndex(where: { $0.key == "secrets" }), case .object(let old) = members[index].value
        {
            members[index] = .init("secrets", .object(old.filter { one in !new.contains { $0.key == one.key } } + new))
        } else {
            members.append(.init("secrets", .object(new)))
        }
        var content: [UInt8]? = Array(JSONValue.object(members).text.utf8)
        try FileReplacement.replace(path, newFileMode: 0o600, fileSystem) { () throws(FileError) in content.take() }
        try ignore(path, fileSystem)
    }

    /// Names a file in the `.gitignore` of its folder.
    private static func ignore(_ path: String, _ fileSystem: some FileSystem) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        let name = String(slash.map { path[path.index(after: $0)...] } ?? path[...])
        let list = (slash.map { String(path[...$0]) } ?? "") + ".gitignore"
        let text = (try? fileSystem.read(list)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let lines = text.split(whereSeparator: \.isNewline)
        guard !lines.contains(where: { $0 == name || $0 == "/" + name || $0 == "*" + suffix }) else { return }
        var content: [UInt8]? = Array((text + (text.isEmpty || text.hasSuffix("\n") ? "" : "\n") + name + "\n").utf8)
        try FileReplacement.save(to: list, fileSystem: fileSystem) { () throws(FileError) in content.take() }
    }
}
