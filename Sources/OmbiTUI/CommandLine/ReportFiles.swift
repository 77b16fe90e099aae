import ArgumentParser

/// The option that names reports.
struct ReportOption: ParsableArguments {
    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Write a report, whatever the result: \(ReportFormat.list), and a file; - is the standard output. Repeatable.",
            valueName: "format=file"))
    var reports: [String] = []

    func validate() throws { _ = try targets() }

    func targets() throws -> [ReportTarget] { try ReportTarget.list(reports) }

    /// True where the standard output is for a report alone.
    var replacesOutput: Bool {
        ((try? targets()) ?? []).contains { $0.path == nil && $0.format != .github }
    }

    /// Throws where a report goes to the standard output, too.
    /// - Parameter isTaken: true for output that other programs read.
    func check(isOutputTaken isTaken: Bool) throws {
        guard isTaken, try targets().contains(where: { $0.path == nil }) else { return }
        throw ValidationError("The standard output has room for one form; name a file in --report.")
    }
}

/// The options of `ombi run` for its reports, and for what makes it fail.
struct ReportOptions: ParsableArguments {
    @OptionGroup var option: ReportOption

    @Flag(help: "Fail requests that pass only after a retry.")
    var strictRetries = false

    @Option(
        parsing: .unconditional,
        help: "Fail if a larger share of the requests passes only after a retry, such as 2%.")
    var maxFlaky: String?

    @Flag(
        help:
            "End with an exit code for the kind of the failures where all are of one: 4 expectation, 5 SLA, 6 connection, 7 TLS, 8 protected environment, 9 limit of the run."
    )
    var exitClass = false

    func validate() throws { _ = try threshold() }

    /// True where an option is given that is about a run with an end.
    var isGiven: Bool { !option.reports.isEmpty || strictRetries || maxFlaky != nil || exitClass }

    /// The limit of `--max-flaky`; nil for none.
    func threshold() throws -> Threshold? {
        try maxFlaky.map { text -> Threshold in
            do throws(Threshold.Failure) { return try Threshold("flaky<=\(text)") } catch {
                throw ValidationError("--max-flaky \(error.reason).")
            }
        }
    }

    /// Nil where no report is wanted.
    func files(_ jobs: JobList, _ plan: RunPlan) throws -> ReportFiles? {
        let targets = try option.targets()
        guard !targets.isEmpty else { return nil }
        try require(!jobs.isEmpty, "No request is selected, and a report of none would look like success.")
        return try ReportFiles(targets, jobs, plan)
    }
}

extension Threshold {
    /// Reads the texts of `--threshold`.
    /// - Parameter inHistory: true for measures that the history keeps.
    static func list(_ texts: [String], inHistory: Bool = false) throws -> [Threshold] {
        try texts.map { text in
            do throws(Failure) {
                let threshold = try Threshold(text)
                if inHistory { try threshold.checkHistory() }
                return threshold
            } catch {
                throw ValidationError("--threshold \(text): \(error.reason).")
            }
        }
    }
}

extension ReportTarget {
    /// Reads the texts of `--report`.
    static func list(_ texts: [String]) throws -> [ReportTarget] {
        let targets = try texts.map { text -> ReportTarget in
            guard let target = ReportTarget(text) else {
                throw ValidationError(
                    "--report \(text): write FORMAT=FILE with one of the formats \(ReportFormat.list).")
            }
            return target
        }
        try require(
            targets.count(where: { $0.path == nil }) < 2,
            "Only one --report can go to the standard output; name files for the others.")
        var paths: Set<String> = []
        for path in targets.compactMap(\.path) where !paths.insert(ReportText.path(path, below: ".")).inserted {
            throw ValidationError("Two reports cannot go to one file: \(path).")
        }
        return targets
    }
}

