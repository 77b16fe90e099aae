/// The results of a headless run as JSON, written in the order of their starts as they arrive; `schema/run.schema.json`
/// describes it.
///
/// Control and format characters are escaped, since any text may end up on a terminal.
struct RunJSON {
    private var waiting: [Int: JSONValue] = [:]
    private var written = 0

    /// Returns the text that can be written with this result, in the order of the requests.
    /// - Parameter latency: the time from the scheduled start to the result; nil without a schedule.
    mutating func add(_ job: Job, _ result: SessionResult, at index: Int, latency: Duration? = nil) -> String {
        waiting[index] = Self.value(job, result, latency: latency)
        var text = ""
        while let value = waiting.removeValue(forKey: written) {
            text += (written == 0 ? Self.opening : ",\n    ") + value.text(indentation: 4)
            written += 1
        }
        return Self.escaped(text)
    }

    /// Returns the rest, including results after the gaps of an interrupted run.
    /// - Parameter thresholds: with the reason why each was missed; nil for one that was met.
    mutating func end(
        _ tally: Tally, _ statistics: RunStatistics = RunStatistics(), _ limits: HostLimits = HostLimits(),
        thresholds: [(Threshold, String?)] = [], duration: Duration
    ) -> String {
        var text = ""
        for (_, value) in waiting.sorted(by: { $0.key < $1.key }) {
            text += (written == 0 ? Self.opening : ",\n    ") + value.text(indentation: 4)
            written += 1
        }
        waiting = [:]
        text += written == 0 ? "{\n  \"requests\": [],\n" : "\n  ],\n"
        // Without the line of the brace.
        let summary = Self.summary(tally, statistics, thresholds, limits, duration)
        return Self.escaped(text + String(summary.text.dropFirst(2)))
    }

    private static let opening = "{\n  \"requests\": [\n    "

    /// Returns the text with control and format characters beyond ASCII as `\uXXXX`.
    static func escaped(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x7F }) { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            guard scalar.value >= 0x7F, scalar.isControlOrFormat else { return result.unicodeScalars.append(scalar) }
            for unit in String(scalar).utf16 { result += "\\u" + unit.digits(4, radix: 16) }
        }
    }

    /// Without statistics where nothing was measured.
    private static func summary(
        _ tally: Tally, _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)], _ limits: HostLimits,
        _ duration: Duration
    ) -> JSONValue {
        let results = thresholds.map { threshold($0, $1) }
        return [
            "passed": .number(tally.passed), "failed": .number(tally.failed), "durationMs": .milliseconds(duration),
            "statistics": statistics.count > 0 ? value(statistics) : nil,
            "schedule": statistics.latency.map { value($0, statistics) },
            "thresholds": results.isEmpty ? nil : .array(results), "rateLimits": limits.json(),
        ]
    }

    /// - Parameter failure: the reason why it was missed; nil for one that was met.
    static func threshold(_ threshold: Threshold, _ failure: String?) -> JSONValue {
        ["threshold": .string(threshold.text), "met": .bool(failure == nil), "failure": .nullable(failure)]
    }

    private static func value(_ statistics: RunStatistics) -> JSONValue {
        let shares: JSONValue = ["firstTry": share(statistics.firstTry), "eventual": share(statistics.eventual)]
        return shares.appending(value(statistics.service))
    }

    private static func value(_ times: RunTimes) -> JSONValue {
        [
            "p50Ms": .milliseconds(times.percentile(50)), "p90Ms": .milliseconds(times.percentile(90)),
            "p95Ms": .milliseconds(times.percentile(95)), "p99Ms": .milliseconds(times.percentile(99)),
            "meanMs": .milliseconds(times.mean), "maxMs": .milliseconds(times.maximum),
        ]
    }

    /// The latencies of a run with a schedule, and how it was kept.
    private static func value(_ latency: RunTimes, _ statistics: RunStatistics) -> JSONValue {
        [
            "latency": value(latency), "late": .number(statistics.late),
            "maximumLatenessMs": .milliseconds(statistics.maximumLateness),
            "missed": statistics.missed.map { JSONValue.number($0) },
        ]
    }

    /// From 0 to 1, with six digits.
    private static func share(_ share: Double?) -> JSONValue {
        guard let share else { return .null }
        return .number((share * 1e6).rounded() / 1e6)
    }

    // MARK: Lines

    /// Returns a line of its own: `{"result":{…}}`.
    static func line(_ job: Job, _ result: SessionResult, latency: Duration? = nil) -> String {
        line("result", value(job, result, latency: latency))
    }

    /// Returns a line of its own for an event of a stream.
    static func line(_ job: Job, _ event: StreamedEvent) -> String {
        let value: JSONValue = [
            "name": .string(job.name), "row": job.row, "number": .number(event.number),
            "atMs": event.time.map { JSONValue.milliseconds($0) },
            "gapMs": event.gap.map { JSONValue.milliseconds($0) }, "type": event.type.map(JSONValue.string),
            "id": event.id.map(JSONValue.string), "data": event.value,
        ]
        return line("event", value)
    }

    static func lastLine(
        _ tally: Tally, _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)],
        _ limits: HostLimits = HostLimits(), duration: Duration
    ) -> String {
        line("summary", summary(tally, statistics, thresholds, limits, duration))
    }

    static func line(_ key: String, _ value: JSONValue) -> String {
        escaped(JSONValue.object([.init(key, value)]).compact) + "\n"
    }

    static func value(_ job: Job, _ result: SessionResult, latency: Duration? = nil) -> JSONValue {
        let value = result.json(name: job.name, row: job.order.row.map { $0.number }, method: job.request.method)
        return latency.map { value.appending(["latencyMs": .milliseconds($0)]) } ?? value
    }
}

