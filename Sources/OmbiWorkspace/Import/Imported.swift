/// The content of a file of another tool as a collection.
package struct Imported: Sendable {
    package var collection: Collection
    /// Variables that those of the collection take precedence over.
    var globals: [Variable] = []
    /// The names of variables that are secret whatever their values are.
    var secretNames: Set<String> = []
    /// The names of secrets that are typed in, as no file has them.
    var prompts: [String] = []
    /// True for a document whose requests have samples: there a name alone makes no credential of a value.
    var hasSamples = false
    /// Secrets that the process environment has, or that are typed in as the answer to a question of the file.
    var processSecrets: [Secret] = []
    /// The path of the `.env` file that values are taken from, from the folder of the collection; nil for none.
    var envFile: String?
    /// True for a file whose environments add to those of the same names.
    var completesEnvironments = false
    /// The IDs that the file has for its requests, by those of the requests.
    var sources: [ItemID: String] = [:]
    /// The paths of the other files that it is read from.
    var files: [String] = []
    /// The contents of files of environments among those, which are not joined once more.
    var companions: [[UInt8]] = []
    /// The responses that the file describes, by the IDs of the requests. No collection has them.
    var responses: [ItemID: [DocumentedResponse]] = [:]
    /// True for a collection of Ombi, whose hosts stay as they are. It is sent to no environment that nobody chose.
    var isComplete = false
    /// The credentials of the file, which the collection only names.
    package internal(set) var secrets: [ImportedSecret] = []
    /// In the order of the file.
    package internal(set) var notes: [ImportNote]
    /// The content of all files that were read, to detect changes.
    private(set) var content: [UInt8] = []

    /// - Parameter processSecrets: the variables of the process environment, by the names of the secrets.
    init(
        _ collection: Collection, prompts: Set<String> = [], processSecrets: [String: String] = [:],
        secretNames: Set<String> = [], sources: [ItemID: String] = [:], notes: [ImportNote] = []
    ) {
        (self.collection, self.notes, self.sources) = (collection, notes, sources)
        (self.prompts, self.secretNames) = (prompts.sorted(), secretNames)
        self.processSecrets = processSecrets.sorted { $0.key < $1.key }.map { Secret($0.key, .environment($0.value)) }
    }

    /// Returns true if the files were read with the same content before.
    package func isOf(_ fingerprint: Fingerprint) -> Bool { Fingerprint(bytes: content) == fingerprint }

    package var requestCount: Int { collection.requests.count }
    package var folderCount: Int { Self.folders(in: collection.items) }

    private static func folders(in items: [CollectionItem]) -> Int {
        items.reduce(0) { count, item in
            if case .folder(let folder) = item { count + 1 + folders(in: folder.items) } else { count }
        }
    }

    /// The parts of the file that the collection does not have.
    package var losses: [ImportNote] { notes.filter { $0.kind == .loss } }

    /// Returns the content with the notes of a log, those of one kind as one.
    func noted(_ log: ImportLog) -> Imported {
        var result = self
        result.notes = ImportNote.counted(log.notes)
        result.content = log.content
        return result
    }

    /// Returns the content of a folder: that of its files may not be kept, so it changes with what came of them, too.
    /// - Parameter root: the content of the file at the root of the folder, with which that of the folder begins.
    func ofFolder(_ root: [UInt8]) -> Imported {
        var result = self
        let hash = String(ContentHash.of(collection.text.utf8), radix: 16)
        result.content = root + content + Array("\n\(hash)\n".utf8)
        return result
    }

    /// Returns one collection with the environments and the globals of several files: complete, and without a
    /// credential. The first file with requests gives it its name. Its notes are those beyond the files' own.
    package static func joined(_ files: [Imported]) throws(ImportError) -> Imported {
        try merged(files).finished()
    }

    /// Returns one content of several files. Its notes are to be taken from them.
    static func merged(_ files: [Imported]) throws(ImportError) -> Imported {
        let main = files.first { !$0.collection.items.isEmpty } ?? files.first
        guard var result = main else { throw ImportLog([]).error(0, "there is no file to import") }
        result.notes = []
        (result.globals, result.prompts, result.processSecrets) = ([], [], [])
        result.collection.environments = []
        result.envFile = files.lazy.compactMap(\.envFile).first
        let companions = result.companions
        for file in files where !companions.contains(file.content) {
            result.globals += file.globals
            result.prompts += file.prompts
            result.processSecrets += file.processSecrets
            result.secretNames.formUnion(file.secretNames)
            for environment in file.collection.environments {
                var environment = environment
                let known = result.collection.environments.firstIndex { $0.name == environment.name }
                if let known, file.completesEnvironments {
                    result.collection.environments[known].complete(with: environment)
                    continue
                }
                environment.name = ForeignText.unused(environment.name, separator: " ") { name in
                    result.collection.environments.contains { $0.name == name }
                }
                result.collection.environments.append(environment)
            }
        }
        return result
    }
}

