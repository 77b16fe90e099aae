import TestSupport

/// A clock that stands still until a test moves it.
final class TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant()
        var nextID = 0
        var sleepers: [Sleeper] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = LoopbackLock(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers: [CheckedContinuation<Void, Never>]? = state.withLock { state in
                    guard !Task.isCancelled, deadline > state.now else { return nil }
                    state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
                    defer { state.watchers = [] }
                    return state.watchers
                }
                guard let watchers else {
                    return Task.isCancelled ? continuation.resume(throwing: CancellationError()) : continuation.resume()
                }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps.
    func waitForSleeper() async {
        while state.withLock({ $0.sleepers.isEmpty }) {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if state.sleepers.isEmpty { state.watchers.append(continuation) }
                    return !state.sleepers.isEmpty
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Waits until somebody sleeps, and moves to the end of the shortest sleep. Gives how long that was.
    func wakeNext() async -> Duration {
        await waitForSleeper()
        let (step, sleeper) = state.withLock { state in
            let index = state.sleepers.indices.min { state.sleepers[$0].deadline < state.sleepers[$1].deadline }
            let sleeper = index.map { state.sleepers.remove(at: $0) }
            let step = sleeper.map { state.now.duration(to: $0.deadline) } ?? .zero
            state.now = state.now.advanced(by: step)
            return (step, sleeper)
        }
        sleeper?.continuation.resume()
        return step
    }
}
