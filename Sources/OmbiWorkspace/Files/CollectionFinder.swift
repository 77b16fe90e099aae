/// Finds the collection files that a command line names.
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
        guard contains(bytes, "\"items\""), contains(bytes, "\"version\"") else { return false }
        guard let document = try? JSONParser.document(bytes) else { return true }
        guard case .object(let members) = document.root.content else { return false }
        return ["items", "version"].allSatisfy { key in members.contains { $0.key == key } }
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
    }
}
