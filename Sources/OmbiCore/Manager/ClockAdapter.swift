/// An adapter from a standard library clock to `RunClock`.
struct ClockAdapter<C: Clock>: RunClock where C.Duration == Duration {
    private let clock: C
    private let start: C.Instant

    init(_ clock: C) {
        self.clock = clock
        start = clock.now
    }

    var now: Duration { start.duration(to: clock.now) }
    var secondsSince1970: Int { SystemClock().secondsSince1970 }

    /// The deadline is computed before the task sleeps, since time may advance in between.
    func schedule(after delay: Duration, _ block: @escaping @Sendable () -> Void) -> any RunTimer {
        let deadline = clock.now.advanced(by: delay)
        return Timer(
            task: Task.detached { [clock] in
                do {
                    try await clock.sleep(until: deadline, tolerance: nil)
                    WorkPool.shared.run(block)
                } catch {}
            })
    }

    private struct Timer: RunTimer {
        let task: Task<Void, Never>

        func cancel() { task.cancel() }
    }
}
