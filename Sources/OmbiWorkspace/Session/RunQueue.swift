/// The turns of a run of many requests, for the explorer and for `ombi run`: the request that is next, and the
/// earliest time to send it.
///
/// It is a value without a clock: whoever sends the requests asks for a turn after each event and reports each end.
/// Requests are indices, and a time is a duration since any moment, the same for all calls. What holds:
///
/// - Turns come in the order of the requests. A request that has to wait holds up those after it, so that one which
///   captures a value begins before those that need it. Where several may run, one that the limit of its server holds
///   back is passed by those that the caller names.
/// - At most `RunPlan.concurrency` turns have begun and not ended.
/// - No turn starts before it was asked for, before `RunPlan.arrivals` has it, before the time that the caller names for
///   its request, or less than `RunPlan.delay` after the end of the turn whose place it takes. The schedule is that of an
///   open load: what could not begin at its time, as all places were taken, begins as soon as one is free, and moves none
///   of those after it.
/// - A turn ends once.
/// - Once nothing waits, as all was cancelled or a request failed in a run that fails fast, no turn begins.
///
/// Each call takes constant time on average, however many requests there are.
package struct RunQueue: Equatable, Sendable {
    /// The next thing to do.
    package enum Step: Equatable, Sendable {
        /// Sends the request of this turn now.
        case begin(RunTurn)
        /// Asks again at that time, or after the next event.
        case wait(until: Duration)
        /// Asks again once a request has ended.
        case blocked
        case ended
    }

    package let plan: RunPlan
    /// The number of turns that have not begun; `Int.max` for a run that lasts a certain time.
    package private(set) var waiting: Int
    package private(set) var tally = Tally()
    /// The requests that have turns; nil for all from 0 on.
    private let orders: [Int]?
    private let count: Int
    /// The number of requests that share a row of data, and are adjacent.
    private let rowLength: Int?
    /// The time from which the rate and the duration count.
    private let origin: Duration
    private let schedule: ArrivalSchedule?
    /// The turns that went by, with those that were cancelled, and without them.
    private var position = 0
    private var begun = 0
    /// The turns that have passed those at `position`: their numbers, by the index of their request, and while a run lasts
    /// by their position. Empty without limits of servers.
    private var ahead: [Int: Int] = [:]
    private var cancelled: Set<Int> = []
    /// The numbers of the turns that have not ended.
    private var running: Set<Int> = []
    /// The times from which free places may be taken, in a ring; empty without a delay.
    private var freedAt: [Duration]
    private var oldest = 0
    /// The turns that have yet to end, of each row with some that have.
    private var openRows: [Int: Int] = [:]

    /// - Parameters:
    ///   - count: the number of requests.
    ///   - rowLength: the number of requests for each row of data; nil without data.
    ///   - time: the time from which the rate and the duration count.
    package init(_ count: Int, _ plan: RunPlan = RunPlan(), rowLength: Int? = nil, at time: Duration = .zero) {
        self.init(nil, count, plan, rowLength: rowLength, at: time)
    }

    private init(_ orders: [Int]?, _ count: Int, _ plan: RunPlan, rowLength: Int?, at time: Duration) {
        (self.orders, self.count, self.plan, self.rowLength, origin) = (orders, count, plan, rowLength, time)
        schedule = plan.arrivals
        waiting =
            switch plan.length {
            case .times(let times): count * times
            case .duration: count > 0 ? .max : 0
            }
        freedAt = plan.delay > .zero ? Array(repeating: time, count: plan.concurrency) : []
    }

    /// The number of turns that have begun and not ended.
    package var runningCount: Int { running.count }

    package var isEnded: Bool { waiting == 0 && running.isEmpty }

    // MARK: Turns

    /// Returns the next step.
    /// - Parameters:
    ///   - isBusy: Returns true for a request that cannot be sent yet, because it is running.
    ///   - earliest: Returns the time before which a request should not start.
    package mutating func next(
        at now: Duration, isBusy: (_ order: Int) -> Bool = { _ in false },
        earliest: (_ order: Int) -> Duration = { _ in .zero }
    ) -> Step {
        guard let next = upcoming(at: now, earliest) else { return running.isEmpty ? .ended : .blocked }
        guard running.count < plan.concurrency, !isBusy(next.turn.order) else { return .blocked }
        guard next.turn.start <= now else { return .wait(until: next.turn.start) }
        return .begin(take(next))
    }

    /// Returns the next turn for a caller that waits for its start; nil if none is left or the maximum number is
    /// running.
    /// - Parameters:
    ///   - earliest: Returns the time before which a request should not start.
    ///   - mayPass: Returns true for a request that may begin before held-back ones in front of it; nil for none.
    package mutating func reserve(
        at now: Duration, earliest: (_ order: Int) -> Duration = { _ in .zero },
        mayPass: ((_ order: Int) -> Bool)? = nil
    ) -> RunTurn? {
        guard running.count < plan.concurrency, let next = upcoming(at: now, earliest, mayPass) else { return nil }
        return take(next)
    }

    /// A request, its place among all turns, and the time before which it should not start.
    private struct Place {
        var position: Int
        var order: Int
        var limit: Duration
    }

    private mutating func upcoming(
        at now: Duration, _ earliest: (Int) -> Duration, _ mayPass: ((Int) -> Bool)? = nil
    ) -> (turn: RunTurn, position: Int)? {
        guard waiting > 0 else { return nil }
        skipGone()
        var next = Place(position: position, order: order(at: position), limit: .zero)
        let scheduled = schedule?.time(of: begun).map { origin + $0 }
        let own = earliestStart(at: max(now, scheduled ?? now))
        next.limit = earliest(next.order)
        if next.limit > own, let mayPass, let other = passing(next, from: own, earliest, mayPass) { next = other }
        let start = max(own, next.limit)
        if isOver(start) || schedule != nil && scheduled == nil {
            waiting = 0
            return nil
        }
        var turn = RunTurn(number: begun, order: next.order, start: start, scheduled: scheduled)
        turn.isHeldBack = next.limit > own
        return (turn, next.position)
    }

    /// Goes to the next turn that has neither begun nor been cancelled.
    private mutating func skipGone() {
        while true {
            if !ahead.isEmpty, let begun = ahead.removeValue(forKey: position / turnsTogether) {
                position += begun
            } else if cancelled.contains(order(at: position)) {
                position += 1
            } else {
                return
            }
        }
    }

    /// Returns the request with the earliest start of those that may pass a held-back one, the first of several; nil if
    /// the held-back one is the earliest.
    private func passing(
        _ held: Place, from own: Duration, _ earliest: (Int) -> Duration, _ mayPass: (Int) -> Bool
    ) -> Place? {
        // One at a time, they are sent in their order.
        guard plan.concurrency > 1 else { return nil }
        var best: Place?
        let first = position / turnsTogether + 1
        var end = count
        if case .duration = plan.length { end = position + count }
        for index in first..<max(first, min(end, first + Self.maximumPassed)) {
            let begun = ahead[index] ?? 0
            let position = index * turnsTogether + begun
            guard begun < turnsTogether else { continue }
            let order = order(at: position)
            let limit = earliest(order)
            guard limit < best?.limit ?? held.limit, !cancelled.contains(order), mayPass(order) else { continue }
            best = Place(position: position, order: order, limit: limit)
            if limit <= own { break }
        }
        return best
    }

    /// The maximum number of requests considered for passing.
    private static let maximumPassed = 100

    /// The turns of one request that follow each other.
    private var turnsTogether: Int { if case .times(let times) = plan.length { times } else { 1 } }

    private func isOver(_ start: Duration) -> Bool {
        guard case .duration(let limit) = plan.length else { return false }
        return start - origin >= limit
    }

    private func earliestStart(at time: Duration) -> Duration {
        guard !freedAt.isEmpty, running.count < plan.concurrency else { return time }
        return max(time, freedAt[oldest])
    }

    /// The request of a turn: with a number of times each so often in a row, and otherwise all by turns.
    private func order(at position: Int) -> Int {
        let index =
            switch plan.length {
            case .times(let times): position / times
            case .duration: position % count
            }
        return orders?[index] ?? index
    }

    private mutating func take(_ next: (turn: RunTurn, position: Int)) -> RunTurn {
        if !freedAt.isEmpty { oldest = (oldest + 1) % freedAt.count }
        if waiting < .max { waiting -= 1 }
        begun += 1
        if next.position == position { position += 1 } else { ahead[next.position / turnsTogether, default: 0] += 1 }
        running.insert(next.turn.number)
        return next.turn
    }

    // MARK: Ends

    /// Records the end of a turn; repeating it has no effect.
    /// - Parameter passed: False ends a fail-fast run: no request waits any more.
    /// - Returns: True for the last turn of a row of data.
    @discardableResult
    package mutating func finished(_ turn: RunTurn, passed: Bool, at now: Duration) -> Bool {
        let free = plan.concurrency - running.count
        guard running.remove(turn.number) != nil else { return false }
        if !freedAt.isEmpty { freedAt[(oldest + free) % freedAt.count] = now + plan.delay }
        if passed { tally.passed += 1 } else { tally.failed += 1 }
        if plan.failsFast, !passed { cancelAll() }
        return endsRow(turn.order)
    }

    private mutating func endsRow(_ order: Int) -> Bool {
        guard let rowLength, case .times(let times) = plan.length else { return false }
        let left = openRows[order / rowLength] ?? rowLength * times
        openRows[order / rowLength] = left > 1 ? left - 1 : nil
        return left <= 1
    }

    /// Removes the turns of a request that have not begun; false if there are none.
    package mutating func cancel(_ order: Int) -> Bool {
        let left = turnsLeft(of: order)
        guard left > 0, cancelled.insert(order).inserted else { return false }
        if waiting < .max { waiting -= left } else if cancelled.count == count { waiting = 0 }
        return true
    }

    private func turnsLeft(of order: Int) -> Int {
        let index: Int? =
            if let orders { orders.firstIndex(of: order) } else { (0..<count).contains(order) ? order : nil }
        guard waiting > 0, let index else { return 0 }
        guard case .times(let times) = plan.length else { return 1 }
        return min(times, max(0, (index + 1) * times - position)) - (ahead[index] ?? 0)
    }

    /// Takes out all turns that have not begun. Those that have begun have yet to end.
    package mutating func cancelAll() { waiting = 0 }

    /// Begins again with some of the requests, by the same plan, while none is running.
    /// - Parameter orders: In ascending order.
    package mutating func restart(_ orders: [Int], at time: Duration) {
        self = RunQueue(orders, orders.count, plan, rowLength: nil, at: time)
    }
}

