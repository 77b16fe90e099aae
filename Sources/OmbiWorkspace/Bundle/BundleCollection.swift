/// The requests of recorded runs as one collection: those that are still in their files, and the others as they were
/// recorded. It has neither secrets nor anything of the files next to them.
struct BundleCollection {
    private(set) var collection: Collection
    /// The names in the collection of each recorded request.
    private(set) var paths: [ItemPath: [String]] = [:]
    /// The names of environments that had to be made unique, by file and former name.
    private var environments: [ItemPath: String] = [:]

    /// - Parameter load: Returns the collection in a file; nil if it was removed.
    /// - Throws: An `ImportError` for requests that no file can hold.
    init(of excerpt: HistoryExcerpt, load: (_ file: String) -> Collection?) throws(ImportError) {
        var files: [String] = []
        for request in excerpt.requests where !files.contains(request.file) { files.append(request.file) }
        collection = Collection(schema: nil, name: "Incident")
        let isAlone = files.count == 1
        for file in files {
            let runs = excerpt.runs.filter { $0.request.file == file }
            var part = load(file) ?? Collection(schema: nil, name: Self.name(of: file))
            part.overlay = CollectionOverlay()
            if part.environments.allSatisfy(\.isAbstract), let known = Self.environment(of: runs) {
                part.environments.append(known)
            }
            let recorded = Self.prune(&part, to: runs)
            let folder = isAlone ? [] : [Collection.freeName(for: part.name, among: collection.items)]
            for (request, names) in recorded { paths[request] = folder + names }
            if isAlone { collection = part } else { add(part, in: folder[0], of: file) }
        }
        collection.schema = nil
        collection = try Self.withoutSecrets(collection)
    }

    /// Returns an excerpt whose runs are of the requests and the environments of the collection.
    func following(_ excerpt: HistoryExcerpt) -> HistoryExcerpt {
        var result = excerpt
        for index in result.runs.indices {
            let run = result.runs[index]
            result.runs[index].request = ItemPath(file: "", path: paths[run.request] ?? run.request.path)
            guard let name = run.environment else { continue }
            let known = ItemPath(file: run.request.file, path: [name])
            result.runs[index].environment = environments[known] ?? name
        }
        return result
    }

    private static func name(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? ""
        let stem = String(name.prefix { $0 != "." })
        return stem.isEmpty ? "Scratch" : stem
    }

    // MARK: Requests

    /// Leaves the requests of the runs, and adds those that the collection does not have.
    /// - Returns: the names of each.
    private static func prune(
        _ collection: inout Collection, to runs: [HistoryExcerpt.Run]
    ) -> [(ItemPath, [String])] {
        let wanted = Set(runs.map(\.request.path))
        collection.items = pruned(collection.items, below: [], wanted)
        var found: Set<[String]> = []
        collection.forEachRequest { request, folders in found.insert(folders.map(\.name) + [request.name]) }
        var names: [(ItemPath, [String])] = []
        var known: Set<[String]> = []
        for run in runs where known.insert(run.request.path).inserted {
            if found.contains(run.request.path) {
                names.append((run.request, run.request.path))
                continue
            }
            var request = recorded(run)
            request.name = Collection.freeName(for: request.name, among: collection.items)
            collection.items.append(.request(request))
            names.append((run.request, [request.name]))
        }
        return names
    }

    private static func pruned(
        _ items: [CollectionItem], below names: [String], _ wanted: Set<[String]>
    ) -> [CollectionItem] {
        items.compactMap { item -> CollectionItem? in
            switch item {
            case .request(let request): return wanted.contains(names + [request.name]) ? item : nil
            case .folder(var folder):
                folder.items = pruned(folder.items, below: names + [folder.name], wanted)
                return folder.items.isEmpty ? nil : .folder(folder)
            }
        }
    }

    /// A request that was removed from all files, reconstructed from its run.
    private static func recorded(_ run: HistoryExcerpt.Run) -> SavedRequest {
        let name = run.request.path.last ?? ""
        var request = SavedRequest(name: name.isEmpty ? "recorded" : name, path: "/")
        request.method = RequestMethod(rawValue: run.method.uppercased()) ?? .get
        let url = (run.url ?? "").prefix { $0 != "#" }
        if !url.isEmpty { request.path = TemplateText.literal(String(url)) }
        request.description = "As it was recorded: its file does not have it any more."
        return request
    }

