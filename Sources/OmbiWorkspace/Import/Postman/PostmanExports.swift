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
