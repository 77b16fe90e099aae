import OmbiDocument

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension OverlayFile {
    /// Adds secrets to a local file, which nobody else may read from then on.
    /// - Parameters:
    ///   - secrets: those of every environment.
    ///   - ofEnvironments: those of single environments.
    static func add(
        _ secrets: [(name: String, value: String)],
        ofEnvironments: [(environment: String, name: String, value: String)] = [], to path: String,
        _ fileSystem: some FileSystem
    ) throws(FileError) {
        // First, so that no secret is in a file that git would take.
        try ignore(path, fileSystem)
        try FileReplacement.change(path, newFileMode: 0o600, fileSystem) { known throws(FileError) in
            if known != nil, chmod(path, 0o600) != 0 { throw FileError(operation: "write", path: path, code: errno) }
            return try Self.text(known, with: secrets, ofEnvironments, path)
        }
    }

    private static func text(
        _ known: [UInt8]?, with secrets: [(name: String, value: String)],
        _ ofEnvironments: [(environment: String, name: String, value: String)], _ path: String
    ) throws(FileError) -> [UInt8] {
        var members: [JSONValue.Member] = [.init("version", .number(1))]
        if let known {
            guard let document = try? JSONDocument(checking: Bytes(known)), let root = document.firstRoot,
                case .object(let read) = document.value(of: root)
            else { throw FileError(operation: "change", path: path, code: EINVAL) }
            members = read
        }
        add(secrets, to: &members)
        var names: [String] = []
        for secret in ofEnvironments where !names.contains(secret.environment) { names.append(secret.environment) }
        for name in names {
            add(
                ofEnvironments.filter { $0.environment == name }.map { ($0.name, $0.value) }, ofEnvironment: name,
                to: &members)
        }
        return Array(JSONValue.object(members).text.utf8)
    }

    /// Adds secrets to the members of the file or of an environment in it.
    private static func add(_ secrets: [(name: String, value: String)], to members: inout [JSONValue.Member]) {
        guard !secrets.isEmpty else { return }
        let new = secrets.map { JSONValue.Member($0.name, .object([.init("value", .string($0.value))])) }
        if let index = members.firstIndex(where: { $0.key == "secrets" }), case .object(let old) = members[index].value
        {
            members[index] = .init("secrets", .object(old.filter { one in !new.contains { $0.key == one.key } } + new))
        } else {
            members.append(.init("secrets", .object(new)))
        }
    }

    private static func add(
        _ secrets: [(name: String, value: String)], ofEnvironment name: String, to members: inout [JSONValue.Member]
    ) {
        let place = members.firstIndex { $0.key == "environments" }
        var environments: [JSONValue] = []
        if let place, case .array(let known) = members[place].value { environments = known }
        let index = environments.firstIndex { $0["name"] == .string(name) }
        var own: [JSONValue.Member] = [.init("name", .string(name))]
        if let index, case .object(let known) = environments[index] { own = known }
        add(secrets, to: &own)
        if let index { environments[index] = .object(own) } else { environments.append(.object(own)) }
        if let place {
            members[place] = .init("environments", .array(environments))
        } else {
            members.append(.init("environments", .array(environments)))
        }
    }

    /// Names a file in the `.gitignore` of its folder.
    private static func ignore(_ path: String, _ fileSystem: some FileSystem) throws(FileError) {
        let slash = path.lastIndex(of: "/")
        let pattern = gitPattern(String(slash.map { path[path.index(after: $0)...] } ?? path[...]))
        let list = (slash.map { String(path[...$0]) } ?? "") + ".gitignore"
        try FileReplacement.change(list, fileSystem) { known throws(FileError) in
            let known = known ?? []
            let lines = String(decoding: known, as: UTF8.self).split(whereSeparator: \.isNewline)
            if lines.contains(where: { $0 == pattern || $0 == "/" + pattern || $0 == "*" + suffix }) { return nil }
            return known + (known.isEmpty || known.last == 0x0A ? "" : "\n").utf8 + (pattern + "\n").utf8
        }
    }

    /// The pattern for one name (gitignore(5)). A line cannot hold a control character, so any character stands for it.
    static func gitPattern(_ name: String) -> String {
        let end = name.unicodeScalars.reversed().prefix { $0 == " " }.count
        var pattern = String.UnicodeScalarView()
        for (index, scalar) in name.unicodeScalars.enumerated() {
            let isSpecial =
                switch scalar {
                case "\\", "*", "?", "[": true
                // A comment and an exception begin with these; spaces at the end do not count.
                case "#", "!": index == 0
                case " ": index >= name.unicodeScalars.count - end
                default: false
                }
            if isSpecial { pattern.append("\\") }
            pattern.append(scalar.value < 0x20 || scalar.value == 0x7F ? "?" : scalar)
        }
        return String(pattern)
    }
}
