import TestSupport
import Testing

@testable import OmbiCore

/// The state of a breaker and a budget, against a model that keeps everything and starts from the beginning each time.
@Suite struct OriginHealthTests {
    /// All that has happened at an origin.
    private struct SlowHealth {
        enum Event {
            case began
            /// - Parameter began: the index of the beginning.
            case ended(began: Int, OriginHealth.Outcome, CircuitBreaker)
        }

        enum State {
            case closed
            case open(until: Duration)
            case probing
        }

        private(set) var log: [(time: Duration, event: Event)] = []
        private var requests: [Duration] = []
        private var retries: [Duration] = []

        // MARK: Breaker

        /// Returns true for an attempt that may begin, and the time of the next probe.
        mutating func admits(at time: Duration, asProbe: Bool) -> (Bool, until: Duration?) {
            switch state {
            case .open(let until) where !asProbe && time < until: return (false, until)
            case .probing where !asProbe: return (false, nil)
            case .closed, .open, .probing:
                log.append((time, .began))
                return (true, nil)
            }
        }

        mutating func end(_ began: Int, _ outcome: OriginHealth.Outcome, _ breaker: CircuitBreaker, at time: Duration) {
            log.append((time, .ended(began: began, outcome, breaker)))
        }

        private var state: State {
            var (state, since) = (State.closed, 0)
            for (index, entry) in log.enumerated() {
                switch (state, entry.event) {
                case (.open, .began): (state, since) = (.probing, index)
                case (_, .began): break
                // The attempt began in another state.
                case (_, .ended(let began, _, _)) where began < since: break
                case (.closed, .ended(_, .failure, let breaker)):
                    let failures = log[since...index].count { earlier in
                        guard case .ended(let began, .failure, _) = earlier.event, began >= since else { return false }
                        return entry.time - earlier.time < breaker.within
                    }
                    if failures >= breaker.failures {
                        (state, since) = (.open(until: entry.time + breaker.pause), index + 1)
                    }
                case (.probing, .ended(_, .success, _)): (state, since) = (.closed, index + 1)
                case (.probing, .ended(_, .failure, let breaker)):
                    (state, since) = (.open(until: entry.time + breaker.pause), index + 1)
                case (.probing, .ended(_, .unknown, _)):
                    var (began, ended) = (0, 0)
                    for earlier in log[since...index] {
                        switch earlier.event {
                        case .began: began += 1
                        case .ended(let start, _, _): ended += start >= since ? 1 : 0
                        }
                    }
                    if began == ended { (state, since) = (.open(until: entry.time), index + 1) }
                case (.closed, .ended), (.open, .ended): break
                }
            }
            return state
        }

        // MARK: Budget

        mutating func request(at time: Duration) { requests.append(time) }

        mutating func retry(_ budget: RetryBudget, at time: Duration) -> (requests: Int, retries: Int)? {
            let second = time.components.seconds
            let isRecent = { (event: Duration) in event.components.seconds > second - 60 }
            let (first, repeated) = (requests.count(where: isRecent), retries.count(where: isRecent))
            let share = (budget.share * Double(first)).rounded(.down)
            if Double(repeated) >= max(Double(budget.minimum), share) { return (first, repeated) }
            retries.append(time)
            return nil
        }
    }

    private static let steps: [Duration] = [
        .zero, .zero, .milliseconds(400), .seconds(1), .seconds(7), .seconds(59),
    ]
    private static let outcomes: [OriginHealth.Outcome] = [.success, .failure, .failure, .failure, .unknown]