package struct RunTurn: Sendable, Equatable {
    /// Counted from 0, in the order of the starts.
    package var number: Int
    /// The index of the request.
    package var order: Int
    /// The time from which the request may be sent, on the clock of the queue; in `Session.run`, since its beginning.
    package var start: Duration
    /// True for a turn that starts later than the plan has it, as its server allows few requests.
    package var isHeldBack = false
    /// The time at which it was to be sent; nil without a schedule.
    package var scheduled: Duration?
    /// The time at which its result was there; nil until then.
    package var end: Duration?

    package init(number: Int, order: Int, start: Duration, scheduled: Duration? = nil) {
        (self.number, self.order, self.start, self.scheduled) = (number, order, start, scheduled)
    }

    /// The time from which on a late start counts as one, beyond what clocks and threads take.
    package static let tolerance = Duration.milliseconds(10)

    /// The delay of the start against the schedule; nil without a schedule.
    package var lateness: Duration? { scheduled.map { max(.zero, start - $0) } }

    /// The time from the scheduled start to the result, with the wait for a free place; nil without a schedule.
    package var latency: Duration? {
        guard let scheduled, let end else { return nil }
        return max(.zero, end - scheduled)
    }
}

/// The number of times that the requests of a run are sent, and their pace.
package struct RunPlan: Sendable, Equatable {
    package enum Length: Sendable, Equatable {
        /// Each request repeatedly, one after the other.
        case times(Int)
        /// All requests in turn, until none is begun any more. Those that run then are finished.
        case duration(Duration)
    }

    /// The numbers of requests that may run at a time.
    package static let concurrencies = 1...1000
    /// The limits of a rate, in requests a second.
    package static let rates = 0.001...1_000_000.0

    package var length: Length
    /// The maximum number of running requests, at least 1.
    package var concurrency: Int
    /// The number of requests that are to begin in a second; nil for no limit. With stages, the rate at their start.
    package var rate: Double?
    /// The stages of the rate, one after the other; empty for one rate.
    package var stages: [RateStage]
    /// The pause between the end of a request and the next one in its place.
    package var delay: Duration
    /// True to cancel everything at the first failure.
    package var failsFast: Bool
    /// True to ignore the limits of servers, and follow the rest of the plan only.
    package var ignoresRateLimits = false

    package init(
        length: Length = .times(1), concurrency: Int = 1, rate: Double? = nil, stages: [RateStage] = [],
        delay: Duration = .zero, failsFast: Bool = false
    ) {
        self.length = length
        self.concurrency = concurrency
        self.rate = rate
        self.stages = stages
        self.delay = delay
        self.failsFast = failsFast
    }

    /// The times at which requests are to begin; nil for as soon as there is a place.
    package var arrivals: ArrivalSchedule? {
        stages.isEmpty ? rate.map { ArrivalSchedule(rate: $0) } : ArrivalSchedule(stages, from: rate ?? 0)
    }

    /// The number of requests that are to begin until the end; nil for a plan without a schedule or without an end.
    package var scheduledCount: Int? {
        guard case .duration(let limit) = length, let arrivals else { return nil }
        return arrivals.count(before: arrivals.end.map { min($0, limit) } ?? limit)
    }
}
