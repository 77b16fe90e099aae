#if canImport(CCurl)
extension ComposableRequest {
    /// Returns a cold publisher that sends the request to `host`. `retries`, `sla` and `scheduler` are those of
    /// `RequestManager.makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
    ///
    /// Each call creates a manager. Connections and threads are those of `transport`.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Duration? = .seconds(180),
        using scheduler: S? = DispatchQueue?.none, transport: any Transport = CurlTransport.shared,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, transport: transport, log: log)
            .makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }

    /// Returns a cold publisher that sends the request to `host`, with an SLA in seconds.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Double, using scheduler: S? = DispatchQueue?.none,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(
            on: host, retries: retries, sla: .limit(seconds: sla), using: scheduler, transport: transport, log: log)
    }

    /// Returns a cold publisher that sends the request to `host`, with an SLA in the scheduler's unit of time.
    @_disfavoredOverload
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride, using scheduler: S,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(on: host, retries: retries, sla: .limit(sla), using: scheduler, transport: transport, log: log)
    }
}
#endif