    /// Plays random attempts and retries on both.
    /// - Returns: the first difference; nil without any.
    private static func difference(_ random: inout SeededRandom) -> String? {
        let breakers = (0..<2).map { _ in
            CircuitBreaker(
                failures: Int.random(in: 1...3, using: &random),
                within: .seconds(Int.random(in: 1...20, using: &random)),
                pause: .seconds(Int.random(in: 0...12, using: &random)))
        }
        // Shares that have exact numbers.
        let budget = RetryBudget(
            share: Double(Int.random(in: 0...4, using: &random)) / 4, minimum: Int.random(in: 0...2, using: &random))
        var (health, slow, time) = (OriginHealth(), SlowHealth(), Duration.zero)
        var running: [(pass: OriginHealth.Pass, began: Int)] = []
        for step in 0..<24 {
            time += random.pick(1, of: steps)[0]
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                let asProbe = Int.random(in: 0..<8, using: &random) == 0
                let began = slow.log.count
                let (isAdmitted, until) = slow.admits(at: time, asProbe: asProbe)
                switch health.admit(at: time, asProbe: asProbe) {
                case .pass(let pass):
                    guard isAdmitted else { return "step \(step): the attempt was not held until \(until as Any)" }
                    running.append((pass, began))
                case .hold(let found):
                    guard !isAdmitted, found == until else {
                        return "step \(step): held until \(found as Any), expected \(until as Any)"
                    }
                }
            case 3...5 where !running.isEmpty:
                let ended = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                let (outcome, breaker) = (random.pick(1, of: outcomes)[0], random.pick(1, of: breakers)[0])
                slow.end(ended.began, outcome, breaker, at: time)
                _ = health.report(outcome, of: ended.pass, breaker, at: time)
            case 6:
                slow.request(at: time)
                health.countRequest(at: time)
            default:
                let (found, expected) = (health.takeRetry(budget, at: time), slow.retry(budget, at: time))
                guard found?.requests == expected?.requests, found?.retries == expected?.retries else {
                    return "step \(step): a budget of \(found as Any), expected \(expected as Any)"
                }
            }
        }
        return nil
    }

    @Test func `10,000 random sequences of attempts and retries go as in a slow simulation`() {
        for seed in 0..<10_000 {
            var random = SeededRandom(seed: seed)
            guard let difference = Self.difference(&random) else { continue }
            Issue.record("seed \(seed): \(difference)")
            return
        }
    }

    @Test func `those who are held are woken when the breaker changes, and only then`() throws {
        var health = OriginHealth()
        let breaker = CircuitBreaker(failures: 1)
        func pass(at seconds: Int) -> OriginHealth.Pass? {
            if case .pass(let pass) = health.admit(at: .seconds(seconds)) { pass } else { nil }
        }
        func wakes(_ outcome: OriginHealth.Outcome, _ pass: OriginHealth.Pass, at seconds: Int) -> Bool {
            health.report(outcome, of: pass, breaker, at: .seconds(seconds))
        }
        let (first, late) = (try #require(pass(at: 0)), try #require(pass(at: 0)))
        // Nobody is held yet.
        #expect(!wakes(.failure, first, at: 0))
        #expect(pass(at: 9) == nil)
        // It began before the breaker opened.
        #expect(!wakes(.success, late, at: 9))
        let probe = try #require(pass(at: 10))
        #expect(pass(at: 10) == nil)
        #expect(wakes(.unknown, probe, at: 10))
        let second = try #require(pass(at: 10))
        #expect(wakes(.failure, second, at: 11))
        #expect(pass(at: 20) == nil)
        let third = try #require(pass(at: 21))
        #expect(wakes(.success, third, at: 21))
        #expect(pass(at: 21) != nil)
        #expect(pass(at: 21) != nil)
    }

    @Test(arguments: [
        (RetryBudget(share: 0.29), 100, 29), (RetryBudget(share: .nan), 100, 3), (RetryBudget(share: .infinity), 9, 3),
        (RetryBudget(share: -1, minimum: 0), 100, 0), (RetryBudget(share: 0.2), 4, 3),
        (RetryBudget(share: 0.2), 50, 10),
    ])
    func `a budget is a share of requests, and a few retries in any case`(
        budget: RetryBudget, requests: Int, retries: Int
    ) {
        #expect(budget.retries(for: requests) == retries)
    }

    @Test(arguments: [
        (0.2, 50, 10, "retry budget of a.test spent: 20 % of the last 50 requests"),
        (0.125, 80, 10, "retry budget of a.test spent: 12.5 % of the last 80 requests"),
        (0.2, 4, 3, "retry budget of a.test spent: 3 in the last minute"),
    ])
    func `a spent budget says of what it is a share`(share: Double, requests: Int, retries: Int, words: String) {
        let spent = SpentRetryBudget(server: "a.test", share: share, requests: requests, retries: retries)
        #expect(spent.description == words)
    }

    @Test func `odd settings neither trap nor hold for ever`() {
        var health = OriginHealth()
        let breaker = CircuitBreaker(failures: -1, within: .seconds(1), pause: .seconds(Int64.max))
        guard case .pass(let pass) = health.admit(at: .seconds(Int64.max / 4)) else {
            Issue.record("held")
            return
        }
        _ = health.report(.failure, of: pass, breaker, at: .zero)
        guard case .hold(let until?) = health.admit(at: .zero) else {
            Issue.record("not held")
            return
        }
        #expect(until == .seconds(Int64.max / 4) + .longest)
    }
}
