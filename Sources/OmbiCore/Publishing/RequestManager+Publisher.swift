// The door for publishers.
extension RequestManager {
    /// A cold publisher: nothing is sent before it is subscribed to, and each subscription sends. It gives at most one
    /// response, on `scheduler`; cancelling the subscription ends the transfer silently.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(stride: sla))
        return publisher(requestable, options, fallbackResponse, deliver: Delivery.on(scheduler))
    }

    /// The same, giving its response on a global queue.
    public final func makeRequest<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(clampingSeconds: sla))
        return publisher(requestable, options, fallbackResponse, deliver: Delivery.onGlobalQueue)
    }

    /// The same, with a policy that says which failures are worth another attempt.
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
            start: { handler in
                self.run(requestable, options, fallback: fallback.withLock { $0 }, handler: handler)
            }, deliver: deliver
        ).eraseToAnyPublisher()
    }
}
