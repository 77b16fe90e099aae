extension PolicySimulation {
    /// Returns the runs as they would have gone if they had shared a budget of retries and a breaker.
    func sharedOutcomes(_ policy: Policy) -> [Outcome] {
        var simulation = SharedSimulation(self, policy)
        return simulation.outcomes()
    }
}

/// The recorded runs of a simulation on one time line, because the attempts of each depend on the others.
///
/// An attempt that starts later than recorded, because a breaker held it or an earlier one of its run, is replaced by
/// the one recorded next at that time: an outage does not end because a run waits.
private struct SharedSimulation {
    private typealias Attempt = PolicySimulation.Attempt

    private enum Step {
        /// The run asks whether its next attempt may start.
        case ask(run: Int)
        case end(run: Int, Attempt, OriginHealth.Pass?)
    }

    private struct Progress {
        var startedAt: Duration
        /// The end of the SLA; nil for none.
        var limit: Duration?
        var maximumAttempts: Int
        var attempts = 0
        var heldSince: Duration?
        var held = Duration.zero
        var outcome: PolicySimulation.Outcome?
    }

    private let simulation: PolicySimulation
    private let policy: PolicySimulation.Policy
    /// All recorded attempts by the times at which they began.
    private let recorded: [(startedAt: Duration, attempt: Attempt)]
    private var health = OriginHealth()
    private var progress: [Progress]
    private var agenda = Agenda<Step>()
    /// The runs that wait for the probe of another one.
    private var waiting: [Int] = []

    init(_ simulation: PolicySimulation, _ policy: PolicySimulation.Policy) {
        (self.simulation, self.policy) = (simulation, policy)
        progress = simulation.runs.map { run in
            Progress(
                startedAt: run.startedAt, limit: (policy.sla ?? run.sla).map { run.startedAt + $0 },
                maximumAttempts: policy.retries.map { max(0, $0) + 1 } ?? run.attempts.count)
        }
        var recorded: [(startedAt: Duration, attempt: Attempt)] = []
        for run in simulation.runs {
            var time = run.startedAt
            for attempt in run.attempts {
                time += attempt.gap
                recorded.append((time, attempt))
                time += attempt.duration
            }
        }
        self.recorded = recorded.sorted { $0.startedAt < $1.startedAt }
    }

    mutating func outcomes() -> [PolicySimulation.Outcome] {
        for (index, run) in simulation.runs.enumerated() {
            agenda.add(.ask(run: index), at: run.startedAt + (run.attempts.first?.gap ?? .zero))
        }
        while let (time, step) = agenda.next() {
            switch step {
            case .ask(let index): ask(index, at: time)
            case .end(let index, let attempt, let pass): end(index, attempt, pass, at: time)
            }
        }
        return progress.map { $0.outcome ?? .init(passed: false, duration: .zero, attempts: 0) }
    }

    private mutating func ask(_ index: Int, at time: Duration) {
        let run = progress[index]
        if let limit = run.limit, time >= limit { return finish(index, passed: false, at: limit) }
        guard policy.breaker != nil else { return begin(index, nil, at: time) }
        switch health.admit(at: time) {
        case .pass(let pass): begin(index, pass, at: time)
        case .hold(let until):
            progress[index].heldSince = run.heldSince ?? time
            guard let until else { return waiting.append(index) }
            agenda.add(.ask(run: index), at: min(until, run.limit ?? until))
        }
    }

    private mutating func begin(_ index: Int, _ pass: OriginHealth.Pass?, at time: Duration) {
        endHold(index, at: time)
        progress[index].attempts += 1
        let run = progress[index]
        if run.attempts == 1, policy.retryBudget != nil { health.countRequest(at: time) }
        var attempt =
            run.held > .zero ? next(at: time) : simulation.attempt(run.attempts, ofRunAt: index)
        attempt.limit(to: policy.timeout)
        var end = time + attempt.duration
        if let limit = run.limit, end > limit {
            end = limit
            (attempt.ending, attempt.isServerFailure) = (.cutOff, true)
        }
        agenda.add(.end(run: index, attempt, pass), at: end)
    }

    private mutating func end(_ index: Int, _ attempt: Attempt, _ pass: OriginHealth.Pass?, at time: Duration) {
        if let pass, let breaker = policy.breaker,
            health.report(attempt.isServerFailure ? .failure : .success, of: pass, breaker, at: time)
        {
            for held in waiting { agenda.add(.ask(run: held), at: time) }
            waiting = []
        }
        let tail = simulation.runs[index].tail
        switch attempt.ending {
        case .passed: finish(index, passed: true, at: time + tail)
        case .rejected, .final: finish(index, passed: false, at: time + tail)
        case .failed, .cutOff: retry(index, at: time)
        }
    }

    private mutating func retry(_ index: Int, at time: Duration) {
        let run = progress[index]
        if let limit = run.limit, time >= limit { return finish(index, passed: false, at: limit) }
        let tail = simulation.runs[index].tail
        guard run.attempts < run.maximumAttempts else { return finish(index, passed: false, at: time + tail) }
        let number = run.attempts + 1
        let next = time + (policy.wait(before: number) ?? simulation.attempt(number, ofRunAt: index).gap)
        // A wait that would not end within the SLA is not begun.
        if let limit = run.limit, next >= limit { return finish(index, passed: false, at: time) }
        if let budget = policy.retryBudget, health.takeRetry(budget, at: time) != nil {
            return finish(index, passed: false, at: time + tail, isOverBudget: true)
        }
        agenda.add(.ask(run: index), at: next)
    }

    private mutating func finish(_ index: Int, passed: Bool, at time: Duration, isOverBudget: Bool = false) {
        endHold(index, at: time)
        let run = progress[index]
        progress[index].outcome = PolicySimulation.Outcome(
            passed: passed, duration: time - run.startedAt, attempts: run.attempts, held: run.held,
            isOverBudget: isOverBudget)
    }

    private mutating func endHold(_ index: Int, at time: Duration) {
        guard let since = progress[index].heldSince else { return }
        progress[index].held += time - since
        progress[index].heldSince = nil
    }

    /// The first attempt that was recorded at a time or later, else the last one.
    private func next(at time: Duration) -> Attempt {
        var (low, high) = (0, recorded.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if recorded[middle].startedAt < time { low = middle + 1 } else { high = middle }
        }
        return recorded[low].attempt
    }
}

/// A binary heap of steps with their times: the earliest first, and at equal times in the order of their addition.
private struct Agenda<Step> {
    private var entries: [(time: Duration, number: Int, step: Step)] = []
    private var added = 0

    mutating func add(_ step: Step, at time: Duration) {
        entries.append((time, added, step))
        added += 1
        var index = entries.count - 1
        while index > 0, precedes(index, (index - 1) / 2) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func next() -> (Duration, Step)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return (first.time, first.step) }
        entries[0] = last
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { precedes($0, $1) }), precedes(least, index) else { break }
            entries.swapAt(index, least)
            index = least
        }
        return (first.time, first.step)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (entries[left].time, entries[left].number) < (entries[right].time, entries[right].number)
    }
}
