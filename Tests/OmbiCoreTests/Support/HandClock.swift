import OmbiCore

/// A clock of the standard library that stands still until a test moves it.
final class HandClock: Clock {
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
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            defer { watchers.removeAll { $0.count <= count } }
            return watchers.filter { $0.count <= count }.map(\.continuation)
        }
    }

    private let state = Lock(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func add(_ sleeper: Sleeper) {
        let (isOver, isCancelled, watchers) = state.withLock { state in
            let isCancelled = state.cancelled.remove(sleeper.id) != nil
            let isOver = sleeper.deadline <= state.now
            if !isOver, !isCancelled { state.sleepers.append(sleeper) }
            return (isOver, isCancelled, state.takeWatchers())
        }
        for watcher in watchers { watcher.resume() }
        if isCancelled { return sleeper.continuation.resume(throwing: CancellationError()) }
        if isOver { sleeper.continuation.resume() }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return Sleeper?.none
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns when that many are asleep.
    func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isReady { continuation.resume() }
        }
    }

    /// Moves time forward and wakes those whose time has come, earliest first.
    func advance(by step: Duration) {
        let due = state.withLock { state in
            let now = state.now.advanced(by: step)
            state.now = now
            defer { state.sleepers.removeAll { $0.deadline <= now } }
            return state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
