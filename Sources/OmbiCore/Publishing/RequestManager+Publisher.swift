// The door for publishers.
extension RequestManager {
    /// Returns a cold publisher: nothing is sent before a subscriber asks for a value, and each subscription sends.
    ///
    /// It gives one response and ends, or fails with `RequestError`. Cancelling the subscription ends the run, and
    /// nothing more comes; after `cancelRequests(with:passingTest:)` it fails with `RequestError.cancelled`. The
    /// request is made on the thread that subscribes, once per subscription, whatever the number of attempts.
    ///
    /// - Parameters:
    ///   - requestable: The request. What it sends is made once for each run.
    ///   - authentication: Credentials for a request that has none of its own; nil leaves them to the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failure of an attempt is repeated
    ///     at once, whatever the method.
    ///   - sla: The limit over all attempts and waits; nil is none. Zero and less sends nothing and ends with
    ///     `RequestError.slaExceeded(_:)`.
    ///   - scheduler: Where response and end come; nil takes `callbackQueue`. With `ImmediateScheduler` they come on a
    ///     thread of the transport: requests that are sent from there begin when it returns, or after 5 ms.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: scheduler,
            fallbackResponse: fallbackResponse)
    }

    /// Returns a cold publisher, with a policy that says which failures are worth another attempt. Everything else is
    /// as in `makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
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

    /// Returns a cold publisher, with the SLA in seconds; infinity is no limit.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retries: retries, sla: .limit(seconds: sla), on: scheduler,
            fallbackResponse: fallbackResponse)
    }

    /// Returns a cold publisher, with the SLA in the time of the scheduler; one that knows no time has no limit.
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
