/// Reads documents of OpenAPI 2.0 (Swagger), 3.0 and 3.1, in JSON or YAML.
enum OpenAPIImport {
    /// Returns true for a document of any version, which may be one that is refused.
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard let root = file.root, root.kind == .object else { return false }
        return root["openapi"].map(isVersion) ?? false || root["swagger"].map(isVersion) ?? false
    }

    private static func isVersion(_ value: ForeignValue) -> Bool { value.kind == .string || value.kind == .number }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root else { throw file.unknown }
        var document = try reader(of: file, root)
        if !file.isOpened {
            for key in file.document?.duplicateKeys ?? [] {
                document.log.loss(key.error.offset, key.error.reason.excerpted, "the first of them counts")
            }
        }
        return document.imported(name: file.name)
    }

    /// Throws for a version that is not read.
    static func reader(of file: ForeignFile, _ root: ForeignValue) throws(ImportError) -> OpenAPIReader {
        var log = ImportLog(file.bytes)
        let written = root["openapi"] ?? root["swagger"]
        let text = written?.text ?? ""
        guard let version = OpenAPIVersion(text) else {
            throw log.error(
                written?.offset ?? root.offset, "version \(text.excerpted) of OpenAPI is not read; 2.0, 3.0 and 3.1 are"
            )
        }
        if version == .threeOne, !text.hasPrefix("3.1") {
            log.remark(written?.offset ?? 0, text.excerpted, "read as OpenAPI 3.1")
        }
        let bundle = try OpenAPIBundle.read(file, root, &log)
        var reader = OpenAPIReader(bundle, version, log)
        reader.isOpened = file.isOpened
        reader.documentURL = file.path
        reader.schemas.checksResponses = !file.isOpened
        return reader
    }
}

/// The versions whose documents differ.
enum OpenAPIVersion: Sendable {
    case two, threeZero, threeOne

    init?(_ text: String) {
        if text == "2" || text.hasPrefix("2.") {
            self = .two
        } else if text == "3" || text.hasPrefix("3.0") {
            self = .threeZero
        } else if text.hasPrefix("3.") {
            self = .threeOne
        } else {
            return nil
        }
    }
}

extension Imported {
    /// The content with requests that are based on the operations of the document that they were made of.
    /// - Parameters:
    ///   - document: the path of the document.
    ///   - collection: the path of the file that is written.
    package func based(on specification: Specification, at document: String, for collection: String) -> Imported {
        let way = RelativePath.way(from: RelativePath.folder(of: collection), to: RelativePath.folder(of: document))
        let name = document.split(separator: "/").last.map(String.init) ?? document
        let path = (way.isEmpty ? "./" : way) + name
        let sources = sources
        var result = self
        result.collection.items.changeRequests { request in
            guard let source = sources[request.id], let operation = specification.operation(named: source) else {
                return
            }
            // The document judges the responses.
            request.expect?.schema = nil
            request.operation = SavedOperation(operation.name, of: path, operation.base)
        }
        return result
    }
}

/// A document of OpenAPI with the files that it refers to: they are put into it under a name of their own, to which the
/// references lead then. URLs are never read.
struct OpenAPIBundle {
    private(set) var log: ImportLog
    /// The offsets of the objects with references whose losses are noted.
    private(set) var noted: Set<Int> = []
    private let folder: ImportFolder
    private let ownName: String
    /// The URL that the document gives itself (3.2).
    private let address: String?
    private let root: ForeignValue?
    /// The URLs that schemas of the document give themselves, once one is asked for.
    private var ids: Set<String>?
    /// The files that are read, by their paths.
    private var files: [String: ForeignValue] = [:]
    /// The paths of the files that were looked for.
    private var known: Set<String> = []
    /// The paths of the files that are yet to be copied.
    private var pending: [String] = []
    private var unread: [String] = []

    /// The member of the document that the files are put in.
    static let key = "x-ombi-files"
    private static let maximumFiles = 5000

    /// Objects in which a name is none of a keyword.
    private static let maps: Set<String> = [
        "properties", "patternProperties", "definitions", "$defs", "schemas", "examples", "parameters", "responses",
        "requestBodies", "headers", "securitySchemes", "links", "callbacks", "paths", "pathItems", "dependentSchemas",
    ]
    /// Values that are no part of the description.
    private static let data: Set<String> = ["example", "default", "const", "enum", "value", "x-example"]

