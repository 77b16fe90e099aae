import Dispatch
import OmbiCore
import TestSupport
import Testing

@testable import OmbiWorkspace

/// The schedule of an open load, and what is measured by it.
@Suite struct ArrivalScheduleTests {
    // MARK: Times

    @Test func `a rate has one request after another, without end`() {
        let schedule = ArrivalSchedule(rate: 4)
        let times = (0..<4).compactMap { schedule.time(of: $0) }
        #expect(times == [0, 250, 500, 750].map { Duration.milliseconds($0) })
        #expect(schedule.time(of: 4_000_000) == .seconds(1_000_000) && schedule.end == nil)
        #expect(schedule.count(before: .zero) == 0 && schedule.count(before: .milliseconds(1)) == 1)
        #expect(schedule.count(before: .seconds(1)) == 4 && schedule.count(before: .milliseconds(1001)) == 5)
    }

    @Test func `stages change the rate evenly, and one without a duration changes it at once`() throws {
        let ramp = ArrivalSchedule([RateStage(duration: .seconds(2), rate: 4)])
        // Half of the rate at the end, over the whole time: four requests, of which one is in the first second.
        #expect(ramp.count(before: .seconds(1)) == 1 && ramp.count(before: .seconds(9)) == 4)
        #expect(ramp.time(of: 0) == .zero && ramp.time(of: 1) == .seconds(1) && ramp.time(of: 4) == nil)
        let steps = ArrivalSchedule([
            RateStage(duration: .zero, rate: 2), RateStage(duration: .seconds(2), rate: 2),
            RateStage(duration: .seconds(1), rate: 0), RateStage(duration: .seconds(5), rate: 0),
            RateStage(duration: .zero, rate: 1), RateStage(duration: .seconds(2), rate: 1),
        ])
        #expect(steps.end == .seconds(10))
        #expect(steps.time(of: 3) == .milliseconds(1500) && steps.time(of: 4) == .seconds(2))
        #expect(steps.time(of: 5) == .seconds(8) && steps.time(of: 6) == .seconds(9) && steps.time(of: 7) == nil)
        #expect(ArrivalSchedule([RateStage(duration: .seconds(1), rate: 8)], from: 8).time(of: 4) == .milliseconds(500))
    }

    @Test(arguments: 0..<200) func `times rise, and counts agree with them`(seed: Int) {
        var random = SeededRandom(seed: seed)
        func number(_ limit: UInt64) -> Int { Int(random.next() % limit) }
        let stages = (0...number(6)).map { _ in
            RateStage(duration: .milliseconds(number(4) == 0 ? 0 : number(3000)), rate: Double(number(80)))
        }
        let schedule = ArrivalSchedule(stages, from: Double(number(3) * 20))
        var (last, count) = (Duration.zero, 0)
        while let time = schedule.time(of: count), count < 10_000 {
            #expect(time >= last && time <= (schedule.end ?? .zero) + .microseconds(1))
            let before = schedule.count(before: time)
            #expect(before == count, "\(count) at \(time): \(before)")
            (last, count) = (time, count + 1)
        }
        let all = schedule.count(before: (schedule.end ?? .zero) + .seconds(1))
        #expect(abs(all - count) <= 1, "\(all) and \(count)")
    }

    @Test(
        arguments: [
            (
                "10s:50/s,1m:200/s",
                [RateStage(duration: .seconds(10), rate: 50), RateStage(duration: .seconds(60), rate: 200)]
            ),
            (
                "0s:5, 500ms:0.5/s",
                [RateStage(duration: .zero, rate: 5), RateStage(duration: .milliseconds(500), rate: 0.5)]
            ),
            ("", nil), ("10s", nil), ("10s:", nil), ("10s:5/m", nil), ("10:5", nil), ("10s:5,", nil), ("1s:-1", nil),
            ("1s:nan", nil), ("1s:inf/s", nil), ("1s:5:6", nil), ("1s:1e9", nil),
            ("1s:0/s", [RateStage(duration: .seconds(1), rate: 0)]),
        ] as [(String, [RateStage]?)])
    func `stages are read from text`(text: String, stages: [RateStage]?) {
        #expect(RateStage.list(text) == stages)
    }

    // MARK: Turns

    @Test func `what waited for a place counts from its time, and delays none after it`() throws {
        var queue = RunQueue(1, RunPlan(length: .duration(.seconds(1)), rate: 10))
        let begun = queue.reserve(at: .zero)
        let first = try #require(begun)
        #expect(first.scheduled == .zero && first.lateness == .zero && first.latency == nil)
        #expect(queue.reserve(at: .milliseconds(100)) == nil)
        queue.finished(first, passed: true, at: .milliseconds(350))
        var late: [Duration] = []
        for _ in 0..<4 {
            let reserved = queue.reserve(at: .milliseconds(350))
            let turn = try #require(reserved)
            late.append(turn.lateness ?? .seconds(9))
            queue.finished(turn, passed: true, at: .milliseconds(350))
        }
        #expect(late == [250, 150, 50, 0].map { Duration.milliseconds($0) })
        let next = queue.reserve(at: .milliseconds(350))
        #expect(next?.scheduled == .milliseconds(500))
    }

    @Test func `a schedule with an end knows how many requests it has`() {
        let plan = RunPlan(length: .duration(.seconds(3)), rate: 10)
        #expect(plan.scheduledCount == 30)
        #expect(RunPlan(rate: 10).scheduledCount == nil)
        #expect(RunPlan(length: .duration(.seconds(3))).scheduledCount == nil)
        let stages = [RateStage(duration: .seconds(2), rate: 4)]
        var queue = RunQueue(1, RunPlan(length: .duration(.seconds(2)), concurrency: 9, stages: stages))
        var count = 0
        while queue.reserve(at: .zero) != nil { count += 1 }
        #expect(count == 4 && queue.plan.scheduledCount == 4)
    }

    @Test func `a turn without a schedule has no latency`() throws {
        var queue = RunQueue(1)
        let reserved = queue.reserve(at: .zero)
        let turn = try #require(reserved)
        #expect(turn.scheduled == nil && turn.lateness == nil && turn.latency == nil)
    }

    // MARK: A pause

    @Test func `the pause of a server is in the latencies of the requests that waited, and not in their own times`()
        async throws
    {
        let pause = Duration.milliseconds(300)
        let server = try LoopbackServer { request in
            // The first response takes its time; nothing ever signals.
            if request.number == 1 { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(300)) }
            return .ok("{}")
        }
        defer { server.stop() }
        let order = RunOrder(
            id: 1, request: SavedRequest(name: "r", path: server.host + "/"), collection: Collection(name: "c"),
            environment: nil, file: "/c.json")
        let (ended, started) = (Lock<[(RunTurn, SessionResult)]>([]), Lock(0))
        let plan = RunPlan(length: .times(10), rate: 200)
        _ = await Session().run([order], plan, onStart: { _ in started.withLock { $0 += 1 } }) { turn, result in
            ended.withLock { $0.append((turn, result)) }
            return true
        }
        #expect(started.withLock { $0 } == 10)
        let results = ended.withLock { $0 }
        try #require(results.count == 10)
        for (turn, result) in results.dropFirst() {
            let (latency, lateness) = (try #require(turn.latency), try #require(turn.lateness))
            let service = try #require(result.report?.duration)
            // The last one was to begin 45 ms after the first.
            #expect(latency >= pause - .milliseconds(50) && lateness >= pause - .milliseconds(50))
            #expect(service <= latency - lateness + .milliseconds(1))
        }
    }
}
