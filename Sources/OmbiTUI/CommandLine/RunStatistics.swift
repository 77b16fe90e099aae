import Histogram
import OmbiCore
import OmbiWorkspace

/// The times and the success of many runs, in constant memory.
struct RunStatistics {
    /// In microseconds, with three significant digits.
    private var times = Histogram<UInt32>(numberOfSignificantValueDigits: .three)
    private(set) var count = 0
    private var passed = 0
    private var passedAtOnce = 0
    private var retried = 0

    mutating func add(_ result: SessionResult) {
        count += 1
        if result.passed { passed += 1 }
        if result.passed, result.attemptsOfPage == 1 { passedAtOnce += 1 }
        if result.passed, !result.retriedAttempts.isEmpty { retried += 1 }
        guard let duration = result.report?.duration else { return }
        times.record(UInt64(max(0, duration / .microseconds(1))))
    }

    /// The share of runs that passed, after all of their attempts; nil without runs.
    var eventual: Double? { count > 0 ? Double(passed) / Double(count) : nil }
    /// The share of runs that passed on the first attempt; nil without runs.
    var firstTry: Double? { count > 0 ? Double(passedAtOnce) / Double(count) : nil }
    /// The share of runs that passed only after a retry; nil without runs.
    var flaky: Double? { count > 0 ? Double(retried) / Double(count) : nil }
    /// Nil when nothing was sent.
    var mean: Duration? { times.totalCount > 0 ? .microseconds(times.mean) : nil }
    var maximum: Duration? { times.totalCount > 0 ? .microseconds(times.max) : nil }

    /// Returns the time within which that many runs of a hundred ended; nil when nothing was sent.
    func percentile(_ percent: Double) -> Duration? {
        guard times.totalCount > 0 else { return nil }
        // The histogram rounds up; no run took longer than the longest.
        return .microseconds(min(times.valueAtPercentile(percent), times.max))
    }
}
