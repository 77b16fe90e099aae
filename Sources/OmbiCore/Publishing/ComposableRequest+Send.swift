#if canImport(CCurl)
extension ComposableRequest {
    /// A cold publisher that sends the request to `host`, and gives its response on a global queue. `retries` and `sla`
    /// mean what they mean to `RequestManager.makeRequest`; the SLA is in seconds.
    ///
    /// Each call makes a manager with connections of its own. Who sends more than once keeps a `RequestManager`.
    public func send(
        on host: String, retries: Int = 0, sla: Double = 180, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, log: log).makeRequest(self, retries: retries, sla: sla)
    }

    /// The same, giving its response on `scheduler`, with the SLA in the time of that scheduler.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride = .seconds(180), using scheduler: S,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, log: log).makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }
}
#endif
