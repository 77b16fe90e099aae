/// Reads the folder of a collection of Bruno: its `.bru` files, or its texts of OpenCollection. A file with an error is
/// left out, and noted.
struct BrunoFolder {
    private let folder: ImportFolder
    private let files: [ImportFolder.File]
    private var reader = BrunoReader(log: ImportLog([]))
    private var collection: Collection
    private var notes: [ImportNote]
    private var firstError: ImportError?
    /// True where anything was found that belongs to a collection.
    private var hasContent = false
    /// The requests, by the paths of their folders.
    private var requests: [String: [Entry]] = [:]
    /// The folders with requests or settings, by their paths.
    private var levels: [String: Level] = [:]
    /// The paths of the folders in each.
    private var children: [String: [String]] = [:]

    /// An item with its place among its siblings.
    private struct Entry {
        var item: CollectionItem
        var order: Double
        var isFolder = false

        static func isBefore(_ first: Entry, _ second: Entry) -> Bool {
            (first.order, first.isFolder ? 0 : 1, first.item.name)
                < (second.order, second.isFolder ? 0 : 1, second.item.name)
        }
    }

    private struct Level {
        var name: String
        /// Nil for none in the file.
        var order: Double?
        var settings = SharedSettings()
    }

    private init(_ folder: ImportFolder) {
        self.folder = folder
        (files, notes) = folder.contents { Self.isTaken($0) }
        collection = Collection(name: ForeignText.name("", or: folder.name))
    }

    static func recognizes(_ folder: ImportFolder) -> Bool {
        !folder.files { CollectionFinder.foreignRoots.contains($0) || $0.hasSuffix(".bru") }.paths.isEmpty
    }

    /// The folder of the collection, if it is the only one below a folder that is none, such as that of a repository.
    private static func home(_ folder: ImportFolder) -> ImportFolder {
        let roots = folder.files { CollectionFinder.foreignRoots.contains($0) }.paths
        let parents = Set(roots.map(RelativePath.folder))
        guard parents.count == 1, let parent = parents.first, !parent.isEmpty, let home = folder.folder(parent),
            folder.files({ $0.hasSuffix(".bru") }).paths.allSatisfy({ $0.hasPrefix(parent + "/") })
        else { return folder }
        return home
    }

    private static func isTaken(_ name: String) -> Bool {
        guard !name.hasPrefix(".") else { return name == ".env" }
        return mayBeRequest(name) || CollectionFinder.foreignRoots.contains(name)
    }

    static func read(_ folder: ImportFolder) throws(ImportError) -> Imported {
        var reader = BrunoFolder(home(folder))
        // An export may have that name.
        if let root = reader.files.first(where: { $0.path == "bruno.json" }) {
            let file = try ForeignFile(root.bytes, path: root.path)
            if let value = file.root, BrunoImport.isExport(value) { return try BrunoImport.read(file) }
        }
        return try reader.imported()
    }

    // MARK: Parts

    /// Returns true for the name of a file that may have a request.
    static func mayBeRequest(_ name: String) -> Bool {
        [".bru", ".yml", ".yaml"].contains { name.hasSuffix($0) }
    }

    /// Returns the names that the folders and the request at a path have in the collection; nil for a path without a
    /// request.
    static func names(of parts: [String], in root: ImportFolder) -> [String]? {
        let path = parts.joined(separator: "/")
        let isOpen = root.names().contains { $0.hasPrefix("opencollection.y") }
        let isPart = { (name: String) in name.hasSuffix(".bru") || isOpen && mayBeRequest(name) }
        let below = root.folder(path)?.files(isPart).paths.map { "\(path)/\($0)" }
        let files = root.hasFolder(path) ? below ?? [] : [path].filter(isPart)
        guard files.contains(where: { Self.name(in: $0, of: root) != nil }) else { return nil }
        return parts.indices.map { index in
            let place = parts[...index].joined(separator: "/")
            let isFolder = root.hasFolder(place)
            let files = isFolder ? ["bru", "yml", "yaml"].map { "\(place)/folder.\($0)" } : [place]
            let name = files.lazy.compactMap { Self.name(in: $0, of: root) }.first ?? ""
            return ForeignText.name(name, or: isFolder ? parts[index] : stem(parts[index]))
        }
    }

