/// Runs a request for each subscriber that asks for a value.
struct RequestPublisher<T: Requestable>: Publisher {
    typealias Output = T.Response
    typealias Failure = T.Failure
    typealias Handler = @Sendable (Result<T.Response, T.Failure>) -> Void

    let start: @Sendable (@escaping Handler) -> any RunControl
    let deliver: Delivery.Function

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(
            subscription: RequestSubscription<T>(AnySubscriber(subscriber), start: start, deliver: deliver))
    }
}

/// One subscription to a request: starts the run on the first demand, and delivers the value and the end in one block.
/// Whoever ends the subscription takes the subscriber out, once.
private final class RequestSubscription<T: Requestable>: Subscription, Sendable {
    private struct State {
        var subscriber: AnySubscriber<T.Response, T.Failure>?
        var hasStarted = false
    }

    private let state: Lock<State>
    private let task = TaskBox()
    private let start: @Sendable (@escaping RequestPublisher<T>.Handler) -> any RunControl
    private let deliver: Delivery.Function

    init(
        _ subscriber: AnySubscriber<T.Response, T.Failure>,
        start: @escaping @Sendable (@escaping RequestPublisher<T>.Handler) -> any RunControl,
        deliver: @escaping Delivery.Function
    ) {
        state = Lock(State(subscriber: subscriber))
        self.start = start
        self.deliver = deliver
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted && state.subscriber != nil
        }
        guard isFirst else { return }
        task.set(start(Delivery.handler({ self.finish($0) }, deliver)))
    }

    func cancel() {
        _ = takeSubscriber()
        task.cancel()
    }

    private func finish(_ result: Result<T.Response, T.Failure>) {
        guard let subscriber = takeSubscriber() else { return }
        switch result {
        case .success(let response):
            _ = subscriber.receive(response)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }

    private func takeSubscriber() -> AnySubscriber<T.Response, T.Failure>? {
        state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
    }
}
