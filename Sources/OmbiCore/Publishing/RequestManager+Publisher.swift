// Sending requests with publishers.
extension RequestManager {
    /// Returns a cold publisher: nothing is sent before a subscriber demands a value, and each subscription sends the
    /// request.
    ///
    /// It emits one response and finishes, or fails with `RequestError`. Cancelling the subscription ends the run
    /// without further events; after `cancelRequests(with:passingTest:)` it fails with `RequestError.cancelled`. The
    /// request is evaluated on the subscribing thread, once per subscription, regardless of the number of attempts.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failed attempt is repeated at once,
    ///     whatever the method.
    ///   - sla: The limit over all attempts and waits; nil for none. Zero or less sends nothing and ends with
    ///     `RequestError.slaExceeded(_:)`.
    ///   - scheduler: The scheduler for response and completion; nil uses `callbackQueue`. With `ImmediateScheduler`
    ///     they arrive on a thread of the transport: requests that downstream code sends start when it returns, or after
    ///     5 ms.
    ///   - fallbackResponse: The response if every attempt fails and the request has no fallback of its own.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: scheduler,
            fallbackResponse: fallbackResponse)
    }

    /// Returns a cold publisher with a policy for retries. Everything else is as in
    /// `makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        let fallback = Lock(fallbackResponse)
        let delivery = delivery(on: scheduler)
        return RequestPublisher<T>(manager: self) { handler in
            self.makeRun(
                requestable, options, fallback: fallback.withLock { $0 }, delivery: delivery, handler: handler)
        }.eraseToAnyPublisher()
    }

    /// Returns a cold publisher with an SLA in the scheduler's unit of time; one without a notion of time has no limit.
    @_disfavoredOverload
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride, on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retries: retries, sla: .limit(sla), on: scheduler,
            fallbackResponse: fallbackResponse)
    }
}
