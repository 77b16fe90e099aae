import ArgumentParser

/// `ombi run`: sends requests without a terminal, for scripts and CI.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Send requests without the explorer and print the results.",
        discussion: """
            Results go to standard output, everything else to standard error.
            Exit status: 0 success; 1 a request failed, or missed its expectation, its SLA or its snapshot, or a \
            threshold was missed; 2 invalid command line or file, nothing was sent; 3 a file or the output could not \
            be read or written; 129 hung up; 130 interrupted; 143 terminated.
            """)

    @Argument(
        help: "The requests: COLLECTION[/FOLDER[/REQUEST]], by file or name of the collection (default: all).",
        completion: .selections)
    var selections: [String] = []

    @Option(
        name: .shortAndLong, help: "The environment (default: the first of the collection).", completion: .environments)
    var environment: String?

    @Option(
        name: .customLong("tag"),
        help: "Send only the requests with one of these tags; '!slow' leaves out those with it. Repeatable.",
        completion: .tags)
    var tags: [String] = []

    @Option(
        help: "Send the requests once for each row of a file, with its values as variables: CSV, JSON or JSON lines.",
        completion: .file())
    var data: String?

    @Option(name: .customLong("repeat"), parsing: .unconditional, help: "The number of times to send each request.")
    var times: Int?

    @Option(parsing: .unconditional, help: "Send the requests in turn for this long, such as 30s or 5m.")
    var duration: String?

    @Option(
        parsing: .unconditional,
        help: "The maximum number of requests at a time (default: 1; of a load with a rate and an end, 100).")
    var concurrency: Int?

    @Option(
        parsing: .unconditional,
        help: "Begin requests on schedule, so many in a second: 50/s or 0.5. Latencies count from the schedule.")
    var rate: String?

    @Option(
        parsing: .unconditional,
        help: "Change the rate evenly, stage by stage, from --rate or 0: 10s:50/s,1m:200/s. 0s changes it at once.")
    var stages: String?

    @Option(parsing: .unconditional, help: "The pause before the next request, such as 200ms.")
    var delay: String?

    @Flag(help: "Do not slow down before servers refuse more requests (RateLimit headers, Retry-After).")
    var ignoreRateLimits = false

    @Option(
        parsing: .unconditional,
        help: "The number of pages to follow of requests that have some, or all; overrides the files.")
    var pages: String?

    @Option(
        help:
            "Fail unless the statistics hold: 'p95<500ms', 'max<2s', 'first-try>=99%', 'eventual>=99.9%', 'flaky<=2%'. Repeatable."
    )
    var threshold: [String] = []

    @Option(help: "The output format: text or json.")
    var output = OutputFormat.text

    @Flag(
        help: "Print what streams bring while it arrives: server-sent events, lines of JSON and messages of WebSockets."
    )
    var stream = false

    @Option(parsing: .unconditional, help: "End each stream after this many events. Prints them like --stream.")
    var events: Int?

    @Option(
        parsing: .unconditional, help: "End each stream after this long, such as 30s. Prints its events like --stream.")
    var streamFor: String?

    @Option(
        help:
            "End each stream at the first event that meets a condition on its data: '$.done = true'; fail without one.")
    var until: String?

    @Option(
        parsing: .unconditional,
        help: "Send the requests again at this interval, such as 5s, and print only what changes.")
    var watch: String?

    @Flag(help: "End a --watch once all requests pass.")
    var untilPasses = false

    @Flag(help: "End a --watch once a request fails.")
    var untilFails = false

    @Option(help: "Run this shell command at each change of a --watch; it gets the change as a line of input.")
    var onChange: String?

    @Flag(help: "Print the bodies of the responses instead of the table.")
    var body = false

    @Flag(help: "Stop at the first failure.")
    var failFast = false

    @Option(
        help: "Send only the requests of which a part of the file is another than at this git revision: origin/main.")
    var changedSince: String?

    @OptionGroup var snapshots: SnapshotOptions

    @OptionGroup var reporting: ReportOptions

    @OptionGroup var sending: SendingOptions

    func validate() throws {
        try require((1...1_000_000).contains(times ?? 1), "--repeat takes a number from 1 to 1000000.")
        let allowed = RunPlan.concurrencies
        try require(
            allowed.contains(concurrency ?? 1),
            "--concurrency takes a number from \(allowed.lowerBound) to \(allowed.upperBound).")
        try require(times == nil || duration == nil, "--repeat and --duration exclude each other.")
        try require(
            stages == nil || times == nil && duration == nil && watch == nil,
            "--stages have a duration; leave out --repeat, --duration and --watch.")
        try require(events ?? 1 >= 1, "--events takes a number from 1.")
        try require(!body || output == .text, "--body prints the bodies alone; leave out --output json.")
        try require(!body || !sending.dryRun, "--dry-run sends nothing, so there are no bodies; leave out --body.")
        try require(!body || !streams, "--body prints whole bodies; leave --stream out.")
        try require(
            reporting.option.reports.isEmpty || !sending.dryRun,
            "--dry-run sends nothing, so there is nothing to report; leave out --report.")
        try reporting.option.check(isOutputTaken: output != .text || body || streams)
        try checkComparisons()
        let collection = selections.first(where: PipedFile.isStandardInput)
        try StandardInput.checkOnce([collection, data, sending.access.envFile])
        _ = try (plan(), thresholds(), streamEnd(), pageLimit(), watchOrder())
    }

    private func checkComparisons() throws {
        if let changedSince, changedSince.isEmpty || changedSince.hasPrefix("-") {
            throw ValidationError("--changed-since takes a revision of git, such as origin/main or HEAD~3.")
        }
        if changedSince != nil, selections.contains(where: { PipedFile.split($0) != nil }) {
            throw ValidationError("--changed-since looks files up in git, which has no pipe; name the file.")
        }
        try require(
            snapshots.folder == nil || !streams && watch == nil && !sending.dryRun,
            "--snapshot compares whole responses; leave out --watch, --dry-run and streams.")
    }

    func run() throws {
        try reporting.option.check()
        let limit = try pageLimit()
        let rows = try data.map(Selection.rows)
        let named = try Selection.enabledJobs(selections, environment: environment, tags: tags)
        let found = try changedSince.map { try ChangedRequests.of(named, since: $0) } ?? named
        guard !found.isEmpty || named.isEmpty else {
            return StandardError.print("nothing changed since \(SafeText.line(changedSince ?? ""))")
        }
        let selected = found.map { job in
            var job = job
            job.order.pages = limit
            return job
        }
        try sending.access.variables.warn(about: selected)
        let jobs = JobList(selected, rows: rows)
        if sending.dryRun { return try sending.show(jobs, asJSON: output == .json) }
        var surroundings = try sending.surroundings()
        if reporting.exitClass { surroundings.refusal = .protected }
        if let watch = try watchOrder() { return try Headless.watch(jobs, try plan(), watch, surroundings) }
        var report = RunReport(jobs, output: resultOutput)
        report.thresholds = try thresholds()
        report.plan = try plan()
        let repeats = times != nil || duration != nil || data != nil || report.plan.arrivals != nil
        report.showsStatistics = repeats || !report.thresholds.isEmpty
        report.files = try reporting.files(jobs, report.plan)
        // Next to anything but rows, a terminal has no line of its own.
        let hasLine = StandardError.isTerminal && (resultOutput == .table || !StandardOutput.isTerminal)
        if report.plan.scheduledCount != nil, hasLine, !streams { report.live = LiveLine() }
        report.snapshots = try snapshots.run(jobs)
        (report.failsRetries, report.hasExitClasses) = (reporting.strictRetries, reporting.exitClass)
        try Headless.run(jobs, report.plan, report: report, streams: streams ? try streamEnd() : nil, surroundings)
    }

    private var resultOutput: RunReport.Output {
        if reporting.option.replacesOutput { return .silent }
        if body { return .bodies }
        return output == .text ? .table : streams ? .jsonLines : .json
    }

    /// Nil where the requests are sent as often as the other options say.
    private func watchOrder() throws -> WatchOrder? {
        guard let interval = try duration(watch, "--watch") else {
            try require(
                !untilPasses && !untilFails && onChange == nil,
                "--until-passes, --until-fails and --on-change are for a --watch; add its interval.")
            return nil
        }
        try require(
            times == nil && duration == nil && !body && !streams && threshold.isEmpty && data == nil,
            "--watch repeats by itself; leave out --repeat, --duration, --data, --threshold, --body and streams.")
        try require(
            !reporting.isGiven,
            "--watch has no end to report; leave out --report, --strict-retries, --max-flaky and --exit-class.")
        try require(!(untilPasses && untilFails), "--until-passes and --until-fails exclude each other.")
        let end: WatchEnd? = untilPasses ? .passes : untilFails ? .fails : nil
        return WatchOrder(interval: interval, end: end, asJSON: output == .json, command: onChange)
    }

    /// True where the events of streams are printed.
    private var streams: Bool { stream || events != nil || streamFor != nil || until != nil }

    private func streamEnd() throws -> StreamEnd {
        var end = StreamEnd(events: events, duration: try duration(streamFor, "--stream-for"))
        end.condition = try until.map { text in
            do throws(FieldError) { return try EventCondition(text) } catch {
                throw ValidationError("--until \(text): \(error.message).")
            }
        }
        return end
    }

    private func pageLimit() throws -> PageLimit? {
        guard let pages, pages != "all" else { return pages.map { _ in .all } }
        let allowed = SavedPages.maxima
        guard let count = Int(pages), allowed.contains(count) else {
            throw ValidationError(
                "--pages takes a number from \(allowed.lowerBound) to \(allowed.upperBound), or all.")
        }
        return .count(count)
    }

    private func plan() throws -> RunPlan {
        let rate = try LoadOptions.rate(rate)
        var plan = RunPlan(
            length: .times(times ?? 1), concurrency: concurrency ?? 1, rate: rate,
            stages: try LoadOptions.stages(stages, from: rate), delay: try duration(delay, "--delay") ?? .zero,
            failsFast: failFast)
        if let limit = try duration(duration, "--duration") { plan.length = .duration(limit) }
        if !plan.stages.isEmpty, let end = plan.arrivals?.end { plan.length = .duration(end) }
        if concurrency == nil, plan.scheduledCount != nil { plan.concurrency = LoadOptions.maximumInFlight }
        plan.ignoresRateLimits = ignoreRateLimits
        return plan
    }

    private func thresholds() throws -> [Threshold] {
        let share = try reporting.threshold()
        return try Threshold.list(threshold) + (share.map { [$0] } ?? [])
    }

    private func duration(_ text: String?, _ option: String) throws -> Duration? {
        try PolicyOptions.duration(text, option)
    }
}
