import OmbiCore

/// The client of the hub.
struct Hub: Sendable {
    let manager: RequestManager

    init(
        host: String = "https://api.example.com", refreshToken: String,
        transport: any Transport = CurlTransport.shared, clock: some Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        manager = RequestManager(host: host, transport: transport, clock: clock)
        manager.middlewares = [RequestIDs(), CircuitBreaker(clock: clock), RateLimit(now: now)]
        let accounts = RequestManager(host: host, transport: transport, clock: clock)
        let session = Session(accounts: accounts, refreshToken: refreshToken, now: now)
        manager.authenticator = TokenAuthenticator(now: now) { _ in try await session.renew() }
    }

    /// Sends a request, and returns the body of its response.
    func value<R: HubRequest>(for request: R) async throws(RequestError<HubError>) -> R.ResponseBody
    where R.ResponseBody: Sendable {
        try await manager.value(for: request, retry: .hub, sla: .seconds(60))
    }

    /// The pages of a list.
    func pages<R: PagedRequest>(_ request: R) -> Pages<R> { Pages(hub: self, first: request) }
}
