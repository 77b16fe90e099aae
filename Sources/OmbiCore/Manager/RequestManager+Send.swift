import Dispatch

// The door for a front end: the result, every step on the way, and a handle to step in.
extension RequestManager {
    /// Sends a request and tells every step of the run.
    ///
    /// The run goes on when the handle is dropped; `RequestTask.cancel()` ends it, and so does
    /// `cancelRequests(with:passingTest:)`.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retry: Which failures are attempted again, how often, and after which waits.
    ///   - sla: The limit over all attempts and waits. Zero and less sends nothing and ends with
    ///     `RequestError.slaExceeded`.
    ///   - queue: Where the events, and then the handler, come, one after the other even if the queue is concurrent;
    ///     nil takes a thread that belongs to nobody else.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    ///   - onEvent: Gets every event in order. `RequestEvent.finished` is the last and comes exactly once.
    ///   - handler: Gets the result once, after the last event.
    /// - Returns: A handle that steps in, and tells the same events to others.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), on queue: DispatchQueue? = nil, fallbackResponse: T.Response? = nil,
        onEvent: @escaping @Sendable (RequestEvent) -> Void = { _ in },
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let outcome = RunOutcome<T>()
        let run = makeRun(
            requestable, RunOptions(authentication: authentication, policy: retry, sla: sla),
            fallback: fallbackResponse, recordsEvents: true, outcome: outcome)
        EventDelivery(
            run: run, deliver: queue.map(Delivery.on) ?? Delivery.onPool, onEvent: onEvent,
            atEnd: { if let result = outcome.current { handler(result) } }
        ).start()
        start(run)
        return RequestTask(run: run)
    }
}

extension RequestManager {
    /// Sends a request that is watched by its handle alone: `RequestTask.events` and `RequestTask.report`.
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), fallbackResponse: T.Response? = nil
    ) -> RequestTask {
        send(
            requestable, authentication: authentication, retry: retry, sla: sla, fallbackResponse: fallbackResponse,
            handler: { _ in })
    }
}

// The door for callbacks.
extension RequestManager {
    /// Sends a request and calls the handler on `scheduler`, exactly once, also when the request cannot be made.
    ///
    /// The run goes on when the handle is dropped; `RequestTask.cancel()` ends it, and the handler gets
    /// `RequestError.cancelled`.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failure of an attempt is repeated
    ///     at once, whatever the method.
    ///   - sla: The limit over all attempts and waits, in the time of the scheduler. Zero and less sends nothing and
    ///     ends with `RequestError.slaExceeded`; a scheduler that knows no time, such as `ImmediateScheduler`, has no
    ///     limit.
    ///   - scheduler: Where the handler runs. With `ImmediateScheduler` it runs on a thread of the transport, and must
    ///     not wait there for another request.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    ///   - handler: Gets the result.
    /// - Returns: A handle that steps in, and tells the events of the run.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(stride: sla))
        return send(requestable, options, fallbackResponse, Delivery.handler(handler, Delivery.on(scheduler)))
    }

    /// The same, with the handler on a global queue, and the SLA in seconds. An SLA of 0, of a negative number or of
    /// not a number sends nothing and ends with `RequestError.slaExceeded`; infinity is no limit.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(clampingSeconds: sla))
        return send(requestable, options, fallbackResponse, Delivery.handler(handler, Delivery.onPool))
    }

    private func send<T: Requestable>(
        _ requestable: T, _ options: RunOptions, _ fallbackResponse: T.Response?,
        _ handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let run = makeRun(
            requestable, options, fallback: fallbackResponse, recordsEvents: true, handler: handler)
        start(run)
        return RequestTask(run: run)
    }
}

// The door for async.
extension RequestManager {
    /// Sends a request and waits for its response.
    ///
    /// Throws `RequestError` of the request, and nothing else. Cancelling the Swift task ends the run, and the call
    /// throws `RequestError.cancelled`.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failure of an attempt is repeated
    ///     at once, whatever the method.
    ///   - sla: The limit over all attempts and waits, in seconds. With 0, a negative number or not a number nothing is
    ///     sent and `RequestError.slaExceeded` is thrown; infinity is no limit.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) async throws -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries),
            sla: Duration(clampingSeconds: sla), fallbackResponse: fallbackResponse)
    }

    /// The same, with a policy that says which failures are worth another attempt. An SLA of zero and less sends
    /// nothing and throws `RequestError.slaExceeded`.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws -> T.Response where T.ResponseBody: Sendable {
        let outcome = RunOutcome<T>()
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        let run = makeRun(requestable, options, fallback: fallbackResponse, outcome: outcome)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(run)
                _ = outcome.wait { continuation.resume() }
            }
            return outcome.current
        } onCancel: {
            run.cancel()
        }
        guard let result else { throw T.Failure.unknownError }
        return try result.get()
    }
}
