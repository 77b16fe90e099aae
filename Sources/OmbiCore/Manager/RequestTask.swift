/// The handle of a run: watches it and steps in. Every method is harmless once the run has ended, and callable from
/// any thread.
///
/// Dropping the handle does not end the run, but for one that was put into a set of `AnyCancellable` (`store(in:)`).
/// As long as a handle is kept, the events of the run are, with the bodies of the responses; the request, the manager
/// and the handler are let go when the run ends.
public final class RequestTask: Cancellable, Sendable {
    let run: RequestRun

    init(run: RequestRun) { self.run = run }

    /// Every event of the run from its start, those that have come already and those to come; ends after
    /// `RequestEvent.finished`. May be iterated over more than once.
    public var events: RequestEvents { RequestEvents(run: run) }

    /// The same as a publisher: each subscriber gets every event from the start of the run, one after the other, on a
    /// queue of the subscription's own.
    public var eventPublisher: AnyPublisher<RequestEvent, Never> {
        EventPublisher(run: run).eraseToAnyPublisher()
    }

    /// What the run came to: every attempt, and how it ended. Waits for the end; nil when the waiting task is
    /// cancelled.
    public var report: RequestReport? {
        get async {
            for await case .finished(let report) in events { return report }
            return nil
        }
    }

    /// Ends the run: the attempt or the wait under way stops, and the handler gets `RequestError.cancelled`.
    public func cancel() { run.cancel() }

    /// Starts the next attempt at once: the wait under way ends, and an attempt under way is abandoned. When no
    /// attempts are left, it allows one more.
    public func retryNow() { run.retryNow() }

    /// Ends the wait under way and starts the next attempt. During an attempt it has no effect.
    public func skipWait() { run.skipWait() }

    /// Allows `count` more attempts; 0 and less has no effect, and so it is after `giveUp()`. The SLA stays what it is.
    public func addAttempts(_ count: Int) { run.addAttempts(count) }

    /// Starts no further attempt: a wait ends with the last failure, an attempt under way is the last one.
    public func giveUp() { run.giveUp() }
}
