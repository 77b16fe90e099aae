/// Finds the requests of `COLLECTION[/FOLDER[/REQUEST]]`: a file, or the name of a collection in the current folder.
enum Selection {
    static func jobs(_ selections: [String], environment: String?, tags: [String] = []) throws -> [Job] {
        try jobs(selections, environment, try filter(tags)).jobs
    }

    /// The jobs of a run, which leaves out what is disabled and not named itself.
    static func enabledJobs(_ selections: [String], environment: String?, tags: [String]) throws -> [Job] {
        let (jobs, disabled) = try Self.jobs(selections, environment, try filter(tags), skipsDisabled: true)
        guard !disabled.isEmpty else { return jobs }
        guard !jobs.isEmpty else {
            throw failure("all requests that are selected are disabled; name one to send it: \(disabled[0])")
        }
        StandardError.report("disabled, not sent: " + disabled.joined(separator: ", "))
        return jobs
    }

    static func rows(at path: String) throws -> DataRows {
        let content = try InputFile.content(path)
        do throws(Problem) { return try DataFile.rows(of: content, file: path) } catch {
            StandardError.print(line: error.description)
            throw ExitStatus.misuse
        }
    }

    /// - Returns: the jobs, and the names of the requests that are left out as they are disabled.
    private static func jobs(
        _ selections: [String], _ environment: String?, _ filter: TagFilter, skipsDisabled: Bool = false
    ) throws -> (jobs: [Job], disabled: [String]) {
        var (jobs, disabled): ([Job], [String]) = ([], [])
        var known: Set<String> = []
        try forEachNamed(selections, environment: environment) { request, folders, collection, file, isNamed in
            let tags = collection.tags(of: request, in: folders)
            known.formUnion(tags)
            guard filter.accepts(tags) else { return }
            if skipsDisabled, request.isDisabled, !isNamed {
                return disabled.append(name(of: request, in: folders, of: collection))
            }
            var order = RunOrder(
                id: jobs.count + 1, request: request, collection: collection,
                environment: environment ?? collection.defaultEnvironment?.name, file: file, folders: folders)
            order.sendsMessages = true
            jobs.append(Job(name: name(of: request, in: folders, of: collection), order: order))
        }
        guard !jobs.isEmpty || !disabled.isEmpty || filter.isEmpty else { throw nothing(known) }
        return (jobs, disabled)
    }

    static func filter(_ tags: [String]) throws -> TagFilter {
        do throws(FieldError) { return try TagFilter(tags) } catch {
            throw failure("--tag \(tags.joined(separator: ", ")): \(error.message)")
        }
    }

    /// The error of a selection that no request is in.
    static func nothing(_ known: Set<String>) -> ExitStatus {
        let tags = known.isEmpty ? "none here has a tag" : "the tags here are \(known.sorted().joined(separator: ", "))"
        return failure("no request is selected by --tag; \(tags)")
    }

    /// The name of a request as `ombi run` takes it.
    static func name(of request: SavedRequest, in folders: [Folder], of collection: Collection) -> String {
        ([collection.name] + folders.map(\.name) + [request.name]).joined(separator: "/")
    }

    /// Calls `body` with each request, its folders, its collection and the path of its file. Reports problems on standard
    /// error, and throws if a file has errors.
    static func forEach(
        _ selections: [String], environment: String? = nil,
        _ body: (SavedRequest, [Folder], Collection, _ file: String) -> Void
    ) throws {
        try forEachNamed(selections, environment: environment) { request, folders, collection, file, _ in
            body(request, folders, collection, file)
        }
    }

    /// The same, with true for a request that a selection names itself.
    private static func forEachNamed(
        _ selections: [String], environment: String?,
        _ body: (SavedRequest, [Folder], Collection, _ file: String, _ isNamed: Bool) -> Void
    ) throws {
        // Selections of one file are of one collection: they share what its requests capture.
        var known: [String: LoadedCollection] = [:]
        for selection in selections.isEmpty ? ["."] : selections {
            let (files, path) = try find(selection)
            for found in files {
                let place = (try? PosixFileSystem().resolve(found.path)) ?? found.path
                let file = known[place] ?? found
                known[place] = file
                guard let collection = file.collection else { continue }
                try check(environment, in: collection)
                try forEachRequest(at: path, in: collection) { body($0, $1, collection, file.path, $2) }
            }
        }
    }

