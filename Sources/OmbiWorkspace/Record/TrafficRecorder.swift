/// Makes a collection and runs of the history of the traffic that a proxy has passed on.
package struct TrafficRecorder: Sendable {
    /// The reason why the collection cannot be read or written, as a sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible, Sendable {
        package let description: String
    }

    /// An exchange for the history and for people, with every secret masked.
    package struct Recorded: Sendable {
        package var order: RunOrder
        package var result: SessionResult
        /// `GET /users/42`
        package var title: String
        /// The name of the request that is added to the collection; nil for a known one.
        package var newName: String?
    }

    /// The path of the collection file.
    package let path: String
    let origin: String
    /// The collection as it was last read or written.
    var base: Collection
    var routes: [RecordedRoute] = []
    private var indices: [String: Int] = [:]
    /// The routes of each URL.
    private var operations: [String: [Int]] = [:]
    private var count = 0
    /// The bytes of the bodies of all routes.
    private var size = 0
    /// Masks the credentials of all exchanges so far.
    private var redactor = Redactor()
    private var values: Set<String> = []

    private static let maximumRoutes = 2000
    /// The bytes of all bodies in the collection.
    private static let maximumSize = 32 << 20
    /// Those that are masked in all later exchanges.
    private static let maximumValues = 200
    /// In bytes. A shorter value would occur in unrelated texts, and is masked by its name alone.
    private static let minimumValue = 5

    /// - Parameters:
    ///   - path: The path of a collection, which need not exist.
    ///   - origin: Scheme, host and port of the server.
    package init(path: String, origin: String) throws(Failure) {
        (self.path, self.origin) = (path, origin)
        base = try Self.load(path).collection
    }

    /// True if a request waits to be written.
    package var hasNews: Bool { routes.contains { !$0.isWritten && $0.hasSucceeded } }

    /// True if further requests are only recorded in the history.
    package var isFull: Bool { routes.count >= Self.maximumRoutes || size >= Self.maximumSize }

    /// Takes an exchange that has ended.
    package mutating func add(_ exchange: ProxiedExchange) -> Recorded {
        count += 1
        let route = RecordedRoute(exchange, origin: origin)
        let redactor = learn(of: route)
        var (names, newName): ([String], String?) = ([], nil)
        if let route, let index = note(route) {
            names = routes[index].names
            if index == routes.count - 1, !routes[index].isWritten, isFirst(index) { newName = names.last }
        }
        let title = Self.title(of: exchange, origin, redactor)
        if names.isEmpty { names = [title] }
        let result = Self.result(of: exchange, redactor, environment: environmentName)
        return Recorded(order: order(of: exchange, names), result: result, title: title, newName: newName)
    }

    private var announced = 0

    /// Returns true the first time that it is called for a route.
    private mutating func isFirst(_ index: Int) -> Bool {
        defer { announced = max(announced, index + 1) }
        return index >= announced
    }

    /// Notes the credentials of a request, and returns a redactor for them and for earlier requests' credentials.
    private mutating func learn(of route: RecordedRoute?) -> Redactor {
        guard let route else { return redactor }
        var secrets = TrafficSecrets()
        _ = secrets.moved(request: route.request.json)
        let found = secrets.found.map(\.value).filter { value in
            let isWord = value.allSatisfy { $0.isLowercase }
            return value.utf8.count >= Self.minimumValue && !isWord && !values.contains(value)
        }
        var masking = redactor
        masking.add(found)
        let kept = found.prefix(max(0, Self.maximumValues - values.count))
        values.formUnion(kept)
        redactor.add(kept)
        return masking
    }

    /// Returns the index of a route; nil if there is no room for it.
    private mutating func note(_ route: RecordedRoute) -> Int? {
        var route = route
        if let index = indices[route.key] {
            // A request that was refused says less than one that was not.
            if route.hasSucceeded, !routes[index].hasSucceeded, !routes[index].isWritten {
                (route.request.name, route.names) = (routes[index].request.name, routes[index].names)
                routes[index] = route
            }
            return index
        }
        let others = operations[route.endpoint] ?? []
        var known = Self.names(of: route, in: base, origin)
        if known == nil {
            let saved = Self.savedOperations(of: route, in: base, origin)
            let count = saved.count + others.count { !routes[$0].isWritten }
            if count > 0 { route.nameByMembers() }
            if count >= route.operation.maximumCount {
                if let first = others.first { return first }
                known = saved.first?.names
            }
        }
        guard !isFull else { return nil }
        if let known { (route.names, route.isWritten) = (known, true) }
        indices[route.key] = routes.count
        operations[route.endpoint, default: []].append(routes.count)
        size += route.size
        routes.append(route)
        return routes.count - 1
    }

    // MARK: The collection

    /// Returns the names of a request in a collection; nil if it has none like it.
    static func names(of route: RecordedRoute, in collection: Collection, _ origin: String) -> [String]? {
        let saved = savedOperations(of: route, in: collection, origin)
        let same = saved.first { $0.operation.key == route.operation.key }
        return (same ?? saved.first { route.operation.matches($0.operation) })?.names
    }

    /// Returns the requests of a collection to the URL of a route.
    private static func savedOperations(
        of route: RecordedRoute, in collection: Collection, _ origin: String
    ) -> [(names: [String], operation: RouteOperation)] {
        let hostPaths = hostPaths(of: collection, origin)
        var found: [(names: [String], operation: RouteOperation)] = []
        collection.forEachRequest { request, folders in
            guard route.isEndpoint(of: request, origin: origin, hostPaths: hostPaths) else { return }
            found.append((folders.map(\.name) + [request.name], RouteOperation(of: request)))
        }
        return found
    }

    /// The paths in the hosts of the environments of a server, and the empty path.
    private static func hostPaths(of collection: Collection, _ origin: String) -> [String] {
        let own = collection.allEnvironments.compactMap { hostPath(of: $0, origin) }
        return [""] + own.filter { !$0.isEmpty }
    }

    /// The path in the host of an environment: `/api` in `http://localhost:8080/api`. nil for an environment of another
    /// server.
    static func hostPath(of environment: Environment, _ origin: String) -> String? {
        var host = environment.host[...]
        while host.last == "/" { host.removeLast() }
        guard host.hasPrefix(origin) else { return nil }
        let path = host.dropFirst(origin.count)
        return path.isEmpty || path.first == "/" ? String(path) : nil
    }

    /// The name of the environment that the runs are recorded under.
    private var environmentName: String {
        let known = base.allEnvironments.first { Self.hostPath(of: $0, origin) != nil }
        return known?.name ?? origin.firstRange(of: "://").map { String(origin[$0.upperBound...]) } ?? origin
    }

    private func order(of exchange: ProxiedExchange, _ names: [String]) -> RunOrder {
        let method = RequestMethod(rawValue: exchange.method) ?? .get
        var request = SavedRequest(name: names.last ?? "", method: method, path: "/")
        if case .request(let known)? = base.item(atPath: names) { request = known }
        var order = RunOrder(
            id: count, request: request, collection: base, environment: environmentName, file: path, folders: nil)
        order.recordedPath = ItemPath(file: path, path: names)
        return order
    }
}

