// Sending requests with callbacks.
extension RequestManager {
    /// Sends a request, and calls the handler with its result exactly once, even if the request is malformed.
    ///
    /// The run continues when the handle is dropped; `RequestTask.cancel()` ends it, and so does
    /// `cancelRequests(with:passingTest:)`. Both closures are optional: the handle provides the result and the events.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failed attempt is repeated at once,
    ///     whatever the method.
    ///   - sla: The limit over all attempts and waits; nil for none. Zero or less sends nothing and ends with
    ///     `RequestError.slaExceeded(_:)`.
    ///   - scheduler: The scheduler that calls the closures, one after the other even on a concurrent queue. nil uses
    ///     `callbackQueue`. With `ImmediateScheduler` they run on a thread of the transport: requests that they send
    ///     start when they return, or after 5 ms.
    ///   - fallbackResponse: The response if every attempt fails and the request has no fallback of its own.
    ///   - handler: Receives the result, after the last event.
    ///   - onEvent: Receives the events in order; `RequestEvent.finished(_:)` is the last. If it falls behind, it gets
    ///     only the newest of several byte counts.
    /// - Returns: A handle that provides the result and the events, and controls the run.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: .plain(retries: retries), sla: sla)
        return send(requestable, options, delivery(on: scheduler), fallbackResponse, handler, onEvent)
    }

    /// Sends a request with a policy for retries. Everything else is as in
    /// `send(_:authentication:retries:sla:on:fallbackResponse:handler:onEvent:)`.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return send(requestable, options, delivery(on: scheduler), fallbackResponse, handler, onEvent)
    }

    /// Sends a request whose result and events are handled on the main actor:
    ///
    ///     manager.send(request, on: .main) { result in
    ///         self.user = try? result.get().body
    ///     }
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla, on: queue,
            fallbackResponse: fallbackResponse, handler: handler, onEvent: onEvent)
    }

    /// Sends a request with a policy for retries; closures run on the main actor.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), on queue: MainQueue, fallbackResponse: T.Response? = nil,
        handler: @escaping @MainActor (Result<T.Response, T.Failure>) -> Void = { _ in },
        onEvent: (@MainActor (RequestEvent) -> Void)? = nil
    ) -> RequestTask<T> {
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return send(
            requestable, options, .queue(.main), fallbackResponse, MainQueue.handler(handler),
            onEvent.map { MainQueue.handler($0) })
    }

    /// Sends a request with an SLA in the scheduler's unit of time; one without a notion of time has no limit.
    @discardableResult
    @_disfavoredOverload
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride, on scheduler: S, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void = { _ in }
    ) -> RequestTask<T> {
        send(
            requestable, authentication: authentication, retries: retries, sla: .limit(sla), on: scheduler,
            fallbackResponse: fallbackResponse, handler: handler)
    }

    final func delivery<S: Scheduler>(on scheduler: S?) -> Delivery { Delivery(scheduler, default: callbackQueue) }

    private func send<T: Requestable>(
        _ requestable: T, _ options: RunOptions, _ delivery: Delivery, _ fallbackResponse: T.Response?,
        _ handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void,
        _ onEvent: (@Sendable (RequestEvent) -> Void)?
    ) -> RequestTask<T> {
        let outcome = RunOutcome<T>()
        let run = makeRun(
            requestable, options, fallback: fallbackResponse, recordsEvents: true, outcome: outcome,
            delivery: delivery, handler: onEvent == nil ? handler : nil)
        if let onEvent {
            EventDelivery(run: run, delivery: delivery, onEvent: onEvent) { outcome.current.map(handler) }.start()
        }
        start(run)
        return RequestTask(run: run, outcome: outcome)
    }
}

