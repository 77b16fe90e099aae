import OmbiCore
import OmbiDocument

extension LoadedCollection {
    /// This file with the operations that its requests are based on read from their documents. A request whose
    /// operation is not there has a problem, and is not sent.
    public func specified(fileSystem: some FileSystem = PosixFileSystem()) -> LoadedCollection {
        guard var collection, collection.overlay.hasOperations, !collection.overlay.isForeign else { return self }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        collection.rebase(on: SpecifiedOperations(of: collection, folder: folder, fileSystem))
        var loaded = self
        loaded.collection = collection
        loaded.problems += loaded.problemsOfOperations
        return loaded
    }

    /// The paths of the documents that its requests are based on.
    public var documents: [String] { collection?.overlay.operations?.files ?? [] }

    /// The problems of the requests that are based on operations, each at the name of its operation.
    public var problemsOfOperations: [Problem] {
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
                if let problem = request.operation?.problem { object?.error("operation", problem) }
            case .folder(let folder): check(folder.items, in: object)
            }
        }
    }
}

extension SpecifiedOperations {
    /// Reads the documents of a collection, each once.
    convenience init(of collection: Collection, folder: String, _ fileSystem: some FileSystem) {
        var names: [String: Set<String>] = [:]
        var order: [String] = []
        for case let operation? in collection.requests.map(\.operation) {
            if names[operation.specification] == nil { order.append(operation.specification) }
            names[operation.specification, default: []].insert(operation.name)
        }
        var entries: [Key: Entry] = [:]
        for specification in order {
            let place = SpecifiedOperations.path(of: specification, in: folder)
            let read = SpecifiedOperations.read(specification, at: place, names[specification] ?? [], fileSystem)
            for (name, entry) in read { entries[Key(specification: specification, name: name)] = entry }
        }
        self.init(entries, files: order.map { SpecifiedOperations.path(of: $0, in: folder) })
    }

    /// The path that is read, and that the gate asks about. What stands behind `./` is in the folder whatever it begins
    /// with: `.//etc/api.yaml` and `./~/api.yaml` lead nowhere else.
    static func path(of specification: String, in folder: String) -> String {
        let rest = specification.trimmingPrefix("./")
        let isElsewhere = rest.hasPrefix("/") || rest.hasPrefix("~")
        return RelativePath.resolve(isElsewhere ? specification : String(rest), folder: folder)
    }

    private static func read(
        _ specification: String, at path: String, _ names: Set<String>, _ fileSystem: some FileSystem
    ) -> [String: Entry] {
        guard fileSystem.size(path) <= maximumSize else {
            return missing(names, "\(specification.excerpt(80)) is longer than 64 MiB")
        }
        let document: Specification
        do {
            document = try Specification(try fileSystem.read(path), path: specification, only: names)
        } catch let error as FileError {
            return missing(names, "\(specification.excerpt(80)) cannot be read: \(error.reason)")
        } catch let error as ImportError {
            let place = "\(specification.excerpt(80)):\(error.position.line):\(error.position.column)"
            return missing(names, "\(place): \(error.message)")
        } catch {
            return missing(names, "\(specification.excerpt(80)) cannot be read")
        }
        return Dictionary(
            names.map { name -> (String, Entry) in
                let known = document.operation(named: name)
                let entry = known.map { Entry.found($0.base) } ?? .missing(gone(name, specification))
                return (name, entry)
            }
        ) { first, _ in first }
    }

    /// In bytes; looked at before the file is read.
    private static let maximumSize = 64 << 20

    private static func missing(_ names: Set<String>, _ reason: String) -> [String: Entry] {
        Dictionary(names.map { ($0, Entry.missing(reason)) }) { first, _ in first }
    }

    private static func gone(_ name: String, _ specification: String) -> String {
        "\(specification.excerpt(80)) has no operation \(JSONValue.quoted(name.excerpt(80))); "
            + "`ombi spec diff` lists what was renamed"
    }
}