/// Exchanges as runs of the history: one attempt each, with every credential masked.
extension TrafficRecorder {
    /// `GET /users/42`
    static func title(of exchange: ProxiedExchange, _ origin: String, _ redactor: Redactor) -> String {
        let url = LogMask.url(redactor.redact(exchange.url))
        return "\(exchange.method) " + (url.hasPrefix(origin) ? String(url.dropFirst(origin.count)) : url)
    }

    static func result(
        of exchange: ProxiedExchange, _ redactor: Redactor, environment: String
    ) -> SessionResult {
        let response = exchange.response.map { redactor.redact(kept($0)) }
        var ending = SessionResult.Ending.cancelled
        var outcome = AttemptReport.Outcome.cancelled
        var runOutcome = RequestReport.Outcome.cancelled
        if let problem = exchange.problem, !exchange.isCancelled {
            let message = redactor.redact(message: problem.description)
            ending = .failure(message)
            outcome = .failed(problem.code == .timedOut ? .timeout : .connection, message)
            runOutcome = .failed(message)
        } else if let response, !exchange.isCancelled {
            ending = .response(response)
            (outcome, runOutcome) = (.succeeded, .succeeded)
        }
        var attempt = AttemptReport(
            number: 1, startedAt: .zero, duration: exchange.duration, metrics: exchange.metrics, outcome: outcome)
        attempt.received = response
        attempt.isPartial = exchange.isCancelled || exchange.problem != nil
        attempt.errorCode = exchange.problem?.code
        let report = RequestReport(
            attempts: [attempt], duration: exchange.duration, sla: nil, outcome: runOutcome)
        var result = SessionResult(
            ending, prepared: prepared(exchange, redactor, environment: environment), report: report)
        if attempt.isPartial { result.partial = response }
        result.redactor = redactor
        return result
    }

    /// Drops a compressed body, which nothing could show.
    private static func kept(_ response: TransportResponse) -> TransportResponse {
        guard let coding = response[.contentEncoding]?.text.lowercased(), coding != "identity" else { return response }
        var response = response
        response.body = nil
        return response
    }

    private static func prepared(
        _ exchange: ProxiedExchange, _ redactor: Redactor, environment: String
    ) -> PreparedRequest {
        let headers = exchange.headers.fields.map { field -> PreparedRequest.Header in
            let text = redactor.redact(field.value.text)
            // A referrer has the query of another request.
            let value = text.contains("://") ? LogMask.url(text) : text
            return PreparedRequest.Header(
                name: redactor.redact(field.key.name), value: field.key.isSensitive ? LogMask.mask : value)
        }
        let text = exchange.text
        var prepared = PreparedRequest(
            url: LogMask.url(redactor.redact(exchange.url)), hostSource: .environment(environment),
            method: RequestMethod(stringLiteral: exchange.method), headers: headers,
            body: text.flatMap { $0.isEmpty ? nil : body($0, exchange, redactor) }, sla: .init(.zero),
            attempts: .init(1))
        if text == nil {
            prepared.body = "\(exchange.bodySize) bytes, not recorded"
            // The text is not what went out.
            prepared.namesFiles = true
        }
        return prepared
    }

    private static func body(_ text: String, _ exchange: ProxiedExchange, _ redactor: Redactor) -> String {
        let type = exchange.headers[.contentType]?.text.lowercased() ?? ""
        let masked = redactor.redact(text)
        if type.hasPrefix("application/x-www-form-urlencoded") { return String(LogMask.url("?" + masked).dropFirst()) }
        return LogMask.json(NamedCredential.masked(masked))
    }
}

/// Writing new requests into the collection. The rest of the file is left unchanged.
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

    /// Writes the new requests, and their credentials into the local file next to the collection. Does nothing if there
    /// are none.
    /// - Parameter isLast: True to include requests that have only failed.
    /// - Returns: The number of new requests.
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
            var names = UniqueNames(Set(result.allEnvironments.map(\.name)), separator: " ")
            environment.name = names.take(environment.name)
            result.environments.append(environment)
        }
        return Merged(
            collection: result, secrets: imported.secrets, added: zip(new, items).map { (route: $0, id: $1.id) })
    }

    /// Returns the requests without credentials and without a host, as they are imported from any other source.
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
