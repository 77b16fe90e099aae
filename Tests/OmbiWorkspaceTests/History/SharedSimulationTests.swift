import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Recorded runs under a budget of retries and a breaker that they share.
@Suite struct SharedSimulationTests {
    private typealias Policy = PolicySimulation.Policy

    private static func run(
        _ endings: [PolicySimulation.Ending], at start: Duration = .zero, milliseconds: Int = 100
    ) -> PolicySimulation.Run {
        .init(
            attempts: endings.map { .init(duration: .milliseconds(milliseconds), ending: $0) },
            duration: .milliseconds(milliseconds * endings.count), passed: endings.last == .passed, startedAt: start)
    }

    /// A run each second: the first ten fail.
    private static let outage = PolicySimulation(
        (0..<20).map { run([$0 < 10 ? .failed : .passed], at: .seconds($0)) })

    @Test func `a breaker holds the runs of an outage until a probe passes`() {
        let figures = Self.outage.figures(Policy(breaker: CircuitBreaker(failures: 2, pause: .seconds(5))))
        #expect(Self.outage.recorded.passed == 10 && Self.outage.recorded.held == 0)
        // Two open it; of those that follow the first is a probe that fails, and the next one passes.
        #expect(figures.passed == 17 && figures.attempts == 20 && figures.held == 10)
        #expect(figures.times?.maximum ?? .zero > .seconds(8))
    }

    @Test func `a run is held no longer than its SLA`() {
        let breaker = CircuitBreaker(failures: 2, pause: .seconds(3600))
        let outcomes = Self.outage.sharedOutcomes(Policy(sla: .seconds(2), breaker: breaker))
        #expect(outcomes.map(\.attempts) == [1, 1] + Array(repeating: 0, count: 18))
        #expect(outcomes.dropFirst(2).allSatisfy { $0.held == .seconds(2) && $0.duration == .seconds(2) && !$0.passed })
    }

    @Test func `what a server answers about a request opens no breaker`() {
        let runs = (0..<5).map { index in
            PolicySimulation.Run(
                attempts: [.init(duration: .milliseconds(10), ending: .failed, isServerFailure: false)],
                duration: .milliseconds(10), passed: false, startedAt: .seconds(index))
        }
        let figures = PolicySimulation(runs).figures(Policy(breaker: CircuitBreaker(failures: 1)))
        #expect(figures.held == 0 && figures.attempts == 5)
    }

    @Test func `an attempt that a shorter timeout cuts off opens a breaker`() {
        let runs = (0..<5).map { Self.run([.passed], at: .seconds($0), milliseconds: 800) }
        let breaker = CircuitBreaker(failures: 2, pause: .seconds(3600))
        let policy = Policy(timeout: .milliseconds(100), sla: .seconds(2), breaker: breaker)
        let outcomes = PolicySimulation(runs).sharedOutcomes(policy)
        #expect(outcomes.map(\.attempts) == [1, 1, 0, 0, 0])
    }

    @Test func `a budget ends runs that would be retried, and a few retries are left`() {
        let runs = (0..<10).map { _ in Self.run([.failed, .failed, .failed]) }
        let simulation = PolicySimulation(runs)
        let figures = simulation.figures(Policy(retryBudget: RetryBudget(share: 0.1)))
        #expect(simulation.recorded.attempts == 30)
        #expect(figures.attempts == 13 && figures.overBudget == 10 && figures.passed == 0)
        let wide = simulation.figures(Policy(retryBudget: RetryBudget(share: 2)))
        #expect(wide.attempts == 30 && wide.overBudget == 0)
    }

    @Test func `a breaker that never opens and a budget that is never spent change nothing`() {
        var random = SeededRandom(seed: 7)
        let endings: [PolicySimulation.Ending] = [.passed, .passed, .rejected, .failed, .cutOff, .final]
        for _ in 0..<200 {
            let runs = (0..<Int.random(in: 1...20, using: &random)).map { index in
                let failed = (0..<Int.random(in: 0...3, using: &random)).map { _ in PolicySimulation.Ending.failed }
                return Self.run(
                    failed + random.pick(1, of: endings), at: .milliseconds(index * 70),
                    milliseconds: Int.random(in: 1...900, using: &random))
            }
            let simulation = PolicySimulation(runs)
            var policy = Policy(
                retries: Int.random(in: 0...4, using: &random), firstWait: .milliseconds(30),
                timeout: Bool.random(using: &random) ? .milliseconds(500) : nil, sla: .microseconds(1_500_500))
            let alone = runs.indices.map { simulation.outcome(ofRunAt: $0, policy) }
            policy.breaker = CircuitBreaker(failures: 1000, within: .milliseconds(1))
            policy.retryBudget = RetryBudget(share: 100)
            #expect(simulation.sharedOutcomes(policy) == alone)
        }
    }

    @Test func `without runs there is nothing to share`() {
        #expect(PolicySimulation([]).figures(Policy(breaker: CircuitBreaker())).runs == 0)
    }

    @Test func `recorded runs have their times, and what says something about the server`() async throws {
        let sample = try HistorySample()
        for status in [503, 404, 200] {
            let request = SavedRequest(name: "r", path: "/p")
            await sample.send(sample.order(request), StubTransport { _ in .response(statusCode: status) })
            sample.pass(60)
        }
        let filter = sample.history.resolved(
            HistoryFilter(item: ItemPath(file: sample.folder + "/c.json", path: ["r"])))
        let runs = try await sample.history.simulation(filter).runs
        #expect(runs.map { $0.attempts.map(\.isServerFailure) } == [[true], [false], [false]])
        #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.startedAt - $0.startedAt > .seconds(30) })
    }
}
