import Dispatch

// The door for a front end: the result, every step on the way, and a handle to step in.
extension RequestManager {
    /// Sends a request and tells every step of the run. The events, and then the handler, come in order on `queue`;
    /// `RequestEvent.finished` is the last event and comes exactly once. The handle tells the same events to others.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), on queue: DispatchQueue = .global(), fallbackResponse: T.Response? = nil,
        onEvent: @escaping @Sendable (RequestEvent) -> Void = { _ in },
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let serial = DispatchQueue(label: "ombi.events", target: queue)
        let history = EventHistory()
        let engine = run(
            requestable, RunOptions(authentication: authentication, policy: retry, sla: sla),
            fallback: fallbackResponse,
            listener: { event in
                history.add(event)
                serial.async { onEvent(event) }
            },
            handler: Delivery.handler(handler) { serial.async(execute: $0) })
        return RequestTask(engine: engine, history: history)
    }
}

// The door for callbacks.
extension RequestManager {
    /// Sends a request and calls the handler on `scheduler`. The request runs on when the result is dropped;
    /// `cancel()` ends it.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> AnyCancellable {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(stride: sla))
        return send(requestable, options, fallbackResponse, Delivery.handler(handler, Delivery.on(scheduler)))
    }

    /// The same, with the handler on a global queue.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> AnyCancellable {
        let options = RunOptions(
            authentication: authentication, policy: .plain(retries: retries), sla: Duration(clampingSeconds: sla))
        return send(requestable, options, fallbackResponse, Delivery.handler(handler, Delivery.onGlobalQueue))
    }

    private func send<T: Requestable>(
        _ requestable: T, _ options: RunOptions, _ fallbackResponse: T.Response?,
        _ handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> AnyCancellable {
        let keeper = CancellableKeeper()
        let engine = run(requestable, options, fallback: fallbackResponse) { result in
            keeper.release()
            handler(result)
        }
        return keeper.keep(AnyCancellable { engine.cancel() })
    }
}

// The door for async.
extension RequestManager {
    /// Sends a request and waits for its response. Throws `T.Failure`; cancelling the Swift task cancels the request.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) async throws -> T.Response where T.ResponseBody: Sendable {
        try await response(
            for: requestable, authentication: authentication, retry: .plain(retries: retries),
            sla: Duration(clampingSeconds: sla), fallbackResponse: fallbackResponse)
    }

    /// The same, with a policy that says which failures are worth another attempt.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), fallbackResponse: T.Response? = nil
    ) async throws -> T.Response where T.ResponseBody: Sendable {
        let box = TaskBox()
        let options = RunOptions(authentication: authentication, policy: retry, sla: sla)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<T.Response, any Error>) in
                box.set(
                    run(requestable, options, fallback: fallbackResponse) { result in
                        continuation.resume(with: result.mapError { $0 as any Error })
                    })
            }
        } onCancel: {
            box.cancel()
        }
    }
}