extension Environment {
    /// Adds the parts of another file for the same environment, whose values win.
    mutating func complete(with other: Environment) {
        let names = Set(other.variables.map(\.name) + other.secrets.map(\.name))
        variables.removeAll { names.contains($0.name) }
        secrets.removeAll { names.contains($0.name) }
        variables += other.variables
        secrets += other.secrets
        let headers = Set(other.additionalHeaders.map { $0.name.lowercased() })
        additionalHeaders.removeAll { headers.contains($0.name.lowercased()) }
        additionalHeaders += other.additionalHeaders
        if let other = other.connection { connection = other }
    }
}

/// A credential of an imported file.
package struct ImportedSecret: Sendable, Equatable {
    package var name: String
    /// Never shown.
    var value: String
    /// The name of the environment that it belongs to; nil for all.
    package var environment: String?
}

extension ImportedSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { environment.map { "\(name) (\($0))" } ?? name }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension [CollectionItem] {
    /// Changes each request, those in folders, too.
    mutating func changeRequests(_ change: (inout SavedRequest) -> Void) {
        for index in indices {
            switch self[index] {
            case .folder(var folder):
                folder.items.changeRequests(change)
                self[index] = .folder(folder)
            case .request(var request):
                change(&request)
                self[index] = .request(request)
            }
        }
    }

    mutating func changeFolders(_ change: (inout SharedSettings) -> Void) {
        for index in indices {
            guard case .folder(var folder) = self[index] else { continue }
            change(&folder.settings)
            folder.items.changeFolders(change)
            self[index] = .folder(folder)
        }
    }

    /// The items with names that no other item of the list has.
    var withUniqueNames: [CollectionItem] { uniquelyNamed(\.name) }

    /// Puts items into the folders that they are in, each where the first item of it comes.
    static func nested(
        _ parts: [(folders: ArraySlice<String>, item: CollectionItem)], named title: (String) -> String = { $0 }
    ) -> [CollectionItem] {
        var (items, rest) = ([CollectionItem](), parts[...])
        while let first = rest.first {
            guard let name = first.folders.first else {
                items.append(first.item)
                rest.removeFirst()
                continue
            }
            let own = rest.prefix { $0.folders.first == name }
            let inner = nested(own.map { (folders: $0.folders.dropFirst(), item: $0.item) }, named: title)
            items.append(.folder(Folder(name: title(name), items: inner)))
            rest = rest.dropFirst(own.count)
        }
        return items.withUniqueNames
    }
}

extension Array {
    /// The elements with names that no other element has.
    func uniquelyNamed(_ name: WritableKeyPath<Element, String>) -> [Element] {
        var names = UniqueNames(separator: " ")
        return map { element in
            var element = element
            element[keyPath: name] = names.take(element[keyPath: name])
            return element
        }
    }
}

/// The place of the credentials that an imported file has in clear.
package enum ImportedSecretPlace: String, CaseIterable, Sendable {
    /// The local file beside the collection.
    case local
    /// The keyring of the desktop, in which the user puts them.
    case keyring
    /// None: the collection names variables of the process environment.
    case drop
}

extension Imported {
    package func written(keeping place: ImportedSecretPlace) -> Collection {
        let name = collection.name
        return written { secret in
            switch place {
            case .local: nil
            case .keyring: .keyring(service: name, account: secret.account)
            case .drop: .environment(secret.variable)
            }
        }
    }

    /// Writes a new file, and the credentials into the local file beside it. Returns false for a file that has the same
    /// content already, to which only credentials that are missing are added.
    /// - Throws: a `FileError` with the code `isThere` for a file with other content.
    package func write(
        to path: String, keeping place: ImportedSecretPlace, fileSystem: some FileSystem = PosixFileSystem()
    ) throws(FileError) -> Bool {
        var content: [UInt8]? = Array(written(keeping: place).text.utf8)
        do throws(FileError) {
            guard try fileSystem.read(path) == content else {
                throw FileError(operation: "write", path: path, code: FileError.isThere)
            }
            // The local file is no part of a repository.
            if place == .local, let mine = CollectionFile.load(path, fileSystem: fileSystem).collection {
                try addSecrets(missingIn: mine, beside: path, fileSystem)
            }
            return false
        } catch  where error.isAbsence {}
        // First: a collection whose secrets are nowhere is of no use.
        if place == .local { try addSecrets(missingIn: Collection(name: ""), beside: path, fileSystem) }
        try FileReplacement.save(to: path, overwriting: false, fileSystem: fileSystem) { () throws(FileError) in
            content.take()
        }
        try ImportRecord(written(keeping: place), sources).write(beside: path, fileSystem)
        return true
    }
}

