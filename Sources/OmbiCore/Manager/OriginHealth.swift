/// The shared knowledge of all runs to one origin: the state of its circuit breaker, and the retries of its budget.
///
/// A value without a clock: each call brings the time, which never goes back.
package struct OriginHealth: Sendable {
    /// The decision about an attempt that is to start.
    package enum Admission: Sendable {
        /// It starts; its outcome is reported with the pass, exactly once.
        case pass(Pass)
        /// It asks again at `until`, when the next probe is due; nil while a probe is under way.
        case hold(until: Duration?)
    }

    /// The permission of an attempt, which counts as long as the breaker stays in the state that gave it.
    package struct Pass: Sendable {
        fileprivate let generation: Int
    }

    /// An attempt as far as the breaker is concerned.
    package enum Outcome: Sendable {
        /// The server has answered, and be it with a 404.
        case success
        /// No response, or one that says that the server is not well.
        case failure
        /// An attempt that was cancelled, or failed on this machine.
        case unknown
    }

    private enum State: Sendable {
        case closed
        case open(until: Duration)
        /// Half-open. So many probes are under way; the first outcome decides.
        case probing(Int)
    }

    /// The time of the last call.
    private var now = Duration.zero
    private var state = State.closed
    /// Grows with each change of the state: outcomes of attempts that began before it do not count.
    private var generation = 0
    /// The times of failures since the breaker closed, the newest last.
    private var failures: [Duration] = []
    private var budget = RetryWindow()

    package init() {}

    // MARK: Breaker

    /// - Parameter asProbe: true for an attempt that is not held in any state.
    package mutating func admit(at time: Duration, asProbe: Bool = false) -> Admission {
        now = max(now, time)
        switch state {
        case .closed: break
        case .open(let until):
            guard asProbe || until <= now else { return .hold(until: until) }
            change(to: .probing(1))
        case .probing(let count):
            guard asProbe else { return .hold(until: nil) }
            state = .probing(count + 1)
        }
        return .pass(Pass(generation: generation))
    }

    /// - Parameter breaker: the settings of the run that the attempt belongs to.
    /// - Returns: true where attempts that are held are to ask again.
    package mutating func report(
        _ outcome: Outcome, of pass: Pass, _ breaker: CircuitBreaker, at time: Duration
    ) -> Bool {
        now = max(now, time)
        guard pass.generation == generation else { return false }
        switch state {
        case .open: return false
        case .closed:
            if case .failure = outcome { fail(breaker) }
            return false
        case .probing(let count):
            switch outcome {
            case .success: change(to: .closed)
            case .failure: pause(breaker)
            case .unknown where count > 1:
                state = .probing(count - 1)
                return false
            case .unknown: change(to: .open(until: now))
            }
            return true
        }
    }

    private mutating func fail(_ breaker: CircuitBreaker) {
        failures.append(now)
        if failures.count > CircuitBreaker.maximumFailures { failures.removeFirst() }
        let recent = failures.count { now - $0 < breaker.within }
        if recent >= min(max(breaker.failures, 1), CircuitBreaker.maximumFailures) { pause(breaker) }
    }

    private mutating func pause(_ breaker: CircuitBreaker) {
        change(to: .open(until: now + min(max(breaker.pause, .zero), .longest)))
    }

    private mutating func change(to state: State) {
        self.state = state
        generation += 1
        failures.removeAll()
    }

    // MARK: Budget

    /// Counts the first attempt of a run.
    package mutating func countRequest(at time: Duration) {
        now = max(now, time)
        budget.add(isRetry: false, at: now)
    }

    /// Takes a retry from the budget.
    /// - Returns: the first attempts and the retries of the last 60 seconds where none is left; else nil.
    package mutating func takeRetry(_ budget: RetryBudget, at time: Duration) -> (requests: Int, retries: Int)? {
        now = max(now, time)
        self.budget.advance(to: now)
        let (requests, retries) = (self.budget.requests, self.budget.retries)
        guard retries < budget.retries(for: requests) else { return (requests, retries) }
        self.budget.add(isRetry: true, at: now)
        return nil
    }

    // MARK: Age

    /// Returns true if nothing would be lost by forgetting the origin.
    func isIdle(at time: Duration) -> Bool {
        guard time - now > Self.memory else { return false }
        return switch state {
        case .closed: true
        case .open(let until): until < time
        case .probing: false
        }
    }

    /// The longest time in which failures count.
    private static let memory = Duration.seconds(24 * 3600)
}

/// The first attempts and the retries of the current second and the 59 before it.
private struct RetryWindow: Sendable {
    private static let length = 60

    /// The counts of each second, at its number modulo 60; empty before the first one.
    private var requestsOfSecond: [Int] = []
    private var retriesOfSecond: [Int] = []
    private var second = 0
    private(set) var requests = 0
    private(set) var retries = 0

    mutating func add(isRetry: Bool, at time: Duration) {
        advance(to: time)
        let slot = second % Self.length
        if isRetry {
            retriesOfSecond[slot] += 1
            retries += 1
        } else {
            requestsOfSecond[slot] += 1
            requests += 1
        }
    }

    /// Forgets what is older than the window.
    mutating func advance(to time: Duration) {
        let now = max(0, Int(clamping: time.components.seconds))
        if requestsOfSecond.isEmpty {
            requestsOfSecond = Array(repeating: 0, count: Self.length)
            retriesOfSecond = requestsOfSecond
            second = now
        }
        guard now > second else { return }
        for passed in max(second + 1, now - Self.length + 1)...now {
            let slot = passed % Self.length
            requests -= requestsOfSecond[slot]
            retries -= retriesOfSecond[slot]
            (requestsOfSecond[slot], retriesOfSecond[slot]) = (0, 0)
        }
        second = now
    }
}
