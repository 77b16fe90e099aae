/// The figures of a selection of runs: how often they pass, how long they take, and why they were retried.
package struct HistoryStatistics: Equatable, Sendable {
    /// A run as it counts here.
    package struct Run: Equatable, Sendable {
        package var startedAt: Date
        package var duration: Duration
        package var outcome: RecordedOutcome
        package var attempts: Int
        /// Nil for no limit.
        package var sla: Duration?

        package init(
            startedAt: Date, duration: Duration, outcome: RecordedOutcome, attempts: Int, sla: Duration? = nil
        ) {
            self.startedAt = startedAt
            self.duration = duration
            self.outcome = outcome
            self.attempts = attempts
            self.sla = sla
        }
    }

    /// Percentiles by the nearest rank: each is a measured value, or at most 2.2 % above one if `isRounded` is true.
    package struct Percentiles: Equatable, Sendable {
        package var p50: Duration
        package var p90: Duration
        package var p95: Duration
        package var p99: Duration
        package var maximum: Duration

        /// Nil without values.
        package init?(_ values: [Duration]) {
            let sorted = values.sorted()
            guard let last = sorted.last else { return nil }
            func rank(_ part: Double) -> Duration {
                sorted[min(sorted.count - 1, max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1))]
            }
            (p50, p90, p95, p99, maximum) = (rank(0.5), rank(0.9), rank(0.95), rank(0.99), last)
        }

        init(p50: Duration, p90: Duration, p95: Duration, p99: Duration, maximum: Duration) {
            (self.p50, self.p90, self.p95, self.p99, self.maximum) = (p50, p90, p95, p99, maximum)
        }
    }

    /// The times of one phase of the attempts that had it: a reused connection has neither DNS nor TLS.
    package struct PhaseTimes: Equatable, Sendable {
        package var phase: RequestPhase
        package var attempts: Int
        package var times: Percentiles

        package init(_ phase: RequestPhase, attempts: Int, times: Percentiles) {
            (self.phase, self.attempts, self.times) = (phase, attempts, times)
        }
    }

    /// A name and how often it occurred.
    package struct Count: Equatable, Sendable {
        package var name: String
        package var count: Int

        package init(_ name: String, _ count: Int) {
            self.name = name
            self.count = count
        }

        /// One count for each name, the most frequent first.
        static func joined(_ counts: [Count]) -> [Count] {
            var names: [String] = []
            let sums = counts.reduce(into: [String: Int]()) { sums, count in
                if sums[count.name] == nil { names.append(count.name) }
                sums[count.name, default: 0] += count.count
            }
            return names.map { Count($0, sums[$0] ?? 0) }.sorted { $0.count > $1.count }
        }
    }

    /// The runs of a period that answered within their SLA.
    package struct Window: Equatable, Sendable {
        /// `1 h`, `24 h`, `7 d`
        package var name: String
        package var runs: Int
        package var met: Int

        /// From 0 to 1; nil without runs.
        package var share: Double? { runs == 0 ? nil : Double(met) / Double(runs) }

        /// The part of the error budget of an objective that is left: 1 untouched, below 0 overspent.
        package func budgetLeft(objective: Double) -> Double? {
            burnRate(objective: objective).map { Self.rounded(1 - $0) }
        }

        /// The speed at which the error budget of an objective is used up; 1 uses it up in the period of the objective.
        package func burnRate(objective: Double) -> Double? {
            guard let share, objective < 1 else { return nil }
            return Self.rounded((1 - share) / (1 - objective))
        }

        /// Rounds a share, which is no binary fraction: a budget that was used up exactly must have nothing left.
        private static func rounded(_ part: Double) -> Double { (part * 1e9).rounded() / 1e9 }
    }

    /// The runs that were not cancelled.
    package var runs = 0
    package var cancelled = 0
    /// The number of runs that passed, and of those among them with a single attempt.
    package var passed = 0
    package var passedAtOnce = 0
    package var ofRuns: Percentiles?
    package var ofAttempts: Percentiles?
    /// In the order of an attempt. If `isRounded` is true, they cover the newest `maximumForPhases` runs.
    package var phases: [PhaseTimes] = []
    package static let maximumForPhases = HistoryReader.maximumExact
    /// The share of runs that passed with a single attempt; nil without runs.
    package var firstTry: Double? { runs > 0 ? Double(passedAtOnce) / Double(runs) : nil }
    /// The share of runs that passed; nil without runs.
    package var eventual: Double? { runs > 0 ? Double(passed) / Double(runs) : nil }
    /// Why attempts failed, the most frequent first, but for failures that the runs expect. A response that its run rejects is
    /// one.
    package var failures: [Count] = []
    /// Why attempts were repeated, the most frequent first.
    package var retries: [Count] = []
    /// The attempts by the address that they reached, the one with the largest share of failures first.
    package var addresses: [HistoryAddress] = []
    package var windows: [Window] = []
    /// The number of runs by duration, in steps that double, the shortest first.
    package var histogram: [Bar] = []
    /// The runs from the first to the last in slots of the same length; empty with fewer than two runs.
    package var timeline: [Slot] = []
    package var first: Date?
    package var last: Date?
    /// True if the runs were too many to be read one by one: percentiles are rounded up by at most 2.2 %, and windows
    /// begin up to five minutes early.
    package var isRounded = false

    /// The runs that took at most `upTo`, and longer than the bar before.
    package struct Bar: Equatable, Sendable {
        package var upTo: Duration
        package var count: Int
    }

    /// The runs of a part of the time.
    package struct Slot: Equatable, Sendable {
        package var runs = 0
        /// The number of runs that did not pass.
        package var failed = 0
        /// The longest of them.
        package var longest = Duration.zero

        /// Both together.
        package func merged(with other: Slot) -> Slot {
            Slot(
                runs: runs + other.runs, failed: failed + other.failed, longest: max(longest, other.longest))
        }
    }

    /// The number of slots of a timeline.
    package static let slots = 48

    /// The objective of the error budget by default: the share of runs that must pass.
    package static let objective = 0.99

    static let periods: [(String, TimeInterval)] = [("1 h", 3600), ("24 h", 86400), ("7 d", 7 * 86400)]

    /// - Parameters:
    ///   - attempts: the durations of attempts that ended by themselves.
    ///   - now: the end of the windows.
    package init(
        runs all: [Run], attempts: [Duration], failures: [Count] = [], retries: [Count] = [], now: Date
    ) {
        let runs = all.filter { $0.outcome != .cancelled }
        self.runs = runs.count
        cancelled = all.count - runs.count
        passed = runs.count { $0.outcome == .passed }
        passedAtOnce = runs.count { $0.outcome == .passed && $0.attempts <= 1 }
        ofRuns = Percentiles(runs.map(\.duration))
        ofAttempts = Percentiles(attempts)
        (self.failures, self.retries) = (failures, retries)
        windows = Self.periods.map { name, seconds in
            // After the clock was set back there are runs of the future.
            let recent = runs.filter { (0...seconds).contains(now.timeIntervalSince($0.startedAt)) }
            return Window(name: name, runs: recent.count, met: recent.count(where: \.meetsSLA))
        }
        histogram = Self.histogram(runs.map(\.duration))
        (first, last) = (runs.map(\.startedAt).min(), runs.map(\.startedAt).max())
        timeline = Self.timeline(runs, first, last)
    }

    private static func timeline(_ runs: [Run], _ first: Date?, _ last: Date?) -> [Slot] {
        guard let first, let last, last > first else { return [] }
        var slots = [Slot](repeating: Slot(), count: slots)
        let length = last.timeIntervalSince(first)
        for run in runs {
            let share = run.startedAt.timeIntervalSince(first) / length
            let index = min(slots.count - 1, max(0, Int(share * Double(slots.count))))
            slots[index] = slots[index].merged(
                with: Slot(runs: 1, failed: run.outcome == .passed ? 0 : 1, longest: run.duration))
        }
        return slots
    }

    private static func histogram(_ durations: [Duration]) -> [Bar] {
        guard let longest = durations.max(), let shortest = durations.min() else { return [] }
        var limits = [Duration.milliseconds(1)]
        while let last = limits.last, last < longest { limits.append(last * 2) }
        let start = (limits.firstIndex { $0 >= shortest }) ?? 0
        return limits.indices[start...].map { index in
            let low = index == 0 ? Duration.seconds(-1) : limits[index - 1]
            return Bar(upTo: limits[index], count: durations.count { $0 > low && $0 <= limits[index] })
        }
    }

    /// A policy that these runs suggest; nil with too few of them.
    ///
    /// The timeout of an attempt is its 99th percentile with room to spare, and the SLA has room for one retry and for the
    /// waits that these runs had.
    package var proposal: Proposal? {
        guard runs >= Self.minimumForProposal, let attempts = ofAttempts else { return nil }
        let timeout = Self.rounded(attempts.p99 * 1.5)
        let run = (ofRuns?.p99 ?? .zero) * 1.2
        return Proposal(timeout: timeout, sla: Self.rounded(max(timeout * 2.2, run)))
    }

    package struct Proposal: Equatable, Sendable {
        package var timeout: Duration
        package var sla: Duration
    }

    private static let minimumForProposal = 20

    /// The next of 1, 1.5, 2, 3, 5, 7, 10 … times a power of ten.
    private static func rounded(_ duration: Duration) -> Duration {
        var scale = Duration.milliseconds(1)
        while true {
            for tenth in [10, 15, 20, 30, 50, 70] where scale * tenth / 10 >= duration { return scale * tenth / 10 }
            scale *= 10
        }
    }
}

