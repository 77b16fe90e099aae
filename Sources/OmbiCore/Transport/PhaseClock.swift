/// Adds up how long each phase of an attempt took, from the moments at which phases begin. A phase may come back
/// (after a redirect); the time before the first one counts to it, so that the phases always sum to the whole.
package struct PhaseClock: Sendable {
    package private(set) var phase: RequestPhase?
    package private(set) var reached: PhaseSet = []
    private var timings = Timings()
    private var since: Duration

    package init(startedAt: Duration) { since = startedAt }

    /// Whether the phase is another one than before.
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

    /// The phases so far, the one under way included.
    package func timings(until now: Duration) -> Timings {
        var result = timings
        result[phase ?? .resolve] += max(now - since, .zero)
        return result
    }
}
