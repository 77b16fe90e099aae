@testable import OmbiCore

/// Time that stands still until a test moves it.
final class ManualClock: RunClock {
    private struct Timer {
        let id: Int
        let deadline: Duration
        let block: @Sendable () -> Void
    }

    private struct State {
        var now: Duration = .zero
        var nextID = 0
        var timers: [Timer] = []
    }

    private struct ManualTimer: RunTimer {
        let clock: ManualClock
        let id: Int

        /// The block goes outside the lock.
        func cancel() {
            let timers = clock.state.withLock { state in
                let timers = state.timers
                state.timers.removeAll { $0.id == id }
                return timers
            }
            withExtendedLifetime(timers) {}
        }
    }

    private let state = Lock(State())
    let secondsSince1970 = 784_111_777

    var now: Duration { state.withLock { $0.now } }

    var timerCount: Int { state.withLock { $0.timers.count } }

    func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        let id = state.withLock { state in
            state.nextID += 1
            state.timers.append(
                Timer(id: state.nextID, deadline: state.now + delay, block: block))
            return state.nextID
        }
        return ManualTimer(clock: self, id: id)
    }

    /// Moves time forward and fires what is due, earliest first; or latest first, as threads that are late may.
    func advance(by step: Duration, latestFirst: Bool = false) {
        let due = state.withLock { state in
            state.now += step
            let due = state.timers.filter { $0.deadline <= state.now }.sorted {
                latestFirst ? $0.deadline > $1.deadline : $0.deadline < $1.deadline
            }
            state.timers.removeAll { $0.deadline <= state.now }
            return due
        }
        for timer in due { timer.block() }
    }
}