    /// Returns the paths of selections: files, folders in them, and requests.
    static func paths(_ selections: [String]) throws -> [ItemPath] {
        try selections.flatMap { selection in
            let (files, path) = try find(selection)
            return files.map { ItemPath(file: $0.path, path: path.last == "" ? Array(path.dropLast()) : path) }
        }
    }

    /// Returns the single collection of a selection, and the path of the item in it.
    static func single(_ selection: String) throws -> (file: LoadedCollection, path: [String]) {
        let (files, path) = try find(selection)
        guard files.count == 1 else { throw failure("\(selection) has \(files.count) collections; name one of them") }
        return (files[0], path)
    }

    /// Returns a collection whose environment is used.
    static func collection(_ selection: String, environment: String?) throws -> LoadedCollection {
        let (file, path) = try single(selection)
        guard path.isEmpty || path == [""] else {
            throw failure("\(selection) is no collection; name the whole of one")
        }
        if let collection = file.collection { try check(environment, in: collection) }
        return file
    }

    /// Returns the files of a selection, and the path of the item in them.
    private static func find(_ selection: String) throws -> ([LoadedCollection], [String]) {
        if let (pipe, path) = PipedFile.split(selection) { return (try checked([piped(pipe)]), path) }
        if FileManager.default.fileExists(atPath: selection) {
            let part = Importer.part(at: selection)
            return (try load([part?.root ?? selection]), part?.names ?? [])
        }
        let parts = selection.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var isNearest = true
        for count in stride(from: parts.count - 1, to: 0, by: -1) {
            let path = parts[..<count].joined(separator: "/")
            guard FileManager.default.fileExists(atPath: path) else { continue }
            defer { isNearest = false }
            if isNearest, !isNamedAsFile(selection), let part = Importer.part(at: path) {
                return (try load([part.root]), part.names + parts[count...])
            }
            // The folders around it may be all of the disk: there only those count that say so themselves.
            let isForeign =
                isNearest
                ? !LoadedCollection.foreignFolders([path], besides: []).isEmpty : LoadedCollection.isForeignFolder(path)
            guard isNamedAsFile(path) || isForeign && !isNamedAsFile(selection) else { continue }
            return (try load([path]), Array(parts[count...]))
        }
        // An invalid file next to the selected one does not matter.
        let loaded = CollectionFinder.load(["."])
        for shown in Self.forms {
            for count in parts.indices.map({ $0 + 1 }) {
                let name = parts[..<count].joined(separator: "/")
                let named = loaded.filter { $0.isNamed(name, shown) }
                if !named.isEmpty { return (try checked(named), Array(parts[count...])) }
            }
        }
        if let path = path(of: parts) { return (try load([path]), []) }
        let known = loaded.compactMap(\.collection).flatMap { collection in
            [collection.name] + names(in: collection).map { "\(collection.name)/\($0)" }
        }
        let hint = hint(for: parts, in: known)
        throw failure(
            "no collection named \"\(parts[0])\" here"
                + (hint.isEmpty ? "; name a file, or list them with `ombi list`" : hint))
    }

    private static func isNamedAsFile(_ path: String) -> Bool { Importer.fileEndings.contains { path.hasSuffix($0) } }

    /// The collections of pipes, each of which is read once.
    private static let pipes = Lock<[String: LoadedCollection]>([:])

    private static func piped(_ path: String) -> LoadedCollection {
        pipes.withLock { known in
            let name = PipedFile.name(of: path)
            if known[name] == nil, PipedFile.isStandardInput(path) { StandardInput.announce() }
            let collection = known[name] ?? PipedFile.collection(path)
            known[name] = collection
            return collection
        }
    }

    /// Returns the path of the file that a selection can only mean; nil for one that may begin with the name of a
    /// collection.
    private static func path(of parts: [String]) -> String? {
        if let file = parts.firstIndex(where: { $0.hasSuffix(".json") }) {
            return parts[...file].joined(separator: "/")
        }
        return parts.count > 1 && ["", ".", ".."].contains(parts[0]) ? parts.joined(separator: "/") : nil
    }

    /// Returns the collections at paths, also those of other tools. Reports problems, and throws if a file has errors.
    static func load(_ paths: [String]) throws -> [LoadedCollection] {
        let files = CollectionFinder.load(paths)
        let found = files + LoadedCollection.foreignFolders(paths, besides: files)
        guard !found.isEmpty else {
            throw failure("no collection files in \(paths.joined(separator: ", ")); `ombi demo` shows one")
        }
        return try checked(found)
    }

