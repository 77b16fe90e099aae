/// The plan of what is sent before a request, made without recursion: requests may wait for each other through many levels.
struct CapturePlan {
    /// Fills a request in; the scope is the same afterwards.
    typealias Resolve = (_ request: SavedRequest, _ scope: inout CapturedScope) throws(ResolveError) -> Void

    /// In the order in which they are sent, each once.
    private(set) var dependencies: [Dependency] = []
    /// The requests that wait, the first one in front; after an error those up to the one that has it.
    private(set) var path: [SavedRequest]
    /// Requests at which the plan ends before it is complete.
    var unneeded: Set<ItemID> = []
    /// The requests at the end of the path that an error is about in the same way, and few: each gets one of its own.
    private(set) var reportedEach = 0
    /// The variables for which those behind the first are sent.
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