    /// Returns the name in a file with a request or with the settings of a folder; nil for any other file.
    private static func name(in path: String, of folder: ImportFolder) -> String? {
        guard let bytes = try? folder.content(path), let file = try? ForeignFile(bytes, path: path) else { return nil }
        if path.hasSuffix(".bru") {
            guard let bru = try? BruFile(file.bytes), bru.request != nil || path.hasSuffix("/folder.bru") else {
                return nil
            }
            return bru.meta("name") ?? ""
        }
        guard let root = file.root, root.openRequest != nil || root["info"]?["type"]?.string == "folder" else {
            return nil
        }
        return root["info"]?["name"]?.text ?? ""
    }

    private mutating func imported() throws(ImportError) -> Imported {
        var configurations: [(value: ForeignValue, log: ImportLog)] = []
        for file in files where CollectionFinder.foreignRoots.contains(file.path) {
            let foreign = try begin(file)
            guard let root = foreign.root, root.kind == .object else {
                throw foreign.unknown.located(in: folder.full(file.path))
            }
            let value = try takeRoot(root, file)
            configurations.append((value, ImportLog(foreign.bytes, file: folder.full(file.path))))
            notes += reader.log.notes
        }
        let ignored = configurations.flatMap { $0.value["ignore"]?.elements.prefix(100).map(\.text) ?? [] }
        let isOpen = files.contains { $0.path.hasPrefix("opencollection.y") }
        for file in files where !CollectionFinder.foreignRoots.contains(file.path) {
            if ignored.contains(where: { file.path == $0 || file.path.hasPrefix($0 + "/") }) { continue }
            read(file, isOpen: isOpen)
        }
        for configuration in configurations {
            reader.log = configuration.log
            reader.configure(&collection, configuration.value)
            notes += reader.log.notes
        }
        guard hasContent else {
            throw firstError ?? ImportLog([]).error(0, "there is no request in this folder")
        }
        collection.items = (collection.items + items(in: "")).withUniqueNames
        var imported = BrunoImport.finished(collection, reader)
        imported.notes = ImportNote.counted(notes)
        return imported
    }

    // MARK: Files

    /// Begins to note what is in a file.
    private mutating func begin(_ file: ImportFolder.File) throws(ImportError) -> ForeignFile {
        do throws(ImportError) {
            let foreign = try ForeignFile(file.bytes, path: file.path)
            reader.log = ImportLog(foreign.bytes, file: folder.full(file.path))
            return foreign
        } catch { throw error.located(in: folder.full(file.path)) }
    }

    /// Returns the part of `bruno.json` or `opencollection.yml` that has the settings of the connection.
    private mutating func takeRoot(
        _ root: ForeignValue, _ file: ImportFolder.File
    ) throws(ImportError) -> ForeignValue {
        guard root.has("opencollection") else {
            try BrunoImport.check(root["version"], "Bruno's collections", reader.log)
            collection.name = ForeignText.name(root["name"]?.text ?? "", or: collection.name)
            return root
        }
        try BrunoImport.check(root["opencollection"], "OpenCollection", reader.log)
        collection.name = ForeignText.name(root["info"]?["name"]?.text ?? "", or: collection.name)
        collection.settings = reader.settings(root.openScope, at: root.offset)
        collection.items = try BrunoImport.items(root["items"], &reader)
        hasContent = hasContent || !collection.items.isEmpty
        return root["config"] ?? root
    }

    private mutating func read(_ file: ImportFolder.File, isOpen: Bool) {
        let isYAML = file.name.hasSuffix(".yml") || file.name.hasSuffix(".yaml")
        guard file.name.hasSuffix(".bru") || isYAML && isOpen || file.path == ".env" else { return }
        do throws(ImportError) {
            let foreign = try begin(file)
            if isYAML {
                try takeYAML(foreign, file)
            } else if file.path == ".env" {
                reader.log.remark(
                    0, ".env", "not read: its variables are those of the process, or of an \"envFile\"")
            } else {
                try takeBru(foreign, file)
            }
            notes += reader.log.notes
        } catch {
            let failure = error.located(in: folder.full(file.path))
            firstError = firstError ?? failure
            notes.append(failure.loss(file.name.excerpted))
        }
    }

