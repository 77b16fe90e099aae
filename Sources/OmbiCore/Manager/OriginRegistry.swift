/// The origins that runs send to, each with its circuit breaker and its budget of retries (`RetryPolicy.breaker`,
/// `RetryPolicy.retryBudget`). An origin is a scheme, a host and a port, and another one behind each Unix socket.
///
/// Each manager has one of its own. Managers that are given the same one (`RequestManager.originRegistry`) share the
/// health of their servers; their clocks have to be the same, too.
public final class OriginRegistry: Sendable {
    /// Called once when a held attempt is to ask again, on a thread of its own, with the number of the hold.
    typealias Wake = @Sendable (_ number: Int) -> Void

    /// The server of a request.
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
        /// The number of origins at which the idle ones are looked for.
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

    /// Creates a registry that knows no origin yet.
    public init() {}

    /// Returns the time of the registry for a run that starts now. It is that of the first run's clock: the clock of
    /// each manager counts from a moment of its own.
    func now(startedOn clock: any RunClock) -> Duration {
        let first = self.clock.withLock { first -> any RunClock in
            let known = first ?? clock
            first = known
            return known
        }
        return first.now
    }

    /// Admits an attempt or holds it. A held attempt is woken when the breaker changes; at `until` the run asks again by
    /// itself.
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
            let held = state.entries[origin]?.held ?? [:]
            state.entries[origin]?.held = [:]
            return held
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

    /// - Returns: the figures of a budget that has no retry left; nil where one was taken.
    func takeRetry(
        _ budget: RetryBudget, of origin: Server, at now: Duration
    ) -> (requests: Int, retries: Int)? {
        state.withLock { $0.entries[origin, default: Entry()].health.takeRetry(budget, at: now) }
    }
}
