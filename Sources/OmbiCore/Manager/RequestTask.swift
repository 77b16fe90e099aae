/// The handle of a run, independent of the request's type: it provides the events and controls the run.
///
/// Every method is harmless once the run has ended, and callable from any thread. Dropping a handle does not end its
/// run, unless it was stored in a set of `AnyCancellable` (`store(in:)`): that run ends with the set.
public protocol RequestHandle: Cancellable, Sendable {
    /// Every event of the run from its start, past and future; ends after `RequestEvent.finished(_:)`. May be iterated
    /// more than once.
    var events: RequestEvents { get }
    /// The same events as a publisher: each subscriber gets every event from the start of the run, one after the other,
    /// on a queue of its subscription.
    var eventPublisher: AnyPublisher<RequestEvent, Never> { get }
    /// The report of the finished run. Waits for the end; nil if the waiting task is cancelled.
    var report: RequestReport? { get async }

    /// Ends the run: the current attempt or wait stops, and the handler gets `RequestError.cancelled`.
    func cancel()
    /// Starts the next attempt at once: a current wait ends, and a current attempt is abandoned. If no attempts are
    /// left, it allows one more.
    func retryNow()
    /// Ends the current wait and starts the next attempt. No effect during an attempt.
    func skipWait()
    /// Allows `count` more attempts; no effect for 0 or less, or after `giveUp()`. The SLA does not change.
    func addAttempts(_ count: Int)
    /// Starts no further attempt: a wait ends with the last failure, a current attempt is the last one.
    func giveUp()
}

/// The handle of a run: it provides the result and the events, and controls the run.
///
/// The result may be awaited any number of times, from anywhere:
///
///     let task = manager.send(UserByID(id: 42))
///     …
///     let user = try await task.value
///
/// A handle retains the result and the events, with the bodies of the responses. The request, the manager and the
/// handler are released when the run ends.
public struct RequestTask<T: Requestable>: RequestHandle {
    let run: RequestRun
    private let outcome: RunOutcome<T>

    init(run: RequestRun, outcome: RunOutcome<T>) {
        self.run = run
        self.outcome = outcome
    }

    public var events: RequestEvents { RequestEvents(run: run) }

    public var report: RequestReport? {
        get async {
            for await case .finished(let report) in events { return report }
            return nil
        }
    }

    /// The report of the finished run, which is there when the handler is called; nil before the end.
    package var finalReport: RequestReport? { run.report }

    public func cancel() { run.cancel() }
    public func retryNow() { run.retryNow() }
    public func skipWait() { run.skipWait() }
    public func addAttempts(_ count: Int) { run.addAttempts(count) }
    public func giveUp() { run.giveUp() }
}

extension RequestTask where T.ResponseBody: Sendable {
    /// The response to the request. Waits for the end of the run; throws `RequestError.cancelled` if the run or the
    /// waiting task is cancelled. The latter does not end the run.
    public var response: T.Response {
        get async throws(T.Failure) { try await (outcome.resultUnlessCancelled ?? .failure(.cancelled)).get() }
    }

    /// The body of the response. A response without one is an error, as with
    /// `RequestManager.value(for:authentication:retries:sla:fallbackResponse:)`.
    public var value: T.ResponseBody {
        get async throws(T.Failure) { try T.value(of: await response) }
    }
}

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
