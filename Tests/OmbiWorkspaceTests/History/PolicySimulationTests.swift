import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Recorded runs under another policy.
@Suite struct PolicySimulationTests {
    private typealias Policy = PolicySimulation.Policy

    private static func attempt(
        _ ending: PolicySimulation.Ending, _ milliseconds: Int, gap: Int = 0
    ) -> PolicySimulation.Attempt {
        .init(gap: .milliseconds(gap), duration: .milliseconds(milliseconds), ending: ending)
    }

    /// A run that passed if its last attempt did, with 1 ms after it.
    private static func run(
        _ attempts: PolicySimulation.Attempt..., sla: Duration? = nil
    ) -> PolicySimulation.Run { run(attempts, sla: sla) }

    private static func run(_ attempts: [PolicySimulation.Attempt], sla: Duration? = nil) -> PolicySimulation.Run {
        let duration = attempts.reduce(Duration.milliseconds(1)) { $0 + $1.gap + $1.duration }
        return .init(
            attempts: attempts, duration: duration, passed: attempts.last?.ending == .passed, sla: sla)
    }

    private static func randomRuns(_ random: inout SeededRandom) -> [PolicySimulation.Run] {
        (0..<Int.random(in: 1...30, using: &random)).map { _ in
            let failures = (0..<Int.random(in: 0...4, using: &random)).map { index in
                attempt(
                    Bool.random(using: &random) ? .failed : .cutOff, Int.random(in: 1...900, using: &random),
                    gap: index == 0 ? 0 : Int.random(in: 0...300, using: &random))
            }
            let endings: [PolicySimulation.Ending] = [.passed, .passed, .passed, .rejected, .failed, .cutOff, .final]
            let last = attempt(
                random.pick(1, of: endings)[0], Int.random(in: 1...900, using: &random),
                gap: failures.isEmpty ? 0 : Int.random(in: 0...300, using: &random))
            return run(failures + [last], sla: Bool.random(using: &random) ? .seconds(9) : nil)
        }
    }

