/// Finds the collection files of a command line.
package enum CollectionFinder {
    /// Loads each file itself, whatever its content, and for a folder the collections in it and in its `collections/`,
    /// sorted by name, without other JSON files. Each file is read once. A folder without collections is another tool's
    /// if it has the file that a collection of that tool begins with.
    package static func load(_ paths: [String], fileSystem: some FileSystem = PosixFileSystem()) -> [LoadedCollection] {
        // One file needs no set, whose type alone costs a tenth of a millisecond at the start.
        if paths.count == 1, !fileSystem.isFolder(paths[0]) {
            return [CollectionFile.load(paths[0], fileSystem: fileSystem)]
        }
        var (seen, roots): (Set<String>, Set<String>) = ([], [])
        return paths.flatMap { path in
            guard fileSystem.isFolder(path) else {
                roots.insert(path)
                return seen.insert(path).inserted ? [CollectionFile.load(path, fileSystem: fileSystem)] : []
            }
            let found = candidates(in: path, fileSystem).filter { seen.insert($0).inserted }
                .compactMap { collection(at: $0, fileSystem: fileSystem) }
            guard found.isEmpty, let root = foreignRoot(in: path, fileSystem), roots.insert(root).inserted else {
                return found
            }
            return [CollectionFile.load(root, fileSystem: fileSystem)]
        }
    }

    // MARK: Folders of other tools

    /// The files at the roots of folders in which other tools keep a collection.
    static let foreignRoots = ["bruno.json", "opencollection.yml", "opencollection.yaml"]

    /// Returns the file that makes a folder the collection of another tool; nil for any other folder.
    static func foreignRoot(in folder: String, _ fileSystem: some FileSystem) -> String? {
        foreignRoots.lazy.map { path(of: $0, in: folder) }.first { fileSystem.size($0) > 0 }
    }

    /// Returns the folder that the file of another tool is the root of; nil for any other file.
    package static func foreignFolder(of path: String) -> String? {
        guard foreignRoots.contains(where: { path == $0 || path.hasSuffix("/" + $0) }) else { return nil }
        return path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Returns the number of bytes that `load` has to read.
    package static func size(of paths: [String], fileSystem: some FileSystem = PosixFileSystem()) -> Int {
        let files = paths.flatMap { fileSystem.isFolder($0) ? candidates(in: $0, fileSystem) : [$0] }
        return files.reduce(0) { $0 + fileSystem.size($1) }
    }

    private static func candidates(in folder: String, _ fileSystem: some FileSystem) -> [String] {
        files(in: folder, fileSystem) + files(in: path(of: subfolder, in: folder), fileSystem)
    }

    private static func files(in folder: String, _ fileSystem: some FileSystem) -> [String] {
        let names = (try? fileSystem.names(in: folder)) ?? []
        return names.filter(isCandidate).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { path(of: $0, in: folder) }
    }

    /// The folder in an opened one that may hold collections, too.
    package static let subfolder = "collections"

    /// The suffix of the file that keeps the last import of a collection, next to it.
    static let importSuffix = ".import.json"

    /// Returns true for the name of a file that may be a collection.
    package static func isCandidate(_ name: String) -> Bool {
        name.hasSuffix(".json") && !name.hasSuffix(".schema.json") && !name.hasPrefix(".")
            && !name.hasSuffix(OverlayFile.suffix) && !name.hasSuffix(importSuffix)
    }

    /// Returns the path of the collection next to a local file; any other path unchanged.
    package static func owner(of path: String) -> String {
        path.hasSuffix(OverlayFile.suffix) ? String(path.dropLast(OverlayFile.suffix.count)) + ".json" : path
    }

    /// Returns true for the name of a file that affects the collections in its folder.
    package static func isBeside(_ name: String) -> Bool { OverlayFile.isBeside(name) }

    /// Returns the folders whose collections are found in an opened one.
    package static func folders(in folder: String, fileSystem: some FileSystem = PosixFileSystem()) -> [String] {
        let inner = path(of: subfolder, in: folder)
        return fileSystem.isFolder(inner) ? [folder, inner] : [folder]
    }

    /// Returns the path of a file in a folder, as `load` names it.
    package static func path(of name: String, in folder: String) -> String {
        if folder == "." { return name }
        return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Reads a file of a folder. Returns nil for anything but a collection; an invalid one that resembles a collection
    /// counts, so that its error is reported.
    package static func collection(
        at path: String, fileSystem: some FileSystem = PosixFileSystem()
    ) -> LoadedCollection? {
        guard !fileSystem.isFolder(path), let content = try? fileSystem.content(path) else { return nil }
        let loaded = CollectionFile.load(path, content: content, ReadAhead(), fileSystem)
        return loaded.collection != nil || looksLikeCollection(content.array(0..<content.count)) ? loaded : nil
    }

    /// Returns true for the beginning of a collection, too: a file that was cut off must not vanish. Other files have
    /// versions, but not numbers of them.
    private static func looksLikeCollection(_ bytes: [UInt8]) -> Bool {
        let keys = outermostKeys(bytes)
        guard let version = keys["version"] else { return false }
        let isNumber = bytes[version...].first { $0 > 0x20 }.map(\.isASCIIDigit)
        return isNumber == true || keys["items"] != nil
    }

    /// Returns the keys of the outermost object of JSON that may be invalid, as far as they can be recognized, with the
    /// positions of their values.
    private static func outermostKeys(_ bytes: [UInt8]) -> [String: Int] {
        var keys: [String: Int] = [:]
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
            case (nil, UInt8(ascii: ":")) where depth == 1:
                keys[String(decoding: bytes[last], as: UTF8.self)] = index + 1
            // An object in an array is not the outermost one.
            case (nil, UInt8(ascii: "{")), (nil, UInt8(ascii: "[")): depth += 1
            case (nil, UInt8(ascii: "}")), (nil, UInt8(ascii: "]")): depth -= 1
            case (nil, _): break
            }
        }
        return keys
    }
}

