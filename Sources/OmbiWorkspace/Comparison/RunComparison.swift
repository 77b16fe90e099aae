/// Two runs of a request side by side: status, time, and the values that differ.
package struct RunComparison: Equatable, Sendable {
    package struct Side: Equatable, Sendable {
        /// Its number in the history; nil if it is not recorded.
        package var run: HistoryEntry.ID?
        /// The request that this side ran; nil if it is `RunComparison.request`.
        package var request: ItemPath?
        package var environment: String?
        package var startedAt: Date?
        package var outcome: RecordedOutcome
        package var status: Int?
        /// The first reason why it did not pass.
        package var failure: String?
        /// Nil if nothing was sent.
        package var duration: Duration?
        package var attempts: Int
        /// The body, masked as in the history. A comparison drops it after use.
        package var body: Data?
        /// The reason why the body is missing, as a sentence.
        package var missingBody: String?

        /// True for a response, whatever its status.
        package var hasResponse: Bool { outcome == .passed || outcome == .failed }
    }

    package var request: ItemPath
    package var old: Side
    package var new: Side
    package var body: BodyDifference

    /// - Parameter paths: those whose values may differ.
    package init(_ request: ItemPath, from old: Side, to new: Side, ignoring paths: [JSONPath] = []) {
        self.request = request
        self.old = old
        self.new = new
        if let missing = old.missingBody ?? new.missingBody {
            body = .other(missing)
        } else if old.hasResponse, new.hasResponse {
            body = BodyDifference(from: old.body, to: new.body, ignoring: paths)
        } else {
            body = .same
        }
        // They have been compared.
        (self.old.body, self.new.body) = (nil, nil)
    }

    /// The request of the old run; nil if both are runs of one request.
    package var oldRequest: ItemPath? { old.request == request ? nil : old.request }

    /// True for two responses with the same status and the same values.
    package var isSame: Bool {
        old.hasResponse && new.hasResponse && old.status == new.status && body == .same
    }
}

extension RunComparison.Side {
    package init(_ run: RecordedRun) {
        let entry = run.entry
        self.init(
            run: entry.id, request: entry.request, environment: entry.environment, startedAt: entry.startedAt,
            outcome: entry.outcome,
            status: entry.outcome == .error ? nil : entry.status, failure: entry.failure,
            duration: entry.attempts > 0 ? entry.duration : nil,
            attempts: entry.attempts, body: run.result.response?.body, missingBody: run.missingBody)
    }

    /// - Parameter result: The result of a run that has just ended.
    package init(_ result: SessionResult, environment: String?) {
        self.init(
            run: nil, environment: environment, startedAt: nil, outcome: RecordedOutcome(result),
            status: result.response?.statusCode, failure: result.failures.first, duration: result.report?.duration,
            attempts: result.tries, body: result.maskedBody, missingBody: nil)
    }
}

/// The difference between the bodies of two responses: JSON by its values, anything else by its bytes.
package enum BodyDifference: Equatable, Sendable {
    case same
    /// - isCut: True if there are more changes than listed.
    case values([JSONValueChange], isCut: Bool)
    /// The reason why no values are compared, as a sentence without its subject.
    case other(String)

    package static let maximumChanges = 1000
    /// The bytes of a body whose values are compared.
    static let maximumBytes = 64 << 20

    package init(from old: Data?, to new: Data?, ignoring paths: [JSONPath] = []) {
        let (old, new) = (old ?? Data(), new ?? Data())
        if old == new { self = .same } else { self = Self.different(old, new, paths) }
    }

    private static func different(_ old: Data, _ new: Data, _ paths: [JSONPath]) -> BodyDifference {
        guard max(old.count, new.count) <= maximumBytes else { return .other("larger than 64 MiB, and not the same") }
        guard let left = document(old), let right = document(new) else { return bytes(old, new) }
        let changes = JSONDiff.valueChanges(from: left, to: right, ignoring: paths, limit: maximumChanges + 1) ?? []
        if changes.isEmpty { return .same }
        return .values(Array(changes.prefix(maximumChanges)), isCut: changes.count > maximumChanges)
    }

    private static func bytes(_ old: Data, _ new: Data) -> BodyDifference {
        if old.isEmpty { return .other("there was no body") }
        if new.isEmpty { return .other("there is no body") }
        let common = zip(old, new).prefix { $0 == $1 }.count
        return .other("not both JSON; byte \(common) is the first that differs")
    }

    /// Returns nil unless the data is JSON.
    private static func document(_ data: Data) -> JSONDocument? {
        let document = JSONIndex.document(Bytes(data))
        return document.error == nil && document.rootCount == 1 ? document : nil
    }

    package var changes: [JSONValueChange] { if case .values(let changes, _) = self { changes } else { [] } }
}

/// A path whose value differs between runs of one request in one environment, and is thus meaningless in a comparison.
package struct VolatilePath: Equatable, Sendable {
    /// With `[*]` for positions.
    package var path: String
    /// The number of runs in which it differed from the run before.
    package var changes: Int
    /// The runs that were compared with the one before.
    package var comparisons: Int

    /// The maximum number of paths that are proposed.
    package static let maximum = 20
    /// The number of runs that are looked at.
    static let maximumRuns = 8

    /// Returns the paths that differ between bodies of the same status, the most frequent first.
    /// - Parameters:
    ///   - bodies: in the order in which they came.
    ///   - paths: those that are ignored already.
    package static func paths(in bodies: [Data], ignoring paths: [JSONPath] = []) -> [VolatilePath] {
        var counts: [String: Int] = [:]
        for (old, new) in zip(bodies, bodies.dropFirst()) {
            let changed = Set(
                BodyDifference(from: old, to: new, ignoring: paths).changes.map {
                    JSONPathPattern.generalized($0.path)
                })
            for path in changed where path != "$" { counts[path, default: 0] += 1 }
        }
        let all = counts.map { VolatilePath(path: $0, changes: $1, comparisons: bodies.count - 1) }
        return Array(all.sorted { ($1.changes, $0.path) < ($0.changes, $1.path) }.prefix(maximum))
    }
}

