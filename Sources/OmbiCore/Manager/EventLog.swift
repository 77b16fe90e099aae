/// The part of a log of events at one place.
enum LogReading<Event> {
    /// `next` is the place from which to continue reading.
    case event(Event, next: Int)
    case nothingYet
    case end
}

/// The events of one run, kept for late readers. Part of the state of a run, under its lock.
///
/// Bounded for runs that last for days: a byte count replaces the previous one, read or not, and of many attempts the
/// newest remain, as in the report.
struct EventLog {
    /// Events by ascending numbers, with gaps where one was replaced or dropped.
    private var events: [(number: Int, event: RequestEvent)] = []
    private var nextNumber = 0
    private var hasEnded = false
    /// Called when there is an event to read.
    var waiters = WaitList()

    /// The report of a finished run; nil before the end.
    var report: RequestReport? {
        guard case .finished(let report) = events.last?.event else { return nil }
        return report
    }

    /// For tests.
    var count: Int { events.count }

    /// Returns the dropped events, for release outside the lock.
    mutating func add(_ event: RequestEvent) -> [RequestEvent] {
        if let last = events.last?.event, event.supersedes(last) { events.removeLast() }
        var dropped: [RequestEvent] = []
        if case .attemptFinished(let report) = event, report.number % 10 == 0 { dropped = trim(at: report.number) }
        if case .finished = event { hasEnded = true }
        if events.isEmpty { events.reserveCapacity(Self.usualCount) }
        events.append((nextNumber, event))
        nextNumber += 1
        return dropped
    }

    /// The number of events in a typical run with one attempt.
    private static let usualCount = 10

    /// Drops the events of old attempts.
    private mutating func trim(at number: Int) -> [RequestEvent] {
        guard number > AttemptHistory.maximumAttempts else { return [] }
        let before = events
        events.removeAll { ($0.event.attempt ?? number) <= number - AttemptHistory.maximumAttempts }
        return before.map(\.event)
    }

    /// Has the bodies of attempts as the history of attempts has them.
    /// - Returns: The events no longer kept, for release outside the lock.
    mutating func followBodies(of numbers: [Int], in reports: [AttemptReport]) -> [RequestEvent] {
        var dropped: [RequestEvent] = []
        for number in numbers {
            // The newest change most.
            loop: for index in events.indices.reversed() {
                switch events[index].event {
                case .attemptStarted(let started, _, _) where started == number: break loop
                case .bodyStarted(let attempt, _, _) where attempt == number:
                    dropped.append(events.remove(at: index).event)
                case .attemptFinished(var report) where report.number == number:
                    guard let kept = reports.last(where: { $0.number == number }) else { continue }
                    (report.received, report.omittedBody) = (kept.received, kept.omittedBody)
                    events[index].event = .attemptFinished(report)
                default: break
                }
            }
        }
        return dropped
    }

    /// Returns the first event whose number is at least `number`.
    func read(_ number: Int) -> LogReading<RequestEvent> {
        guard number < nextNumber else { return hasEnded ? .end : .nothingYet }
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].number < number { low = middle + 1 } else { high = middle }
        }
        guard low < events.count else { return hasEnded ? .end : .nothingYet }
        return .event(events[low].event, next: events[low].number + 1)
    }

    /// Returns a number for waking the waiter; nil if there is an event to read.
    mutating func wait(for number: Int, _ waiter: @escaping WaitList.Waiter) -> Int? {
        guard case .nothingYet = read(number) else { return nil }
        return waiters.add(waiter)
    }
}

/// Waiters under the lock of something that becomes known later.
struct WaitList {
    /// A closure called once, outside the lock.
    typealias Waiter = @Sendable () -> Void

    private var waiters: [(number: Int, call: Waiter)] = []
    private var lastNumber = 0

    /// Returns a number for taking the waiter.
    mutating func add(_ waiter: @escaping Waiter) -> Int {
        lastNumber += 1
        waiters.append((lastNumber, waiter))
        return lastNumber
    }

    /// Returns nil if it is not waiting any more.
    mutating func take(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0).call }
    }

    mutating func takeAll() -> [Waiter] { exchange(&waiters, with: []).map(\.call) }

    /// Suspends the task until its waiter is called, which happens at once when the task is cancelled.
    /// - Parameters:
    ///   - wait: Adds the waiter and returns its number; nil if it was called.
    ///   - wake: Calls a waiter that is still waiting.
    static func suspend(wait: (@escaping Waiter) -> Int?, wake: @escaping @Sendable (Int) -> Void) async {
        let waiter = Lock<Int?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let number = wait { continuation.resume() }
                waiter.withLock { $0 = number }
                if Task.isCancelled, let number { wake(number) }
            }
        } onCancel: {
            if let number = waiter.withLock({ $0 }) { wake(number) }
        }
    }
}

/// The finished attempts that a run keeps.
struct AttemptHistory {
    static let maximumAttempts = 100

    /// The newest reports, in order.
    private(set) var reports: [AttemptReport] = []
    /// The number of all attempts, including those no longer kept.
    private(set) var count: Int
    private var bodies = AttemptBodies()
    /// False if nobody can request the reports; no body is kept then.
    private let keepsBodies: Bool

    init(count: Int = 0, keepsBodies: Bool = true) { (self.count, self.keepsBodies) = (count, keepsBodies) }

    mutating func add(_ report: AttemptReport) -> AttemptBodies.Changes {
        var changes = AttemptBodies.Changes()
        if let last = reports.indices.last {
            if keepsBodies {
                changes = bodies.keep(last, of: &reports)
            } else {
                changes.values += reports[last].omitBodies()
            }
        }
        if reports.count == Self.maximumAttempts {
            let oldest = reports.removeFirst()
            bodies.forget(oldest.number, first: reports.first?.number)
            changes.values.append(oldest)
        }
        reports.append(report)
        count += 1
        return changes
    }

    /// - Parameter reason: nil leaves it as it is.
    mutating func setLastWait(_ wait: Duration, _ reason: WaitReason?) {
        guard !reports.isEmpty else { return }
        reports[reports.count - 1].wait = wait
        if let reason { reports[reports.count - 1].waitReason = reason }
    }
}

extension RequestEvent {
    fileprivate var attempt: Int? {
        switch self {
        case .attemptStarted(let number, _, _), .authenticating(let number, _), .phaseReached(let number, _, _),
            .redirected(let number, _, _), .bodySent(let number, _, _, _), .headReceived(let number, _, _),
            .bodyStarted(let number, _, _), .bodyReceived(let number, _, _, _), .refreshingCredentials(let number, _):
            number
        case .attemptFinished(let report): report.number
        case .waiting(let next, _, _, _): next - 1
        case .attemptsAdded, .fallbackUsed, .finished: nil
        }
    }

    /// Returns true for a later byte count of the same attempt and direction.
    fileprivate func supersedes(_ other: RequestEvent) -> Bool {
        switch (self, other) {
        case (.bodyReceived(let attempt, _, _, _), .bodyReceived(let before, _, _, _)): attempt == before
        case (.bodySent(let attempt, _, _, _), .bodySent(let before, _, _, _)): attempt == before
        default: false
        }
    }
}

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
            return !exchange(&state.isDelivering, with: true)
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
            return (state.sent.take(), state.received.take(), state.end.take())
        }
    }
}
