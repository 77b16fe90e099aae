import Dispatch

/// Any number of one-shot timers on a single system timer. Each fires once, on a thread of the `WorkPool`, not before
/// its deadline.
final class Alarm: Sendable {
    private struct State {
        var deadlines = DeadlineHeap()
        /// The deadline of the system timer; nil if none is set.
        var setTo: Duration?
        var source: (any DispatchSourceTimer)?
    }

    private struct Timer: RunTimer {
        let alarm: Alarm
        let id: DeadlineHeap.ID

        /// The block and its captures are released outside the lock.
        func cancel() {
            let removed = alarm.state.withLock { Removed(block: $0.deadlines.remove(id)) }
            withExtendedLifetime(removed) {}
        }

        /// A bare closure would be wrapped on its way out of the lock.
        private struct Removed {
            let block: (@Sendable () -> Void)?
        }
    }

    private let state = Lock(State())
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration) { self.now = now }

    func schedule(at deadline: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        let id = state.withLock { state in
            let id = state.deadlines.add(deadline, block)
            setSource(&state)
            return id
        }
        return Timer(alarm: self, id: id)
    }

    /// Sets the system timer to the earliest deadline. A timer set for a removed deadline fires without effect and is
    /// set again.
    private func setSource(_ state: inout State) {
        guard let earliest = state.deadlines.earliest, earliest < state.setTo ?? .longest * 2 else { return }
        let source = state.source ?? makeSource()
        state.source = source
        state.setTo = earliest
        source.schedule(
            deadline: .now() + .nanoseconds((earliest - now()).nanosecondsClamped), leeway: .milliseconds(1))
    }

    private func makeSource() -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ombi.alarm", qos: .userInitiated))
        source.setEventHandler { [self] in fire() }
        source.activate()
        return source
    }

    private func fire() {
        let due = state.withLock { state in
            state.setTo = nil
            let due = state.deadlines.takeDue(now())
            setSource(&state)
            return due
        }
        for block in due { WorkPool.shared.run(block) }
    }
}