extension RequestManager {
    /// Sends a request whose type is not statically known, such as one of an `[any Requestable]`. The error is the
    /// `RequestError` of the request.
    @discardableResult
    @_disfavoredOverload
    public final func send<S: Scheduler>(
        _ requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Duration? = .seconds(180), on scheduler: S? = DispatchQueue?.none,
        handler: @escaping @Sendable (Result<RequestResponse<Any>, any Error>) -> Void = { _ in },
        onEvent: (@Sendable (RequestEvent) -> Void)? = nil
    ) -> any RequestHandle {
        func send<T: Requestable>(_ requestable: T) -> any RequestHandle {
            self.send(
                requestable, authentication: authentication, retry: retry, sla: sla, on: scheduler,
                handler: { (result: Result<T.Response, T.Failure>) in
                    handler(result.map(\.untyped).mapError { $0 })
                }, onEvent: onEvent) as RequestTask<T>
        }
        return send(requestable)
    }
}

// Sending requests with async and await.
extension RequestManager {
    /// Sends a request, and returns its response.
    ///
    /// Throws the `RequestError` of the request, and nothing else. Cancelling the Swift task ends the run, and the call
    /// throws `RequestError.cancelled`; if the task was cancelled before, nothing is sent.
    ///
    /// - Parameters:
    ///   - requestable: The request, evaluated once per run.
    ///   - authentication: Credentials for a request without its own; nil uses those of the manager.
    ///   - retries: Attempts after the first; a negative number counts as 0. Every failed attempt is repeated at once,
    ///     whatever the method.
    ///   - sla: The limit over all attempts and waits; nil for none. At zero or less, nothing is sent, and
    ///     `RequestError.slaExceeded(_:)` is thrown.
    ///   - fallbackResponse: The response if every attempt fails and the request has no fallback of its own.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries, and returns its response.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.Response where T.ResponseBody: Sendable {
        let outcome = RunOutcome<T>()
        let run = makeRun(
            requestable, RunOptions(authentication: authentication, policy: retry, sla: sla),
            fallback: fallbackResponse, outcome: outcome)
        return try await outcome.result(of: run) { start(run) }.get()
    }

    /// Sends a request, and returns the body of its response. The parameters are those of
    /// `response(for:authentication:retries:sla:fallbackResponse:)`.
    ///
    /// A response without a body is an error: `RequestError.decodingError(_:_:)` with a `MissingBody` as its cause and
    /// with the response. A `NoBody` needs none.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        try await value(
            for: requestable, authentication: authentication, retry: .plain(retries: retries), sla: sla,
            fallbackResponse: fallbackResponse)
    }

    /// Sends a request with a policy for retries, and returns the body of its response.
    public final func value<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration? = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws(T.Failure) -> T.ResponseBody where T.ResponseBody: Sendable {
        let response = try await response(
            for: requestable, authentication: authentication, retry: retry, sla: sla,
            fallbackResponse: fallbackResponse)
        return try T.value(of: response)
    }
}

extension RequestManager {
    /// Sends a request whose type is not statically known, such as the next one of a queue of `any Requestable`, and
    /// returns its response. The error is the `RequestError` of the request.
    ///
    ///     let response = try await manager.response(for: queue.removeFirst())
    ///     if let order = response.body as? Order { … }
    @_disfavoredOverload
    public final func response(
        for requestable: any Requestable, authentication: RequestAuthentication? = nil, retry: RetryPolicy = .never,
        sla: Duration? = .seconds(180)
    ) async throws -> sending RequestResponse<Any> {
        try await untypedResponse(
            for: requestable, RunOptions(authentication: authentication, policy: retry, sla: sla))
    }

    private func untypedResponse<T: Requestable>(
        for requestable: T, _ options: RunOptions
    ) async throws -> sending RequestResponse<Any> {
        let outcome = RunOutcome<T>()
        let run = makeRun(requestable, options, fallback: nil, outcome: outcome)
        await outcome.untilEnd(of: run) { start(run) }
        guard let result = outcome.current else { throw T.Failure.unknownError }
        return try result.get().untyped
    }
}

extension RequestResponse {
    var untyped: RequestResponse<Any> {
        RequestResponse<Any>(url: url, headers: headers, statusCode: statusCode, body: body)
    }
}

extension Requestable {
    /// Returns the body of a response; throws if there is none.
    static func value(of response: Response) throws(Failure) -> ResponseBody {
        if let body = response.body ?? NoBody() as? ResponseBody { return body }
        throw .decodingError(
            MissingBody(),
            TransportResponse(url: response.url, headers: response.headers, statusCode: response.statusCode))
    }
}