extension HistoryStatistics.Run {
    /// True for a run that passed, within its SLA if it has one.
    var meetsSLA: Bool { outcome == .passed && sla.map { duration <= $0 } ?? true }
}

/// The time in which most runs of a request were slow or failed.
package struct TroubledTime: Sendable, Equatable {
    package var start: Date
    package var end: Date
    /// The number of runs in that time, and of those that were slow or failed.
    package var runs: Int
    package var troubled: Int
    /// Runs that took longer count as slow.
    package var limit: Duration
    /// True if the last run is one of them.
    package var goesOn: Bool

    /// Runs that take more than this times the median are slow.
    private static let slow = 3
    /// Good runs between two bad ones do not end the time, up to this number.
    private static let maximumPause = 2
    /// Fewer bad runs are chance.
    private static let minimum = 3

    /// Finds the time with the most bad runs; nil if there are too few.
    /// - Parameters:
    ///   - entries: The newest first.
    ///   - median: The median of the runs that passed.
    package init?(in entries: [HistoryEntry], median: Duration) {
        limit = median * Self.slow
        var (best, current) = (Stretch(), Stretch())
        let runs = entries.reversed().filter { $0.outcome != .cancelled }
        for (index, entry) in runs.enumerated() where entry.outcome != .passed || entry.duration > limit {
            let goesOn = current.count > 0 && index - current.last <= Self.maximumPause + 1
            current = Stretch(first: goesOn ? current.first : index, last: index, count: goesOn ? current.count + 1 : 1)
            if current.count > best.count { best = current }
        }
        guard best.count >= Self.minimum else { return nil }
        (start, end) = (runs[best.first].startedAt, runs[best.last].startedAt)
        (self.runs, troubled) = (best.last - best.first + 1, best.count)
        goesOn = best.last == runs.count - 1
    }

    private struct Stretch {
        var first = 0
        var last = 0
        var count = 0
    }
}
