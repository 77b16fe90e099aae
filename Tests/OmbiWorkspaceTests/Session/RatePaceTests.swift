import Foundation
import OmbiCore
import Testing

@testable import OmbiWorkspace

/// The pace that the limits of servers leave to a run of many requests.
@Suite struct RatePaceTests {
    private static func order(_ path: String = "http://api.test/", sla: Duration? = nil) -> RunOrder {
        var request = SavedRequest(name: "r", path: path)
        if let sla { request.policy = RequestPolicy(sla: sla) }
        let environment = Environment(name: "local", host: "https://me@b.test:8443/v1")
        return RunOrder(
            id: 1, request: request, collection: Collection(name: "c", environments: [environment]),
            environment: "local", file: "/c.json")
    }

    private static func result(_ headers: RequestHeaders, status: Int = 200) -> SessionResult {
        SessionResult(.response(TransportResponse(headers: headers, statusCode: status)))
    }

    private static func turn(_ number: Int, at start: Duration = .zero) -> RunTurn {
        RunTurn(number: number, order: 0, start: start)
    }

    // MARK: The rule

    /// What is left, the limit, seconds until the reset, what waits, and the pause in milliseconds.
    static let pauses: [(left: Int, limit: Int?, reset: Int, waiting: Int, pause: Int)] = [
        (5, nil, 10, 100, 2000), (1, nil, 10, 100, 10_000), (10, nil, 10, 11, 1000), (10, 10, 10, 11, 1000),
        // Plenty: more than ten, and than a tenth.
        (11, nil, 10, 100, 0), (11, 100, 10, 100, 0), (100, 1000, 10, 1000, 100), (101, 1000, 10, 1000, 0),
        // Enough for all that wait.
        (5, nil, 10, 5, 0), (5, nil, 10, 1, 0), (5, nil, 10, 6, 2000), (5, nil, 10, .max, 2000),
        // Nothing is left until the reset, and nobody waits longer than the SLA.
        (0, nil, 10, 1, 10_000), (0, nil, 3600, 1, 60_000), (1, nil, 3600, 9, 60_000), (0, nil, 0, 1, 0),
        (0, nil, -5, 1, 0), (0, nil, 10, 0, 0),
    ]

    @Test(arguments: pauses.indices) func `few requests are spread over the time to the next window`(index: Int) {
        let (left, limit, reset, waiting, pause) = Self.pauses[index]
        let found = RatePace.pause(
            left: left, of: limit, until: .seconds(reset), waiting: waiting, maximum: .seconds(60))
        #expect(found == .milliseconds(pause), "\(Self.pauses[index])")
    }

    // MARK: Over time

    @Test func `requests that run count as sent`() {
        var pace = RatePace()
        let order = Self.order()
        #expect(pace.isEmpty && pace.earliest(order, waiting: 100) == nil)
        pace.end(
            Self.turn(0), order, Self.result(["RateLimit-Remaining": "4", "RateLimit-Reset": "8"]), at: .seconds(2))
        #expect(pace.earliest(order, waiting: 100) == .seconds(4))
        pace.begin(Self.turn(1, at: .seconds(4)), order)
        #expect(pace.earliest(order, waiting: 100) == .seconds(6))
        pace.begin(Self.turn(2, at: .seconds(6)), order)
        pace.begin(Self.turn(3, at: .seconds(8)), order)
        #expect(pace.earliest(order, waiting: 100) == .seconds(10))
        #expect(pace.earliest(order, waiting: 1) == nil, "one is left, and one waits")
        for number in 4...6 {
            pace.begin(Self.turn(number, at: .seconds(10)), order)
            #expect(pace.earliest(order, waiting: 100) == .seconds(10), "the next window")
        }
        for number in 1...6 { pace.end(Self.turn(number), order, Self.result([:]), at: .seconds(10)) }
        #expect(pace.earliest(order, waiting: 4) == nil)
    }

    @Test func `a response that comes late gives nothing back that is gone, within its window`() {
        var pace = RatePace()
        let order = Self.order()
        func end(_ turn: Int, remaining: Int, at seconds: Int) {
            let headers: RequestHeaders = ["RateLimit-Remaining": .int(remaining), "RateLimit-Reset": "8"]
            pace.end(Self.turn(turn), order, Self.result(headers), at: .seconds(seconds))
        }
        end(2, remaining: 2, at: 2)
        end(1, remaining: 4, at: 2)
        #expect(pace.earliest(order, waiting: 100) == .seconds(6))
        end(1, remaining: 1, at: 2)
        #expect(pace.earliest(order, waiting: 100) == .seconds(10), "whoever says less is right")
        end(3, remaining: 4, at: 2)
        #expect(pace.earliest(order, waiting: 100) == .seconds(4))
        end(1, remaining: 8, at: 10)
        #expect(pace.earliest(order, waiting: 100) == .seconds(11), "another window")
        pace.restart()
        end(0, remaining: 9, at: 10)
        end(1, remaining: 10, at: 10)
        #expect(pace.earliest(order, waiting: 100) == .milliseconds(10_800), "turns count from 0 again")
    }

