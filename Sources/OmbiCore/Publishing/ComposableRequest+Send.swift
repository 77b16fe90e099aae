extension ComposableRequest {
    /// A cold publisher that sends the request to `host` (`RequestManager.makeRequest`).
    public func send(
        on host: String, retries: Int = 0, sla: Double = 180, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, log: log).makeRequest(self, retries: retries, sla: sla)
    }

    /// The same, giving its response on `scheduler`.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride = .seconds(180), using scheduler: S,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, log: log).makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }
}
