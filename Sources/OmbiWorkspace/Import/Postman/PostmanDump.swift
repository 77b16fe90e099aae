/// Reads a dump of all data of Postman: each collection becomes a folder.
enum PostmanDump {
    /// - Parameters:
    ///   - log: that of the bytes in which the dump is.
    ///   - name: the name for several collections.
    static func read(_ root: ForeignValue, _ log: ImportLog, named name: String) throws(ImportError) -> Imported {
        var log = log
        let collections = root["collections"]?.elements ?? []
        var folders: [ForeignTree] = []
        for collection in collections {
            let isFirst = collection["requests"] != nil && collection["item"] == nil
            folders.append(try isFirst ? PostmanFirst.folder(collection, &log) : folder(collection))
        }
        for key in ["headerPresets", "headers"] where !(root[key]?.elements.isEmpty ?? true) {
            log.loss(root[key]?.offset ?? root.offset, key, "left out: presets of headers have no counterpart")
        }
        let all = ForeignTree(at: root.offset, ("item", ForeignTree(.list(folders), at: root.offset)))
        // The only one is the collection itself.
        let tree = folders.count == 1 ? folders[0] : all
        var reader = PostmanReader(log: log)
        var imported = try reader.collection(try tree.value(log), named: name)
        for environment in root["environments"]?.elements ?? [] {
            let read = PostmanEnvironment.environment(environment, named: "environment", &reader)
            imported.collection.environments.append(read)
        }
        let globals = root["globals"]?["values"] ?? root["globals"]
        imported.globals = reader.takingPrompts(from: reader.variables(globals))
        imported.prompts = reader.prompts.sorted()
        imported.secretNames = reader.secretNames
        return imported.noted(reader.log)
    }

    /// A collection of 2.1 as a folder.
    private static func folder(_ collection: ForeignValue) -> ForeignTree {
        let collection = collection["collection"] ?? collection
        var folder = ForeignTree(collection)
        let info = collection["info"]
        folder["name"] = ForeignTree(info?["name"] ?? collection["name"])
        folder["description"] = ForeignTree(info?["description"])
        folder["info"] = nil
        if collection["item"] == nil { folder["item"] = ForeignTree(.list([]), at: collection.offset) }
        return folder
    }
}

/// Collections of Postman 1, which dumps have, as those of 2.1: there, requests and folders are in lists by themselves.
struct PostmanFirst {
    private let requests: [String: ForeignValue]
    private let folders: [String: ForeignValue]
    private var visited: Set<String> = []
    private var log: ImportLog

    /// Returns a collection as a folder of 2.1.
    static func folder(_ collection: ForeignValue, _ log: inout ImportLog) throws(ImportError) -> ForeignTree {
        var reader = PostmanFirst(collection, log)
        var folder = try reader.folder(collection, depth: 0)
        folder["variable"] = ForeignTree(collection["variables"])
        // Those that no folder has.
        let rest = (collection["requests"]?.elements ?? []).filter { !reader.visited.contains($0["id"]?.text ?? "") }
        let others = rest.map { reader.item($0) }
        folder["item"] = ForeignTree(.list((folder["item"]?.elements ?? []) + others), at: collection.offset)
        log = reader.log
        return folder
    }

    private init(_ collection: ForeignValue, _ log: ImportLog) {
        self.log = log
        requests = Self.byIdentifier(collection["requests"])
        folders = Self.byIdentifier(collection["folders"])
    }

