import Dispatch
import OmbiCore

/// A request that is sent because others need what it captures: one run, for all that wait for it at the same time.
final class DependencyRun: Sendable {
    /// Identifies the request within a session.
    struct Key: Hashable {
        var file: String
        var environment: String?
        var item: ItemID
        /// Nil for a run that is the same for every row of a file of data.
        var row: Int?
    }

    typealias Waiter = @Sendable (SessionEvent) -> Void

    let run = SessionRun()
    private let state = Lock(State())

    private struct State {
        var events: [SessionEvent] = []
        var result: SessionResult?
        var waiters: [Int: (continuation: CheckedContinuation<SessionResult?, Never>, onEvent: Waiter)] = [:]
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    /// Passes a step on to all that wait, in order.
    func tell(_ event: SessionEvent) {
        state.withLock { state in
            state.events.append(event)
            // They only put the step into the queue of their run.
            for waiter in state.waiters.values { waiter.onEvent(event) }
        }
    }

    func end(_ result: SessionResult) {
        let waiters = state.withLock { state in
            state.result = result
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.continuation)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// Waits for the result. Returns nil if the task is cancelled; the run ends when nobody waits for it any more.
    /// - Parameters:
    ///   - onEvent: gets the steps so far, too.
    ///   - onAbandoned: called when the last that waited has left.
    func result(onEvent: @escaping Waiter, onAbandoned: @escaping @Sendable () -> Void) async -> SessionResult? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ended: SessionResult?? = state.withLock { state in
                    if state.cancelled.contains(id) { return .some(nil) }
                    for event in state.events { onEvent(event) }
                    if let result = state.result { return result }
                    state.waiters[id] = (continuation, onEvent)
                    return nil
                }
                if let ended { continuation.resume(returning: ended) }
            }
        } onCancel: {
            let (waiter, isAbandoned) = state.withLock { state in
                state.cancelled.insert(id)
                let waiter = state.waiters.removeValue(forKey: id)
                return (waiter, state.waiters.isEmpty && state.result == nil)
            }
            if isAbandoned {
                onAbandoned()
                run.cancel()
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}

/// The dependencies that run at present.
struct DependencyRuns {
    private var entries: [DependencyRun.Key: Entry] = [:]

    private struct Entry {
        var run: DependencyRun
        var waitsFor: DependencyRun.Key?
    }

    func contains(_ key: DependencyRun.Key) -> Bool { entries[key] != nil }

    /// Returns the run of a request, and whether it is a new one; nil where that waits for the waiter, directly or not.
    /// - Parameter waiter: the dependency that waits for it; nil for a run that nothing waits for.
    mutating func join(
        _ key: DependencyRun.Key, waiter: DependencyRun.Key?
    ) -> (run: DependencyRun, isNew: Bool)? {
        var next: DependencyRun.Key? = key
        while let place = next, let waiter {
            if place == waiter { return nil }
            next = entries[place]?.waitsFor
        }
        if let waiter { entries[waiter]?.waitsFor = key }
        if let known = entries[key] { return (known.run, false) }
        let run = DependencyRun()
        entries[key] = Entry(run: run)
        return (run, true)
    }

    mutating func stopWaiting(_ waiter: DependencyRun.Key?) {
        if let waiter { entries[waiter]?.waitsFor = nil }
    }

    mutating func remove(_ key: DependencyRun.Key, _ run: DependencyRun) {
        if entries[key]?.run === run { entries[key] = nil }
    }
}
