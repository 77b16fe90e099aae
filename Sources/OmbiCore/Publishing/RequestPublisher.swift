/// A publisher that runs a request for each subscriber that demands a value.
struct RequestPublisher<T: Requestable>: Publisher {
    typealias Output = T.Response
    typealias Failure = T.Failure
    typealias Handler = @Sendable (Result<T.Response, T.Failure>) -> Void

    let manager: RequestManager
    let makeRun: @Sendable (@escaping Handler) -> RequestRun

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: RequestSubscription(AnySubscriber(subscriber), self))
    }
}

/// One subscription to a request: starts the run on the first demand, and delivers the value and the end in one block.
/// The end of the subscription empties it, once, so that a retained subscription retains nothing else.
private final class RequestSubscription<T: Requestable>: Subscription, Sendable {
    private enum State {
        case idle(AnySubscriber<T.Response, T.Failure>, RequestPublisher<T>)
        case running(AnySubscriber<T.Response, T.Failure>, RequestRun)
        case ended
    }

    private let state: Lock<State>

    init(_ subscriber: AnySubscriber<T.Response, T.Failure>, _ publisher: RequestPublisher<T>) {
        state = Lock(.idle(subscriber, publisher))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none, case .idle(_, let publisher) = state.withLock({ $0 }) else { return }
        let run = publisher.makeRun { self.finish($0) }
        let before = state.withLock { state in
            let before = state
            if case .idle(let subscriber, _) = state { state = .running(subscriber, run) }
            return before
        }
        if case .idle = before { publisher.manager.start(run) }
    }

    func cancel() {
        if case .running(_, let run) = take() { run.cancel() }
    }

    private func finish(_ result: Result<T.Response, T.Failure>) {
        guard case .running(let subscriber, _) = take() else { return }
        switch result {
        case .success(let response):
            _ = subscriber.receive(response)
            subscriber.receive(completion: .finished)
        case .failure(let error): subscriber.receive(completion: .failure(error))
        }
    }

    private func take() -> State {
        state.withLock { state in
            defer { state = .ended }
            return state
        }
    }
}
