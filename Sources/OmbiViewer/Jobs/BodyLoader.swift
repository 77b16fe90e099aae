import Dispatch
import OmbiBase
import OmbiCore
import OmbiDocument
import OmbiTerminal

/// Loads one body on a queue of its own, and reports it as it arrives: the first screen at once, then in steps.
final class BodyLoader: Sendable {
    private let queue = DispatchQueue(label: "ombi.body", qos: .userInitiated)
    private let state = Lock(State())
    /// Locked by the queue alone, for a whole step: no other thread may wait for it.
    private let reading: Lock<Reading>
    private let flag: CancelFlag
    private let emit: @Sendable (ViewerEvent) -> Void

    private struct State {
        var isComplete = false
        var isScheduled = false
        /// True while another step is scheduled for later.
        var isDelayed = false
    }

    private enum Step {
        case report(BodyDocument, goesOn: Bool)
        case goOn
        /// Little has arrived: the next step follows after this delay.
        case delay(Duration)
        case wait
    }

    private struct Reading {
        let indexer: BodyIndexer
        let bytes: @Sendable () -> Bytes
        let arrivals: @Sendable () -> BodyArrivals?
        var lastReport: ContinuousClock.Instant?
    }

    /// Enough bytes to fill any screen.
    private static let first = 1 << 18
    private static let step = 8 << 20
    /// The interval at which a growing body is reported.
    private static let interval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - bytes: returns all bytes so far.
    ///   - arrivals: returns the times at which they arrived.
    init(
        contentType: String?, isComplete: Bool, bytes: @escaping @Sendable () -> Bytes,
        arrivals: @escaping @Sendable () -> BodyArrivals? = { nil },
        emit: @escaping @Sendable (ViewerEvent) -> Void
    ) {
        let flag = CancelFlag()
        self.flag = flag
        self.emit = emit
        reading = Lock(
            Reading(
                indexer: BodyIndexer(contentType: contentType) { flag.isCancelled }, bytes: bytes, arrivals: arrivals))
        state.withLock { $0.isComplete = isComplete }
    }

    /// Loads the bytes that have arrived since.
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

    /// Performs a step. Returns true when there is more to do at once.
    private func step() -> Bool {
        switch next() {
        case .report(let document, let goesOn):
            if !flag.isCancelled { emit(.read(document)) }
            return goesOn
        case .goOn: return true
        case .delay(let delay):
            schedule(after: delay)
            return false
        case .wait: return false
        }
    }

    private func next() -> Step {
        // Read before the bytes: if the body is complete, these are all of them.
        let isComplete = state.withLock { $0.isComplete }
        return reading.withLock { reading in
            let bytes = reading.bytes()
            if bytes.isEmpty, !isComplete { return .wait }
            let delay = reading.lastReport.map { Self.interval - (.now - $0) } ?? .zero
            let isDue = delay <= .zero
            // A pipe may deliver byte by byte, and a step for each byte would be slow.
            if !isDue, !isComplete, reading.indexer.left(of: bytes) < Self.step { return .delay(delay) }
            var document = reading.indexer.read(
                bytes, isComplete: isComplete, budget: reading.lastReport == nil ? Self.first : Self.step)
            let goesOn = reading.indexer.left(of: bytes) > 0
            guard isDue || isComplete && !goesOn else { return .goOn }
            document.arrivals = reading.arrivals()
            reading.lastReport = .now
            return .report(document, goesOn: goesOn)
        }
    }

    private func schedule(after delay: Duration) {
        let isDelayed = state.withLock { state in
            defer { state.isDelayed = true }
            return state.isDelayed
        }
        guard !isDelayed else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay.milliseconds.rounded(.up)))) {
            self.state.withLock { $0.isDelayed = false }
            self.work()
        }
    }
}