/// The reports of a headless run: collects its results and writes the files at its end, whatever the end is.
struct ReportFiles {
    private let targets: [ReportTarget]
    private let jobs: JobList
    private let plan: RunPlan
    /// The selected requests, without rows of data and repetitions.
    private let places: [ReportedRun.Place]
    /// By file.
    private let lines: [String: RequestLines]
    /// Ends the time in which GitHub takes no line for a command; nil where none is written there.
    private let token: String?
    private var runs = ReportedRuns()
    private var turns = SeenTurns()
    private var json = RunJSON()
    /// The JSON so far, of which a long run has more than fits into memory.
    private let jsonText = ResponseStore(capacity: .max, memoryLimit: 4 << 20)
    /// The reason why it is not whole.
    private var jsonFailure: TransportError?

    /// Fails where a report cannot be written, before anything is sent.
    init(_ targets: [ReportTarget], _ jobs: JobList, _ plan: RunPlan) throws {
        try Self.check(targets, apartFrom: Set(jobs.selected.map(\.order.file)))
        (self.targets, self.jobs, self.plan) = (targets, jobs, plan)
        let writesCommands = targets.contains { $0.format == .github && $0.path == nil }
        token = writesCommands ? String(UInt64.random(in: .min ... .max), radix: 36) : nil
        (places, lines) = Self.places(jobs.selected)
        runs.startedAt = Date()
    }

    /// Fails where a report cannot be written.
    /// - Parameter collections: the paths of files that no report may replace.
    static func check(_ targets: [ReportTarget], apartFrom collections: Set<String> = []) throws {
        guard !targets.isEmpty else { return }
        let summary = summaryPath(targets).flatMap { problem(of: $0, collections) }
        let problems = targets.lazy.compactMap(\.path).compactMap { makeFolder(of: $0) ?? problem(of: $0, collections) }
        if let problem = problems.first ?? summary.map({ "GITHUB_STEP_SUMMARY: \($0); unset it to write none" }) {
            StandardError.report(problem)
            OwedReports.settle()
            throw ExitStatus.inputOutput
        }
        OwedReports.begin(targets)
        StandardOutput.outliveReader()
    }

    /// Makes the folder of a report. Returns why it cannot.
    private static func makeFolder(of path: String) -> String? {
        let folder = NewCollection.folder(of: path)
        let system = PosixFileSystem()
        guard !OutputFile.isStream(path), !system.isFolder(folder) else { return nil }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return system.isFolder(folder) ? nil : "cannot make the folder \(folder); name another file for the report"
    }

    /// Returns why a report cannot be written; nil for one that can.
    static func problem(of path: String, _ collections: Set<String>) -> String? {
        guard !OutputFile.isStream(path) else { return nil }
        let system = PosixFileSystem()
        if system.isFolder(path) { return "\(path) is a folder; name a file for the report" }
        let folder = NewCollection.folder(of: path)
        guard system.isFolder(folder) else { return "there is no folder \(folder) for the report \(path)" }
        do throws(FileError) {
            let target = try system.resolve(path)
            if collections.contains(where: { (try? system.resolve($0)) == target }) {
                return "\(path) is the collection that is run; name another file for the report"
            }
            _ = try system.modeForReplacing(target)
            // The new content comes next to the old.
            guard FileManager.default.isWritableFile(atPath: NewCollection.folder(of: target)) else {
                return "you may not write into the folder \(folder) of the report \(path)"
            }
        } catch { return error.description }
        return nil
    }

    private static func places(_ jobs: [Job]) -> ([ReportedRun.Place], [String: RequestLines]) {
        var (paths, lines): ([String: String], [String: RequestLines]) = ([:], [:])
        let places = jobs.map { job in
            let file = job.order.file
            if paths[file] == nil {
                paths[file] = path(of: file)
                lines[file] = RequestLines(file, of: job.order.collection)
            }
            let suite = [job.order.collection.name] + (job.order.folders ?? []).map(\.name)
            return ReportedRun.Place(
                suite: suite.map { ReportText.cut($0, to: ReportText.maximumName) }, name: job.request.name,
                file: paths[file] ?? file, line: lines[file]?[job.request.id], environment: job.order.environment,
                method: job.request.method.rawValue)
        }
        return (places, lines)
    }

