import Foundation
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// Figures of many runs.
@Suite struct HistoryStatisticsTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func run(
        _ milliseconds: Int, _ outcome: RecordedOutcome = .passed, attempts: Int = 1, ago: Double = 0,
        sla: Duration? = nil
    ) -> HistoryStatistics.Run {
        .init(
            startedAt: now.addingTimeInterval(-ago), duration: .milliseconds(milliseconds), outcome: outcome,
            attempts: attempts, sla: sla)
    }

    @Test func `percentiles are values that were measured`() {
        let percentiles = HistoryStatistics.Percentiles((1...200).map { Duration.milliseconds($0) })
        #expect(percentiles?.p50 == .milliseconds(100) && percentiles?.p95 == .milliseconds(190))
        #expect(percentiles?.p99 == .milliseconds(198) && percentiles?.maximum == .milliseconds(200))
        #expect(HistoryStatistics.Percentiles([.seconds(1)])?.p50 == .seconds(1))
        #expect(HistoryStatistics.Percentiles([]) == nil)
    }

    @Test func `cancelled runs count neither as passed nor as failed`() {
        let statistics = HistoryStatistics(
            runs: [Self.run(10), Self.run(20, attempts: 3), Self.run(30, .failed), Self.run(40, .cancelled)],
            attempts: [], now: Self.now)
        #expect(statistics.runs == 3 && statistics.cancelled == 1 && statistics.passed == 2)
        #expect(statistics.firstTry == 1.0 / 3 && statistics.eventual == 2.0 / 3)
        #expect(statistics.ofRuns?.maximum == .milliseconds(30))
    }

    @Test func `windows count what was within the SLA, and the budget that is left`() {
        let hour = (0..<100).map { Self.run($0 == 0 ? 900 : 100, ago: 60, sla: .milliseconds(500)) }
        let day = (0..<100).map { Self.run(100, $0 < 3 ? .error : .passed, ago: 7200) }
        let statistics = HistoryStatistics(runs: hour + day, attempts: [], now: Self.now)
        #expect(statistics.windows.map(\.runs) == [100, 200, 200])
        #expect(statistics.windows.map(\.met) == [99, 196, 196])
        #expect(abs((statistics.windows[0].budgetLeft(objective: 0.99) ?? 9)) < 1e-9)
        #expect((statistics.windows[1].budgetLeft(objective: 0.99) ?? 0) < 0)
        #expect(HistoryStatistics(runs: [], attempts: [], now: Self.now).windows[0].share == nil)
    }

    @Test func `windows end now, for counted runs as well`() {
        let future = Self.run(100, .failed, ago: -600)
        #expect(HistoryStatistics(runs: [future], attempts: [], now: Self.now).windows.map(\.runs) == [0, 0, 0])
        let period = HistoryStatistics.Period(
            first: future.startedAt, last: future.startedAt, end: future.startedAt.addingTimeInterval(300),
            longest: .milliseconds(100), runs: 1, cancelled: 0, passed: 0, passedAtOnce: 0, met: 0)
        let counted = HistoryStatistics(
            periods: [period], runTimes: [], attemptTimes: [], failures: [], retries: [], now: Self.now)
        #expect(counted.runs == 1 && counted.windows.map(\.runs) == [0, 0, 0])
    }

    @Test(arguments: [(99.0, 100, 1), (99.9, 1000, 1), (99.99, 10_000, 1), (99.99, 20_000, 2), (97.5, 40, 1)])
    func `a budget that is used up to the last run has nothing left`(percent: Double, runs: Int, failed: Int) {
        let objective = Objective(success: percent).share ?? 0
        func left(_ failed: Int) -> Double? {
            HistoryStatistics.Window(name: "7d", runs: runs, met: runs - failed).budgetLeft(objective: objective)
        }
        #expect(left(failed) == 0 && left(0) == 1 && left(2 * failed) == -1)
        #expect(left(failed - 1) ?? 0 > 0 && left(failed + 1) ?? 0 < 0)
    }

    @Test func `a histogram has every run in one bar`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<50 {
            let runs = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                Self.run(Int.random(in: 0...5000, using: &random))
            }
            let bars = HistoryStatistics(runs: runs, attempts: [], now: Self.now).histogram
            #expect(bars.map(\.count).reduce(0, +) == runs.count)
            #expect(bars.first?.count != 0 && bars.last?.count != 0)
        }
    }

    @Test func `a policy is proposed once there are enough runs`() {
        let runs = (1...100).map { Self.run($0) }
        let statistics = HistoryStatistics(runs: runs, attempts: runs.map(\.duration), now: Self.now)
        #expect(statistics.proposal == .init(timeout: .milliseconds(150), sla: .milliseconds(500)))
        #expect(HistoryStatistics(runs: Array(runs.prefix(5)), attempts: [], now: Self.now).proposal == nil)
        // Attempts of 4 ms, with waits of 400 and 800 ms between them.
        let waiting = (1...20).map { _ in Self.run(1210, attempts: 3) }
        let attempts = [Duration](repeating: .milliseconds(4), count: 60)
        let proposal = HistoryStatistics(runs: waiting, attempts: attempts, now: Self.now).proposal
        #expect(proposal == .init(timeout: .milliseconds(7), sla: .milliseconds(1500)))
    }

    @Test func `failures and repeats are counted by their reason`() async throws {
        let sample = try HistorySample()
        let number = Lock(0)
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 2, sla: .seconds(5))
        for _ in 0..<2 {
            await sample.send(
                sample.order(request),
                StubTransport { _ in
                    switch number.withLock({
                        $0 += 1
                        return $0 % 3
                    }) {
                    case 1: .response(statusCode: 503)
                    case 2: .failure(TransportError(code: .cannotConnectToHost, message: "refused"))
                    default: .response(statusCode: 200)
                    }
                })
        }
        let statistics = try await sample.history.statistics(HistoryFilter())
        #expect(statistics.runs == 2 && statistics.passed == 2 && statistics.passedAtOnce == 0)
        #expect(Set(statistics.failures.map { "\($0.count) \($0.name)" }) == ["2 status 503", "2 connection failed"])
        #expect(statistics.retries == [.init("after a failure", 4)])
        #expect(statistics.ofAttempts != nil)
    }

    @Test func `an attempt that fails as its run expects is no failure`() async throws {
        let sample = try HistorySample()
        var down = SavedRequest(name: "down", path: "/p")
        down.policy = RequestPolicy(
            retries: 1, backoff: Backoff(first: .zero), retryOn: [.status(.code(503))])
        down.expect = Expectation(status: [.code(503)])
        var digest = SavedRequest(name: "digest", path: "/p")
        digest.authentication = .digest(DigestAuthentication(username: "u", password: "p"))
        let server = StubTransport { request in
            request.headers[.authorization] == nil
                ? .response(
                    statusCode: 401, headers: ["WWW-Authenticate": "Digest realm=\"r\", qop=\"auth\", nonce=\"n\""])
                : .response(statusCode: 200)
        }
        await sample.send(sample.order(down), StubTransport { _ in .response(statusCode: 503) })
        await sample.send(sample.order(digest), server)
        await sample.send(
            sample.order(SavedRequest(name: "r", path: "/p")), StubTransport { _ in .response(statusCode: 503) })
        let statistics = try await sample.history.statistics(HistoryFilter())
        #expect(statistics.runs == 3 && statistics.passed == 2)
        // The second attempt of Digest is no retry, that of the other one is.
        #expect(statistics.passedAtOnce == 1 && statistics.retries == [.init("after a failure", 1)])
        let entries = try await sample.history.entries(HistoryFilter(), limit: 3)
        #expect(entries.map(\.attempts).sorted() == [1, 1, 2])
        #expect(statistics.failures == [.init("status 503", 1)])
        #expect(statistics.addresses.map(\.failures) == [statistics.failures])
    }

    @Test func `an attempt whose response the run rejects is a failure of its address`() async throws {
        let sample = try HistorySample()
        var strict = SavedRequest(name: "strict", path: "/p")
        strict.expect = Expectation(status: [.code(201)])
        var slow = SavedRequest(name: "slow", path: "/p")
        slow.expect = Expectation(within: .nanoseconds(1))
        await sample.send(
            sample.order(SavedRequest(name: "r", path: "/p")), StubTransport { _ in .response(statusCode: 404) })
        for request in [strict, slow] {
            await sample.send(sample.order(request), StubTransport { _ in .response(statusCode: 200) })
        }
        let database = try await sample.database()
        let contents = HistoryContents(database: database, folder: sample.path + ".bodies")
        let reader = HistoryReader(database: database, contents: contents, limits: HistoryLimits())
        for maximum in [Int.max, 0] {
            let statistics = try reader.statistics(
                HistoryFilter(), now: sample.time.withLock { $0 }, maximumExact: maximum)
            let names = statistics.failures.map { "\($0.count) \($0.name)" }.sorted()
            #expect(names == ["1 status 200", "1 status 404", "1 validation"], "\(maximum)")
            #expect(statistics.runs == 3 && statistics.passed == 0)
            #expect(statistics.addresses.map(\.failed) == [3])
        }
        // The attempt itself reads as it was.
        let newest = try #require(try await sample.history.entries(HistoryFilter(), limit: 1).first)
        let run = try await sample.history.run(newest.id)
        #expect(run?.result.report?.attempts.map(\.outcome) == [.succeeded])
    }

    @Test func `the number of an expected failure reads as the same failure`() {
        #expect(AttemptCode.failure(AttemptCode.expected + 2) == .status && AttemptCode.failure(2) == .status)
        #expect(AttemptCode.error(AttemptCode.expected + 5) == .cannotFindHost && AttemptCode.error(2) == nil)
    }

    @Test func `the retry that the SLA left no time for is kept`() async throws {
        let sample = try HistorySample()
        var request = SavedRequest(name: "r", path: "/p")
        request.policy = RequestPolicy(retries: 2, sla: .seconds(5))
        let result = await sample.send(
            sample.order(request), StubTransport { _ in .response(statusCode: 429, headers: ["Retry-After": "30"]) })
        let missed = try #require(result.report?.attempts.last?.missedRetry)
        #expect(missed.wait == .seconds(30) && missed.reason == .retryAfter && missed.slaLeft <= .seconds(5))
        let newest = try await sample.history.entries(HistoryFilter(), limit: 1).first
        let run = try await sample.history.run(newest?.id ?? 0)
        let kept = try #require(run?.result.report?.attempts.last?.missedRetry)
        #expect(kept.wait == missed.wait && kept.reason == missed.reason)
    }

    @Test func `failures of the transport are told apart, and TLS is one of them`() async throws {
        let sample = try HistorySample()
        let codes: [TransportError.Code] = [
            .cannotFindHost, .cannotConnectToHost, .secureConnectionFailed, .certificateNotTrusted, .connectionLost,
            .malformedResponse, .tooManyRedirects, .timedOut, .noDescriptors,
        ]
        for code in codes {
            await sample.send(
                sample.order(SavedRequest(name: "r", path: "/p")),
                StubTransport { _ in .failure(TransportError(code: code, message: "failed")) })
        }
        let expected: Set = [
            "1 DNS", "1 connection failed", "2 TLS", "1 connection lost", "1 invalid response", "1 too many redirects",
            "1 timeout", "1 other failure",
        ]
        let failures = try await sample.history.statistics(HistoryFilter()).failures
        #expect(Set(failures.map { "\($0.count) \($0.name)" }) == expected)
        #expect(failures.first?.name == "TLS")
        let newest = try await sample.history.entries(HistoryFilter(), limit: 1).first
        let run = try await sample.history.run(newest?.id ?? 0)
        #expect(run?.result.report?.attempts.first?.errorCode == .noDescriptors)
    }
}