/// The formats of other tools that are taken for collections now and then.
enum ForeignFormat: String, CaseIterable {
    case postman = "a Postman collection"
    case postmanEnvironment = "a Postman environment"
    case openAPI = "an OpenAPI document"
    case har = "a HAR recording"
    case insomnia = "an Insomnia export"
    case bundle = "an incident bundle"
    case bruno = "a collection of Bruno"
    case atac = "a collection of ATAC"
    case http = "a .http file"
    case hurl = "a file of Hurl"
    case bru = "a request of Bruno"

    /// Returns the format of an object that is no collection of Ombi; nil for any other object.
    init?(_ object: ObjectReader) {
        guard !object.has("version") || object.value("version")?.kind == .string else { return nil }
        let found = Self.allCases.first { format in
            switch format {
            case .postman: object.has("info") && object.has("item")
            case .postmanEnvironment: object.has("_postman_variable_scope")
            case .openAPI: object.has("openapi") || object.has("swagger")
            case .har: object.value("log")?.kind == .object
            case .insomnia: object.has("_type") && object.has("resources")
            case .bundle: object.has("ombi") && object.has("runs")
            case .bruno: object.value("type")?.string == "collection" || object.has("brunoConfig")
            case .atac: object.has("requests") && object.has("last_position")
            case .http, .hurl, .bru: false
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// Returns the format of a text that is no JSON, by its name, or by its keys in YAML; nil for any other.
    init?(_ text: Bytes, file: String) {
        let name = file.lowercased()
        let formats: [(ending: String, format: ForeignFormat)] = [
            (".http", .http), (".rest", .http), (".hurl", .hurl), (".bru", .bru),
        ]
        if let found = formats.first(where: { name.hasSuffix($0.ending) }) {
            self = found.format
            return
        }
        let start = String(decoding: text.array(0..<min(text.count, 4096)), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline)
        if lines.contains(where: { $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:") }) {
            self = .openAPI
        } else if lines.contains(where: { $0.hasPrefix("opencollection:") }) {
            self = .bruno
        } else {
            return nil
        }
    }

    /// The problem of a file of this format.
    func sentence(_ file: String) -> String {
        let word = ShellQuotes.word(file)
        // There is nothing in an environment to open.
        let opening = self == .postmanEnvironment ? "" : "`ombi \(word)` opens it, "
        return "this is \(rawValue): \(opening)`ombi import \(word) --to NAME.json` makes a collection of it"
    }
}
