import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The output of a headless run.
struct RunReport {
    enum Output: Equatable, Sendable { case table, json, bodies, jsonLines }

    let jobs: JobList
    let output: Output
    var thresholds: [Threshold] = []
    /// True for requests that are sent more than once.
    var showsStatistics = false
    private let table: RunTable
    private var json = RunJSON()
    private var statistics = RunStatistics()

    init(_ jobs: JobList, output: Output) {
        self.jobs = jobs
        self.output = output
        table = RunTable(jobs.widest, isColored: StandardOutput.isColored)
    }

    mutating func add(_ result: SessionResult, _ turn: RunTurn) {
        let job = jobs[turn.order]
        statistics.add(result)
        tell(result.dependencies, job)
        switch output {
        case .table: StandardOutput.print(table.row(job, result))
        case .bodies: print(bodyOf: job, result)
        case .json: StandardOutput.write(Array(json.add(job, result, at: turn.number).utf8))
        case .jsonLines: StandardOutput.write(Array(RunJSON.line(job, result).utf8))
        }
    }

    /// Prints an event of a stream.
    func add(_ event: StreamedEvent, _ turn: RunTurn) {
        let job = jobs[turn.order]
        if output == .jsonLines { return StandardOutput.write(Array(RunJSON.line(job, event).utf8)) }
        StandardOutput.print((jobs.count > 1 ? SafeText.line(job.name) + "  " : "") + event.row)
    }

    /// Writes the end.
    /// - Returns: a sentence for each threshold that was missed.
    mutating func end(_ tally: Tally, duration: Duration) -> [String] {
        let results = thresholds.map { ($0, $0.failure(of: statistics)) }
        let failures = results.compactMap(\.1)
        switch output {
        case .json:
            let end = json.end(tally, statistics, thresholds: results, duration: duration)
            StandardOutput.write(Array(end.utf8))
        case .table:
            StandardOutput.print(table.summary(tally, duration: duration))
            if showsStatistics { StandardOutput.print(table.summary(statistics)) }
        case .jsonLines:
            StandardOutput.write(Array(RunJSON.lastLine(tally, statistics, results, duration: duration).utf8))
        case .bodies: break
        }
        for failure in failures { StandardError.print("ombi: " + failure) }
        return failures
    }

    /// Says what was sent first, once for all that waited for it.
    private func tell(_ dependencies: [DependencyResult], _ job: Job) {
        for dependency in dependencies where !dependency.isShared {
            let outcome = dependency.statusCode.map(StatusCode.words) ?? "no response"
            let time = dependency.duration.map { ", \(TimeText.duration($0))" } ?? ""
            StandardError.print(
                SafeText.line(
                    "sent \(dependency.request) first, for {{\(dependency.variable)}} of \(job.name): \(outcome)\(time)"
                ))
        }
    }

    /// Raw into a file or a pipe; without control characters on a terminal.
    private func print(bodyOf job: Job, _ result: SessionResult) {
        if !result.passed {
            StandardError.print(
                "\(SafeText.line(job.name)): \(SafeText.line(result.failures.joined(separator: "; ")))")
        }
        if let fallback = result.fallback {
            StandardError.print("\(SafeText.line(job.name)): \(SafeText.line(fallback.words))")
        }
        let response = result.fallback?.response?.response ?? result.response
        guard let bytes = response?.body.map(Array.init) else { return }
        guard StandardOutput.isTerminal else { return StandardOutput.write(bytes) }
        StandardOutput.print(SafeText.lines(String(decoding: bytes, as: UTF8.self)))
    }
}
