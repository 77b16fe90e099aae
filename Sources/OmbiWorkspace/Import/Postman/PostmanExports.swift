/// A folder of files that Postman exported: a collection with its environments and globals.
struct PostmanExports {
    private static let collection = ".postman_collection.json"
    private static let endings = [collection, ".postman_environment.json", ".postman_globals.json"]

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
            for index in imported.notes.indices where imported.notes[index].file == nil {
                imported.notes[index].file = path
            }
            return imported
        } catch {
            var error = error
            error.file = error.file ?? path
            throw error
        }
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
        let root = ForeignTree(at: 0, [("collections", collections), ("environments", list("environment"))])
        return try PostmanDump.read(try root.value(files.log), files.log, named: folder.name)
    }
}
