import OmbiDocument

/// Finds the collection files of a command line.
public enum CollectionFinder {
    /// Returns a file itself, whatever its content, and for a folder the collections in it and in its `collections/`,
    /// sorted by name, without other JSON files.
    public static func find(_ paths: [String], fileSystem: some FileSystem = PosixFileSystem()) -> [String] {
        let all = paths.flatMap { path in
            guard fileSystem.isFolder(path) else { return [path] }
            return files(in: path, fileSystem) + files(in: join(path, "collections"), fileSystem)
        }
        var found: [String] = []
        for path in all where !found.contains(path) { found.append(path) }
        return found
    }

    private static func files(in folder: String, _ fileSystem: some FileSystem) -> [String] {
        let names = (try? fileSystem.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") && !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { join(folder, $0) }
            .filter { isCollection($0, fileSystem) }
    }

    private static func join(_ folder: String, _ name: String) -> String {
        if folder == "." { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns true also for an invalid file that looks like a collection, so that its error is reported.
    private static func isCollection(_ path: String, _ fileSystem: some FileSystem) -> Bool {
        guard !fileSystem.isFolder(path), let bytes = try? fileSystem.read(path) else { return false }
        let document = JSONIndex.document(Bytes(bytes))
        let keys =
            document.error == nil
            ? Set(document.firstRoot.map(document.children)?.compactMap { document.key(of: $0)?.string } ?? [])
            : outermostKeys(bytes)
        return keys.isSuperset(of: ["items", "version"])
    }

    /// Returns the keys of the outermost object of invalid JSON, as far as they can be recognized.
    private static func outermostKeys(_ bytes: [UInt8]) -> Set<String> {
        var keys: Set<String> = []
        var depth = 0
        var start: Int?
        var last = 0..<0
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            switch (start, byte) {
            case (.some, _) where isEscaped: isEscaped = false
            case (.some, UInt8(ascii: "\\")): isEscaped = true
            case (.some(let open), UInt8(ascii: "\"")):
                last = open..<index
                start = nil
            case (.some, _): break
            case (nil, UInt8(ascii: "\"")): start = index + 1
            case (nil, UInt8(ascii: ":")) where depth == 1: keys.insert(String(decoding: bytes[last], as: UTF8.self))
            // An object in an array is not the outermost one.
            case (nil, UInt8(ascii: "{")), (nil, UInt8(ascii: "[")): depth += 1
            case (nil, UInt8(ascii: "}")), (nil, UInt8(ascii: "]")): depth -= 1
            case (nil, _): break
            }
        }
        return keys
    }
}
