/// A run that other runs wait for, because they need the values it captures: one for all of them. It was begun for
/// them, or sent by the user.
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

    let key: Key
    /// The handle of a run that ends when no run waits for it any more; nil for one that continues.
    private let abandonable: SessionRun?
    private let state = Lock(State())

    private struct State {
        var events: [SessionEvent] = []
        var result: SessionResult?
        var waiters: [Int: (continuation: CheckedContinuation<SessionResult?, Never>, onEvent: Waiter)] = [:]
        var cancelled: Set<Int> = []
        var lastID = 0
    }

    init(_ key: Key, abandonable: SessionRun? = nil) { (self.key, self.abandonable) = (key, abandonable) }

    /// Passes a step on to all that wait, in order.
    func emit(_ event: SessionEvent) {
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

    /// Waits for the result. Returns nil if the task is cancelled.
    /// - Parameters:
    ///   - onEvent: gets the steps so far, too.
    ///   - onAbandoned: called when the last that waited has left, and the run ends for that.
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
            if isAbandoned, let abandonable {
                onAbandoned()
                abandonable.cancel()
            }
            waiter?.continuation.resume(returning: nil)
        }
    }
}

/// The runs at present that others may wait for.
struct DependencyRuns {
    private var entries: [DependencyRun.Key: Entry] = [:]

    private struct Entry {
        var run: DependencyRun
        var waitsFor: DependencyRun.Key?
    }

    /// Begins a run of the user; nil if others already wait for a run of the same request.
    mutating func begin(_ key: DependencyRun.Key) -> DependencyRun? {
        guard entries[key] == nil else { return nil }
        let run = DependencyRun(key)
        entries[key] = Entry(run: run)
        return run
    }

    func contains(_ key: DependencyRun.Key) -> Bool { entries[key] != nil }

    /// Returns the run of a request, with its handle if it is new; nil if it waits for the waiter, directly or
    /// indirectly.
    /// - Parameter waiter: The run that waits for it; nil for one that no run waits for.
    mutating func join(
        _ key: DependencyRun.Key, waiter: DependencyRun.Key?
    ) -> (run: DependencyRun, new: SessionRun?)? {
        var next: DependencyRun.Key? = key
        while let place = next, let waiter {
            if place == waiter { return nil }
            next = entries[place]?.waitsFor
        }
        if let waiter { entries[waiter]?.waitsFor = key }
        if let known = entries[key] { return (known.run, nil) }
        let handle = SessionRun()
        let run = DependencyRun(key, abandonable: handle)
        entries[key] = Entry(run: run)
        return (run, handle)
    }

    mutating func stopWaiting(_ waiter: DependencyRun.Key?) {
        if let waiter { entries[waiter]?.waitsFor = nil }
    }

    mutating func remove(_ run: DependencyRun) {
        if entries[run.key]?.run === run { entries[run.key] = nil }
    }
}

/// A step of a request that is sent first, because it captures a variable that the run needs.
package struct DependencyEvent: Equatable, Sendable {
    package var request: String
    package var item: ItemID
    package var variable: String
    package var event: SessionEvent
}

/// A request that was sent first, with its result in short.
package struct DependencyResult: Equatable, Sendable {
    package var request: String
    package var variable: String
    package var statusCode: Int?
    package var duration: Duration?
    package var attempts: Int
    /// A sentence each; empty when it passed.
    package var failures: [String]
    /// True if another run sent it at the same time, and this one waited for it.
    package var isShared: Bool

    package init(_ dependency: Dependency, _ result: SessionResult, isShared: Bool = false) {
        request = dependency.request.name
        variable = dependency.variable
        statusCode = result.response?.statusCode
        duration = result.report?.duration
        attempts = result.attemptsOfPage
        failures = result.failures
        self.isShared = isShared
    }

    /// The same for a run that another one shares.
    func shared(_ isShared: Bool) -> DependencyResult {
        var result = self
        result.isShared = result.isShared || isShared
        return result
    }
}
