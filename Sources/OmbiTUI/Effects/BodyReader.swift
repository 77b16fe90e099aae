import Dispatch
import OmbiCore
import OmbiDocument

/// Reads one body on a queue of its own, and tells of it as it goes: the first screen at once, then in steps.
final class BodyReader: Sendable {
    private let queue = DispatchQueue(label: "ombi.body", qos: .userInitiated)
    private let state: Lock<State>
    private let flag: CancelFlag
    private let emit: @Sendable (ViewerEvent) -> Void

    private struct State {
        let indexer: BodyIndexer
        let bytes: @Sendable () -> Bytes
        var isComplete: Bool
        var isScheduled = false
        var told: ContinuousClock.Instant?
    }

    /// Enough for any screen, and done in a moment.
    private static let first = 1 << 18
    private static let step = 8 << 20
    /// How often a growing body is told of.
    private static let interval = Duration.milliseconds(100)

    /// - Parameter bytes: all that has come so far.
    init(
        contentType: String?, isComplete: Bool, bytes: @escaping @Sendable () -> Bytes,
        emit: @escaping @Sendable (ViewerEvent) -> Void
    ) {
        let flag = CancelFlag()
        self.flag = flag
        self.emit = emit
        state = Lock(
            State(
                indexer: BodyIndexer(contentType: contentType) { flag.isCancelled }, bytes: bytes,
                isComplete: isComplete))
    }

    /// Reads on: more may have come.
    func read(isComplete: Bool = false) {
        let wasScheduled = state.withLock { state in
            defer { state.isScheduled = true }
            if isComplete { state.isComplete = true }
            return state.isScheduled
        }
        if !wasScheduled { queue.async { self.work() } }
    }

    func cancel() { flag.cancel() }

    private func work() {
        state.withLock { $0.isScheduled = false }
        while !flag.isCancelled, step() {}
    }

    /// Whether there is more to do.
    private func step() -> Bool {
        let (document, isBehind) = state.withLock { state -> (BodyDocument?, Bool) in
            let bytes = state.bytes()
            if bytes.isEmpty, !state.isComplete { return (nil, false) }
            let document = state.indexer.read(
                bytes, isComplete: state.isComplete, budget: state.told == nil ? Self.first : Self.step)
            let isBehind = state.indexer.isBehind(bytes)
            let isDue = state.told.map { .now - $0 >= Self.interval } ?? true
            guard isDue || !isBehind else { return (nil, isBehind) }
            state.told = .now
            return (document, isBehind)
        }
        if let document, !flag.isCancelled { emit(.read(document)) }
        return isBehind
    }
}
