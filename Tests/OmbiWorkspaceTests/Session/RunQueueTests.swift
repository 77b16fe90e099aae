import TestSupport
import Testing

@testable import OmbiWorkspace

/// The turns of a run: the request that is next, and its time.
@Suite struct RunQueueTests {
    /// Takes a turn, which ends at once.
    private static func take(_ queue: inout RunQueue, at time: Duration) -> RunTurn? {
        let turn = queue.reserve(at: time)
        if let turn { queue.finished(turn, passed: true, at: time) }
        return turn
    }

    private static func orders(_ queue: inout RunQueue, at times: [Duration]) -> [Int?] {
        times.map { take(&queue, at: $0)?.order }
    }

    /// Begins as many requests as may be sent at a time.
    private static func begin(_ queue: inout RunQueue, at time: Duration = .zero) -> [RunTurn] {
        var turns: [RunTurn] = []
        while case .begin(let turn) = queue.next(at: time) { turns.append(turn) }
        return turns
    }

    // MARK: Order

    @Test func `each request has its times, one after the other`() {
        var queue = RunQueue(2, RunPlan(length: .times(2)))
        #expect(Self.orders(&queue, at: Array(repeating: .zero, count: 5)) == [0, 0, 1, 1, nil])
    }

    @Test func `a duration takes requests in turn, and begins none at its end`() {
        var queue = RunQueue(2, RunPlan(length: .duration(.seconds(2))))
        #expect(Self.orders(&queue, at: [.zero, .seconds(1), .milliseconds(1999), .seconds(2)]) == [0, 1, 0, nil])
        #expect(queue.isEnded)
        var none = RunQueue(0, RunPlan(length: .duration(.seconds(2))))
        #expect(none.reserve(at: .zero) == nil)
    }

    @Test func `a request that is busy holds up those after it`() {
        var queue = RunQueue(3, RunPlan(concurrency: 3))
        let steps = [queue.next(at: .zero) { $0 == 1 }, queue.next(at: .zero) { $0 == 1 }, queue.next(at: .zero)]
        let orders = steps.map { step -> Int? in if case .begin(let turn) = step { turn.order } else { nil } }
        #expect(orders == [0, nil, 1])
        #expect(steps[1] == .blocked)
    }

    @Test func `a request that its server holds back is passed by those that may, where several run`() {
        let limits: [Duration] = [.seconds(9), .zero, .seconds(9), .zero, .zero]
        var queue = RunQueue(5, RunPlan(concurrency: 6))
        var turns: [RunTurn] = []
        while let turn = queue.reserve(at: .zero, earliest: { limits[$0] }, mayPass: { $0 != 3 }) { turns.append(turn) }
        #expect(turns.map(\.order) == [1, 4, 0, 2, 3] && turns.map(\.number) == [0, 1, 2, 3, 4])
        #expect(turns.map(\.start) == [.zero, .zero, .seconds(9), .seconds(9), .zero])
        #expect(turns.map(\.isHeldBack) == [false, false, true, true, false])
        var single = RunQueue(2)
        let first = single.reserve(at: .zero, earliest: { limits[$0] }, mayPass: { _ in true })
        #expect(first?.order == 0 && first?.isHeldBack == true)
    }

    @Test func `of several that are held back the one with the earliest start is next`() {
        let limits: [Duration] = [.seconds(9), .seconds(5), .seconds(3), .seconds(3)]
        var queue = RunQueue(4, RunPlan(concurrency: 4))
        var orders: [Int] = []
        while let turn = queue.reserve(at: .seconds(1), earliest: { limits[$0] }, mayPass: { _ in true }) {
            orders.append(turn.order)
        }
        #expect(orders == [2, 3, 1, 0])
    }

    @Test func `turns that have passed others can no longer be cancelled`() {
        func next(_ queue: inout RunQueue) -> Int? {
            let turn = queue.reserve(at: .zero, earliest: { $0 == 0 ? .seconds(9) : .zero }, mayPass: { _ in true })
            if let turn { queue.finished(turn, passed: true, at: .zero) }
            return turn?.order
        }
        var queue = RunQueue(2, RunPlan(length: .times(3), concurrency: 2))
        var other = queue
        let orders = (0..<7).map { _ in next(&queue) }
        #expect(orders == [1, 1, 1, 0, 0, 0, nil] && queue.isEnded)
        let first = next(&other)
        let cancelled = [other.cancel(1), other.cancel(1)]
        #expect(first == 1 && cancelled == [true, false] && other.waiting == 3)
        let rest = (0..<4).map { _ in next(&other) }
        #expect(rest == [0, 0, 0, nil] && other.isEnded)
    }