    private mutating func takeBru(_ foreign: ForeignFile, _ file: ImportFolder.File) throws(ImportError) {
        let bru = try BrunoImport.bru(foreign.bytes, reader.log)
        let place = file.folders.joined(separator: "/")
        if bru.isEnvironment {
            let environment = reader.environment(Self.stem(file.name), bru.variables)
            add(environment)
        } else if file.name == "folder.bru", !place.isEmpty {
            let settings = reader.settings(bru.scope, at: 0)
            setLevel(place, bru.meta("name"), bru.meta("seq"), settings)
        } else if file.name == "collection.bru" || file.name == "folder.bru" {
            hasContent = true
            collection.settings = reader.settings(bru.scope, at: 0)
        } else if let request = bru.request {
            add(request, order: bru.meta("seq"), file)
        } else {
            reader.log.loss(0, file.name.excerpted, "left out: there is no request in this file")
        }
    }

    private mutating func takeYAML(_ foreign: ForeignFile, _ file: ImportFolder.File) throws(ImportError) {
        guard let root = foreign.root, root.kind == .object else { throw foreign.unknown }
        let place = file.folders.joined(separator: "/")
        let isSettings = root["info"]?["type"]?.string == "folder" || file.name.hasPrefix("folder.y")
        if BrunoImport.isOpenEnvironment(root) || place == "environments" && root["variables"]?.kind == .array {
            let name = root["name"]?.text ?? ""
            add(reader.openEnvironment(root, name.isEmpty ? Self.stem(file.name) : name))
        } else if isSettings, !place.isEmpty {
            let settings = reader.settings(root.openScope, at: root.offset)
            setLevel(place, root["info"]?["name"]?.text, root["info"]?["seq"]?.text, settings)
        } else if let request = root.openRequest {
            add(request, order: root["info"]?["seq"]?.text, file)
        } else {
            reader.log.remark(root.offset, file.name.excerpted, "left out: it is no part of the collection")
        }
    }

    /// `login` for `login.bru`
    private static func stem(_ name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    // MARK: The tree

    private mutating func add(_ environment: Environment) {
        hasContent = true
        collection.environments.append(environment)
    }

    private mutating func add(_ request: BrunoRequest, order: String?, _ file: ImportFolder.File) {
        hasContent = true
        guard request.isHTTP || request.isWebSocket else {
            return reader.noteOther(request.kind, at: request.offset)
        }
        var request = request
        if request.name.isEmpty { request.name = Self.stem(file.name) }
        let place = file.folders.joined(separator: "/")
        register(place)
        let entry = Entry(item: .request(reader.request(request)), order: Self.order(order) ?? .infinity)
        requests[place, default: []].append(entry)
    }

    /// Sets the settings of a folder.
    private mutating func setLevel(
        _ place: String, _ name: String?, _ order: String?, _ settings: SharedSettings
    ) {
        hasContent = true
        register(place)
        if let name, !name.isEmpty { levels[place]?.name = ForeignText.name(name, or: place) }
        levels[place]?.order = Self.order(order)
        levels[place]?.settings = settings
    }

    /// Makes a folder, and those that it is in.
    private mutating func register(_ place: String) {
        guard !place.isEmpty, levels[place] == nil else { return }
        let parts = place.split(separator: "/").map(String.init)
        levels[place] = Level(name: ForeignText.name(parts.last ?? "", or: place))
        let parent = parts.dropLast().joined(separator: "/")
        children[parent, default: []].append(place)
        register(parent)
    }

    private static func order(_ text: String?) -> Double? {
        text.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    /// The items of a folder by their order, then by their names; folders without one are first.
    private func items(in place: String) -> [CollectionItem] {
        var entries = requests[place] ?? []
        for child in children[place] ?? [] {
            guard let level = levels[child] else { continue }
            let item = Folder(name: level.name, settings: level.settings, items: items(in: child))
            entries.append(Entry(item: .folder(item), order: level.order ?? -.infinity, isFolder: true))
        }
        return entries.sorted(by: Entry.isBefore).map(\.item).withUniqueNames
    }
}