    @Test func `the queue starts no turn before the time of its request`() {
        var queue = RunQueue(3, RunPlan(concurrency: 3))
        let turn = queue.reserve(at: .seconds(1)) { $0 == 0 ? .seconds(5) : .zero }
        #expect(turn?.start == .seconds(5) && turn?.isHeldBack == true)
        let step = queue.next(at: .seconds(1), earliest: { _ in .seconds(3) })
        #expect(step == .wait(until: .seconds(3)))
        let free = queue.reserve(at: .seconds(1)) { $0 == 0 ? .seconds(5) : .zero }
        #expect(free?.start == .seconds(1) && free?.isHeldBack == false)
        var short = RunQueue(1, RunPlan(length: .duration(.seconds(2))))
        let late = short.reserve(at: .zero) { _ in .seconds(2) }
        #expect(late == nil && short.isEnded)
    }

    @Test func `a 429 holds its host until it says, and a 503 does not`() {
        var pace = RatePace()
        let order = Self.order()
        pace.end(Self.turn(0), order, Self.result(["Retry-After": "5"], status: 503), at: .zero)
        #expect(pace.isEmpty)
        pace.end(Self.turn(1), order, Self.result(["Retry-After": "5"], status: 429), at: .seconds(1))
        #expect(pace.earliest(order, waiting: 1) == .seconds(6))
        #expect(pace.earliest(Self.order("http://other.test/"), waiting: 1) == nil)
        #expect(pace.earliest(Self.order(sla: .seconds(2)), waiting: 1) == .seconds(3), "never longer than the SLA")
        #expect(pace.earliest(order, waiting: 1, sla: .seconds(1)) == .seconds(2))
        #expect(pace.limits(at: .seconds(2)).map { $0.limit } == [RateLimit(retryAfter: .seconds(4))])
        #expect(pace.limits(at: .seconds(6)).isEmpty)
    }

    @Test func `a host with none left holds up no other`() {
        var pace = RatePace()
        let orders = [Self.order(), Self.order("http://other.test/")]
        pace.end(
            Self.turn(0), orders[0], Self.result(["RateLimit-Remaining": "0", "RateLimit-Reset": "9"]), at: .zero)
        let known = pace
        var queue = RunQueue(2, RunPlan(concurrency: 2))
        let turns = (0..<2).map { _ in
            queue.reserve(
                at: .zero, earliest: { known.earliest(orders[$0], waiting: 2) ?? .zero },
                mayPass: { orders[$0].sentFirst.isEmpty })
        }
        #expect(turns.map { $0?.order } == [1, 0] && turns.map { $0?.start } == [.zero, .seconds(9)])
    }

    @Test func `a host is that of the URL, or of the environment`() {
        #expect(Self.order("http://api.test/a?b").limitedHost == "api.test")
        #expect(Self.order("/a").limitedHost == "b.test:8443")
        #expect(Self.order("{{host}}/a").limitedHost == "b.test:8443")
    }

    @Test func `hosts without end are not kept`() {
        var pace = RatePace()
        let result = Self.result(["RateLimit-Remaining": "0", "RateLimit-Reset": "9"])
        for number in 0..<500 { pace.end(Self.turn(number), Self.order("http://h\(number).test/"), result, at: .zero) }
        #expect(pace.limits(at: .zero).count == 100)
    }

    // MARK: A server with windows

