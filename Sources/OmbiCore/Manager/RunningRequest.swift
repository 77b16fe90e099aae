/// A request under way, as `RequestManager.runningRequests` lists it: its run, and behind it the body of a stream until the
/// last piece has been read.
public struct RunningRequest: Sendable {
    /// The request that was sent; without its wrapping where it was sent as an `AnyRequestable`.
    public let request: any Requestable
    /// The attempt under way, or the one before the wait under way; 0 before the first.
    public let attempt: Int
    /// The time since the start of the run.
    public let duration: Duration
    private let running: any Running

    init?(_ running: any Running) {
        guard let request = running.requestable else { return nil }
        self.request = request.unwrapped
        self.running = running
        (attempt, duration) = running.progress
    }

    /// Ends it; its handler, or the reader of its body, gets `RequestError.cancelled`. Harmless when it has ended.
    public func cancel() { running.cancel() }
}

/// What a manager lists and cancels.
protocol Running: AnyObject, Sendable {
    /// nil once it has ended.
    var requestable: (any Requestable)? { get }
    /// The attempt under way, or the last one, and the time since the start.
    var progress: (attempt: Int, duration: Duration) { get }
    func cancel()
}

extension RequestRun: Running {}

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