    /// Reports the problems of files, and throws for one that cannot be used. Those of other tools are imported in
    /// memory.
    private static func checked(_ loaded: [LoadedCollection]) throws -> [LoadedCollection] {
        let loaded = loaded.map { file in
            guard file.collection == nil else { return file.specified() }
            // A folder has no problem but that of the import.
            return file.importing ?? (file.problems.isEmpty ? file.readInPlace : file)
        }
        let broken = loaded.filter { $0.collection == nil }
        for file in broken.isEmpty ? loaded : broken { ProblemLines(file.problems).report() }
        guard broken.isEmpty else {
            throw broken.contains(where: \.isUnreadable) ? ExitStatus.inputOutput : ExitStatus.misuse
        }
        return loaded
    }

    /// The forms in which a selection may name an item: as it is, and as `ombi list` prints it.
    private static let forms: [@Sendable (String) -> String] = [{ $0 }, { SafeText.line($0) }]

    private static func check(_ environment: String?, in collection: Collection) throws {
        guard let environment, !collection.canChoose(environment: environment), !collection.environments.isEmpty
        else { return }
        let known = collection.choosableEnvironments.map(\.name).joined(separator: ", ")
        if collection.environment(named: environment) != nil {
            throw failure("the environment \"\(environment)\" is abstract; \(collection.name) can be sent to \(known)")
        }
        throw failure("\(collection.name) has no environment \"\(environment)\"; it has \(known)")
    }

    private static func forEachRequest(
        at path: [String], in collection: Collection,
        _ body: (SavedRequest, [Folder], _ isNamed: Bool) -> Void
    ) throws {
        guard !path.isEmpty, path != [""] else { return collection.forEachRequest { body($0, $1, false) } }
        let name = path.joined(separator: "/")
        let found = forms.lazy.map { items(named: name[...], in: collection.items, $0) }.first { !$0.isEmpty }
        guard let found else {
            let hint = hint(for: path, in: names(in: collection))
            throw failure(
                "\(collection.name) has no \"\(name)\"" + (hint.isEmpty ? "; `ombi list` lists its requests" : hint))
        }
        for item in found {
            switch item {
            case .request(let request): body(request, collection.folders(to: request.id), true)
            case .folder(let folder): collection.forEachRequest(in: folder.id) { body($0, $1, false) }
            }
        }
    }

    /// The folders and the requests of a collection, as a selection names them.
    private static func names(in collection: Collection) -> [String] {
        var (names, seen): ([String], Set<String>) = ([], [])
        collection.forEachRequest { request, folders in
            let path = folders.map(\.name) + [request.name]
            for end in path.indices {
                let name = path[...end].joined(separator: "/")
                if seen.insert(name).inserted { names.append(name) }
            }
        }
        return names
    }

    /// The hint about an unknown selection: the item whose name ends like it, or the nearest one; empty for none.
    private static func hint(for parts: [String], in names: [String]) -> String {
        let name = parts.filter { !$0.isEmpty }.joined(separator: "/")
        let meant = names.first { $0 == name || $0.hasSuffix("/" + name) } ?? Spelling.nearest(to: name, in: names)
        return meant.map { "; did you mean \"\($0)\"?" } ?? ""
    }

    /// Returns the items of that name: several where siblings share theirs. A name may hold slashes itself, and one may
    /// follow that of a folder.
    /// - Parameter shown: the form of the names.
    private static func items(
        named name: Substring, in items: [CollectionItem], _ shown: (String) -> String
    ) -> [CollectionItem] {
        items.flatMap { item in
            let own = shown(item.name)
            if own == name { return [item] }
            let folder = own + "/"
            if name == folder, case .folder = item { return [item] }
            return name.hasPrefix(folder) ? Self.items(named: name.dropFirst(folder.count), in: item.items, shown) : []
        }
    }

    private static func failure(_ message: String) -> ExitStatus { .misuse.reporting(message) }
}

extension LoadedCollection {
    /// Matches the name of the collection, or of its file with or without the extension.
    fileprivate func isNamed(_ name: String, _ shown: (String) -> String) -> Bool {
        let file = shown(path.split(separator: "/").last.map(String.init) ?? path)
        return (collection?.name).map(shown) == name || file == name || file == name + ".json"
    }
}
