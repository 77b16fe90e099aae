import Dispatch

// The door for publishers.
extension RequestManager {
    /// A cold publisher: nothing is sent before it is subscribed to, and each subscription sends. It gives at most one
    /// response, on `scheduler`; cancelling the subscription ends the transfer silently.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        publisher(
            requestable, authentication, retries, Duration(stride: sla), fallbackResponse,
            deliver: Delivery.on(scheduler))
    }

    /// The same, giving its response on a global queue.
    public final func makeRequest<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        publisher(
            requestable, authentication, retries, Duration(clampingSeconds: sla), fallbackResponse,
            deliver: Delivery.onGlobalQueue)
    }

    private func publisher<T: Requestable>(
        _ requestable: T, _ authentication: RequestAuthentication?, _ retries: Int, _ sla: Duration,
        _ fallbackResponse: T.Response?, deliver: @escaping Delivery.Function
    ) -> AnyPublisher<T.Response, T.Failure> {
        RequestPublisher<T>(
            start: { handler in
                self.run(
                    requestable, authentication: authentication, policy: .plain(retries: retries), sla: sla,
                    fallback: fallbackResponse, onEvent: { _ in }, handler: handler)
            }, deliver: deliver
        ).eraseToAnyPublisher()
    }
}
