// The door for publishers.
extension RequestManager {
    /// A cold publisher: nothing is sent before a subscriber asks for a value, and each subscription sends.
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
    ///   - sla: The limit over all attempts and waits, in the time of the scheduler. Zero and less sends nothing and
    ///     ends with `RequestError.slaExceeded`; a scheduler that knows no time, such as `ImmediateScheduler`, has no
    ///     limit.
    ///   - scheduler: Where response and end come. With `ImmediateScheduler` they come on a thread of the transport;
    ///     what follows there must not wait for another request.
    ///   - fallbackResponse: Stands in when every attempt failed and the request has none of its own.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(stride: sla))
        return publisher(requestable, options, fallbackResponse, deliver: Delivery.on(scheduler))
    }

    /// The same, giving its response on a global queue, with the SLA in seconds. An SLA of 0, of a negative number or
    /// of not a number sends nothing and ends with `RequestError.slaExceeded`; infinity is no limit.
    public final func makeRequest<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(clampingSeconds: sla))
        return publisher(requestable, options, fallbackResponse, deliver: Delivery.onPool)
    }

    /// The same, with a policy that says which failures are worth another attempt. An SLA of zero and less sends
    /// nothing and ends with `RequestError.slaExceeded`.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return publisher(requestable, options, fallbackResponse, deliver: Delivery.on(scheduler))
    }

    private func publisher<T: Requestable>(
        _ requestable: T, _ options: RunOptions, _ fallbackResponse: T.Response?,
        deliver: @escaping Delivery.Function
    ) -> AnyPublisher<T.Response, T.Failure> {
        let fallback = Lock(fallbackResponse)
        return RequestPublisher<T>(
            manager: self,
            makeRun: { handler in
                self.makeRun(requestable, options, fallback: fallback.withLock { $0 }, handler: handler)
            }, deliver: deliver
        ).eraseToAnyPublisher()
    }
}
