/// The origins that runs send to, each with its circuit breaker and its retry budget (`RetryPolicy.breaker`,
/// `RetryPolicy.retryBudget`). An origin is a scheme, a host and a port; each Unix socket has origins of its own.
///
/// A manager has a registry of its own by default. Managers with the same one (`RequestManager.originRegistry`) share
/// the health of their servers; they must also share a clock.
public final class OriginRegistry: Sendable {
    /// A closure called once, on a separate thread, when a held attempt must ask again; it receives the number of the
    /// hold.
    typealias Wake = @Sendable (_ number: Int) -> Void

    struct Server: Hashable {
        private let origin: Origin
        private let unixSocket: String?

        /// Returns nil for a URL without a host.
        init?(_ request: TransportRequest) {
            guard let origin = Origin(request.url) else { return nil }
            self.origin = origin
            unixSocket = request.connection.unixSocket
        }
    }

    enum Admission {
        case pass(OriginHealth.Pass)
        /// The number is good for `forget(_:of:)`.
        case hold(number: Int, until: Duration?)
    }

    private struct Entry {
        var health = OriginHealth()
        /// The attempts that are held, by their numbers.
        var held: [Int: Wake] = [:]
    }

    private struct State {
        var entries: [Server: Entry] = [:]
        var lastNumber = 0
        /// The number of origins above which idle ones are removed.
        var limit = OriginRegistry.usualOrigins

        /// Makes room before an origin is added.
        mutating func forgetIdle(at now: Duration) {
            guard entries.count >= limit else { return }
            entries = entries.filter { !$0.value.held.isEmpty || !$0.value.health.isIdle(at: now) }
            limit = max(OriginRegistry.usualOrigins, 2 * entries.count)
        }
    }

    private static let usualOrigins = 1024

    private let state = Lock(State())
    /// The clock of the first run.
    private let clock = Lock<(any RunClock)?>(nil)

    /// Creates an empty registry.
    public init() {}

    /// Returns the time of the registry for a run that starts now. It follows the clock of the first run, because the
    /// clocks of managers count from different moments.
    func now(startedOn clock: any RunClock) -> Duration {
        self.clock.withLock { first in
            let known = first ?? clock
            first = known
            return known
        }.now
    }

    /// Admits an attempt or holds it. A held attempt is woken when the breaker changes; the run also asks again at
    /// `until`.
    func admit(to origin: Server, at now: Duration, asProbe: Bool, wake: @escaping Wake) -> Admission {
        state.withLock { state in
            state.forgetIdle(at: now)
            switch state.entries[origin, default: Entry()].health.admit(at: now, asProbe: asProbe) {
            case .pass(let pass): return .pass(pass)
            case .hold(let until):
                state.lastNumber += 1
                state.entries[origin]?.held[state.lastNumber] = wake
                return .hold(number: state.lastNumber, until: until)
            }
        }
    }

    /// Forgets an attempt that is no longer held.
    func forget(_ number: Int, of origin: Server) {
        // Let go outside the lock.
        let wake = state.withLock { $0.entries[origin]?.held.removeValue(forKey: number) }
        withExtendedLifetime(wake) {}
    }

    func report(
        _ outcome: OriginHealth.Outcome, of pass: OriginHealth.Pass, to origin: Server, _ breaker: CircuitBreaker,
        at now: Duration
    ) {
        let held = state.withLock { state -> [Int: Wake] in
            guard state.entries[origin]?.health.report(outcome, of: pass, breaker, at: now) == true else { return [:] }
            return exchange(&state.entries[origin, default: Entry()].held, with: [:])
        }
        // The first one that was held asks first. Not here: a run may be changing its state.
        for (number, wake) in held.sorted(by: { $0.key < $1.key }) { WorkPool.shared.run { wake(number) } }
    }

    func countRequest(to origin: Server, at now: Duration) {
        state.withLock { state in
            state.forgetIdle(at: now)
            state.entries[origin, default: Entry()].health.countRequest(at: now)
        }
    }

    /// - Returns: The exhausted budget; nil if the retry was granted.
    func takeRetry(
        _ budget: RetryBudget, of origin: Server, at now: Duration
    ) -> (requests: Int, retries: Int)? {
        state.withLock { $0.entries[origin, default: Entry()].health.takeRetry(budget, at: now) }
    }
}

// The health of the origin that the run sends to: attempts that its breaker holds, and retries beyond its budget.
extension RequestRun {
    /// The origin of a run whose policy has a breaker or a budget. It is a part of the state, used under its lock only,
    /// and a class, so that the state of all other runs has one word for it.
    final class GuardedOrigin {
        let origin: OriginRegistry.Server
        /// For messages.
        let server: String
        /// The pass of the attempt under way; nil once its outcome was reported.
        var pass: OriginHealth.Pass?
        /// The time at which the breaker began to hold the next attempt.
        var heldSince: Duration?

        init(origin: OriginRegistry.Server, server: String) { (self.origin, self.server) = (origin, server) }
    }

