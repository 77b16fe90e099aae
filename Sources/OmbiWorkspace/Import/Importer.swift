/// A format of another tool that Ombi reads. A further format is one more entry in `all`.
package struct Importer: Sendable {
    /// The word for it on the command line.
    package let name: String
    /// "a Postman collection", for messages.
    package let title: String
    /// Returns true for a file that has the form of the format, whatever its name is.
    let recognizes: @Sendable (ForeignFile) -> Bool
    let read: @Sendable (ForeignFile) throws(ImportError) -> Imported
    /// Nil for a format of files alone.
    var folder: FolderReader?

    /// The first that recognizes a file reads it.
    package static let all: [Importer] = [
        Importer(
            name: "bundle", title: "an incident bundle", recognizes: BundleImport.recognizes, read: BundleImport.read),
        Importer(
            name: "openapi", title: "an OpenAPI document", recognizes: OpenAPIImport.recognizes,
            read: OpenAPIImport.read),
        Importer(
            name: "postman", title: "a Postman collection", recognizes: PostmanImport.recognizes,
            read: PostmanImport.read,
            folder: FolderReader(
                recognizes: { PostmanFolder.recognizes($0) || PostmanArchive.recognizes($0) },
                read: { folder throws(ImportError) in
                    try PostmanArchive.recognizes(folder) ? PostmanArchive.read(folder) : PostmanFolder.read(folder)
                })),
        Importer(
            name: "postman-environment", title: "a Postman environment", recognizes: PostmanEnvironment.recognizes,
            read: PostmanEnvironment.read),
        Importer(
            name: "insomnia", title: "an Insomnia export", recognizes: InsomniaImport.recognizes,
            read: InsomniaImport.read,
            folder: FolderReader(recognizes: InsomniaFolder.recognizes, read: InsomniaFolder.read)),
        Importer(
            name: "posting", title: "a collection of posting", recognizes: PostingImport.recognizes,
            read: PostingImport.read,
            folder: FolderReader(recognizes: PostingImport.recognizes, read: PostingImport.read)),
        Importer(
            name: "slumber", title: "a collection of slumber", recognizes: SlumberImport.recognizes,
            read: SlumberImport.read,
            folder: FolderReader(recognizes: SlumberImport.recognizes, read: SlumberImport.read)),
        Importer(name: "har", title: "a HAR recording", recognizes: HARImport.recognizes, read: HARImport.read),
        Importer(
            name: "http-environment", title: "environments of .http files", recognizes: HTTPEnvironments.recognizes,
            read: HTTPEnvironments.read),
        Importer(
            name: "bruno", title: "a collection of Bruno", recognizes: BrunoImport.recognizes, read: BrunoImport.read,
            folder: FolderReader(
                isSearched: true, endings: [".bru"], recognizes: BrunoFolder.recognizes, read: BrunoFolder.read)),
        Importer(
            name: "atac", title: "a collection of ATAC", recognizes: ATACImport.recognizes, read: ATACImport.read,
            folder: FolderReader(
                // Its settings, and the log that it writes at each start.
                isSearched: true, endings: ["atac.toml", "atac.log"], recognizes: ATACImport.recognizes,
                read: ATACImport.read)),
        Importer(
            name: "atac-environment", title: "an environment of ATAC", recognizes: ATACEnvironment.recognizes,
            read: ATACEnvironment.read),
        curl,
        Importer(
            name: "hurl", title: "a file of Hurl", recognizes: HurlImport.recognizes, read: HurlImport.read,
            folder: FolderReader(
                RequestFiles(title: "a folder of files of Hurl", endings: [".hurl"], read: HurlImport.read))),
        Importer(
            name: "http", title: "a .http file", recognizes: HTTPFileImport.recognizes, read: HTTPFileImport.read,
            folder: FolderReader(
                RequestFiles(
                    title: "a folder of .http files", endings: [".http", ".rest"], read: HTTPFileImport.read))),
    ]

    /// The ends of the names of files that requests are selected in.
    package static let fileEndings = [".json", ".yaml", ".yml", ".har", ".http", ".rest", ".hurl", ".bru"]

    private static let curl = Importer(
        name: "curl", title: "a file of curl commands",
        recognizes: { file in
            guard !file.isJSON, MarkdownCommands.requests(of: file) == nil else { return false }
            if MarkdownCommands(file) != nil { return true }
            return (CurlImport.recognizes(file.text) || CurlImport.recognizes(script: file.text, at: file.path))
                && !HTTPFileImport.hasRequests(file)
        },
        read: { file throws(ImportError) in
            let document = MarkdownCommands(file)
            let imported = if let document { try document.read() } else { try CurlImport.read(file.text) }
            var collection = Collection(name: file.name)
            collection.put(imported.requests.map(CollectionItem.request), .root)
            collection.variables = imported.variables
            return Imported(collection, notes: imported.notesOnOthers.filter { $0.message != ImportNote.staying })
        })

    /// The reader of folders of a format.
    struct FolderReader: Sendable {
        /// True for a format that a few names do not tell: its folders are imported, but any folder may be opened.
        var isSearched = false
        /// The ends of the names of files that make a folder one of a searched format, if they are in the folder itself.
        var endings: [String] = []
        /// "a folder of .http files"; nil for the title of the format.
        var title: String?
        let recognizes: @Sendable (ImportFolder) -> Bool
        let read: @Sendable (ImportFolder) throws(ImportError) -> Imported
    }

    package static func named(_ name: String) -> Importer? { all.first { $0.name == name } }

    /// Returns true for the path of a file that may be read, and false for any other text, such as a URL.
    package static func isPath(_ text: String) -> Bool {
        let path = RequestTarget.trimmed(text)
        let lowercased = path.lowercased()
        guard fileEndings.contains(where: { lowercased.hasSuffix($0) }), !path.contains(where: \.isNewline),
            !["://", "{{"].contains(where: { path.contains($0) }), !CurlImport.recognizes(path)
        else { return false }
        // `example.com/a.json` is a URL, and so is `example.rest`; `a.har` alone has the form of a host, and is none.
        let mayBeURL = path.contains("/") || lowercased.hasSuffix(".rest")
        return !mayBeURL || !RequestTarget(path).isURL
    }

    /// Returns the content of a file, complete and without a credential.
    /// - Parameters:
    ///   - path: the name for messages and for what has none.
    ///   - folder: that of the file, below which it may refer to others; nil to read none.
    ///   - format: that of the file; nil to recognize it.
    ///   - takesAll: true for the entries of a recording that are no calls of an API, too.
    package static func read(
        _ content: [UInt8], from path: String, in folder: ImportFolder? = nil, as format: Importer? = nil,
        takesAll: Bool = false
    ) throws(ImportError) -> Imported {
        var file = try ForeignFile(content, path: path)
        (file.folder, file.isAlone, file.takesAll) = (folder, true, takesAll)
        guard let importer = format ?? all.first(where: { $0.recognizes(file) }) else { throw file.unknown }
        return try importer.read(file)
    }

    /// Returns the content of a folder, complete and without a credential.
    /// - Parameter format: that of the folder; nil to recognize it.
    package static func read(
        folder path: String, as format: Importer? = nil, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(ImportError) -> Imported {
        let folder = try Self.folder(path, fileSystem)
        let importer = format ?? recognizing(folder) ?? all.first { $0.folder?.recognizes(folder) ?? false }
        let root = CollectionFinder.foreignRoot(in: path, fileSystem).flatMap { try? fileSystem.read($0) } ?? []
        if (importer?.name ?? "postman") == "postman", let exports = PostmanExports(folder) {
            return try exports.imported().ofFolder(root)
        }
        if let reader = importer?.folder { return try reader.read(folder).ofFolder(root) }
        let titles = all.filter { $0.folder != nil }.map(\.title).joined(separator: ", ")
        let reason = format == nil ? "this is none of the folders that are imported" : "this format has no folders"
        throw ImportLog([]).error(0, "\(reason): \(titles)")
    }

    private static func folder(
        _ path: String, _ fileSystem: some FileSystem
    ) throws(ImportError) -> ImportFolder {
        var reason = "it is no folder"
        do throws(FileError) {
            _ = try fileSystem.names(in: path)
            if let folder = ImportFolder(path, fileSystem: fileSystem) { return folder }
        } catch { reason = error.reason }
        throw ImportLog([]).error(0, "the folder cannot be read: \(reason)")
    }

    /// Returns true for the name of a file or a folder that may be a part of another tool's folder.
    package static func mayBePart(_ name: String) -> Bool {
        let name = name.lowercased()
        return !name.contains(".") || name.hasSuffix(".env") || fileEndings.contains { name.hasSuffix($0) }
    }

    /// The importer of a folder that a few names tell; nil for another folder.
    static func recognizing(_ folder: ImportFolder) -> Importer? {
        all.first { importer in importer.folder.map { !$0.isSearched && $0.recognizes(folder) } ?? false }
    }

    /// The importer of a folder that is opened: one that a few names tell, or that has files of the format itself. What
    /// is only in folders below it is not looked for.
    static func opening(_ folder: ImportFolder) -> Importer? {
        if let importer = recognizing(folder) { return importer }
        let names = folder.names().map { $0.lowercased() }
        return all.first { importer in
            let endings = importer.folder?.endings ?? []
            return names.contains { name in !name.hasPrefix(".") && endings.contains { name.hasSuffix($0) } }
        }
    }

    /// Returns the content of a file; of its folder, if it is the file at the root of one.
    package static func read(
        _ content: [UInt8], at path: String, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(ImportError) -> Imported {
        guard let folder = Self.folder(of: path, with: content) else {
            return try read(content, from: path, in: ImportFolder(of: path, fileSystem: fileSystem))
        }
        return try read(folder: folder, fileSystem: fileSystem)
    }

    /// Returns the folder that a file is the root of; nil for any other file, such as an export in one file.
    package static func folder(of path: String, with content: [UInt8]) -> String? {
        guard let folder = CollectionFinder.foreignFolder(of: path),
            let root = (try? ForeignFile(content, path: path))?.root, root.kind == .object, root["items"] == nil
        else { return nil }
        return folder
    }

    // MARK: Parts of collections

    /// A file or a folder of requests of another tool, as a part of the collection around it.
    package struct Part: Sendable, Equatable {
        /// The folder of the collection, or the file at its root.
        package let root: String
        /// The names of its folders, and of the request in them.
        package let names: [String]
    }

    /// Returns the place of requests in the collection that is in a folder above them; nil for a collection itself, and
    /// for anything else.
    package static func part(
        at path: String, fileSystem: some FileSystem = PosixFileSystem()
    ) -> Part? {
        let isFolder = fileSystem.isFolder(path)
        guard isFolder ? CollectionFinder.foreignRoot(in: path, fileSystem) == nil : BrunoFolder.mayBeRequest(path),
            var next = try? fileSystem.resolve(path)
        else { return nil }
        var (shown, parts) = (path, [String]())
        while shown.count > 1, shown.hasSuffix("/") { shown.removeLast() }
        while let slash = next.lastIndex(of: "/"), slash > next.startIndex {
            parts.insert(String(next[slash...].dropFirst()), at: 0)
            next = String(next[..<slash])
            guard Workspace.isAllowed(next) else { return nil }
            shown = above(shown, named: parts[0])
            guard let folder = ImportFolder(shown, fileSystem: fileSystem) else { return nil }
            let root = CollectionFinder.foreignRoot(in: shown, fileSystem)
            guard root != nil || PostmanFolder.isRoot(next, folder) else { continue }
            guard !isFolder || CollectionFinder.load([path], fileSystem: fileSystem).isEmpty else { return nil }
            let names =
                root == nil ? PostmanFolder.names(of: parts, in: folder) : BrunoFolder.names(of: parts, in: folder)
            return names.map { Part(root: root ?? shown, names: $0) }
        }
        return nil
    }

    /// Returns the folder around a path, whose real name may be another one than it shows.
    private static func above(_ path: String, named name: String) -> String {
        if path == name { return "." }
        guard path.hasSuffix("/" + name) else { return path == "." ? ".." : path + "/.." }
        let folder = String(path.dropLast(name.count + 1))
        return folder.isEmpty ? "/" : folder
    }
}

/// The content of a file of another tool, in UTF-8.
struct ForeignFile: Sendable {
    /// The name for what has none in the file.
    let name: String
    /// The name of the file, or another name for messages.
    let path: String
    /// The folder of the file, below which it may refer to others; nil where none are read.
    var folder: ImportFolder?
    /// True for a file that is opened as it is, and not turned into a collection.
    var isOpened = false
    /// True to take the entries of a recording that are no calls of an API, too.
    var takesAll = false
    /// True for a file that is named itself, and not found in a folder: the folders around it may have its environments.
    var isAlone = false
    let bytes: [UInt8]
    /// Nil for a text that is neither JSON nor YAML.
    let document: JSONDocument?
    /// The places of the values in a YAML text; nil for JSON.
    private let places: YAMLPlaces?
    /// The reason why a text that looks like JSON or YAML is none.
    private let syntaxError: YAMLError?

    /// In bytes.
    private static let maximumSize = 64 << 20

    /// Throws for a text in no encoding of Unicode, and for one that is too long.
    /// - Parameter isYAML: true for a text that is YAML also where no key is in front.
    init(_ content: [UInt8], path: String, isYAML isKnownAsYAML: Bool = false) throws(ImportError) {
        name = Self.name(of: path)
        self.path = path
        guard content.count <= Self.maximumSize else {
            throw ImportLog([]).error(0, "the file is longer than 64 MiB, the limit of an import")
        }
        guard !content.starts(with: "PK\u{3}\u{4}".utf8) else {
            throw ImportLog([]).error(0, "the file is a ZIP archive; unpack it first")
        }
        bytes = try Self.decoded(content)
        let start = bytes.first { $0 > 0x20 }
        var (json, isYAML) = (bytes, false)
        var found: (document: JSONDocument?, places: YAMLPlaces?, error: YAMLError?) = (nil, nil, nil)
        let isFlow = YAMLDocument.isFlow(bytes)
        if isFlow || start != UInt8(ascii: "{") && start != UInt8(ascii: "[") {
            isYAML = true
            json = []
            if isFlow || isKnownAsYAML || YAMLDocument.isLikely(bytes) {
                do throws(YAMLError) {
                    let yaml = try YAMLDocument(bytes)
                    (json, found.places) = (yaml.json, yaml.places)
                } catch { found.error = error }
            }
        }
        if !json.isEmpty {
            do throws(JSONSyntaxError) { found.document = try JSONDocument(checking: Bytes(json)) } catch {
                found.error = YAMLError(offset: isYAML ? 0 : error.offset, reason: "no JSON: \(error.reason)")
            }
        }
        (document, places, syntaxError) = found
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var isJSON: Bool { document != nil && places == nil }

    /// The value of a JSON document.
    var root: ForeignValue? { root(from: 0) }

    /// The value of a JSON document whose bytes begin at an offset of a log.
    func root(from base: Int) -> ForeignValue? {
        guard let document, let node = document.firstRoot else { return nil }
        return ForeignValue(document: document, node: node, places: places, base: base)
    }

    /// The value of a YAML document in which tags are objects around their values, such as `{"!json": …}`.
    var tagged: ForeignValue? {
        guard places != nil, let yaml = try? YAMLDocument(bytes, keepsTags: true),
            let document = try? JSONDocument(checking: Bytes(yaml.json)), let node = document.firstRoot
        else { return root }
        return ForeignValue(document: document, node: node, places: yaml.places)
    }

    /// The offset and the reason of what makes it neither JSON nor YAML; nil for a file that is one, and for a text.
    var syntaxProblem: (offset: Int, reason: String)? {
        guard let syntaxError else { return nil }
        // `url: {{host}}/x` is a mapping whose key is one.
        let before = bytes[..<min(syntaxError.offset, bytes.count)]
        let lines = before.split(separator: 0x0A, omittingEmptySubsequences: false).suffix(2)
        let rest = bytes[before.endIndex...].prefix { $0 != 0x0A }
        let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        let isOpen = (text + String(decoding: rest, as: UTF8.self)).contains(": {{")
        let advice = isOpen && places == nil ? "; write quotes around a text that begins with {{" : ""
        return (syntaxError.offset, syntaxError.reason + advice)
    }

    /// The error of a file that no importer recognizes.
    var unknown: ImportError {
        let log = ImportLog(bytes)
        if let problem = syntaxProblem { return log.error(problem.offset, problem.reason) }
        if bytes.allSatisfy({ $0 <= 0x20 }) { return log.error(0, "the file is empty") }
        if let root, root.kind == .object, root.has("version"), root.has("items") {
            return log.error(0, "this is a collection of Ombi, which needs no import")
        }
        let names = Importer.all.map(\.title).joined(separator: ", ")
        return log.error(0, "this is none of the formats that are imported: \(names)")
    }

    /// Returns `shop` for `files/shop.postman_collection.json`.
    private static func name(of path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = String(file.prefix { $0 != "." })
        return name.isEmpty || name == "-" ? "imported" : name
    }

    // MARK: Encodings

    /// Returns a text in UTF-8. Texts begin with ASCII, so that UTF-16 shows without a byte order mark, too.
    static func decoded(_ content: [UInt8]) throws(ImportError) -> [UInt8] {
        if content.starts(with: [0xEF, 0xBB, 0xBF]) { return try checked(Array(content.dropFirst(3))) }
        let hasMark = content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF])
        let start = Array(content.prefix(2))
        guard hasMark || start.count == 2 && (start[0] == 0) != (start[1] == 0) else { return try checked(content) }
        let isLittle = hasMark ? start[0] == 0xFF : start[1] == 0
        let units = stride(from: hasMark ? 2 : 0, to: content.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(content[index]), UInt16(content[index + 1]))
            return isLittle ? second << 8 | first : first << 8 | second
        }
        guard content.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
            throw ImportLog([]).error(0, "the text begins like UTF-16, and is damaged; save it as UTF-8")
        }
        return Array(text.utf8)
    }

    private static func checked(_ bytes: [UInt8]) throws(ImportError) -> [UInt8] {
        guard String(validating: bytes, as: UTF8.self) == nil else { return bytes }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
        throw ImportLog(bytes).error(offset, "the text is neither UTF-8 nor UTF-16 with a byte order mark")
    }
}