extension History {
    /// Returns the paths that differed between the newest runs of a request in an environment.
    package func volatilePaths(
        of request: ItemPath, environment: String?, status: Int?, ignoring paths: [JSONPath] = []
    ) async throws(HistoryError) -> [VolatilePath] {
        var filter = HistoryFilter(item: request)
        filter.environment = environment
        filter.outcomes = [.passed, .failed]
        var bodies: [Data] = []
        for entry in try await entries(filter, limit: VolatilePath.maximumRuns)
        where entry.status == status && entry.size ?? 0 <= BodyDifference.maximumBytes / 8 {
            if let body = try await run(entry.id)?.result.response?.body { bodies.append(body) }
        }
        return VolatilePath.paths(in: bodies.reversed(), ignoring: paths)
    }
}

/// The requests of a collection whose parts have changed since an earlier state of its file: their own, inherited ones,
/// the variables that they use, and the requests that capture these.
///
/// Names, descriptions, tags and the formatting of the file do not count.
package struct RequestChanges {
    private let old: RequestSources
    private let new: RequestSources

    /// - Parameter environment: The name of the environment for requests; nil for none.
    package init(from old: Collection, to new: Collection, environment: String?) {
        var earlier = old.withIdentities(of: new)
        // The part that belongs to this machine has no earlier state.
        earlier.takeOverlay(from: new)
        self.old = RequestSources(earlier, environment)
        self.new = RequestSources(new, environment)
    }

    /// Returns true for a request that is new, too.
    package func isChanged(_ request: ItemID) -> Bool { old.parts(of: request) != new.parts(of: request) }
}

/// All parts of a collection file that affect how a request is sent and judged.
private struct RequestParts: Equatable {
    /// A variable as a request sees it.
    struct Use: Hashable {
        var request: ItemID
        var variable: String
    }

    /// The request, and those that may be sent first.
    var requests: [ItemID: JSONValue] = [:]
    var variables: [Use: JSONValue] = [:]
}

/// A collection in an environment, in which the parts of requests are looked up.
private struct RequestSources {
    private let collection: Collection
    private let environment: Environment?
    private let captures: CaptureIndex
    private let places: [ItemID: (request: SavedRequest, folders: [Folder])]

    init(_ collection: Collection, _ environment: String?) {
        self.collection = collection
        self.environment = environment.flatMap(collection.environment(named:))
        captures = CaptureIndex(collection)
        var places: [ItemID: (request: SavedRequest, folders: [Folder])] = [:]
        collection.forEachRequest { request, folders in places[request.id] = (request, folders) }
        self.places = places
    }

    /// Nil for a request that is not in the collection.
    func parts(of request: ItemID) -> RequestParts? {
        guard places[request] != nil else { return nil }
        var parts = RequestParts()
        var left = [request]
        while let id = left.popLast() {
            guard parts.requests[id] == nil, let place = places[id] else { continue }
            let inheritance = Inheritance(collection, folders: place.folders, environment: environment)
            let own = json(of: place.request, inheritance)
            parts.requests[id] = own
            let variables = inheritance.levels.reversed().flatMap(\.settings.variables).filter(\.enabled)
            var names = VariableUses.names(anywhereIn: own)
            var seen: Set<String> = []
            while let name = names.popFirst() {
                guard seen.insert(name).inserted else { continue }
                // The nearest level comes last.
                let value = variables.last { $0.name == name }?.value
                let secrets = (environment?.secrets ?? []).filter { $0.name == name }
                parts.variables[RequestParts.Use(request: id, variable: name)] =
                    JSONValue.array([JSONValue.nullable(value)] + secrets.map(\.json))
                if let value { names.formUnion(VariableUses.names(in: [value])) }
                left += (captures.requests[name] ?? []).map(\.id)
            }
        }
        return parts
    }

    /// The request with its inherited parts, before templates are filled in.
    private func json(of request: SavedRequest, _ inheritance: Inheritance) -> JSONValue {
        var own = request
        (own.name, own.description, own.tags) = ("", "", [])
        let sent = inheritance.sent(with: request)
        let isForeign = inheritance.isForeign(request)
        let connections = inheritance.connections(of: request, isForeign: isForeign)
        let headers = sent.headers.map(\.value.json)
        let authentication = sent.authentication?.value.json(UnknownMembers())
        let isTraced = inheritance.trace(of: request, isForeign: isForeign).isOn.map(JSONValue.bool)
        let isVerified = environment.map { JSONValue.bool($0.verifyTLS) }
        return [
            "request": own.wholeJSON, "headers": .array(headers), "authentication": authentication,
            "trace": isTraced, "policy": inheritance.policy.json, "connection": connections.merged.json,
            "host": .nullable(environment?.host), "verifyTLS": isVerified,
        ]
    }
}
