/// Delivers the events of a run to a closure, in order and one at a time, and then its end.
final class EventDelivery: Sendable {
    private let run: RequestRun
    private let delivery: Delivery
    private let onEvent: @Sendable (RequestEvent) -> Void
    private let atEnd: @Sendable () -> Void
    /// The index of the next event. Only one thread at a time delivers.
    private let index = Lock(0)

    init(
        run: RequestRun, delivery: Delivery, onEvent: @escaping @Sendable (RequestEvent) -> Void,
        atEnd: @escaping @Sendable () -> Void
    ) {
        self.run = run
        self.delivery = delivery
        self.onEvent = onEvent
        self.atEnd = atEnd
    }

    /// Waits for the next event. The instance keeps itself alive until the end.
    func start() {
        _ = run.wait(for: index.withLock { $0 }) { self.delivery { self.handOver() } }
    }

    private func handOver() {
        while true {
            switch run.read(index.withLock { $0 }) {
            case .nothingYet: return start()
            case .end: return atEnd()
            case .event(let event, let next):
                index.withLock { $0 = next }
                onEvent(event)
            }
        }
    }
}