    private init(_ file: ForeignFile, _ folder: ImportFolder, _ log: ImportLog) {
        (self.folder, self.log) = (folder, log)
        ownName = file.path.split(separator: "/").last.map(String.init) ?? file.path
        address = file.root?["$self"]?.string.map { SchemaURI.withoutFragment($0) }
        root = file.root
    }

    /// The document with its files.
    struct Content {
        var root: ForeignValue
        /// The offsets of the objects with references whose losses are noted.
        var noted: Set<Int> = []
        /// The paths of its files, and of those that are missing.
        var files: [String] = []
        /// The files that were not read, each with the reason.
        var unread: [String] = []
    }

    /// Returns the document with its files; the document itself if it refers to none, or none may be read.
    static func read(
        _ file: ForeignFile, _ root: ForeignValue, _ log: inout ImportLog
    ) throws(ImportError) -> Content {
        guard let folder = file.folder, let document = file.document, refersElsewhere(document) else {
            return Content(root: root)
        }
        var bundle = OpenAPIBundle(file, folder, log)
        var tree = bundle.copied(root, in: "", parent: "")
        var copies: [ForeignTree.Member] = []
        while let path = bundle.pending.popLast() {
            guard let value = bundle.files[path] else { continue }
            copies.append(ForeignTree.Member(path, bundle.copied(value, in: path, parent: "")))
        }
        copies.sort { $0.key < $1.key }
        tree[key] = ForeignTree(.object(copies), at: root.offset)
        log = bundle.log
        let files = bundle.known.sorted().map { folder.full($0) }
        return Content(root: try tree.value(log), noted: bundle.noted, files: files, unread: bundle.unread)
    }

    /// Returns true for a document with a `$ref` that does not begin with `#`.
    private static func refersElsewhere(_ document: JSONDocument) -> Bool {
        let bytes = document.bytes.array(0..<document.bytes.count)
        let mark = Array("\"$ref\"".utf8)
        let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        var index = 0
        while let dollar = bytes[index...].firstIndex(of: UInt8(ascii: "$")) {
            index = dollar + 1
            guard dollar > 0, bytes[(dollar - 1)...].starts(with: mark) else { continue }
            var rest = bytes[(dollar - 1 + mark.count)...].drop(while: isSpace)
            guard rest.first == UInt8(ascii: ":") else { continue }
            rest = rest.dropFirst().drop(while: isSpace)
            guard rest.first == UInt8(ascii: "\"") else { continue }
            if rest.dropFirst().first != UInt8(ascii: "#") { return true }
        }
        return false
    }

    // MARK: Copies

    /// Copies a value of a file with its references.
    /// - Parameters:
    ///   - path: that of the file; empty for the document.
    ///   - parent: the name that the value has.
    private mutating func copied(_ value: ForeignValue, in path: String, parent: String) -> ForeignTree {
        switch value.kind {
        case .array:
            return ForeignTree(.list(value.elements.map { copied($0, in: path, parent: "") }), at: value.offset)
        case .object:
            let isMap = Self.maps.contains(parent)
            let members = value.members.map { key, member in
                if !isMap, Self.data.contains(key) { return ForeignTree.Member(key, ForeignTree(member)) }
                if let name = member.string, key == "$ref" || parent == "mapping" && Self.isReference(name) {
                    let target = target(of: name, in: path, of: value)
                    return ForeignTree.Member(key, ForeignTree(target, at: member.offset))
                }
                // A property may be called as a keyword is.
                return ForeignTree.Member(key, copied(member, in: path, parent: isMap ? "" : key))
            }
            return ForeignTree(.object(members), at: value.offset)
        default: return ForeignTree(value)
        }
    }

    /// Returns true for a reference in a mapping, where names may stand, too.
    private static func isReference(_ text: String) -> Bool {
        text.hasPrefix("#/") || [".json", ".yaml", ".yml"].contains { text.contains($0) }
    }

    // MARK: References

    /// The reference in the one document; the same one, with a loss, for one that is not followed.
    private mutating func target(of reference: String, in path: String, of value: ForeignValue) -> String {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let fragment = parts.count > 1 ? String(parts[1]) : ""
        let written = String(parts.first ?? "")
        guard !written.isEmpty else { return path.isEmpty ? reference : Self.place(of: path, fragment) }
        if written.contains("://"), isSchema(written) { return reference }
        let own = ownPath(written)
        guard own != nil || !written.contains("://") && !written.hasPrefix("//") else {
            return left(reference, "URLs are not read; save the document in this folder", value)
        }
        guard
            let target = ImportFolder.path(of: SchemaURI.unescaped((own ?? written)[...]), from: own == nil ? path : "")
        else {
            return left(reference, "files outside of the folder of the document are not read", value)
        }
        // The files that other programs keep there are no part of a description.
        guard !target.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else {
            return left(reference, "hidden files are not read", value)
        }
        if target == ownName { return "#" + fragment }
        if known.insert(target).inserted { load(target, for: reference, of: value) }
        guard files[target] != nil else {
            noted.insert(value.offset)
            return reference
        }
        return Self.place(of: target, fragment)
    }

