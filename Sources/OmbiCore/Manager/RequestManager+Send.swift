import Dispatch

// The door for callbacks.
extension RequestManager {
    /// Sends a request, and calls the handler with its result exactly once, also when the request cannot be made.
    ///
    /// The run goes on when the handle is dropped; `RequestTask.cancel()` ends it, and so does
    /// `cancelRequests(with:passingTest:)`. Both closures may be left out: the handle has the result and the events.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failure of an attempt is repeated
    ///     at once, whatever the method.
    ///   - sla: The limit over all attempts and waits; nil is none. Zero and less sends nothing and ends with
    ///     `RequestError.slaExceeded(_:)`.
    ///   - scheduler: Where the closures are called, one after the other even if it is a concurrent queue. nil takes
    ///     `callbackQueue`. With `ImmediateScheduler` they run on a thread of the transport: requests that they send
    ///     begin when they return, or after 5 ms.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    ///   - handler: Gets the result, after the last event.
    ///   - onEvent: Gets the events in order; `RequestEvent.finished(_:)` is the last. Where it falls behind, only the
    ///     newest of several counts of bytes comes.
    /// - Returns: A handle that has the result and the events, and steps in.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: .plain(retries: retries), sla: sla)
        return send(requestable, options, delivery(on: scheduler), fallbackResponse, handler, onEvent)
    }

    /// Sends a request, with a policy that says which failures are worth another attempt. Everything else is as in
    /// `send(_:authentication:retries:sla:on:fallbackResponse:handler:onEvent:)`.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return send(requestable, options, delivery(on: scheduler), fallbackResponse, handler, onEvent)
    }

    /// Sends a request whose result and events are handled by code of the main actor:
    ///
    ///     manager.send(request, on: .main) { result in
    ///         self.user = try? result.get().body
    ///     }
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: queue,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// The same, with a policy that says which failures are worth another attempt.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return send(
            requestable, options, .queue(.main), fallbackResponse, MainQueue.handler(handler),
            onEvent.map { MainQueue.handler($0) })
    }

    /// Sends a request, with the SLA in seconds; infinity is no limit.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in }
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retries: retries, sla: .limit(seconds: sla), on: scheduler,
            fallbackResponse: fallbackResponse, handler: handler)
    }

    /// Sends a request, with the SLA in the time of the scheduler; one that knows no time has no limit.
    @discardableResult
    @_disfavoredOverload
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride, on scheduler: S, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in }
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retries: retries, sla: .limit(sla), on: scheduler,
            fallbackResponse: fallbackResponse, handler: handler)
    }

    final func delivery<S: Scheduler>(on scheduler: S?) -> Delivery { Delivery(scheduler, default: callbackQueue) }

    private func send<T: Requestable>(
        _ requestable: T, _ options: RunOptions, _ delivery: Delivery, _ fallbackResponse: T.Response?,
        _ handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void,
        _ onEvent: (@Sendable (RequestEvent) -> Void)?
    ) -> RequestTask<T> {
        let outcome = RunOutcome<T>()
        let run = makeRun(
            requestable, options, fallback: fallbackResponse, recordsEvents: true, outcome: outcome,
            delivery: delivery, handler: onEvent == nil ? handler : nil)
        if let onEvent {
            EventDelivery(run: run, delivery: delivery, onEvent: onEvent) { outcome.current.map(handler) }.start()
        }
        start(run)
        return RequestTask(run: run, outcome: outcome)
    }
}

extension RequestManager {
    /// Sends a request whose type is not known here, such as one of an `[any Requestable]`. The error is the
    /// `RequestError` of the request.
    @discardableResult
    @_disfavoredOverload
    public final func send<S: Scheduler>(
        _ requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none,
        handler: @escaping @Sendable (Result<RequestResponse<Any>, any Error>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> any RequestHandle {
        func send<T: Requestable>(_ requestable: T) -> any RequestHandle {
            self.send(
                requestable, authentication: authentication, retry: retry, sla: sla, on: scheduler,
                handler: { (result: Result<T.Response, T.Failure>) in
                    handler(
                        result.map { response in
                            RequestResponse(
                                url: response.url, headers: response.headers, statusCode: response.statusCode,
                                body: response.body)
                        }.mapError { $0 })
                }, onEvent: onEvent) as RequestTask<T>
        }
        return send(requestable)
    }
}