/// A value of a foreign document. It is read leniently: a member that is null or missing is none.
struct ForeignValue {
    let document: JSONDocument
    let node: JSONNode
    /// Those of a YAML text.
    var places: YAMLPlaces?
    /// The offset of the file in the log.
    var base = 0

    var kind: JSONKind { document.kind(of: node) }

    /// In the bytes of the log.
    var offset: Int {
        let offset = document.range(of: node).lowerBound
        return base + (places?.offset(of: offset) ?? offset)
    }

    subscript(key: String) -> ForeignValue? {
        guard let member = document.members(of: node)[key], member.kind != .null else { return nil }
        return ForeignValue(document: document, node: member.value, places: places, base: base)
    }

    /// Returns true for a member that is there, also if it is null.
    func has(_ key: String) -> Bool { document.members(of: node)[key] != nil }

    /// None for a value that is no array.
    var elements: [ForeignValue] {
        guard kind == .array else { return [] }
        return document.children(of: node).map {
            ForeignValue(document: document, node: $0, places: places, base: base)
        }
    }

    /// The members of an object in order, those that are null too. None for a value that is no object.
    var members: [(key: String, value: ForeignValue)] {
        guard kind == .object else { return [] }
        return document.members(of: node).all.map {
            ($0.key, ForeignValue(document: document, node: $0.value, places: places, base: base))
        }
    }

    /// The content of a string; nil for other values.
    var string: String? { kind == .string ? document.text(of: node)?.string : nil }

    /// The content of a string, nothing for null, and JSON for other values.
    var text: String { kind == .null ? "" : string ?? json.compact }

    var bool: Bool? { kind == .true ? true : kind == .false ? false : nil }

    var json: JSONValue { document.value(of: node) }

    /// A text, or an object with a text in it, as descriptions are.
    var description: String { string ?? self["content"]?.string ?? "" }
}
