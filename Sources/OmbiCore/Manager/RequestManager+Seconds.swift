// The doors with an SLA in seconds, `sla: 10`; infinity means no limit. Everything else is as in the same door with a
// `Duration`.
extension RequestManager {
    /// Sends a request with an SLA in seconds, and returns its response; infinity means no limit.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries and an SLA in seconds, and returns its response.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy, sla: Double,
        fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla),
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with an SLA in seconds, and returns the body of its response.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        try await value(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries and an SLA in seconds, and returns the body of its response.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy, sla: Double,
        fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        try await value(
            for: requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla),
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request whose type is not statically known, with an SLA in seconds, and returns its response.
    @_disfavoredOverload
    public final func response(
        for requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Double
    ) async throws -> sending RequestResponse<Any> {
        try await response(for: requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla))
    }

    /// Sends a request with an SLA in seconds, and returns its response when the head has arrived.
    public final func stream<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never, sla: Double
    ) async throws(T.Failure) -> ResponseStream<T.ResponseError> {
        try await stream(requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla))
    }

    /// Writes the body of a response to a file while it arrives, with an SLA in seconds for the whole download.
    public final func download<T: Requestable>(
        _ requestable: T, to path: String, resume: Bool = false, authentication: RequestAuthentication? = nil,
        retry: RetryPolicy = .never, sla: Double, onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws(T.Failure) -> Download {
        try await download(
            requestable, to: path, resume: resume, authentication: authentication, retry: retry,
            sla: .limit(seconds: sla), onProgress: onProgress)
    }
}

extension RequestManager {
    /// Sends a request with an SLA in seconds; infinity means no limit.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: scheduler,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// Sends a request with a policy for retries and an SLA in seconds.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla), on: scheduler,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// Sends a request with an SLA in seconds; closures run on the main actor.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: queue,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// Sends a request with a policy for retries and an SLA in seconds; closures run on the main actor.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy, sla: Double,
        on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla), on: queue,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// Sends a request whose type is not statically known, with an SLA in seconds.
    @discardableResult
    @_disfavoredOverload
    public final func send<S: Scheduler>(
        _ requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Double, on scheduler: S? = DispatchQueue?.none,
        handler: @escaping @Sendable (Result<RequestResponse<Any>, any Error>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> any RequestHandle {
        send(
            requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla), on: scheduler,
            handler: handler, onEvent: onEvent)
    }

    /// Returns a cold publisher with an SLA in seconds; infinity means no limit.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: scheduler,
            fallbackResponse: fallbackResponse)
    }

    /// Returns a cold publisher with a policy for retries and an SLA in seconds.
    public final func makeRequest<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy, sla: Double,
        on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil
    ) -> AnyPublisher<T.Response, T.Failure> {
        makeRequest(
            requestable, authentication: authentication, retry: retry, sla: .limit(seconds: sla), on: scheduler,
            fallbackResponse: fallbackResponse)
    }
}
