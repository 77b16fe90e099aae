import Dispatch

/// The events of one run as a publisher that honors demand: nothing is dropped, and nothing is buffered twice.
struct EventPublisher: Publisher {
    typealias Output = RequestEvent
    typealias Failure = Never

    let run: RequestRun

    func receive<S: Subscriber>(subscriber: S) where S.Input == RequestEvent, S.Failure == Never {
        subscriber.receive(subscription: EventSubscription(AnySubscriber(subscriber), run))
    }
}

extension RequestTask {
    /// The events of the run as a publisher; each subscriber gets them from the start of the run.
    public var eventPublisher: AnyPublisher<RequestEvent, Never> { EventPublisher(run: run).eraseToAnyPublisher() }
}

/// One subscription to the events of a run. Everything is delivered on its own queue, one event at a time.
private final class EventSubscription: Subscription, Sendable {
    private struct State {
        var subscriber: AnySubscriber<RequestEvent, Never>?
        var demand = Subscribers.Demand.none
        var index = 0
    }

    private let queue = DispatchQueue(label: "ombi.events")
    private let run: RequestRun
    private let state: Lock<State>

    init(_ subscriber: AnySubscriber<RequestEvent, Never>, _ run: RequestRun) {
        self.run = run
        state = Lock(State(subscriber: subscriber))
    }

    func request(_ demand: Subscribers.Demand) {
        state.withLock { $0.demand += demand }
        queue.async { self.deliver() }
    }

    /// The subscriber is released outside the lock.
    func cancel() {
        let subscriber = state.withLock { state in
            defer { state.subscriber = nil }
            return state.subscriber
        }
        withExtendedLifetime(subscriber) {}
    }

    /// Runs on the queue.
    private func deliver() {
        while let subscriber = state.withLock({ $0.subscriber }) {
            let index = state.withLock { $0.index }
            switch run.read(index) {
            case .nothingYet:
                _ = run.wait(for: index) { [self] in queue.async { self.deliver() } }
                return
            case .end:
                cancel()
                return subscriber.receive(completion: .finished)
            case .event(let event, let next):
                let isWanted = state.withLock { state in
                    guard state.demand > .none else { return false }
                    state.demand -= 1
                    state.index = next
                    return true
                }
                guard isWanted else { return }
                let more = subscriber.receive(event)
                state.withLock { $0.demand += more }
            }
        }
    }
}
