/// The requests of a collection that capture each variable, in the order of the tree.
package struct CaptureIndex: Sendable, Equatable {
    package private(set) var requests: [String: [SavedRequest]] = [:]
    /// The name of the first request that captures each variable.
    private let firstNames: [String: String]

    package init(_ collection: Collection) {
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

    /// A placeholder for each variable.
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

    /// The scope of a run without captured values.
    func scope(for path: [SavedRequest]) -> CapturedScope {
        CapturedScope(requests: firstNames, circular: circular(for: path))
    }
}

/// A request that is sent before another one, for a variable that it captures.
package struct Dependency: Sendable, Equatable {
    package var request: SavedRequest
    package var variable: String

    package init(_ request: SavedRequest, variable: String) {
        self.request = request
        self.variable = variable
    }
}

extension CaptureIndex {
    /// Returns the requests to be sent before another one, in order and each once, without sending anything.
    /// - Parameters:
    ///   - scope: The known values.
    ///   - resolve: Fills in a request.
    func plan(
        _ request: SavedRequest, _ scope: CapturedScope, resolve: CapturePlan.Resolve
    ) throws(ResolveError) -> [Dependency] {
        var plan = CapturePlan(request, self, scope)
        try plan.make(resolve)
        return plan.dependencies
    }
}

extension CapturedValue {
    /// A placeholder for a value that was not captured yet.
    static func sample(_ capture: Capture, of request: SavedRequest) -> CapturedValue {
        sample(capture.name, request: request.name, source: capture.source.text)
    }

    /// A placeholder for the value of a variable: its name in template form.
    static func sample(_ name: String, request: String = "", source: String = "") -> CapturedValue {
        var value = CapturedValue(name: name, value: "{{\(name)}}", request: request, source: source)
        value.isSample = true
        return value
    }
}

/// The plan of the requests to be sent before another one. Not recursive, because requests may wait for each other
/// through many levels.
struct CapturePlan {
    /// Fills a request in; the scope is the same afterwards.
    typealias Resolve = (_ request: SavedRequest, _ scope: inout CapturedScope) throws(ResolveError) -> Void

    /// In the order in which they are sent, each once.
    private(set) var dependencies: [Dependency] = []
    /// The waiting requests, the first one in front; after an error, those up to the failed one.
    private(set) var path: [SavedRequest]
    /// Requests at which the plan ends before it is complete.
    var unneeded: Set<ItemID> = []
    /// The number of requests at the end of the path with the same error, if they are few: each gets its own report.
    private(set) var reportedEach = 0
    /// The variables for which the requests after the first are sent.
    private var variables: [String] = []
    private let index: CaptureIndex
    private var scope: CapturedScope

    private static let maximumReported = 10

    init(_ request: SavedRequest, _ index: CaptureIndex, _ scope: CapturedScope) {
        (path, self.index, self.scope) = ([request], index, scope)
    }

    mutating func make(_ resolve: Resolve) throws(ResolveError) {
        while let request = path.last {
            scope.circular = index.circular(for: path)
            guard let name = try missing(request, resolve) else {
                finish(request)
                continue
            }
            guard let next = index.request(capturing: name, for: path) else {
                let count = path.count - index.cycleStart(name, path)
                if count <= Self.maximumReported { reportedEach = count }
                throw index.cycle(name, path)
            }
            if unneeded.contains(next.id) { return }
            guard path.count <= CaptureIndex.maximumDepth else { throw index.tooDeep(name, path) }
            path.append(next)
            variables.append(name)
        }
    }

    /// Returns the variable that a request lacks; nil for none.
    private mutating func missing(_ request: SavedRequest, _ resolve: Resolve) throws(ResolveError) -> String? {
        do throws(ResolveError) { try resolve(request, &scope) } catch {
            guard let name = error.missingCapture else { throw error }
            return name
        }
        return nil
    }

    private mutating func finish(_ request: SavedRequest) {
        path.removeLast()
        guard let variable = variables.popLast() else { return }
        dependencies.append(Dependency(request, variable: variable))
        for capture in request.captures where capture.enabled {
            scope.values[capture.name] = .sample(capture, of: request)
        }
    }
}
