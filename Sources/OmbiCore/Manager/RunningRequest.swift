/// A run under way, as `RequestManager.runningRequests` lists it.
public struct RunningRequest: Sendable {
    /// The request that was sent; without its wrapping where it was sent as an `AnyRequestable`.
    public let request: any Requestable
    /// The attempt under way, or the one before the wait under way; 0 before the first.
    public let attempt: Int
    /// The time since the start of the run.
    public let duration: Duration
    private let run: RequestRun

    init?(_ run: RequestRun) {
        guard let request = run.requestable else { return nil }
        self.request = request.unwrapped
        self.run = run
        (attempt, duration) = run.progress
    }

    /// Ends the run; its handler gets `RequestError.cancelled`. Harmless when it has ended.
    public func cancel() { run.cancel() }
}

/// A request around another one, whose type is the one that counts.
protocol RequestWrapper: Requestable {
    var wrappedRequest: any Requestable { get }
}

extension Requestable {
    /// The request itself, or the one that it wraps, where it is a `T`.
    func unwrapped<T: Requestable>(as type: T.Type) -> T? {
        if let request = self as? T { return request }
        return (self as? any RequestWrapper)?.wrappedRequest.unwrapped(as: type)
    }

    /// The innermost request.
    var unwrapped: any Requestable { (self as? any RequestWrapper)?.wrappedRequest.unwrapped ?? self }
}
