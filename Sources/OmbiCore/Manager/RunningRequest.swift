/// A running request, as listed by `RequestManager.runningRequests`: a run, followed for a stream by its body until the
/// last piece has been read.
public struct RunningRequest: Sendable {
    /// The request that was sent, without the wrapper of an `AnyRequestable`.
    public let request: any Requestable
    /// The current attempt, or the one before the current wait; 0 before the first.
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

    /// Ends the request; its handler, or the reader of its body, gets `RequestError.cancelled`. Harmless once it has
    /// ended.
    public func cancel() { running.cancel() }
}

/// A run or stream that a manager lists and cancels.
protocol Running: AnyObject, Sendable {
    /// The request; nil once it has ended.
    var requestable: (any Requestable)? { get }
    /// The current or last attempt, and the time since the start.
    var progress: (attempt: Int, duration: Duration) { get }
    func cancel()
}

extension RequestRun: Running {}