    @Test func `while a run lasts, a request passes another one once`() {
        var queue = RunQueue(2, RunPlan(length: .duration(.seconds(20)), concurrency: 4))
        let turns = (0..<4).map { _ in
            queue.reserve(at: .zero, earliest: { $0 == 0 ? .seconds(9) : .zero }, mayPass: { _ in true })
        }
        #expect(turns.map { $0?.order } == [1, 0, 1, 0])
        #expect(turns.map { $0?.start } == [.zero, .seconds(9), .zero, .seconds(9)])
    }

    // MARK: Pace

    @Test func `a rate spaces the starts, and does not catch up on what is late`() {
        var queue = RunQueue(1, RunPlan(length: .times(4), rate: 10))
        let starts = [Duration.zero, .zero, .seconds(5), .seconds(5)].map { Self.take(&queue, at: $0)?.start }
        #expect(starts == [.zero, .milliseconds(100), .seconds(5), .milliseconds(5000)])
        var long = RunQueue(1, RunPlan(length: .duration(.milliseconds(250)), rate: 10))
        #expect(Self.orders(&long, at: [.zero, .zero, .zero, .zero]) == [0, 0, 0, nil])
    }

    @Test func `a rate counts from the beginning, and says when to ask again`() {
        var queue = RunQueue(3, RunPlan(concurrency: 3, rate: 2), at: .seconds(7))
        #expect(Self.begin(&queue, at: .seconds(7)).map(\.order) == [0])
        let step = queue.next(at: .milliseconds(7100))
        #expect(step == .wait(until: .milliseconds(7500)))
        #expect(Self.begin(&queue, at: .milliseconds(7500)).map(\.order) == [1])
    }

    @Test func `a pause counts from the end of the request whose place is taken`() {
        var queue = RunQueue(4, RunPlan(concurrency: 2, delay: .seconds(1)))
        let turns = Self.begin(&queue)
        #expect(turns.map(\.order) == [0, 1])
        queue.finished(turns[1], passed: true, at: .seconds(3))
        queue.finished(turns[0], passed: true, at: .seconds(5))
        let step = queue.next(at: .milliseconds(3500))
        #expect(step == .wait(until: .seconds(4)))
        let starts = [queue.reserve(at: .seconds(5))?.start, queue.reserve(at: .seconds(5))?.start]
        #expect(starts == [.seconds(5), .seconds(6)])
    }

    // MARK: Ends

    @Test func `a failure ends a run that fails fast, and what runs has yet to end`() {
        var queue = RunQueue(5, RunPlan(concurrency: 2, failsFast: true))
        let turns = Self.begin(&queue)
        queue.finished(turns[0], passed: false, at: .zero)
        #expect(queue.waiting == 0 && queue.runningCount == 1 && !queue.isEnded)
        let step = queue.next(at: .zero)
        #expect(step == .blocked)
        queue.finished(turns[1], passed: true, at: .zero)
        #expect(queue.isEnded && queue.tally == Tally(passed: 1, failed: 1))
    }

    @Test func `what is cancelled has no turn any more, and only once`() {
        var queue = RunQueue(4, RunPlan(length: .times(2)))
        _ = Self.take(&queue, at: .zero)
        let cancelled = [queue.cancel(0), queue.cancel(2), queue.cancel(2), queue.cancel(4), queue.cancel(-1)]
        #expect(cancelled == [true, true, false, false, false])
        #expect(queue.waiting == 4)
        #expect(Self.orders(&queue, at: Array(repeating: .zero, count: 5)) == [1, 1, 3, 3, nil])
        var endless = RunQueue(2, RunPlan(length: .duration(.seconds(9))))
        let all = [endless.cancel(0), endless.cancel(1)]
        #expect(all == [true, true] && endless.isEnded)
    }

    @Test func `some requests begin again by the same plan`() {
        var queue = RunQueue(5, RunPlan(concurrency: 2, rate: 1))
        queue.cancelAll()
        queue.restart([1, 4], at: .seconds(10))
        #expect(Self.begin(&queue, at: .seconds(10)).map(\.order) == [1])
        let cancelled = [queue.cancel(3), queue.cancel(4)]
        #expect(cancelled == [false, true])
        #expect(queue.waiting == 0 && !queue.isEnded)
    }

    @Test func `the last end of a row says so`() {
        var queue = RunQueue(4, RunPlan(concurrency: 4), rowLength: 2)
        let turns = Self.begin(&queue)
        let ends = [2, 0, 1, 1, 3].map { queue.finished(turns[$0], passed: true, at: .zero) }
        #expect(ends == [false, false, true, false, true])
    }

    // MARK: By chance