extension Job {
    fileprivate var row: JSONValue? { order.row.map { JSONValue.number($0.number) } }
}

extension Unicode.Scalar {
    fileprivate var isControlOrFormat: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}

/// One request of a headless run.
struct Job: Equatable, Sendable {
    /// `demo/users/user by id`
    var name: String
    var order: RunOrder

    var request: SavedRequest { order.request }

    /// True for a request to a protected environment.
    var isProtected: Bool { order.environment.flatMap(order.collection.environment(named:))?.protected ?? false }

    /// The same request with the values of a row.
    fileprivate func with(_ row: DataRow) -> Job {
        var job = self
        job.name += " (row \(row.number))"
        job.order.row = row
        return job
    }
}

/// The requests of a headless run, or all of them for each row of a file of data. They are made when they are asked for, as there may
/// be millions.
struct JobList: RandomAccessCollection, Sendable {
    /// The requests without the values of a row.
    let selected: [Job]
    private let rows: DataRows?

    init(_ selected: [Job], rows: DataRows? = nil) { (self.selected, self.rows) = (selected, rows) }

    var startIndex: Int { 0 }
    var endIndex: Int { selected.count * (rows?.count ?? 1) }

    subscript(index: Int) -> Job {
        guard let rows else { return selected[index] }
        return selected[index % selected.count].with(rows[index / selected.count])
    }

    /// Returns the number of the row that a request is sent with, from 1; nil without rows.
    func row(of index: Int) -> Int? { rows.map { _ in index / selected.count + 1 } }

    /// Those with the longest names.
    var widest: [Job] { Array(suffix(selected.count)) }

    var orders: Orders { Orders(jobs: self) }

    /// The requests as runs that are sent together.
    var group: RunGroup { RunGroup(selected.map(\.request.id)) }

    struct Orders: RandomAccessCollection, Sendable {
        fileprivate let jobs: JobList

        var startIndex: Int { jobs.startIndex }
        var endIndex: Int { jobs.endIndex }
        subscript(index: Int) -> RunOrder { jobs[index].order }
    }
}