    /// Sends requests to a server that allows so many in a second, each of which takes 10 ms.
    /// - Returns: how many were refused, and the time that all took.
    private static func simulation(
        limit: Int, concurrency: Int, requests: Int, isSlowed: Bool
    ) -> (refused: Int, time: Duration) {
        struct Step {
            var time: Duration
            var turn: RunTurn
            var result: SessionResult?
        }
        let order = Self.order()
        var (queue, pace) = (RunQueue(requests, RunPlan(concurrency: concurrency)), RatePace())
        var (steps, now, refused): ([Step], Duration, Int) = ([], .zero, 0)
        var (window, used) = (0, 0)
        while true {
            while true {
                let (known, waiting) = (pace, queue.waiting)
                let turn = queue.reserve(at: now) { _ in
                    isSlowed ? known.earliest(order, waiting: waiting) ?? .zero : .zero
                }
                guard let turn else { break }
                pace.begin(turn, order)
                steps.append(Step(time: max(now, turn.start), turn: turn))
            }
            guard let next = steps.indices.min(by: { steps[$0].time < steps[$1].time }) else { break }
            let step = steps.remove(at: next)
            now = max(now, step.time)
            if let result = step.result {
                pace.end(step.turn, order, result, at: now)
                queue.finished(step.turn, passed: true, at: now)
                continue
            }
            if Int(now.components.seconds) > window { (window, used) = (Int(now.components.seconds), 0) }
            used += 1
            if used > limit { refused += 1 }
            let rest = 1 - Double(now.components.attoseconds) / 1e18
            let headers: RequestHeaders = [
                "X-RateLimit-Limit": .int(limit), "X-RateLimit-Remaining": .int(max(0, limit - used)),
                "X-RateLimit-Reset": .double(rest),
            ]
            let status = used > limit ? 429 : 200
            steps.append(
                Step(time: now + .milliseconds(10), turn: step.turn, result: Self.result(headers, status: status)))
        }
        return (refused, now)
    }

    @Test(arguments: [(12, 1), (12, 4), (50, 1), (50, 8), (200, 20)])
    func `a run of many is not refused, and takes no more windows than it needs`(limit: Int, concurrency: Int) {
        let requests = limit * 3
        let slowed = Self.simulation(limit: limit, concurrency: concurrency, requests: requests, isSlowed: true)
        #expect(slowed.refused == 0 && slowed.time < .seconds(4), "\(slowed)")
        let fast = Self.simulation(limit: limit, concurrency: concurrency, requests: requests, isSlowed: false)
        #expect(concurrency == 1 || fast.refused > 0, "\(fast)")
    }

    // MARK: In a session

    /// Sends a request several times to a server that names a limit, and returns the times at which it was asked.
    private static func times(
        _ headers: RequestHeaders, _ change: (inout RunPlan) -> Void = { _ in }, sla: Duration? = nil
    ) async -> (asked: [ContinuousClock.Instant], heldBack: Int, tally: Tally) {
        let (asked, heldBack) = (Lock<[ContinuousClock.Instant]>([]), Lock(0))
        let session = Session(
            transport: StubTransport { _ in
                asked.withLock { $0.append(.now) }
                return .response(statusCode: 200, headers: headers)
            })
        var plan = RunPlan(length: .times(3))
        change(&plan)
        let tally = await session.run([order(sla: sla)], plan) { turn, _ in
            if turn.isHeldBack { heldBack.withLock { $0 += 1 } }
            return true
        }
        return (asked.withLock { $0 }, heldBack.withLock { $0 }, tally)
    }

    @Test func `a run waits for the next window, unless it is to ignore limits`() async {
        let headers: RequestHeaders = ["RateLimit-Remaining": "0", "RateLimit-Reset": "0.1"]
        let slow = await Self.times(headers)
        #expect(slow.tally.passed == 3 && slow.asked.count == 3)
        for (one, next) in zip(slow.asked, slow.asked.dropFirst()) { #expect(next - one >= .milliseconds(100)) }
        let fast = await Self.times(headers, { $0.ignoresRateLimits = true })
        #expect(fast.tally.passed == 3 && fast.heldBack == 0)
        let plenty = await Self.times(["RateLimit-Remaining": "900", "RateLimit-Reset": "3600"])
        #expect(plenty.tally.passed == 3 && plenty.heldBack == 0)
    }

    @Test func `a turn that waits for its server is told before it does`() async {
        let log = Lock<[String]>([])
        let headers: RequestHeaders = ["RateLimit-Remaining": "0", "RateLimit-Reset": "0.1"]
        let session = Session(transport: StubTransport { _ in .response(statusCode: 200, headers: headers) })
        _ = await session.run(
            [Self.order()], RunPlan(length: .times(2)),
            onStart: { turn in log.withLock { $0.append("start \(turn.number)") } },
            onHold: { turn in log.withLock { $0.append("hold \(turn.number)") } }
        ) { _, _ in true }
        #expect(log.withLock { $0 } == ["start 0", "hold 1", "start 1"])
    }

    @Test func `a window of an hour delays no request longer than its SLA`() async {
        let result = await Self.times(
            ["RateLimit-Remaining": "0", "RateLimit-Reset": "3600"], sla: .milliseconds(50))
        #expect(result.tally.count == 3)
    }
}