    private static func byIdentifier(_ list: ForeignValue?) -> [String: ForeignValue] {
        let pairs = (list?.elements ?? []).map { ($0["id"]?.text ?? "", $0) }
        return Dictionary(pairs.filter { !$0.0.isEmpty }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Folders

    private mutating func folder(_ value: ForeignValue, depth: Int) throws(ImportError) -> ForeignTree {
        try log.checkDepth(depth, at: value.offset)
        var items: [ForeignTree] = []
        let inner = value["folders_order"]?.elements.map(\.text) ?? []
        for id in inner where visited.insert(id).inserted {
            if let folder = folders[id] { items.append(try self.folder(folder, depth: depth + 1)) }
        }
        // Without an order of its own, a collection has its folders in that of the list.
        if depth == 0, value["folders_order"] == nil {
            for folder in value["folders"]?.elements ?? [] where visited.insert(folder["id"]?.text ?? "").inserted {
                items.append(try self.folder(folder, depth: 1))
            }
        }
        for id in value["order"]?.elements.map(\.text) ?? [] where visited.insert(id).inserted {
            if let request = requests[id] { items.append(item(request)) }
        }
        var folder = ForeignTree(
            at: value.offset, ("event", ForeignTree(value["events"])),
            ("item", ForeignTree(.list(items), at: value.offset)))
        for key in ["name", "description", "auth", "protocolProfileBehavior"] { folder[key] = ForeignTree(value[key]) }
        return folder
    }

    // MARK: Requests

    private mutating func item(_ value: ForeignValue) -> ForeignTree {
        let offset = value.offset
        let variables = value["pathVariableData"].map { rows($0) } ?? value["pathVariables"].map { rows(mapping: $0) }
        let url = ForeignTree(
            at: offset, ("raw", ForeignTree(value["url"])), ("variable", variables),
            ("query", value["queryParams"].map { rows($0) }))
        var request = ForeignTree(
            at: offset, ("url", url), ("body", body(of: value)),
            ("header", value["headerData"].map { rows($0) } ?? ForeignTree(value["headers"])))
        for key in ["method", "auth", "description"] { request[key] = ForeignTree(value[key]) }
        if value["auth"] == nil, let helper = value["currentHelper"]?.string, helper != "noAuth" {
            log.loss(offset, helper.excerpted, "left out: write the authentication again")
        }
        return ForeignTree(
            at: offset, ("name", ForeignTree(value["name"])), ("request", request),
            ("event", ForeignTree(value["events"]) ?? scripts(of: value)),
            ("response", ForeignTree(value["responses"])),
            ("protocolProfileBehavior", ForeignTree(value["protocolProfileBehavior"])))
    }

    private func rows(mapping value: ForeignValue) -> ForeignTree {
        let rows = value.members.map { key, member in
            let name = ForeignTree(key, at: member.offset)
            return ForeignTree(at: member.offset, ("key", name), ("value", ForeignTree(member)))
        }
        return ForeignTree(.list(rows), at: value.offset)
    }

    /// Rows that say whether they are enabled, where those of 2.1 say whether they are disabled.
    private func rows(_ value: ForeignValue) -> ForeignTree {
        let rows = value.elements.map { row in
            var tree = ForeignTree(row)
            if row["enabled"]?.bool == false { tree["disabled"] = ForeignTree(.scalar(.bool(true)), at: row.offset) }
            return tree
        }
        return ForeignTree(.list(rows), at: value.offset)
    }

    private func scripts(of value: ForeignValue) -> ForeignTree? {
        var events: [ForeignTree] = []
        for (key, listen) in [("preRequestScript", "prerequest"), ("tests", "test")] {
            guard let text = value[key], !text.text.isEmpty else { continue }
            let script = ForeignTree(at: text.offset, ("exec", ForeignTree(text)))
            events.append(
                ForeignTree(at: text.offset, ("listen", ForeignTree(listen, at: text.offset)), ("script", script)))
        }
        return events.isEmpty ? nil : ForeignTree(.list(events), at: value.offset)
    }

    private func body(of value: ForeignValue) -> ForeignTree? {
        guard let mode = value["dataMode"]?.string, let offset = value["dataMode"]?.offset else { return nil }
        switch mode {
        case "params", "urlencoded":
            guard let data = value["data"], !data.elements.isEmpty else { return nil }
            return PostmanTree.body(mode == "params" ? "formdata" : mode, rows(data), at: offset)
        case "binary": return PostmanTree.body("file", ForeignTree(value["rawModeData"]), at: offset)
        case "graphql": return PostmanTree.body(mode, ForeignTree(value["graphqlModeData"]), at: offset)
        default:
            let text = value["rawModeData"] ?? (value["data"]?.string == nil ? nil : value["data"])
            guard let text, !text.text.isEmpty else { return nil }
            var raw = PostmanTree.body("raw", ForeignTree(text), at: offset)
            raw["options"] = ForeignTree(value["dataOptions"])
            return raw
        }
    }
}

/// Reads collections of Postman 3: folders in which each request is a file of YAML, as Postman keeps them in Git.
enum PostmanFolder {
    static let request = ".request.yaml"
    static let definition = ".resources/definition.yaml"
    private static let collections = "collections"
    private static let endings = [
        request, ".environment.yaml", ".globals.yaml", PostmanTree.example, PostmanTree.message,
    ]

    static func recognizes(_ folder: ImportFolder) -> Bool {
        if isCollection(folder, "") { return true }
        let homes = folder.name == collections ? [""] : [collections, "postman/" + collections]
        return homes.contains { home in
            folder.names(in: home).contains { isCollection(folder, home.isEmpty ? $0 : "\(home)/\($0)") }
        }
    }

    /// True for a folder with requests, and for one of nothing but folders, of which one has some.
    private static func isCollection(_ folder: ImportFolder, _ path: String) -> Bool {
        if hasRequests(folder, path) { return true }
        let inner = folder.names(in: path).filter { !$0.hasPrefix(".") }.map { path.isEmpty ? $0 : "\(path)/\($0)" }
        return inner.allSatisfy(folder.hasFolder) && inner.contains { hasRequests(folder, $0) }
    }

    private static func hasRequests(_ folder: ImportFolder, _ path: String) -> Bool {
        let names = folder.names(in: path)
        return names.contains { $0.hasSuffix(request) }
            || names.contains(".resources")
                && folder.names(in: path.isEmpty ? ".resources" : path + "/.resources").contains("definition.yaml")
    }

    // MARK: Parts

    /// Returns true for the absolute path of a collection among others.
    static func isRoot(_ path: String, _ folder: ImportFolder) -> Bool {
        path.split(separator: "/").dropLast().last.map(String.init) == collections
            && folder.names(in: ".resources").contains("definition.yaml")
    }

    /// Returns the names that the folders and the request at a path have in the collection; nil for a path without a
    /// request.
    static func names(of parts: [String], in root: ImportFolder) -> [String]? {
        let path = parts.joined(separator: "/")
        let files = root.folder(path)?.files { $0.hasSuffix(request) }.paths ?? [path].filter { $0.hasSuffix(request) }
        guard !files.isEmpty else { return nil }
        return parts.indices.map { index in
            let place = parts[...index].joined(separator: "/")
            let isFolder = root.hasFolder(place)
            let path = isFolder ? "\(place)/\(definition)" : place
            let file = (try? root.content(path)).flatMap { try? ForeignFile($0, path: path, isYAML: true) }
            let own = isFolder ? parts[index] : PostmanTree.stem(of: parts[index], request)
            return ForeignText.name(file?.root?["name"]?.text ?? "", or: own)
        }
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        // The environments are beside the collections.
        let isAbove = folder.hasFolder("postman/collections")
        guard let home = isAbove ? folder.folder("postman") : folder else {
            throw ImportLog([]).error(0, "the folder postman is outside of this one")
        }
        let isWorkspace = !isCollection(home, "") && home.hasFolder(collections)
        var files = ForeignFiles()
        files.read(home) { name in
            name == "definition.yaml" || endings.contains { name.hasSuffix($0) }
        }
        // A collection that is named by itself has the environments that are beside all.
        let outer = home.name == collections ? home : home.parent
        let workspace = outer?.name == collections ? outer?.parent : nil
        for name in ["environments", "globals"] {
            guard let beside = workspace?.folder(name) else { continue }
            files.read(beside) { name in [".environment.yaml", ".globals.yaml"].contains { name.hasSuffix($0) } }
        }
        let root = tree(isWorkspace ? collections : "", &files, name: folder.name)
        guard let root else { throw files.failure("there is no collection of Postman in this folder") }
        var reader = PostmanReader(log: files.log)
        // Version 3 has no methods without a body.
        reader.behavior.keepsBodies = true
        let value = try root.value(files.log)
        var imported = try reader.collection(value, named: folder.name)
        for file in files.values where file.path.hasSuffix(".environment.yaml") {
            let name = PostmanTree.stem(of: file.path, ".environment.yaml")
            imported.collection.environments.append(PostmanEnvironment.environment(file.value, named: name, &reader))
        }
        for file in files.values where file.path.hasSuffix(".globals.yaml") {
            imported.globals += reader.takingPrompts(from: reader.variables(file.value["values"]))
        }
        imported.prompts = reader.prompts.sorted()
        imported.secretNames = reader.secretNames
        return imported.noted(reader.log)
    }

    /// Reads the file of one request.
    static func read(_ root: ForeignValue, of file: ForeignFile) throws(ImportError) -> Imported {
        let log = ImportLog(file.bytes)
        guard root["$kind"]?.string != "collection" else {
            throw log.error(root.offset, "this file is a part of a collection of Postman 3; name the folder instead")
        }
        var tree = PostmanTree([], log)
        let collection = try tree.collection(of: root, named: file.name).value(log)
        var reader = PostmanReader(log: tree.log)
        reader.behavior.keepsBodies = true
        return try reader.collection(collection, named: file.name)
    }

    /// The collection in a folder, or those in its folders; nil for none.
    private static func tree(_ folder: String, _ files: inout ForeignFiles, name: String) -> ForeignTree? {
        var tree = PostmanTree(files.values, files.log)
        defer { files.log = tree.log }
        guard folder == collections else {
            let root = tree.folder("", named: name)
            return root["item"]?.elements.isEmpty ?? true ? nil : root
        }
        let names = tree.folders(in: folder)
        guard names.count != 1 else { return tree.folder("\(folder)/\(names[0])", named: names[0]) }
        let items = names.map { tree.folder("\(folder)/\($0)", named: $0) }
        guard !items.isEmpty else { return nil }
        return ForeignTree(at: 0, ("name", ForeignTree(name, at: 0)), ("item", ForeignTree(.list(items), at: 0)))
    }
}

/// A folder of files that Postman exported: a collection with its environments and globals.
struct PostmanExports {
    private static let collection = "postman_collection.json"
    private static let endings = [collection, "postman_environment.json", "postman_globals.json"]

    private let folder: ImportFolder
    private let collections: [String]

    /// Nil for a folder without an exported collection, and for one of Postman 3.
    init?(_ folder: ImportFolder) {
        collections = folder.names().filter { $0.lowercased().hasSuffix(Self.collection) }
        self.folder = folder
        if collections.isEmpty || PostmanFolder.recognizes(folder) { return nil }
    }

    func imported() throws(ImportError) -> Imported {
        guard collections.count == 1 else {
            let names = collections.map(\.excerpted).joined(separator: ", ")
            throw ImportLog([]).error(
                0, "several collections of Postman are in this folder; import one of them: \(names)")
        }
        let (files, notes) = folder.contents(inner: false) { name in
            Self.endings.contains { name.lowercased().hasSuffix($0) }
        }
        var contents: [Imported] = []
        for file in files { contents.append(try read(file)) }
        var result = try Imported.merged(contents)
        result.notes = contents.flatMap(\.notes) + notes
        return result
    }

    /// Returns a file whose notes and errors name it.
    private func read(_ file: ImportFolder.File) throws(ImportError) -> Imported {
        let path = folder.full(file.path)
        do throws(ImportError) {
            var imported = try Importer.read(file.bytes, from: path)
            imported.notes = imported.notes.located(in: path)
            return imported
        } catch { throw error.located(in: path) }
    }
}

/// The unpacked archive of all data of Postman: a dump whose collections and environments are files by themselves.
enum PostmanArchive {
    private static let index = "archive.json"

    static func recognizes(_ folder: ImportFolder) -> Bool {
        folder.names().contains(index) && folder.hasFolder("collection")
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var files = ForeignFiles()
        files.read(folder) { $0.hasSuffix(".json") && $0 != index }
        let list = { (name: String) in
            let own = files.values.filter { $0.path.hasPrefix(name + "/") }
            return ForeignTree(.list(own.map { ForeignTree($0.value) }), at: 0)
        }
        let collections = list("collection")
        guard !collections.elements.isEmpty else {
            throw files.failure("there is no collection of Postman in this folder")
        }
        let root = ForeignTree(at: 0, ("collections", collections), ("environments", list("environment")))
        return try PostmanDump.read(try root.value(files.log), files.log, named: folder.name)
    }
}