    @Test(arguments: 0..<200) func `requests that pass others have their turns once, and the rest keep their order`(
        seed: Int
    ) {
        var random = SeededRandom(seed: seed)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        let (count, times) = (1 + number(150), 1 + number(3))
        let limits = (0..<count).map { _ in Duration.seconds(number(3) * 5) }
        let passing = Set((0..<count).filter { _ in number(2) == 0 })
        var queue = RunQueue(count, RunPlan(length: .times(times), concurrency: 2))
        var begun: [RunTurn] = []
        while let turn = queue.reserve(at: .zero, earliest: { limits[$0] }, mayPass: { passing.contains($0) }) {
            begun.append(turn)
            queue.finished(turn, passed: true, at: .zero)
        }
        #expect(queue.isEnded && begun.map(\.number) == Array(0..<count * times))
        #expect(begun.allSatisfy { $0.start == limits[$0.order] && $0.isHeldBack == ($0.start > .zero) })
        let orders = begun.map(\.order)
        #expect(orders.sorted() == (0..<count).flatMap { Array(repeating: $0, count: times) })
        let rest = orders.filter { !passing.contains($0) }
        #expect(rest == rest.sorted())
    }

    @Test(arguments: 0..<300) func `requests in any plan keep their order, their number and their times`(seed: Int) {
        var run = DrivenRun(seed: seed)
        var steps = 0
        while run.step(), steps < 10_000 { steps += 1 }
        #expect(steps < 10_000)
        run.checkEnd()
    }
}

/// A run whose plan, ends and cancellations come by chance, and which checks each step.
private struct DrivenRun {
    private var random: SeededRandom
    private let plan: RunPlan
    private let times: Int
    private let count: Int
    private var queue: RunQueue
    private var now = Duration.zero
    private var running: [(turn: RunTurn, end: Duration)] = []
    private var ends: [Duration] = []
    private var begun: [RunTurn] = []
    private var cancelled: Set<Int> = []
    /// True once nothing may begin any more.
    private var isClosed = false
    /// A request that runs by itself until some time.
    private var busy: (order: Int, until: Duration) = (0, .zero)

    init(seed: Int) {
        var random = SeededRandom(seed: seed)
        func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        count = number(20)
        times = 1 + number(3)
        plan = RunPlan(
            length: .times(times), concurrency: 1 + number(5), rate: number(2) == 0 ? nil : Double(1 + number(100)),
            delay: number(2) == 0 ? .zero : .milliseconds(number(40)), failsFast: number(3) == 0)
        queue = RunQueue(count, plan)
        busy = (number(20), .milliseconds(number(200)))
        self.random = random
    }

    /// Returns false once the run has ended.
    mutating func step() -> Bool {
        disturb()
        let step = queue.next(at: now) { [busy, now] in $0 == busy.order && now < busy.until }
        switch step {
        case .begin(let turn): begin(turn)
        case .wait(let until):
            #expect(until > now && running.count < plan.concurrency)
            advance(to: until)
        case .blocked: advance(to: nil)
        case .ended: return false
        }
        return true
    }

    private mutating func number(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    private mutating func disturb() {
        if number(20) == 0, count > 0 {
            let order = number(count)
            let isWaiting = !isClosed && !cancelled.contains(order) && begun.count { $0.order == order } < times
            let wasWaiting = queue.cancel(order)
            #expect(wasWaiting == isWaiting)
            if wasWaiting { cancelled.insert(order) }
        }
        if number(150) == 0 {
            queue.cancelAll()
            isClosed = true
        }
    }

    private mutating func begin(_ turn: RunTurn) {
        #expect(!isClosed && !cancelled.contains(turn.order))
        #expect(turn.start == now && turn.number == begun.count)
        #expect(turn.order != busy.order || now >= busy.until)
        #expect((begun.last?.order ?? 0) <= turn.order)
        if let rate = plan.rate { #expect(now >= .seconds(Double(turn.number) / rate)) }
        #expect(ends.count { $0 + plan.delay <= now } > turn.number - plan.concurrency)
        begun.append(turn)
        running.append((turn, now + .milliseconds(number(50))))
        #expect(running.count <= plan.concurrency && running.count == queue.runningCount)
    }

    /// Goes on to the next event: a time, the end of a request, or that of the one that runs by itself.
    private mutating func advance(to until: Duration?) {
        var events = running.map(\.end)
        if let until { events.append(until) }
        if busy.until > now { events.append(busy.until) }
        guard let next = events.min() else {
            Issue.record("nothing can happen any more")
            return
        }
        now = max(now, next)
        for (turn, end) in running where end <= now { finish(turn) }
        running.removeAll { $0.end <= now }
    }

    private mutating func finish(_ turn: RunTurn) {
        let passed = number(15) > 0
        queue.finished(turn, passed: passed, at: now)
        ends.append(now)
        if plan.failsFast, !passed { isClosed = true }
        let before = queue
        queue.finished(turn, passed: !passed, at: now)
        #expect(queue == before, "a turn ends once")
    }

    func checkEnd() {
        #expect(queue.isEnded && running.isEmpty)
        #expect(begun.count == ends.count && queue.tally.count == ends.count)
        for order in 0..<count where !isClosed && !cancelled.contains(order) {
            #expect(begun.count { $0.order == order } == times)
        }
    }
}
