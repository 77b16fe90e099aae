import Synchronization

/// Runs a request for each subscriber that asks for a value.
struct RequestPublisher<T: Requestable>: Publisher {
    typealias Output = T.Response
    typealias Failure = T.Failure
    typealias Handler = @Sendable (Result<T.Response, T.Failure>) -> Void

    let start: (@escaping Handler) -> RequestTask
    let deliver: Delivery.Function

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(
            subscription: RequestSubscription<T>(AnySubscriber(subscriber), start: start, deliver: deliver))
    }
}

/// One subscription to a request: starts the run on the first demand, and delivers the value and the end in one block.
///
/// Unchecked because a subscriber is not Sendable: it is taken out under the lock, once, by whoever ends the
/// subscription.
private final class RequestSubscription<T: Requestable>: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: Handover<AnySubscriber<T.Response, T.Failure>>?
        var hasStarted = false
    }

    private let state: Mutex<State>
    private let task = TaskBox()
    private let start: (@escaping RequestPublisher<T>.Handler) -> RequestTask
    private let deliver: Delivery.Function

    init(
        _ subscriber: AnySubscriber<T.Response, T.Failure>,
        start: @escaping (@escaping RequestPublisher<T>.Handler) -> RequestTask,
        deliver: @escaping Delivery.Function
    ) {
        let subscriber = Handover(subscriber)
        state = Mutex(State(subscriber: subscriber))
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
        task.set(
            start { result in
                let result = Handover(result)
                self.deliver { self.finish(result.value) }
            })
    }

    func cancel() {
        _ = takeSubscriber()
        task.cancel()
    }

    private func finish(_ result: Result<T.Response, T.Failure>) {
        guard let subscriber = takeSubscriber() else { return }
        switch result {
        case .success(let response):
            _ = subscriber.value.receive(response)
            subscriber.value.receive(completion: .finished)
        case .failure(let error): subscriber.value.receive(completion: .failure(error))
        }
    }

    private func takeSubscriber() -> Handover<AnySubscriber<T.Response, T.Failure>>? {
        state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
    }
}