    /// The path beside the document of a URL that begins as that of the document, its `$self`; nil for others.
    private func ownPath(_ reference: String) -> String? {
        guard let address, let end = address.lastIndex(of: "/") else { return nil }
        if reference == address { return ownName }
        let start = address[...end]
        return reference.hasPrefix(start) ? String(reference.dropFirst(start.count)) : nil
    }

    /// Returns true for the `$id` of a schema in the document.
    private mutating func isSchema(_ address: String) -> Bool {
        if let ids { return ids.contains(address) }
        var found: Set<String> = []
        var pending = root.map { [$0] } ?? []
        while let value = pending.popLast() {
            if value.kind == .object, let id = value["$id"]?.string { found.insert(id) }
            pending += value.members.map { $0.value } + value.elements
        }
        ids = found
        return found.contains(address)
    }

    private mutating func left(_ reference: String, _ reason: String, _ value: ForeignValue) -> String {
        log.loss(value.offset, reference.excerpted, "left out: \(reason)")
        noted.insert(value.offset)
        return reference
    }

    /// The pointer to a part of the copy of a file. An anchor is one of all files.
    private static func place(of path: String, _ fragment: String) -> String {
        guard fragment.isEmpty || fragment.hasPrefix("/") else { return "#" + fragment }
        let name = path.replacing("~", with: "~0").replacing("/", with: "~1").replacing("%", with: "%25")
        return "#/\(key)/\(name)\(fragment)"
    }

    private mutating func load(_ path: String, for reference: String, of value: ForeignValue) {
        guard known.count <= Self.maximumFiles else {
            _ = left(reference, "more than \(Self.maximumFiles) files are referred to", value)
            return
        }
        let content: [UInt8]
        do throws(ImportError) { content = try folder.content(path, after: log.content.count) } catch {
            unread.append("\(path.excerpted): \(error.message)")
            _ = left(reference, error.message, value)
            return
        }
        do throws(ImportError) {
            let other = try ForeignFile(content, path: path, isYAML: true)
            let start = log.add(other.bytes, named: folder.full(path))
            if let root = other.root(from: start) {
                files[path] = root
                pending.append(path)
            } else {
                let problem = other.syntaxProblem ?? (offset: 0, reason: "it is empty")
                unread.append("\(path.excerpted): \(problem.reason)")
                log.loss(start + problem.offset, path.excerpted, "left out: \(problem.reason)")
            }
        } catch {
            _ = left(reference, error.message, value)
        }
    }
}

extension Importer {
    /// Returns the path of the OpenAPI document of a folder: the one with a usual name at its root, else the only one
    /// there. Nil for none, and for a folder of another tool.
    package static func document(inFolder path: String, fileSystem: some FileSystem = PosixFileSystem()) -> String? {
        guard let folder = ImportFolder(path, fileSystem: fileSystem), recognizing(folder) == nil,
            !all.contains(where: { $0.folder?.recognizes(folder) ?? false })
        else { return nil }
        if let name = namedDocument(in: folder) { return folder.full(name) }
        let names = documentNames(in: folder)
        guard names.count <= maximumDocuments else { return nil }
        let documents = names.filter { name in
            guard let content = try? folder.content(name), let file = try? ForeignFile(content, path: name) else {
                return false
            }
            return OpenAPIImport.recognizes(file)
        }
        return documents.count == 1 ? folder.full(documents[0]) : nil
    }

    /// The name of the only document with a usual name at the root of a folder; nil for none, and for several.
    static func namedDocument(in folder: ImportFolder) -> String? {
        let usual = documentNames(in: folder).filter {
            ["openapi", "swagger"].contains($0.lowercased().prefix { $0 != "." })
        }
        return usual.count == 1 ? usual[0] : nil
    }

    private static func documentNames(in folder: ImportFolder) -> [String] {
        folder.names().filter { name in [".yaml", ".yml", ".json"].contains { name.lowercased().hasSuffix($0) } }
    }

    /// More files are not looked into.
    private static let maximumDocuments = 100
}
