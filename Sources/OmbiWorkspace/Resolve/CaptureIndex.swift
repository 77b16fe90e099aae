/// The requests of a collection that capture each variable, in the order of the tree.
public struct CaptureIndex: Sendable, Equatable {
    public private(set) var requests: [String: [SavedRequest]] = [:]
    /// The name of the first request that captures each variable.
    private let firstNames: [String: String]

    public init(_ collection: Collection) {
        var requests: [String: [SavedRequest]] = [:]
        Self.add(collection.items, to: &requests)
        firstNames = requests.compactMapValues { $0.first?.name }
        self.requests = requests
    }

    private static func add(_ items: [CollectionItem], to requests: inout [String: [SavedRequest]]) {
        for item in items {
            switch item {
            case .folder(let folder): add(folder.items, to: &requests)
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
        let waiting = Set(path.map(\.id))
        let names = path.flatMap(\.captures).lazy.filter(\.enabled).map(\.name)
        return Set(names.filter { requests[$0]?.allSatisfy { waiting.contains($0.id) } ?? false })
    }

    /// The most requests that may wait for another one.
    static let maximumDepth = 100
    static let mutualReason = "the requests need each other"

    /// The error of a variable that can come only from a request that waits for it.
    func cycle(_ name: String, _ path: [SavedRequest]) -> ResolveError {
        let first = requests[name]?.first
        let names = (path[cycleStart(name, path)...] + [first].compactMap { $0 }).map { "\"\($0.name)\"" }
        return error(name, path, ": " + TemplateError.way(names))
    }

    /// The index of the request that captures a variable and waits for it.
    func cycleStart(_ name: String, _ path: [SavedRequest]) -> Int {
        path.firstIndex { $0.id == requests[name]?.first?.id } ?? 0
    }

    /// The error of a variable for which more requests wait than may.
    func tooDeep(_ name: String, _ path: [SavedRequest]) -> ResolveError {
        let names = path.map { "\"\($0.name)\"" }
        return error(name, path, " through more than \(Self.maximumDepth) levels: " + TemplateError.way(names))
    }

    private func error(_ name: String, _ path: [SavedRequest], _ problem: String) -> ResolveError {
        ResolveError(
            request: path.last?.name ?? "", field: "{{\(name)}}",
            reason: Self.mutualReason + problem + "; set \(name) with --set, or capture it elsewhere")
    }

    /// The scope of a run in which nothing has been captured so far.
    func scope(for path: [SavedRequest]) -> CapturedScope {
        CapturedScope([:], requests: firstNames, circular: circular(for: path))
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
        _ request: SavedRequest, _ scope: CapturedScope, resolve: CapturePlan.Resolve
    ) throws(ResolveError) -> [Dependency] {
        var plan = CapturePlan(request, self, scope)
        try plan.make(resolve)
        return plan.dependencies
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
