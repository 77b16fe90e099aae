/// The handle of a run under way. Every method is harmless once the run has ended, and callable from any thread.
public final class RequestTask: Sendable {
    let engine: any RunControl

    init(engine: any RunControl) {
        self.engine = engine
    }

    /// Ends the run: the attempt or the wait under way stops, and the handler gets `RequestError.cancelled`.
    public func cancel() { engine.cancel() }

    /// Ends the wait and starts the next attempt at once. During an attempt it has no effect.
    public func retryNow() { engine.retryNow() }

    /// Allows `count` more attempts.
    public func addAttempts(_ count: Int) { engine.addAttempts(count) }

    /// Starts no further attempt: a wait ends with the last failure, an attempt under way is the last one.
    public func giveUp() { engine.giveUp() }
}

/// What a run lets others do to it.
protocol RunControl: Sendable {
    func cancel()
    func retryNow()
    func addAttempts(_ count: Int)
    func giveUp()
}
