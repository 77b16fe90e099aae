/// The events of one run, kept so that whoever looks later still sees all of them.
final class EventHistory: Sendable {
    private struct State {
        var events: [RequestEvent] = []
        /// How many events somebody has read.
        var read = 0
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    /// Called once, outside the lock, when there is something to read.
    typealias Waiter = @Sendable () -> Void

    enum Reading {
        case event(RequestEvent)
        case nothingYet
        case end
    }

    private let state = Lock(State())

    func add(_ event: RequestEvent) {
        let waiters = state.withLock { state in
            // Of a long transfer that nobody watches only the newest count is kept.
            if let last = state.events.last, event.supersedes(last), state.read < state.events.count {
                state.events.removeLast()
            }
            state.events.append(event)
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter() }
    }

    func read(_ index: Int) -> Reading { state.withLock { Self.read(index, &$0) } }

    /// Calls `waiter` as soon as the event at `index` is there; at once when it is. Gives a number to forget it by.
    func wait(for index: Int, _ waiter: @escaping Waiter) -> Int? {
        let number: Int? = state.withLock { state in
            guard case .nothingYet = Self.read(index, &state) else { return nil }
            state.nextWaiter += 1
            state.waiters[state.nextWaiter] = waiter
            return state.nextWaiter
        }
        if number == nil { waiter() }
        return number
    }

    /// Calls the waiter now, if it is still waiting.
    func wake(_ number: Int) { state.withLock { $0.waiters.removeValue(forKey: number) }?() }

    private static func read(_ index: Int, _ state: inout State) -> Reading {
        guard index < state.events.count else {
            if case .finished = state.events.last { return .end }
            return .nothingYet
        }
        state.read = max(state.read, index + 1)
        return .event(state.events[index])
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
