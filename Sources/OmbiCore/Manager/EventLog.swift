/// The events of one run, kept so that whoever looks later still sees all of them. Part of the state of a run, under
/// its lock.
struct EventLog {
    /// Called once, outside the lock, when there is something to read.
    typealias Waiter = @Sendable () -> Void

    enum Reading {
        case event(RequestEvent)
        case nothingYet
        case end
    }

    private var events: [RequestEvent] = []
    /// How many events somebody has read.
    private var read = 0
    private var waiters: [(number: Int, call: Waiter)] = []
    private var lastWaiter = 0

    mutating func add(_ event: RequestEvent) {
        // Of a long transfer that nobody watches only the newest count is kept.
        if let last = events.last, event.supersedes(last), read < events.count { events.removeLast() }
        if events.isEmpty { events.reserveCapacity(Self.usualCount) }
        events.append(event)
    }

    /// Of a run with one attempt.
    private static let usualCount = 10

    mutating func read(_ index: Int) -> Reading {
        guard index < events.count else {
            if case .finished = events.last { return .end }
            return .nothingYet
        }
        read = max(read, index + 1)
        return .event(events[index])
    }

    /// A number to wake the waiter by; nil when there is something to read.
    mutating func wait(for index: Int, _ waiter: @escaping Waiter) -> Int? {
        guard case .nothingYet = read(index) else { return nil }
        lastWaiter += 1
        waiters.append((lastWaiter, waiter))
        return lastWaiter
    }

    mutating func takeWaiter(_ number: Int) -> Waiter? {
        waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0).call }
    }

    /// All of them, when something was added.
    mutating func takeWaiters() -> [Waiter] {
        guard !waiters.isEmpty else { return [] }
        defer { waiters = [] }
        return waiters.map(\.call)
    }
}

extension RequestEvent {
    /// Whether this event says all that the one before it said.
    fileprivate func supersedes(_ other: RequestEvent) -> Bool {
        switch (self, other) {
        case (.bodyReceived(let attempt, _, _, _), .bodyReceived(let before, _, _, _)): attempt == before
        case (.bodySent(let attempt, _, _, _), .bodySent(let before, _, _, _)): attempt == before
        default: false
        }
    }
}