    /// Asks the breaker to admit the next attempt.
    /// - Returns: The step of a held attempt; nil if it may start.
    func hold(
        _ state: inout State, _ request: TransportRequest, _ reason: AttemptReport.Reason, asProbe: Bool
    ) -> Step? {
        guard let origins else { return nil }
        if state.guarded == nil {
            state.guarded = OriginRegistry.Server(request).map {
                GuardedOrigin(origin: $0, server: request.url.server)
            }
        }
        guard let origin = state.guarded?.origin else { return nil }
        if let number = state.wait?.hold { origins.forget(number, of: origin) }
        let now = originStart + state.now
        if policy.breaker != nil {
            let admission = origins.admit(to: origin, at: now, asProbe: asProbe) { [self] number in
                change { $0.wait?.hold == number ? endWait(&$0) : .none }
            }
            switch admission {
            case .pass(let pass): state.guarded?.pass = pass
            case .hold(let number, let until): return hold(&state, number, until: until, reason)
            }
        }
        if reason == .first, policy.retryBudget != nil { origins.countRequest(to: origin, at: now) }
        return nil
    }

    /// Goes on with the wait under way, if there is one, or begins one that has no length of its own.
    private func hold(
        _ state: inout State, _ hold: Int, until: Duration?, _ reason: AttemptReport.Reason
    ) -> Step {
        let (number, now) = (state.attempts.count, state.now)
        if state.guarded?.heldSince == nil { state.guarded?.heldSince = now }
        let start = state.wait?.startedAt ?? state.attempts.reports.last?.endedAt ?? now
        state.leftovers.waitTimer = state.wait?.timer
        state.wait = Wait(attempt: number, startedAt: start, next: reason, hold: hold)
        if let until { return .hold(hold, until: until - originStart) }
        state.record { .waiting(attempt: number + 1, until: $0, reason: .breaker, at: $0) }
        return .none
    }

    /// Sets the timer before the wait is reported, as `beginWait` does.
    func beginHold(_ hold: Int, until: Duration) -> Step {
        let timer = clock.schedule(after: max(.zero, until - now)) { [self] in
            change { $0.wait?.hold == hold ? endWait(&$0) : .none }
        }
        return update { state in
            guard let number = state.wait?.attempt, state.wait?.hold == hold else {
                state.leftovers.waitTimer = timer
                return .none
            }
            state.wait?.timer = timer
            state.record { .waiting(attempt: number + 1, until: max(until, $0), reason: .breaker, at: $0) }
            return .none
        }
    }

    /// Ends a hold early: the attempt is sent as a probe.
    func probe(_ state: inout State) -> Step {
        state.wait.map { beginAttempt(&state, $0.next, asProbe: true) } ?? .none
    }

    /// Takes a retry from the budget of the origin.
    /// - Returns: the decision, or a retry that is not made.
    func budgeted(_ decision: RetryDecision, _ state: State, slaLeft: Duration) -> RetryDecision {
        guard let origins, let budget = policy.retryBudget, let guarded = state.guarded,
            case .retry(let wait, let reason) = decision,
            let spent = origins.takeRetry(budget, of: guarded.origin, at: originStart + state.now)
        else { return decision }
        var missed = MissedRetry(wait: wait, reason: reason, slaLeft: max(.zero, slaLeft))
        missed.budget = SpentRetryBudget(
            server: guarded.server, share: budget.share, requests: spent.requests, retries: spent.retries)
        return .miss(missed)
    }

    // MARK: Outcomes

    /// Reports the attempt that ends to the breaker.
    func reportOutcome(
        _ state: inout State, _ attempt: RunningAttempt, _ outcome: AttemptReport.Outcome, statusCode: Int?
    ) {
        guard let breaker = policy.breaker, state.guarded?.pass != nil else { return }
        guard let statusCode else { return returnPass(&state, Self.health(outcome, of: attempt)) }
        returnPass(&state, breaker.isFailure(statusCode) ? .failure : .success)
    }

    /// Reports the head of a response without an end: nobody is to wait for that.
    func reportHead(_ state: inout State, _ head: ResponseHead) {
        guard let breaker = policy.breaker, state.guarded?.pass != nil,
            stream != nil || OpenEndedResponse.isAnnounced(by: head.headers)
        else { return }
        returnPass(&state, breaker.isFailure(head.statusCode) ? .failure : .success)
    }

    /// Gives back the pass of an attempt that ends with its run.
    func releasePass(_ state: inout State) { returnPass(&state, .unknown) }

    private func returnPass(_ state: inout State, _ outcome: OriginHealth.Outcome) {
        guard let origins, let breaker = policy.breaker, let guarded = state.guarded, let pass = guarded.pass else {
            return
        }
        state.guarded?.pass = nil
        origins.report(outcome, of: pass, to: guarded.origin, breaker, at: originStart + state.now)
    }

    /// The meaning of an attempt without a complete response.
    private static func health(_ outcome: AttemptReport.Outcome, of attempt: RunningAttempt) -> OriginHealth.Outcome {
        switch outcome {
        case .succeeded: return .success
        case .failed(.connection, _), .failed(.timeout, _):
            guard attempt.hasSent != false, let code = attempt.errorCode else { return .unknown }
            return CircuitBreaker.isFailure(code) ? .failure : .unknown
        case .slaExceeded:
            let isOnItsWay = attempt.holder == nil && attempt.phases.phase.map { $0 != .queue } ?? false
            return isOnItsWay ? .failure : .unknown
        case .failed, .stopped, .cancelled, .abandoned: return .unknown
        }
    }
}
