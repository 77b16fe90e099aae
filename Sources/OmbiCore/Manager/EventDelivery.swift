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

/// Delivery to the progress closures of a request: in order and one at a time, on a thread of the `WorkPool`, so that
/// they delay no transfer. Closures that fall behind get only the newest counts; the last counts always arrive, before
/// the result.
final class ProgressDelivery: Sendable {
    typealias Handler = @Sendable (TransferProgress) -> Void

    private struct State {
        var sent: TransferProgress?
        var received: TransferProgress?
        var isDelivering = false
        var end: (@Sendable () -> Void)?
    }

    private let onSent: Handler?
    private let onReceived: Handler?
    private let state = Lock(State())

    init(onSent: Handler?, onReceived: Handler?) {
        self.onSent = onSent
        self.onReceived = onReceived
    }

    func add(_ event: TransportEvent) {
        switch event {
        case .sent(let bytes, let expected) where onSent != nil:
            change { $0.sent = TransferProgress(bytes: bytes, expected: expected) }
        case .received(let bytes, let expected) where onReceived != nil:
            change { $0.received = TransferProgress(bytes: bytes, expected: expected) }
        default: return
        }
    }

    /// Calls `end` after the last counts.
    func finish(_ end: @escaping @Sendable () -> Void) { change { $0.end = end } }

    private func change(_ body: (inout State) -> Void) {
        let isIdle = state.withLock { state in
            body(&state)
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if isIdle { WorkPool.shared.run { self.deliver() } }
    }

    private func deliver() {
        while let (sent, received, end) = takeNext() {
            if let sent { onSent?(sent) }
            if let received { onReceived?(received) }
            end?()
        }
    }

    private func takeNext() -> (TransferProgress?, TransferProgress?, (@Sendable () -> Void)?)? {
        state.withLock { state in
            guard state.sent != nil || state.received != nil || state.end != nil else {
                state.isDelivering = false
                return nil
            }
            defer { (state.sent, state.received, state.end) = (nil, nil, nil) }
            return (state.sent, state.received, state.end)
        }
    }
}