    /// Returns the path of a file from the root of the repository; one elsewhere as it is.
    static func path(of file: String) -> String {
        let system = PosixFileSystem()
        let path = (try? system.resolve(file)) ?? file
        // A container may have the variables and another place for the files.
        let roots = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].compactMap { Screen.environment($0) }
        for root in roots + [FileManager.default.currentDirectoryPath] where !root.isEmpty {
            let below = ReportText.path(path, below: (try? system.resolve(root)) ?? root)
            if below != path { return below }
        }
        return path
    }

    // MARK: Results

    /// Keeps GitHub from taking a line for a command from here on, whatever a server sends.
    func begin() {
        if let token { StandardOutput.write("::stop-commands::\(token)\n") }
    }

    /// Returns a result as it is reported. Made where the results come in, several at the same time.
    func reported(_ result: SessionResult, _ turn: RunTurn, _ failureClass: FailureClass?) -> ReportedRun {
        var run = ReportedRun(result, at: place(turn.number, turn.order), failureClass)
        if turn.number < ReportedRuns.maximumDetailed || run.verdict != .passed,
            targets.contains(where: { $0.format == .html })
        {
            run.exchange = ReportedExchange(result)
        }
        if let unmet = result.expectations.first(where: { !$0.isMet }) {
            let order = jobs[turn.order].order
            run.failedLine = lines[order.file]?.line(of: unmet, in: order.request.id)
        }
        return run
    }

    mutating func add(_ run: ReportedRun, _ result: SessionResult, _ turn: RunTurn) {
        turns.add(turn.number)
        runs.add(run)
        if writesJSON { keep(json.add(jobs[turn.order], result, at: turn.number, latency: turn.latency)) }
    }

    private mutating func keep(_ text: String) {
        guard jsonFailure == nil else { return }
        do throws(TransportError) { try jsonText.append(Data(text.utf8)) } catch { jsonFailure = error }
    }

    private var writesJSON: Bool { targets.contains { $0.format == .json } }

    private func place(_ number: Int, _ order: Int) -> ReportedRun.Place {
        var place = places[order % places.count]
        place.number = number
        if let row = jobs.row(of: order) { place.name += " (row \(row))" }
        if let repetition = repetition(number) { place.name += " (run \(repetition))" }
        place.name = ReportText.cut(place.name, to: ReportText.maximumName)
        return place
    }

    /// From 1; nil for a request that is sent once.
    private func repetition(_ number: Int) -> Int? {
        switch plan.length {
        case .times(1): nil
        case .times(let times): number % times + 1
        case .duration: number / jobs.count + 1
        }
    }

    // MARK: The end

    /// Writes the reports, each in one step.
    /// - Returns: false if one could not be written.
    mutating func write(
        _ tally: Tally, _ statistics: RunStatistics, _ thresholds: [(Threshold, String?)], duration: Duration,
        interruption: String?
    ) -> Bool {
        OwedReports.settle()
        addSkipped(interruption)
        runs.finish()
        (runs.duration, runs.interruption) = (duration, interruption)
        runs.checks = thresholds.map { ReportedCheck(name: $0.0.text, failure: $0.1) }
        if let interruption { runs.checks.append(ReportedCheck(name: "runs to its end", failure: interruption)) }
        runs.percentiles = Self.percentiles(statistics.service)
        runs.latencies = statistics.latency.map(Self.percentiles) ?? []
        runs.delay = statistics.delayWords
        if writesJSON { keep(json.end(tally, statistics, thresholds: thresholds, duration: duration)) }
        if let token { StandardOutput.write("::\(token)::\n") }
        var isWritten = true
        for target in targets {
            let text = target.format.text(runs)
            let isDone = text.map { Self.write($0, to: target.path, as: target.format) } ?? writeJSON(to: target.path)
            isWritten = isWritten && isDone
        }
        return Self.appendSummary(of: runs, targets) && isWritten
    }

    private static func percentiles(_ times: RunTimes) -> [ReportedRuns.Percentile] {
        [50, 90, 95, 99].compactMap { percent in
            times.percentile(Double(percent)).map { ReportedRuns.Percentile(name: "p\(percent)", time: $0) }
        }
    }

    private mutating func addSkipped(_ interruption: String?) {
        let reason = interruption ?? (plan.failsFast ? "another request failed" : "the run ended before its turn")
        var total = jobs.count
        if case .times(let times) = plan.length { total *= times }
        var (number, listed) = (turns.next, 0)
        while number < total, listed < ReportedRuns.maximumListed {
            if !turns.contains(number) {
                var order = number
                if case .times(let times) = plan.length { order /= times }
                runs.add(
                    ReportedRun(place: place(number, order), verdict: .skipped, failures: ["not sent: \(reason)"]))
                listed += 1
            }
            number += 1
        }
        let rest = total - number - turns.count(from: number)
        if rest > 0 { runs.addSkipped(rest) }
    }

    /// Writes a report in one step, nil to the standard output. Returns false, and says why, where that fails.
    static func write(_ text: String, to path: String?, as format: ReportFormat) -> Bool {
        guard let path else {
            StandardOutput.write(text)
            return true
        }
        // A page has parts of responses.
        let mode: UInt32? = format == .html ? 0o600 : nil
        return isDone { try OutputFile.write(text, to: path, overwriting: true, mode: mode) }
    }

    private func writeJSON(to path: String?) -> Bool {
        if let jsonFailure { return Self.failed("the report of JSON is not written: \(jsonFailure.message)") }
        guard let path else {
            jsonText.withUnsafeBytes { ResultOutput.standard.write($0) }
            return true
        }
        return Self.isDone { try OutputFile.write(jsonText, to: path) }
    }

    /// Returns false, and says why, where something fails.
    private static func isDone(_ write: () throws -> Void) -> Bool {
        do {
            try write()
            return true
        } catch { return failed("\(error)") }
    }

    /// Says why a report is not written.
    /// - Returns: false.
    private static func failed(_ reason: String) -> Bool {
        StandardError.report(reason)
        return false
    }

    /// The file for the summary of the step; nil where none is wanted.
    private static func summaryPath(_ targets: [ReportTarget]) -> String? {
        guard targets.contains(where: { $0.format == .github }) else { return nil }
        return Screen.environment("GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The bytes of a file; none where there is no file.
    private static func content(_ path: String) throws(FileError) -> [UInt8] {
        do throws(FileError) { return try PosixFileSystem().read(path) } catch  where error.isAbsence { return [] }
    }

    /// Writes the summary of the step after what others wrote there, if one of the targets wants it.
    static func appendSummary(of runs: ReportedRuns, _ targets: [ReportTarget]) -> Bool {
        guard let path = summaryPath(targets) else { return true }
        guard !OutputFile.isStream(path) else {
            return write(GitHubReport.summary(runs, after: 0), to: path, as: .github)
        }
        return isDone {
            var known = try Self.content(path)
            if known.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { known.append(UInt8(ascii: "\n")) }
            let summary = GitHubReport.summary(runs, after: known.count)
            guard !summary.isEmpty else { return }
            var content: [UInt8]? = known + Array(summary.utf8)
            try FileReplacement.save(to: path) { () throws(FileError) in content.take() }
        }
    }
}

/// The turns with a result. They end in about the order of their starts, so that few are kept.
private struct SeenTurns {
    /// The first turn without a result.
    private(set) var next = 0
    private var later: Set<Int> = []

    mutating func add(_ number: Int) {
        later.insert(number)
        while later.remove(next) != nil { next += 1 }
    }

    func contains(_ number: Int) -> Bool { number < next || later.contains(number) }

    /// The number of those from a turn on.
    func count(from number: Int) -> Int { later.count { $0 >= number } }
}