extension ImportedSecret {
    /// A command that puts the credential into the keyring, which asks for the value.
    package func keyringCommand(service: String) -> String {
        ["secret-tool", "store", "--label", service, "service", service, "account", account]
            .map(ShellQuotes.word).joined(separator: " ")
    }

    /// The account in the keyring.
    var account: String { environment.map { "\($0)/\(name)" } ?? name }

    /// The variable of the process environment.
    var variable: String {
        let words = (environment.map { $0 + "_" } ?? "") + name
        let letters = words.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return letters.first?.isNumber ?? true ? "_" + String(letters) : String(letters)
    }
}

extension LoadedCollection {
    /// The collection that the file of another tool gives, with its credentials in memory, or the reason why it gives
    /// none; nil for another file. It can be sent, through the gate as any, and is never saved.
    package var importing: LoadedCollection? {
        var loaded = self
        let foreign: Foreign
        do throws(ImportError) {
            guard let found = try readForeign(textsIn: Importer.fileEndings) else { return nil }
            foreign = found
        } catch {
            loaded.problems = [error.problem(of: path)]
            return loaded
        }
        loaded.collection = foreign.collection
        loaded.problems = OverlayFile.attachEnvFiles(to: &loaded.collection, of: path)
        guard loaded.problems.isEmpty else { return loaded }
        if let content = foreign.content { loaded.fingerprint = Fingerprint(bytes: content) }
        let count = foreign.losses.count
        let command = "ombi import \(ShellQuotes.word(path)) --to NAME.json"
        let parts = count == 1 ? "1 part of it is" : "\(count) parts of it are"
        let losses = count == 0 ? "" : "; \(parts) left out"
        loaded.problems = [
            Problem(
                file: path, severity: .warning,
                message: "this is \(foreign.title), only read\(losses): `\(command)` makes a collection of it")
        ]
        return loaded
    }

    /// This file as the explorer opens it: that of another tool read-only, with each loss as a problem, or with the
    /// reason why it cannot be imported.
    package var readInPlace: LoadedCollection {
        guard collection == nil else { return self }
        var loaded = self
        do throws(ImportError) {
            // JSON with an error is that of a collection, which other tools have no part in.
            let endings = Importer.fileEndings.filter { $0 != ".json" }
            guard let foreign = try readForeign(textsIn: endings) else { return self }
            loaded.collection = foreign.collection
            if let content = foreign.content { loaded.fingerprint = Fingerprint(bytes: content) }
            loaded.problems = foreign.losses.map { note in
                Problem(
                    file: note.file ?? path, position: note.position, severity: .warning, message: note.description)
            }
            loaded.problems += OverlayFile.attachEnvFiles(to: &loaded.collection, of: path)
        } catch {
            loaded.problems = [error.problem(of: path)]
        }
        return loaded
    }

    /// The folders among paths that are collections of other tools, which are yet to be read; for one with a document of
    /// OpenAPI, the document.
    /// - Parameter loaded: the collections of Ombi at these paths, whose folders are none of another tool.
    package static func foreignFolders(_ paths: [String], besides loaded: [LoadedCollection]) -> [LoadedCollection] {
        var seen: Set<String> = []
        let folders = paths.compactMap { path -> LoadedCollection? in
            guard let folder = ImportFolder(path) else { return nil }
            let isTaken = loaded.contains { file in
                folder.path == "." ? !file.path.hasPrefix("/") : file.path.hasPrefix(folder.path + "/")
            }
            guard !isTaken else { return nil }
            if Importer.opening(folder) != nil {
                // Its relative paths start in it, and not next to it; `.` alone stands for no file.
                let path = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
                return LoadedCollection(path: path, collection: nil, fingerprint: .absent)
            }
            return Importer.namedDocument(in: folder).map { CollectionFile.load(folder.full($0)) }
        }
        return folders.filter { seen.insert($0.path).inserted }
    }