    /// An environment that was removed from all files, or is in a local one, reconstructed from the runs.
    private static func environment(of runs: [HistoryExcerpt.Run]) -> Environment? {
        guard let run = runs.first(where: { $0.url != nil }), let url = run.url,
            let scheme = url.firstRange(of: "://")
        else { return nil }
        let end = url[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? url.endIndex
        let host = String(url[..<end])
        guard !host.contains("@"), (try? HostText.check(host)) != nil else { return nil }
        return Environment(name: run.environment ?? "recorded", host: host)
    }

    // MARK: Several files

    /// Adds a collection as a folder, with its environments under names that no other has.
    private mutating func add(_ part: Collection, in folder: String, of file: String) {
        collection.items.append(.folder(Folder(name: folder, settings: part.settings, items: part.items)))
        let taken = Set(collection.environments.map(\.name))
        var names: [String: String] = [:]
        for environment in part.environments where taken.contains(environment.name) {
            names[environment.name] = "\(environment.name) of \(folder)"
        }
        for var environment in part.environments {
            if let name = names[environment.name] {
                environments[ItemPath(file: file, path: [environment.name])] = name
                environment.name = name
            }
            environment.inherits = environment.inherits.map { names[$0] ?? $0 }
            collection.environments.append(environment)
        }
    }

    // MARK: Secrets

    /// Each secret, and each value that looks like one, is typed in when it is needed.
    private static func withoutSecrets(_ collection: Collection) throws(ImportError) -> Collection {
        var imported = Imported(collection.withoutSources)
        imported.isComplete = true
        return try imported.finished().written { _ in .prompt("") }
    }
}

/// Recorded runs and their requests in one file, for someone who has neither the collection nor the history. Secrets
/// are masked; values from this machine must be typed in there.
package struct IncidentBundle: Equatable, Sendable {
    package var collection: Collection
    /// The runs, whose requests are in the collection under the same names.
    package var excerpt: HistoryExcerpt

    /// The facts of the time that the runs are of, for other programs; Ombi counts again.
    package struct Facts: Sendable {
        package var start: Date
        package var end: Date
        /// The number of runs in that time, which may be more than are in the file.
        package var count: Int
        package var statistics: JSONValue

        package init(start: Date, end: Date, count: Int, statistics: JSONValue) {
            (self.start, self.end, self.count, self.statistics) = (start, end, count, statistics)
        }
    }

    // MARK: Writing

    /// Gathers the requests of recorded runs from their files.
    /// - Parameter load: Returns the collection in a file; nil if it was removed.
    package init(
        of excerpt: HistoryExcerpt,
        load: (_ file: String) -> Collection? = { CollectionFile.load($0).readInPlace.specified().collection }
    ) throws(ImportError) {
        let requests = try BundleCollection(of: excerpt, load: load)
        collection = requests.collection
        self.excerpt = requests.following(excerpt)
    }

    /// The text of the file. Throws if it is too large for readers.
    package func text(_ facts: Facts) throws(ImportError) -> String {
        let range: JSONValue = ["start": .number(facts.start.microseconds), "end": .number(facts.end.microseconds)]
        var text = "{\n\"ombi\": \"\(BundleFormat.marker)\",\n\"format\": \(BundleFormat.version),\n"
        text += "\"range\": \(range.compact),\n\"runCount\": \(facts.count),\n"
        text += "\"statistics\": \(facts.statistics.compact),\n"
        text += "\"collection\": \(collection.json.compact),\n"
        text += Self.list("marks", excerpt.markLines) + ",\n"
        text += Self.list("contents", excerpt.contentLines) + ",\n"
        text += Self.list("runs", excerpt.runLines) + "\n}\n"
        guard text.utf8.count <= BundleFormat.maximumSize else {
            throw ImportLog([]).error(0, "the bundle would be larger than 64 MiB; name a shorter time, or one request")
        }
        return text
    }

    private static func list(_ key: String, _ lines: [String]) -> String {
        lines.isEmpty ? "\"\(key)\": []" : "\"\(key)\": [\n" + lines.joined(separator: ",\n") + "\n]"
    }

    // MARK: Reading

    /// Reads a file of unknown origin. Accesses nothing but its bytes.
    /// - Parameter path: The name for messages.
    package init(reading content: [UInt8], path: String) throws(ImportError) {
        let file = try ForeignFile(content, path: path)
        let log = ImportLog(file.bytes)
        if let problem = file.syntaxProblem { throw log.error(problem.offset, problem.reason) }
        guard let root = file.root, BundleImport.recognizes(file) else {
            throw log.error(0, "this is no incident bundle; ombi incident --bundle FILE writes one")
        }
        collection = try BundleImport.read(file).collection
        var reader = BundleRunReader(log: log)
        excerpt = try reader.read(root)
    }
}
