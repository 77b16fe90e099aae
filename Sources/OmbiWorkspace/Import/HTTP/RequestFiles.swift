/// A folder of files of requests in text, such as `.http` files: each file is a folder of the collection.
struct RequestFiles: Sendable {
    /// "a folder of .http files", for messages.
    let title: String
    /// The ends of the names of the files.
    let endings: [String]
    let read: @Sendable (ForeignFile) throws(ImportError) -> Imported

    /// A file that was read.
    private struct Part {
        /// The names of the folders that it is in.
        let folders: [String]
        let path: String
        var content: Imported
    }

    func recognizes(_ folder: ImportFolder) -> Bool { !folder.files(isTaken).paths.isEmpty }

    private func isTaken(_ name: String) -> Bool { endings.contains { name.lowercased().hasSuffix($0) } }

    /// The endings of all formats of such files.
    private static let all = [".http", ".rest", ".hurl"]

    /// The losses of files of another one of these formats.
    private func others(in folder: ImportFolder) -> [ImportNote] {
        let paths = folder.files { name in !isTaken(name) && Self.all.contains { name.lowercased().hasSuffix($0) } }
            .paths
        return paths.map { path in
            ImportNote.loss(
                path.excerpted, "left out: a file of another format; import it by itself", file: folder.full(path))
        }
    }

    /// Returns the collection of all files. One that cannot be read is a loss.
    func imported(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var (files, notes) = folder.contents(isTaken)
        var parts: [Part] = []
        var failure: ImportError?
        // The environments of the folder are those of all folders in it.
        let isBeside = files.contains { $0.folders.isEmpty }
        let environments = folder.contents(inner: false) { !isBeside && HTTPEnvironments.isNamed($0) }
        let ofAll = environments.files.filter { !HTTPEnvironments.isPrivate($0.path) }
        let settings = isBeside ? nil : HTTPEnvironments.settings(in: folder)
        let ofOne = environments.files.filter { HTTPEnvironments.isPrivate($0.path) }
        files = [settings].compactMap(\.self) + ofAll + ofOne + files
        for file in files {
            do throws(ImportError) { parts.append(try part(file, in: folder)) } catch {
                failure = failure ?? error
                notes.append(error.located(in: folder.full(file.path)).loss(file.path.excerpted))
            }
        }
        guard parts.contains(where: { !$0.content.collection.items.isEmpty }) else {
            throw failure ?? ImportLog([]).error(0, "there is no request in this folder")
        }
        var imported = try Imported.merged(parts.map(\.content))
        notes += environments.notes
        notes += others(in: folder)
        notes += Self.captures(of: parts)
        notes += parts.filter { $0.content.envFile != nil && $0.content.envFile != imported.envFile }.map { part in
            ImportNote.loss(
                (part.content.envFile ?? "").excerpted,
                "not read: the values of a collection are in one .env file", file: part.path)
        }
        imported.notes = ImportNote.counted(parts.flatMap(\.content.notes) + notes)
        var collection = Collection(name: ForeignText.name("", or: folder.name))
        collection.environments = imported.collection.environments
        let values = Self.values(of: parts)
        let filled = parts.filter { !$0.content.collection.items.isEmpty }
        collection.variables = Self.shared(by: parts, values)
        collection.items = .nested(
            filled.map { (folders: $0.folders[...], item: CollectionItem.folder(Self.folder(of: $0, values))) })
        imported.collection = collection
        let known = imported.files
        imported.files += files.map { folder.full($0.path) }.filter { !known.contains($0) }
        return imported
    }

    /// Returns a file whose paths are those from the folder, and whose notes name it.
    private func part(_ file: ImportFolder.File, in folder: ImportFolder) throws(ImportError) -> Part {
        let path = folder.full(file.path)
        var foreign = try ForeignFile(file.bytes, path: path)
        foreign.folder = file.folders.isEmpty ? folder : folder.folder(file.folders.joined(separator: "/"))
        var content = try isTaken(file.name) ? read(foreign) : HTTPEnvironments.read(foreign)
        content.notes = content.notes.located(in: path)
        if !file.folders.isEmpty {
            let home = folder.full(file.folders.joined(separator: "/"))
            let collection = folder.full("collection.json")
            content.collection.items.changeRequests { $0 = $0.relocated(from: home, to: collection) }
            content.envFile = content.envFile.map { (file.folders + [$0]).joined(separator: "/") }
        }
        return Part(folders: file.folders, path: path, content: content)
    }

    /// The losses of values that several files capture by one name: in a collection they are one variable.
    private static func captures(of parts: [Part]) -> [ImportNote] {
        var known: Set<String> = []
        var notes: [ImportNote] = []
        for part in parts {
            let names = Set(part.content.collection.requests.flatMap(\.captures).map(\.name))
            notes += names.intersection(known).sorted().map { name in
                ImportNote.loss(
                    name.excerpted, "captured in another file, too: the last value counts in both", file: part.path)
            }
            known.formUnion(names)
        }
        return notes
    }

    // MARK: Variables

    /// The values that the files have for each variable.
    private static func values(of parts: [Part]) -> [String: Set<String>] {
        var values: [String: Set<String>] = [:]
        for variable in parts.flatMap(\.content.collection.variables) {
            values[variable.name, default: []].insert(variable.value)
        }
        return values
    }

    /// The variables for which no two files have other values.
    private static func shared(by parts: [Part], _ values: [String: Set<String>]) -> [Variable] {
        var names: Set<String> = []
        return parts.flatMap(\.content.collection.variables).filter { variable in
            values[variable.name]?.count == 1 && names.insert(variable.name).inserted
        }
    }

    private static func folder(of part: Part, _ values: [String: Set<String>]) -> Folder {
        let collection = part.content.collection
        let settings = SharedSettings(
            variables: collection.variables.filter { values[$0.name]?.count != 1 }, headers: collection.headers,
            authentication: collection.authentication, connection: collection.connection)
        return Folder(name: collection.name, settings: settings, items: collection.items)
    }
}

extension Importer.FolderReader {
    init(_ files: RequestFiles) {
        self.init(
            isSearched: true, endings: files.endings, title: files.title, recognizes: { files.recognizes($0) },
            read: { folder throws(ImportError) in try files.imported(folder) })
    }
}
