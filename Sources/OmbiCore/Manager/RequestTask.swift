/// The handle of a run, without the type of its request: it has the events, and steps in.
///
/// Every method is harmless once the run has ended, and callable from any thread. Dropping a handle does not end its run,
/// but for one that is kept in a set of `AnyCancellable` (`store(in:)`): that goes with the set.
public protocol RequestHandle: Cancellable, Sendable {
    /// Every event of the run from its start, those that have come already and those to come; ends after
    /// `RequestEvent.finished(_:)`. May be iterated over more than once.
    var events: RequestEvents { get }
    /// The same as a publisher: each subscriber gets every event from the start of the run, one after the other, on a
    /// queue of the subscription's own.
    var eventPublisher: AnyPublisher<RequestEvent, Never> { get }
    /// Every attempt of the run, and how it ended. Waits for the end; nil when the waiting task is cancelled.
    var report: RequestReport? { get async }

    /// Ends the run: the attempt or the wait under way stops, and the handler gets `RequestError.cancelled`.
    func cancel()
    /// Starts the next attempt at once: the wait under way ends, and an attempt under way is abandoned. When no
    /// attempts are left, it allows one more.
    func retryNow()
    /// Ends the wait under way and starts the next attempt. During an attempt it has no effect.
    func skipWait()
    /// Allows `count` more attempts; 0 and less has no effect, and so it is after `giveUp()`. The SLA stays what it is.
    func addAttempts(_ count: Int)
    /// Starts no further attempt: a wait ends with the last failure, an attempt under way is the last one.
    func giveUp()
}

/// The handle of a run: it has the result and the events, and steps in.
///
/// The result may be awaited by anyone, as often as they like:
///
///     let task = manager.send(UserByID(id: 42))
///     …
///     let user = try await task.value
///
/// As long as a handle is kept, the result and the events are, with the bodies of the responses. The request, the manager
/// and the handler are let go when the run ends.
public struct RequestTask<T: Requestable>: RequestHandle {
    let run: RequestRun
    private let outcome: RunOutcome<T>

    init(run: RequestRun, outcome: RunOutcome<T>) {
        self.run = run
        self.outcome = outcome
    }

    public var events: RequestEvents { RequestEvents(run: run) }
    public var eventPublisher: AnyPublisher<RequestEvent, Never> { EventPublisher(run: run).eraseToAnyPublisher() }

    public var report: RequestReport? {
        get async {
            for await case .finished(let report) in events { return report }
            return nil
        }
    }

    public func cancel() { run.cancel() }
    public func retryNow() { run.retryNow() }
    public func skipWait() { run.skipWait() }
    public func addAttempts(_ count: Int) { run.addAttempts(count) }
    public func giveUp() { run.giveUp() }
}

extension RequestTask where T.ResponseBody: Sendable {
    /// The response to the request. Waits for the end of the run; throws `RequestError.cancelled` when the run or the
    /// waiting task is cancelled. The latter does not end the run.
    public var response: T.Response {
        get async throws(T.Failure) { try await (outcome.resultUnlessCancelled ?? .failure(.cancelled)).get() }
    }

    /// The body of the response. A response without one is an error, as for
    /// `RequestManager.value(for:authentication:retries:sla:fallbackResponse:)`.
    public var value: T.ResponseBody {
        get async throws(T.Failure) { try T.value(of: await response) }
    }
}
