/// Writing what is new into the collection. Whatever else is in the file stays as it is.
extension TrafficRecorder {
    /// A collection with the new requests, and their credentials.
    private struct Merged {
        var collection: Collection
        var secrets: [ImportedSecret]
        /// The places of the new routes, and the IDs of their requests.
        var added: [(route: Int, id: ItemID)]
    }

    /// Others may write the file at the same time.
    private static let maximumTries = 3

    /// Writes the new requests, and their credentials into the local file beside the collection. Does nothing without
    /// any.
    /// - Parameter isLast: true writes those as well that have only failed.
    /// - Returns: the number of new requests.
    package mutating func write(isLast: Bool) throws(Failure) -> Int {
        let due = routes.indices.filter { !routes[$0].isWritten && (isLast || routes[$0].hasSucceeded) }
        guard !due.isEmpty else { return 0 }
        var failure = Failure(description: "")
        for _ in 0..<Self.maximumTries {
            let (collection, fingerprint) = try Self.load(path)
            let merged = try merged(due, into: collection)
            do throws(SaveError) {
                if !merged.added.isEmpty { try save(merged, fingerprint) }
            } catch {
                failure = Failure(description: error.description)
                switch error {
                case .changedOnDisk, .removedOnDisk: continue
                case .failed, .unreadable, .foreign: throw failure
                }
            }
            note(merged, due)
            return merged.added.count
        }
        throw failure
    }

    private mutating func note(_ merged: Merged, _ due: [Int]) {
        base = merged.collection
        for index in due {
            routes[index].isWritten = true
            if let known = Self.names(of: routes[index], in: base, origin) { routes[index].names = known }
        }
        for (route, id) in merged.added { routes[route].names = base.path(to: id) }
    }

    private func save(_ merged: Merged, _ fingerprint: Fingerprint) throws(SaveError) {
        if !merged.secrets.isEmpty, let local = OverlayFile.path(for: path) {
            // First: a collection whose secrets are nowhere is of no use.
            let values = merged.secrets.map { (name: $0.name, value: $0.value) }
            do throws(FileError) { try OverlayFile.add(values, to: local, PosixFileSystem()) } catch {
                throw .failed(error)
            }
        }
        _ = try CollectionFile.save(merged.collection, to: path, expecting: fingerprint)
    }

    // MARK: Reading

    static func load(_ path: String) throws(Failure) -> (collection: Collection, fingerprint: Fingerprint) {
        var loaded = CollectionFile.load(path)
        if loaded.isMissing {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let name = String(file.hasSuffix(".json") ? file.dropLast(5) : file[...])
            loaded = LoadedCollection(path: path, collection: Collection(name: name), fingerprint: .absent)
            OverlayFile.attach(to: &loaded, PosixFileSystem())
        }
        guard let collection = loaded.specified().collection else {
            let problem = loaded.problems.first { $0.severity == .error }
            throw Failure(description: problem?.description ?? "\(path) cannot be read")
        }
        return (collection, loaded.fingerprint)
    }

    // MARK: Merging

    private func merged(_ due: [Int], into collection: Collection) throws(Failure) -> Merged {
        let new = due.filter { Self.names(of: routes[$0], in: collection, origin) == nil }
        guard !new.isEmpty else { return Merged(collection: collection, secrets: [], added: []) }
        let imported = try imported(new.map { routes[$0].request }, into: collection)
        var result = collection
        let items = imported.collection.items.map { item -> CollectionItem in
            guard case .request(let request) = item else { return item }
            return .request(placed(request, in: collection))
        }
        result.put(items, .root)
        if !result.allEnvironments.contains(where: { Self.hostPath(of: $0, origin) != nil }),
            var environment = imported.collection.environments.first
        {
            let name = environment.name
            var number = 2
            while result.allEnvironments.contains(where: { $0.name == environment.name }) {
                environment.name = "\(name) \(number)"
                number += 1
            }
            result.environments.append(environment)
        }
        return Merged(
            collection: result, secrets: imported.secrets, added: zip(new, items).map { (route: $0, id: $1.id) })
    }

    /// Returns the requests without credentials and without a host, as those of any other source are imported.
    private func imported(_ requests: [SavedRequest], into collection: Collection) throws(Failure) -> Imported {
        let taken = Self.variableNames(in: collection)
        let known = collection.overlay.secrets.compactMap { secret -> (name: String, value: String)? in
            guard case .value(let value) = secret.source, !value.isEmpty else { return nil }
            return (name: secret.name, value: value)
        }
        var secrets = TrafficSecrets(names: taken, known: known)
        let items = requests.map(CollectionItem.request).withUniqueNames
        let moved = secrets.moved(collection: Collection(name: collection.name, items: items).json)
        guard var traffic = CollectionFile.read(Array(moved.compact.utf8), file: "").collection else {
            throw Failure(description: "\(path): no collection can hold what was recorded")
        }
        // No new name is one of these.
        traffic.variables = taken.sorted().map { Variable($0, "") } + secrets.found
        var imported = Imported(traffic)
        imported.secretNames = Set(secrets.found.map(\.name))
        do throws(ImportError) { return try imported.finished() } catch {
            throw Failure(description: "\(path): \(error.message)")
        }
    }

    private static func variableNames(in collection: Collection) -> Set<String> {
        let overlay = collection.overlay
        var names = Set(collection.allVariables.map(\.name) + overlay.secrets.map(\.name))
        for environment in collection.environments + overlay.environments {
            names.formUnion(environment.variables.map(\.name) + environment.secrets.map(\.name))
        }
        for file in overlay.envFiles.values { names.formUnion(file) }
        collection.forEachRequest { request, folders in
            names.formUnion(request.captures.map(\.name))
            for folder in folders { names.formUnion(folder.settings.variables.map(\.name)) }
        }
        return names
    }

    /// Returns a request as it goes to the server with the environments of the collection.
    private func placed(_ request: SavedRequest, in collection: Collection) -> SavedRequest {
        let own = collection.allEnvironments.lazy.compactMap { Self.hostPath(of: $0, origin) }.first
        guard let path = own, !path.isEmpty else { return request }
        var request = request
        if request.path.hasPrefix(path + "/") {
            request.path = String(request.path.dropFirst(path.count))
        } else {
            request.path = origin + request.path
        }
        return request
    }
}
