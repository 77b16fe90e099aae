import OmbiDocument

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

    private static func isCollection(_ folder: ImportFolder, _ path: String) -> Bool {
        let names = folder.names(in: path)
        return names.contains { $0.hasSuffix(request) }
            || names.contains(".resources")
                && folder.names(in: path.isEmpty ? ".resources" : path + "/.resources").contains("definition.yaml")
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
        var log = ImportLog(file.bytes)
        guard root["$kind"]?.string != "collection" else {
            throw log.error(root.offset, "this file is a part of a collection of Postman 3; name the folder instead")
        }
        var tree = PostmanTree([])
        let collection = tree.collection(of: root, named: file.name)
        for note in tree.losses { log.loss(note.offset, note.subject, note.message) }
        var reader = PostmanReader(log: log)
        reader.behavior.keepsBodies = true
        return try reader.collection(try collection.value(log), named: file.name)
    }

    /// The collection in a folder, or those in its folders; nil for none.
    private static func tree(_ folder: String, _ files: inout ForeignFiles, name: String) -> ForeignTree? {
        var tree = PostmanTree(files.values)
        defer { for note in tree.losses { files.loss(note.offset, note.subject, note.message) } }
        guard folder == collections else {
            let root = tree.folder("", named: name)
            return root["item"]?.elements.isEmpty ?? true ? nil : root
        }
        let names = tree.folders(in: folder)
        guard names.count != 1 else { return tree.folder("\(folder)/\(names[0])", named: names[0]) }
        let items = names.map { tree.folder("\(folder)/\($0)", named: $0) }
        guard !items.isEmpty else { return nil }
        return ForeignTree(at: 0, [("name", ForeignTree(name, at: 0)), ("item", ForeignTree(.list(items), at: 0))])
    }
}
