/// The requests of a collection that capture each variable, in the order of the tree.
public struct CaptureIndex: Sendable, Equatable {
    public private(set) var requests: [String: [SavedRequest]] = [:]

    public init(_ collection: Collection) { add(collection.items) }

    private mutating func add(_ items: [CollectionItem]) {
        for item in items {
            switch item {
            case .folder(let folder): add(folder.items)
            case .request(let request) where request.captures.isEmpty: break
            case .request(let request):
                for capture in request.captures where capture.enabled {
                    requests[capture.name, default: []].append(request)
                }
            }
        }
    }

    /// A stand-in for each variable.
    var samples: [String: CapturedValue] {
        var samples: [String: CapturedValue] = [:]
        for (name, requests) in requests {
            guard let request = requests.first, let capture = request.captures.first(where: { $0.name == name }) else {
                continue
            }
            samples[name] = .sample(capture, of: request)
        }
        return samples
    }

    /// The request to send for a variable: the first that captures it and is not itself waiting for it.
    /// - Parameter path: the requests that wait, the first one in front.
    func request(capturing name: String, for path: [SavedRequest]) -> SavedRequest? {
        requests[name]?.first { request in !path.contains { $0.id == request.id } }
    }

    /// The variables whose value can come only from a request that waits for it.
    func circular(for path: [SavedRequest]) -> Set<String> {
        Set(requests.keys.filter { request(capturing: $0, for: path) == nil })
    }

    static let cycleReason = "the requests need each other: "

    /// The error of a variable that can come only from a request that waits for it.
    func cycle(_ name: String, _ path: [SavedRequest]) -> ResolveError {
        let first = requests[name]?.first
        let start = path.firstIndex { $0.id == first?.id } ?? 0
        let names = (path[start...] + [first].compactMap { $0 }).map { "\"\($0.name)\"" }
        return ResolveError(
            request: path.last?.name ?? "", field: "{{\(name)}}",
            reason: Self.cycleReason + names.joined(separator: " → ") + "; "
                + "set \(name) with --set, or capture it elsewhere")
    }

    /// The scope of a run in which nothing has been captured so far.
    func scope(for path: [SavedRequest]) -> CapturedScope {
        CapturedScope([:], requests: requests.compactMapValues { $0.first?.name }, circular: circular(for: path))
    }
}

/// A request that is sent before another one, for a variable that it captures.
public struct Dependency: Sendable, Equatable {
    public var request: SavedRequest
    /// The name of the variable.
    public var variable: String

    public init(_ request: SavedRequest, variable: String) {
        self.request = request
        self.variable = variable
    }
}

extension CaptureIndex {
    /// Returns what would be sent before a request, in order and each once. Nothing is sent for it.
    /// - Parameters:
    ///   - scope: with the values that are known.
    ///   - resolve: fills a request in.
    func plan(
        _ request: SavedRequest, _ scope: CapturedScope,
        resolve: (SavedRequest, CapturedScope) throws(ResolveError) -> Void
    ) throws(ResolveError) -> [Dependency] {
        var scope = scope
        var plan: [Dependency] = []
        try add([request], to: &plan, &scope, resolve)
        return plan
    }

    private func add(
        _ path: [SavedRequest], to plan: inout [Dependency], _ scope: inout CapturedScope,
        _ resolve: (SavedRequest, CapturedScope) throws(ResolveError) -> Void
    ) throws(ResolveError) {
        guard let request = path.last else { return }
        while true {
            scope.circular = circular(for: path)
            do throws(ResolveError) { return try resolve(request, scope) } catch {
                guard let name = error.missingCapture else { throw error }
                guard let next = self.request(capturing: name, for: path) else { throw cycle(name, path) }
                try add(path + [next], to: &plan, &scope, resolve)
                plan.append(Dependency(next, variable: name))
                for capture in next.captures where capture.enabled {
                    scope.values[capture.name] = .sample(capture, of: next)
                }
            }
        }
    }
}

extension CapturedValue {
    /// A stand-in for a value that nothing was captured for so far.
    static func sample(_ capture: Capture, of request: SavedRequest) -> CapturedValue {
        sample(capture.name, request: request.name, source: capture.source.text)
    }

    /// A stand-in for the value of a variable: its name, as a template writes it.
    static func sample(_ name: String, request: String = "", source: String = "") -> CapturedValue {
        var value = CapturedValue(name: name, value: "{{\(name)}}", request: request, source: source)
        value.isSample = true
        return value
    }
}