    /// The folders with the files of another tool's collection: what changes in them changes it. None for one file.
    package var foreignFolders: [String] {
        let isFolder = path == "." || path.hasSuffix("/")
        guard let root = isFolder ? path : CollectionFinder.foreignFolder(of: path), let folder = ImportFolder(root)
        else { return [] }
        return folder.files { _ in false }.folders.prefix(Self.maximumWatched).map { folder.full($0) }
    }

    /// Each folder that is watched costs the system something.
    private static let maximumWatched = 500

    /// Returns true for a folder that a few names tell to be a collection of another tool, such as `bruno.json`.
    package static func isForeignFolder(_ path: String) -> Bool {
        ImportFolder(path).flatMap(Importer.recognizing) != nil
    }

    /// The content of another tool's file.
    private struct Foreign {
        var collection: Collection
        /// "a Postman collection"
        var title: String
        var losses: [ImportNote]
        /// That of all files; nil for one file.
        var content: [UInt8]?
    }

    /// Returns the content of another tool's file with requests; nil for any other file.
    /// - Parameter endings: those of the names of files that may be neither JSON nor YAML.
    private func readForeign(textsIn endings: [String]) throws(ImportError) -> Foreign? {
        guard collection == nil else { return nil }
        if let content = fingerprint.bytes, let folder = Importer.folder(of: path, with: content) {
            let read = try Importer.read(folder: folder)
            var result = try foreign(read, "a collection of Bruno")
            result?.content = read.content
            return result
        }
        guard let content = fingerprint.bytes else { return try isMissing ? nil : readForeignFolder() }
        guard var file = try? ForeignFile(content, path: path),
            file.document != nil || endings.contains(where: { path.hasSuffix($0) }) || Self.isScript(file)
        else { return nil }
        file.folder = ImportFolder(of: path)
        (file.isOpened, file.isAlone) = (true, true)
        guard let importer = Importer.all.first(where: { $0.recognizes(file) }) else {
            if file.document == nil, [".yaml", ".yml"].contains(where: { path.hasSuffix($0) }) { throw file.unknown }
            return nil
        }
        let found = try foreign(try importer.read(file), importer.title)
        if found == nil, OpenAPIImport.recognizes(file) {
            throw ImportLog(file.bytes).error(0, "there is no operation in this document")
        }
        return found
    }

    /// True for commands of curl, whose files have any name, and for a document with requests.
    private static func isScript(_ file: ForeignFile) -> Bool {
        if MarkdownCommands.requests(of: file) != nil { return true }
        return !file.path.hasSuffix(".json") && Importer.named("curl")?.recognizes(file) == true
    }

    private func foreign(_ read: Imported, _ title: String) throws(ImportError) -> Foreign? {
        let imported = try Imported.joined([read])
        guard imported.requestCount > 0 else { return nil }
        var collection = imported.opened(as: title)
        collection.overlay.files = read.files
        return Foreign(
            collection: collection, title: title, losses: read.losses + imported.losses,
            content: read.files.isEmpty ? nil : read.content)
    }

    /// Returns the content of another tool's folder with requests; nil for any other path.
    private func readForeignFolder() throws(ImportError) -> Foreign? {
        guard let folder = ImportFolder(path), let importer = Importer.opening(folder) else { return nil }
        let read = try Importer.read(folder: path, as: importer)
        guard var result = try foreign(read, importer.folder?.title ?? importer.title) else {
            throw ImportLog([]).error(0, "there is no request in this folder")
        }
        result.content = read.content
        return result
    }
}

extension ImportError {
    fileprivate func problem(of path: String) -> Problem {
        Problem(file: file ?? path, position: position, message: message)
    }
}

extension Imported {
    /// Returns the collection with the values of its credentials beside it in memory.
    fileprivate func opened(as format: String) -> Collection {
        var result = collection
        result.overlay.foreignFormat = format
        if !responses.isEmpty { result.items.changeRequests { $0.documented = responses[$0.id] } }
        result.overlay.awaitsEnvironment = isComplete
        result.overlay.secrets = secrets.filter { $0.environment == nil }.map { Secret($0.name, .value($0.value)) }
        for environment in result.environments {
            let own = secrets.filter { $0.environment == environment.name }
            guard !own.isEmpty else { continue }
            var part = Environment(name: environment.name, host: "")
            part.isLocal = true
            part.secrets = own.map { Secret($0.name, .value($0.value)) }
            result.overlay.environments.append(part)
        }
        return result
    }
}
