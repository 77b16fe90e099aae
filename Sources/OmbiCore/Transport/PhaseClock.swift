/// The durations of an attempt's phases, from the times at which they start. A phase may recur (after a redirect); the
/// time before the first one counts toward it, so that the phases always sum to the whole.
package struct PhaseClock: Sendable {
    package private(set) var phase: RequestPhase?
    package private(set) var reached: PhaseSet = []
    private var timings = Timings()
    private var since: Duration

    package init(startedAt: Duration) { since = startedAt }

    /// Returns true if the phase changes.
    package mutating func enter(_ phase: RequestPhase, at now: Duration) -> Bool {
        guard phase != self.phase else { return false }
        if let last = self.phase {
            timings[last] += max(now - since, .zero)
            since = now
        }
        self.phase = phase
        reached.insert(PhaseSet(phase))
        return true
    }

    /// Returns the phases so far, including the current one.
    package func timings(until now: Duration) -> Timings {
        var result = timings
        result[phase ?? .resolve] += max(now - since, .zero)
        return result
    }
}
