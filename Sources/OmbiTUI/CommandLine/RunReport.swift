import OmbiCore
import OmbiTerminal
import OmbiWorkspace

/// The output of a headless run.
struct RunReport {
    enum Output: Equatable, Sendable {
        case table, json, bodies, jsonLines
        /// Each with its status and its headers.
        case responses
    }

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

    /// Returns the row of a result. Rows are made where the results come in, several at the same time. Empty for an output
    /// that has none.
    func row(of result: SessionResult, _ turn: RunTurn) -> String {
        switch output {
        case .table: StandardOutput.glyphs.text(table.row(jobs[turn.order], result)) + "\n"
        case .jsonLines: RunJSON.line(jobs[turn.order], result)
        case .bodies, .json, .responses: ""
        }
    }

    mutating func add(_ result: SessionResult, _ turn: RunTurn, row: String) {
        statistics.add(result)
        if !result.dependencies.isEmpty { tell(result.dependencies, jobs[turn.order]) }
        switch output {
        case .table, .jsonLines: StandardOutput.write(row)
        case .bodies: print(bodyOf: jobs[turn.order], result)
        case .responses:
            let head = ResponseHeadText.text(result, isColored: StandardOutput.isColored)
            if !head.isEmpty { StandardOutput.show(head) }
            print(bodyOf: jobs[turn.order], result)
        case .json: StandardOutput.write(json.add(jobs[turn.order], result, at: turn.number))
        }
    }

    /// Prints an event of a stream.
    func add(_ event: StreamedEvent, _ turn: RunTurn) {
        let job = jobs[turn.order]
        if output == .jsonLines { return StandardOutput.write(RunJSON.line(job, event)) }
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
            StandardOutput.write(end)
        case .table:
            StandardOutput.show(table.summary(tally, duration: duration))
            if showsStatistics { StandardOutput.show(table.summary(statistics)) }
        case .jsonLines:
            StandardOutput.write(RunJSON.lastLine(tally, statistics, results, duration: duration))
        case .bodies, .responses: break
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

    private func print(bodyOf job: Job, _ result: SessionResult) {
        if !result.passed {
            StandardError.print(
                "\(SafeText.line(job.name)): \(SafeText.line(result.failures.joined(separator: "; ")))")
        }
        if let remark = result.remark {
            StandardError.print("\(SafeText.line(job.name)): \(SafeText.line(remark))")
        }
        if let fallback = result.fallback {
            StandardError.print("\(SafeText.line(job.name)): \(SafeText.line(fallback.words))")
        }
        let response = result.fallback?.response?.response ?? result.receivedResponse
        guard let bytes = response?.body.map(Array.init) else { return }
        StandardOutput.write(body: bytes)
    }
}
