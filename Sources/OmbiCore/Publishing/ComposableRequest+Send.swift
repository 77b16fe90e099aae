#if canImport(CCurl)
extension ComposableRequest {
    /// A cold publisher that sends the request to `host`, and gives its response on a global queue. `retries` and `sla`
    /// mean what they mean to `RequestManager.makeRequest`; the SLA is in seconds.
    ///
    /// Each call makes a manager of its own. Their connections and threads are those of `transport`.
    public func send(
        on host: String, retries: Int = 0, sla: Double = 180, transport: any Transport = CurlTransport.shared,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, transport: transport, log: log).makeRequest(self, retries: retries, sla: sla)
    }

    /// The same, giving its response on `scheduler`, with the SLA in the time of that scheduler.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride = .seconds(180), using scheduler: S,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, transport: transport, log: log)
            .makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }
}
#endif
