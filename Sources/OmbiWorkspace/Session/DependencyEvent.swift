/// A step of a request that is sent first, because it captures a variable that the run needs.
public struct DependencyEvent: Equatable, Sendable {
    /// The name of the request.
    public var request: String
    public var item: ItemID
    public var variable: String
    public var event: SessionEvent

    public init(request: String, item: ItemID, variable: String, event: SessionEvent) {
        self.request = request
        self.item = item
        self.variable = variable
        self.event = event
    }
}

/// A request that was sent first, with its result in short.
public struct DependencyResult: Equatable, Sendable {
    public var request: String
    public var variable: String
    public var statusCode: Int?
    public var duration: Duration?
    public var attempts: Int
    /// A sentence each; empty when it passed.
    public var failures: [String]
    /// True where another run sent it at the same time, and this one waited for it.
    public var isShared: Bool

    public init(_ dependency: Dependency, _ result: SessionResult, isShared: Bool = false) {
        request = dependency.request.name
        variable = dependency.variable
        statusCode = result.response?.statusCode
        duration = result.report?.duration
        attempts = result.attemptsOfPage
        failures = result.failures
        self.isShared = isShared
    }

    /// The same for a run that another one shares.
    func shared(_ isShared: Bool) -> DependencyResult {
        var result = self
        result.isShared = result.isShared || isShared
        return result
    }
}
