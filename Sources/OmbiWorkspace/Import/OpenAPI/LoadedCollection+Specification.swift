extension LoadedCollection {
    /// This file with the operations that its requests are based on read from their documents. A request whose
    /// operation is not there has a problem, and is not sent. A document outside the workspace is read once the file
    /// has a grant for it, whatever the destination.
    package func specified(
        fileSystem: some FileSystem = PosixFileSystem(), gate: @autoclosure () -> Gate = Gate()
    ) -> LoadedCollection {
        guard var collection, collection.overlay.hasOperations, !collection.overlay.isForeign else { return self }
        let gate = gate()
        collection.rebase(
            on: SpecifiedOperations(of: collection.requests, file: path, fileSystem) { gate.isGranted($0, to: path) })
        var loaded = self
        loaded.collection = collection
        loaded.problems += loaded.problemsOfOperations
        return loaded
    }

    /// The paths of the documents that it is based on, with the files that these refer to, without those that need a
    /// grant.
    package var documents: [String] {
        guard let overlay = collection?.overlay else { return [] }
        return overlay.files + (overlay.operations?.files ?? [])
    }

    /// The problems of the requests that are based on operations, each at the name of its operation.
    package var problemsOfOperations: [Problem] {
        guard let collection, collection.overlay.hasOperations, let content = fingerprint.content,
            let document = try? JSONDocument(checking: content), let root = document.firstRoot
        else { return [] }
        let log = ProblemLog(file: path, document: document)
        let object = ObjectReader(FileValue(node: root, kind: document.kind(of: root), log: log))
        Self.check(collection.items, in: object)
        return log.problems
    }

    private static func check(_ items: [CollectionItem], in object: ObjectReader?) {
        // A file without errors has an item for each element.
        for (item, value) in zip(items, object?.value("items")?.elements ?? []) {
            let object = ObjectReader(value)
            switch item {
            case .request(let request):
                guard let operation = request.operation, let problem = operation.problem else { continue }
                if operation.isWithheld {
                    object?.warning("specification", problem)
                } else {
                    object?.error("operation", problem)
                }
            case .folder(let folder): check(folder.items, in: object)
            }
        }
    }
}

extension SpecifiedOperations {
    /// Reads the documents of the requests of a file, each once.
    /// - Parameter isGranted: returns true for a document outside the workspace that may be read.
    convenience init(
        of requests: [SavedRequest], file: String, _ fileSystem: some FileSystem, isGranted: (Source) -> Bool
    ) {
        let folder = RelativePath.folder(of: file)
        var names: [String: Set<String>] = [:]
        var order: [String] = []
        for case let operation? in requests.map(\.operation) {
            if names[operation.specification] == nil { order.append(operation.specification) }
            names[operation.specification, default: []].insert(operation.name)
        }
        var entries: [Key: Entry] = [:]
        var files: [String] = []
        for specification in order {
            let own = names[specification] ?? []
            let source = SpecifiedOperations.source(of: specification, in: folder)
            if let source, !isGranted(source) {
                let entry = Entry.withheld(SpecifiedOperations.needsGrant(specification, file: file))
                for name in own { entries[Key(specification: specification, name: name)] = entry }
                continue
            }
            let place = SpecifiedOperations.path(of: specification, in: folder)
            files.append(place)
            let read = SpecifiedOperations.read(specification, at: place, source, own, fileSystem)
            files += read.files
            for (name, entry) in read.entries { entries[Key(specification: specification, name: name)] = entry }
        }
        self.init(entries, files: files)
    }

    /// The source that a document is; nil for one of the workspace, and for none at all.
    static func source(of specification: String, in folder: String) -> Source? {
        Workspace.source(at: path(of: specification, in: folder), folder: folder)
    }

    private static func needsGrant(_ specification: String, file: String) -> String {
        "\(specification.excerpt(80)) is outside the workspace or hidden, and was not read; "
            + "`ombi trust \(ShellQuotes.word(file))` allows it, --trust for one run"
    }

    /// The path that is read, and that the gate asks about. What stands behind `./` is in the folder whatever it begins
    /// with: `.//etc/api.yaml` and `./~/api.yaml` lead nowhere else.
    static func path(of specification: String, in folder: String) -> String {
        let rest = specification.trimmingPrefix("./")
        let isElsewhere = rest.hasPrefix("/") || rest.hasPrefix("~")
        return RelativePath.resolve(isElsewhere ? specification : String(rest), folder: folder)
    }

    /// Returns the operations of a document, and the paths of the other files that it refers to. A grant is for one
    /// file: no other ones of a document outside the workspace are read.
    private static func read(
        _ specification: String, at path: String, _ source: Source?, _ names: Set<String>,
        _ fileSystem: some FileSystem
    ) -> (entries: [String: Entry], files: [String]) {
        guard fileSystem.size(path) <= maximumSize else {
            return (missing(names, "\(specification.excerpt(80)) is longer than 64 MiB"), [])
        }
        let document: Specification
        do {
            let folder = source == nil ? ImportFolder(of: path, fileSystem: fileSystem) : nil
            document = try Specification(
                try fileSystem.read(path), path: specification, in: folder, only: names)
        } catch let error as FileError {
            return (missing(names, "\(specification.excerpt(80)) cannot be read: \(error.reason)"), [])
        } catch let error as ImportError {
            let place = "\(specification.excerpt(80)):\(error.position.line):\(error.position.column)"
            return (missing(names, "\(place): \(error.message)"), [])
        } catch {
            return (missing(names, "\(specification.excerpt(80)) cannot be read"), [])
        }
        let entries = Dictionary(
            names.map { name -> (String, Entry) in
                let known = document.operation(named: name)
                let entry = known.map { Entry.found($0.base, source) } ?? .missing(gone(name, specification, document))
                return (name, entry)
            }
        ) { first, _ in first }
        return (entries, document.files)
    }

    /// In bytes; looked at before the file is read.
    private static let maximumSize = 64 << 20

    private static func missing(_ names: Set<String>, _ reason: String) -> [String: Entry] {
        Dictionary(names.map { ($0, Entry.missing(reason)) }) { first, _ in first }
    }

    private static func gone(_ name: String, _ specification: String, _ document: Specification) -> String {
        "\(specification.excerpt(80)) has no operation \(JSONValue.quoted(name.excerpt(80))); "
            + (document.unread.first.map { "it refers to \($0)" } ?? "`ombi spec diff` lists what was renamed")
    }
}
