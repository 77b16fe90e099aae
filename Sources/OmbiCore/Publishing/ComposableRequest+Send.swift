#if canImport(CCurl)
extension ComposableRequest {
    /// Returns a cold publisher that sends the request to `host`. `retries`, `sla` and `scheduler` mean what they mean to
    /// `RequestManager.makeRequest(_:authentication:retries:sla:on:fallbackResponse:)`.
    ///
    /// Each call makes a manager of its own. Their connections and threads are those of `transport`.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Duration? = .seconds(180),
        using scheduler: S? = DispatchQueue?.none, transport: any Transport = CurlTransport.shared,
        log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        RequestManager(host: host, transport: transport, log: log)
            .makeRequest(self, retries: retries, sla: sla, on: scheduler)
    }

    /// Returns a cold publisher that sends the request to `host`, with the SLA in seconds.
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: Double, using scheduler: S? = DispatchQueue?.none,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(
            on: host, retries: retries, sla: .limit(seconds: sla), using: scheduler, transport: transport, log: log)
    }

    /// Returns a cold publisher that sends the request to `host`, with the SLA in the time of the scheduler.
    @_disfavoredOverload
    public func send<S: Scheduler>(
        on host: String, retries: Int = 0, sla: S.SchedulerTimeType.Stride, using scheduler: S,
        transport: any Transport = CurlTransport.shared, log: RequestLog? = nil
    ) -> AnyPublisher<Response, Failure> {
        send(on: host, retries: retries, sla: .limit(sla), using: scheduler, transport: transport, log: log)
    }
}
#endif
