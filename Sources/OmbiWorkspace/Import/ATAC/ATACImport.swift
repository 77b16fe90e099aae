import OmbiDocument

/// Reads collections of ATAC, in JSON or YAML.
enum ATACImport {
    static func recognizes(_ file: ForeignFile) -> Bool { file.root.map { isCollection($0) } ?? false }

    private static func isCollection(_ root: ForeignValue) -> Bool {
        guard root.kind == .object, let requests = root["requests"], requests.kind == .array,
            !root.has("order"), !root.has("folders"), !root.has("info")
        else { return false }
        // A collection without requests has a position in the list of all.
        return root.has("last_position") && root["name"] != nil
            || !requests.elements.isEmpty
                && requests.elements.allSatisfy { $0.has("url") && ($0.has("protocol") || $0.has("params")) }
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        guard let root = file.root, root["requests"]?.kind == .array else { throw file.unknown }
        var reader = ATACReader(log: ImportLog(file.bytes))
        var collection = Collection(name: ForeignText.name(root["name"]?.text ?? "", or: file.name))
        collection.items = reader.items(root["requests"])
        collection.connection = reader.connection(of: collection)
        return Imported(collection).noted(reader.log)
    }

    // MARK: Folders

    /// Returns true for the folder of ATAC, which has its collections beside the files of its environments.
    static func recognizes(_ folder: ImportFolder) -> Bool { contents(of: folder).files.contains { isCollection($0) } }

    private static func contents(of folder: ImportFolder) -> (files: [ImportFolder.File], notes: [ImportNote]) {
        folder.contents(inner: false) { name in
            isEnvironment(name) || !name.hasPrefix(".") && [".json", ".yml", ".yaml"].contains { name.hasSuffix($0) }
        }
    }

    /// `.env.staging`
    private static func isEnvironment(_ name: String) -> Bool { name.hasPrefix(".env.") }

    private static func isCollection(_ file: ImportFolder.File) -> Bool {
        guard !isEnvironment(file.name), let foreign = try? ForeignFile(file.bytes, path: file.path) else {
            return false
        }
        return recognizes(foreign)
    }

    /// The one collection of a folder, or each as a folder, with all environments.
    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var parts: [Imported] = []
        var (files, notes) = contents(of: folder)
        files.removeAll { !isEnvironment($0.name) && !isCollection($0) }
        var environments: [Environment] = []
        for file in files {
            let isEnvironment = Self.isEnvironment(file.name)
            do throws(ImportError) {
                let foreign = try ForeignFile(file.bytes, path: file.path)
                let part = try isEnvironment ? ATACEnvironment.read(foreign) : read(foreign)
                environments += part.collection.environments
                notes += located(part.notes, folder.full(file.path))
                if !isEnvironment { parts.append(part) }
            } catch {
                var failure = error
                failure.file = folder.full(file.path)
                throw failure
            }
        }
        guard var imported = parts.first else { throw ImportLog([]).error(0, "there is no collection in this folder") }
        if parts.count > 1 {
            imported.collection = Collection(name: ForeignText.name("", or: folder.name))
            let folders = parts.map { part in
                let settings = SharedSettings(connection: part.collection.connection)
                return CollectionItem.folder(
                    Folder(name: part.collection.name, settings: settings, items: part.collection.items))
            }
            imported.collection.items = folders.withUniqueNames
        }
        imported.collection.environments = environments
        imported.notes = ImportNote.counted(notes)
        return imported
    }

    private static func located(_ notes: [ImportNote], _ file: String) -> [ImportNote] {
        notes.map { note in
            var note = note
            note.file = file
            return note
        }
    }
}

/// Reads `.env.staging`: an environment of ATAC.
enum ATACEnvironment {
    static func recognizes(_ file: ForeignFile) -> Bool {
        guard file.document == nil, isNamed(file.path), let read = try? EnvFile(file.bytes) else { return false }
        return !read.entries.isEmpty
    }

    static func read(_ file: ForeignFile) throws(ImportError) -> Imported {
        var log = ImportLog(file.bytes)
        let entries: [EnvFile.Entry]
        do throws(EnvFile.Failure) { entries = try EnvFile(file.bytes).entries } catch {
            throw log.error(offset(of: error, in: file.bytes), error.message)
        }
        let name = String((file.path.split(separator: "/").last ?? "").drop { $0 == "." })
        let parts = name.split(separator: ".").filter { $0 != "env" }.joined(separator: ".")
        var environment = Environment(name: ForeignText.name(parts, or: "default"), host: "")
        for entry in entries {
            let variable = log.variableName(entry.name, at: 0)
            environment.variables.append(Field(variable, TemplateText.escaped(foreign: entry.value)))
        }
        var imported = Imported(Collection(name: "imported"))
        imported.collection.environments = [environment]
        return imported.noted(log)
    }

    /// The first byte of a line.
    private static func offset(of failure: EnvFile.Failure, in bytes: [UInt8]) -> Int {
        var line = 1
        for (index, byte) in bytes.enumerated() {
            if line == failure.line { return index }
            if byte == 0x0A { line += 1 }
        }
        return bytes.count
    }

    private static func isNamed(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix(".env") || name.hasSuffix(".env")
    }
}
