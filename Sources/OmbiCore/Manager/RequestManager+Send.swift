import Dispatch

// The door for a front end: the result, every step on the way, and a handle to step in.
extension RequestManager {
    /// Sends a request and tells every step of the run. The events, and then the handler, come in order on `queue`;
    /// `RequestEvent.finished` is the last event and comes exactly once.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retry: RetryPolicy,
        sla: Duration = .seconds(180), on queue: DispatchQueue, fallbackResponse: T.Response? = nil,
        onEvent: @escaping @Sendable (RequestEvent) -> Void,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> RequestTask {
        let serial = DispatchQueue(label: "ombi.events", target: queue)
        return run(
            requestable, authentication: authentication, policy: retry, sla: sla, fallback: fallbackResponse,
            onEvent: { event in serial.async { onEvent(event) } },
            handler: { result in
                let result = Handover(result)
                serial.async { handler(result.value) }
            })
    }

    /// Sends a request and calls the handler on `scheduler`. The request runs on when the result is dropped;
    /// `cancel()` ends it.
    @discardableResult
    public final func send<T: Requestable, S: Scheduler>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0,
        sla: S.SchedulerTimeType.Stride = .seconds(180), on scheduler: S, fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> AnyCancellable {
        send(
            requestable, authentication: authentication, retries: retries, sla: Duration(stride: sla),
            fallbackResponse: fallbackResponse, handler: handler, deliver: Delivery.on(scheduler))
    }

    /// The same, with the handler on a global queue.
    @discardableResult
    public final func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil,
        handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void
    ) -> AnyCancellable {
        send(
            requestable, authentication: authentication, retries: retries, sla: Duration(clampingSeconds: sla),
            fallbackResponse: fallbackResponse, handler: handler, deliver: Delivery.onGlobalQueue)
    }

    private func send<T: Requestable>(
        _ requestable: T, authentication: RequestAuthentication?, retries: Int, sla: Duration,
        fallbackResponse: T.Response?, handler: @escaping @Sendable (Result<T.Response, T.Failure>) -> Void,
        deliver: @escaping Delivery.Function
    ) -> AnyCancellable {
        let keeper = CancellableKeeper()
        let task = run(
            requestable, authentication: authentication, policy: .plain(retries: retries), sla: sla,
            fallback: fallbackResponse, onEvent: { _ in },
            handler: { result in
                keeper.release()
                let result = Handover(result)
                deliver { handler(result.value) }
            })
        return keeper.keep(AnyCancellable { task.cancel() })
    }

    /// Sends a request and waits for its response. Throws `T.Failure`; cancelling the Swift task cancels the request.
    public final func response<T: Requestable>(
        for requestable: T, authentication: RequestAuthentication? = nil, retries: Int = 0, sla: Double = 180,
        fallbackResponse: T.Response? = nil
    ) async throws -> T.Response where T.ResponseBody: Sendable {
        let box = TaskBox()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<T.Response, any Error>) in
                box.set(
                    run(
                        requestable, authentication: authentication, policy: .plain(retries: retries),
                        sla: Duration(clampingSeconds: sla), fallback: fallbackResponse, onEvent: { _ in },
                        handler: { continuation.resume(with: $0.mapError { $0 as any Error }) }))
            }
        } onCancel: {
            box.cancel()
        }
    }
}