    @Test func `a policy as recorded gives what was recorded`() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<200 {
            let runs = Self.randomRuns(&random)
            let simulation = PolicySimulation(runs)
            for index in runs.indices {
                let outcome = simulation.outcome(ofRunAt: index, Policy())
                #expect(outcome.passed == runs[index].passed && outcome.duration == runs[index].duration)
                #expect(outcome.attempts == runs[index].attempts.count)
            }
            let figures = simulation.figures()
            #expect(figures.passed == runs.count(where: \.passed))
            #expect(figures.attempts == runs.reduce(0) { $0 + $1.attempts.count })
        }
    }

    @Test func `more retries and a longer SLA never lower success`() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<200 {
            let simulation = PolicySimulation(Self.randomRuns(&random))
            var policy = Policy(
                firstWait: .milliseconds(Int.random(in: 0...200, using: &random)),
                factor: Double.random(in: 1...3, using: &random),
                timeout: Bool.random(using: &random) ? .milliseconds(Int.random(in: 50...900, using: &random)) : nil,
                sla: .milliseconds(Int.random(in: 100...5000, using: &random)))
            let byRetries = (0...8).map { retries in
                policy.retries = retries
                return simulation.figures(policy)
            }
            #expect(zip(byRetries, byRetries.dropFirst()).allSatisfy { $0.passed <= $1.passed })
            #expect(zip(byRetries, byRetries.dropFirst()).allSatisfy { $0.attempts <= $1.attempts })
            let bySLA = [100, 200, 500, 1000, 3000, 10_000].map { milliseconds in
                policy.sla = .milliseconds(milliseconds)
                return simulation.figures(policy).passed
            }
            #expect(bySLA == bySLA.sorted())
        }
    }

    @Test func `no run has more attempts than its policy allows, or outlives its SLA`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let runs = Self.randomRuns(&random)
            let simulation = PolicySimulation(runs)
            let (retries, sla) = (Int.random(in: 0...5, using: &random), Duration.milliseconds(700))
            let policy = Policy(retries: retries, firstWait: .milliseconds(20), sla: sla)
            for index in runs.indices {
                let outcome = simulation.outcome(ofRunAt: index, policy)
                #expect((1...(retries + 1)).contains(outcome.attempts))
                #expect(outcome.duration <= sla + .milliseconds(1))
            }
        }
    }

    @Test func `without waits and limits a run passes at its first good attempt`() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<200 {
            let runs = Self.randomRuns(&random).map { Self.run($0.attempts) }
            let simulation = PolicySimulation(runs)
            let retries = Int.random(in: 0...6, using: &random)
            let policy = Policy(retries: retries, firstWait: .zero)
            let pool = runs.flatMap(\.attempts)
            var start = 0
            for index in runs.indices {
                // A model without arithmetic: the endings in the order in which they come.
                let endings = (0...retries).map { pool[(start + $0) % pool.count].ending }
                let end = endings.firstIndex { $0 == .passed || $0 == .rejected || $0 == .final }
                let outcome = simulation.outcome(ofRunAt: index, policy)
                #expect(outcome.passed == (end.map { endings[$0] == .passed } ?? false))
                #expect(outcome.attempts == (end ?? retries) + 1)
                start += runs[index].attempts.count
            }
        }
    }

    @Test func `a retry mends what the next attempt would have answered`() {
        let simulation = PolicySimulation([
            Self.run(Self.attempt(.failed, 100)), Self.run(Self.attempt(.passed, 40)),
        ])
        let outcome = simulation.outcome(ofRunAt: 0, Policy(retries: 1, firstWait: .milliseconds(250)))
        #expect(outcome == .init(passed: true, duration: .milliseconds(391), attempts: 2))
        #expect(simulation.figures(Policy(retries: 1)).success == 1)
        #expect(simulation.figures().success == 0.5)
    }

    @Test func `waits grow by their factor, and one that would outlast the SLA is not begun`() {
        let simulation = PolicySimulation([Self.run(Self.attempt(.failed, 100))])
        let policy = Policy(retries: 3, firstWait: .milliseconds(100), factor: 2)
        let attempts = 4 * 100
        let waits = 100 + 200 + 400
        #expect(simulation.outcome(ofRunAt: 0, policy).duration == Duration.milliseconds(attempts + waits + 1))
        var limited = policy
        limited.sla = .milliseconds(550)
        let cut = simulation.outcome(ofRunAt: 0, limited)
        #expect(cut.duration == .milliseconds(550) && cut.attempts == 3 && !cut.passed)
        limited.sla = .milliseconds(390)
        let ended = simulation.outcome(ofRunAt: 0, limited)
        #expect(ended.duration == .milliseconds(300) && ended.attempts == 2 && !ended.passed)
    }

    @Test func `a timeout cuts slow attempts off, and what was cut off stays so`() {
        let simulation = PolicySimulation([
            Self.run(Self.attempt(.passed, 900)), Self.run(Self.attempt(.cutOff, 300)),
        ])
        let short = Policy(timeout: .milliseconds(200))
        #expect(
            simulation.outcome(ofRunAt: 0, short) == .init(passed: false, duration: .milliseconds(201), attempts: 1))
        let long = simulation.outcome(ofRunAt: 1, Policy(timeout: .seconds(2)))
        #expect(long == .init(passed: false, duration: .milliseconds(2001), attempts: 1))
    }

    @Test func `no policy repeats an answer that failed its expectations, or a POST that may have arrived`() {
        for ending in [PolicySimulation.Ending.rejected, .final] {
            let simulation = PolicySimulation([Self.run(Self.attempt(ending, 10)), Self.run(Self.attempt(.passed, 10))])
            #expect(!simulation.outcome(ofRunAt: 0, Policy(retries: 5)).passed)
        }
    }

    @Test func `without runs there are no figures`() {
        let figures = PolicySimulation([]).figures(Policy(retries: 3))
        #expect(figures.runs == 0 && figures.success == nil && figures.times == nil && figures.attemptsPerRun == nil)
    }

    @Test func `recorded attempts become runs that can be tried`() async throws {
        let sample = try HistorySample()
        let answers = Lock([503, 200, 503, 200, 404])
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 1, sla: .seconds(5), backoff: Backoff(first: .zero))
        let transport = StubTransport { _ in .response(statusCode: answers.withLock { $0.removeFirst() }) }
        await sample.send(sample.order(request), transport)
        request.policy?.retries = 0
        for _ in 0..<3 { await sample.send(sample.order(request), transport) }
        let post = SavedRequest(name: "r", method: .post, path: "/p")
        await sample.send(sample.order(post), StubTransport { _ in .response(statusCode: 503) })
        let filter = sample.history.resolved(
            HistoryFilter(item: ItemPath(file: sample.folder + "/c.json", path: ["r"])))
        let simulation = try await sample.history.simulation(filter)
        #expect(
            simulation.runs.map { $0.attempts.map(\.ending) } == [
                [.failed, .passed], [.failed], [.passed], [.rejected], [.final],
            ])
        #expect(simulation.runs.map(\.passed) == [true, false, true, false, false])
        #expect(simulation.figures(PolicySimulation.Policy(retries: 1)).passed == 3)
    }

    @Test func `the last runs of every request come with one look, the oldest first`() async throws {
        let sample = try HistorySample()
        let statuses = Lock([200, 200, 503, 200])
        let transport = StubTransport { _ in .response(statusCode: statuses.withLock { $0.removeFirst() }) }
        for _ in 0..<3 { await sample.send(sample.order(SavedRequest(name: "a", path: "/a")), transport) }
        await sample.send(
            sample.order(SavedRequest(name: "b", path: "/b"), folders: [Folder(name: "users")]), transport)
        let file = sample.history.resolved(ItemPath(file: sample.folder + "/c.json")).file
        let recent = try await sample.history.recent(files: [file, "/none.json"], limit: 2)
        #expect(recent[ItemPath(file: file, path: ["a"])]?.map(\.passed) == [true, false])
        #expect(recent[ItemPath(file: file, path: ["a"])]?.map(\.status) == [200, 503])
        #expect(recent[ItemPath(file: file, path: ["users", "b"])]?.map(\.passed) == [true])
        #expect(recent.count == 2)
    }

    @Test func `the last run is there before the history has a file`() async throws {
        let (sample, other) = (try HistorySample(), try HistorySample())
        let file = other.history.resolved(ItemPath(file: other.folder + "/c.json")).file
        #expect(try await other.history.recent(files: [file], limit: 2).isEmpty)
        let result = await sample.send(sample.order(), StubTransport { _ in .response(statusCode: 200) })
        await other.history.record(other.order(), result)
        #expect(try await other.history.recent(files: [file], limit: 2).count == 1)
    }
}
