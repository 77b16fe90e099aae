import Dispatch
import OmbiCore
import OmbiDocument

/// Reads one body on a queue of its own, and tells of it as it goes: the first screen at once, then in steps.
final class BodyReader: Sendable {
    private let queue = DispatchQueue(label: "ombi.body", qos: .userInitiated)
    private let state = Lock(State())
    /// Entered by the queue alone, which is in it for as long as a step takes: nobody else may have to wait for that.
    private let reading: Lock<Reading>
    private let flag: CancelFlag
    private let emit: @Sendable (ViewerEvent) -> Void

    private struct State {
        var isComplete = false
        var isScheduled = false
    }

    private struct Reading {
        let indexer: BodyIndexer
        let bytes: @Sendable () -> Bytes
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
        reading = Lock(Reading(indexer: BodyIndexer(contentType: contentType) { flag.isCancelled }, bytes: bytes))
        state.withLock { $0.isComplete = isComplete }
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
        // First whether it is complete, then what has come, which is all of it then.
        let isComplete = state.withLock { $0.isComplete }
        let (document, isBehind) = reading.withLock { reading -> (BodyDocument?, Bool) in
            let bytes = reading.bytes()
            if bytes.isEmpty, !isComplete { return (nil, false) }
            let document = reading.indexer.read(
                bytes, isComplete: isComplete, budget: reading.told == nil ? Self.first : Self.step)
            let isBehind = reading.indexer.isBehind(bytes)
            let isDue = reading.told.map { .now - $0 >= Self.interval } ?? true
            guard isDue || !isBehind else { return (nil, isBehind) }
            reading.told = .now
            return (document, isBehind)
        }
        if let document, !flag.isCancelled { emit(.read(document)) }
        return isBehind
    }
}
