import ArgumentParser

extension HistoryCommand {
    /// Recorded requests, sent again and compared with what was recorded.
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Send recorded requests again, and compare the responses with the recorded ones.",
            discussion: """
                Of each request that was recorded, the newest run that the options select is the one to compare with. The \
                request is sent as its file has it now, with secrets read again. \(RequestMethod.safeNames) are sent; \
                --all-methods sends the others and WebSockets, too. Exit status: 0 all the same; 1 some differ, or \
                nothing was found; 2 invalid command line or file; 3 the history could not be read.
                """)

        @Argument(
            help: "The requests: COLLECTION[/FOLDER[/REQUEST]] (default: all that were recorded).",
            completion: .selections)
        var selections: [String] = []

        @Option(
            name: .shortAndLong, help: "The environment to send to (default: that of the recorded run).",
            completion: .environments)
        var environment: String?

        @Option(help: "The environment of the recorded runs (default: any).", completion: .environments)
        var from: String?

        @OptionGroup var conditions: HistoryConditions

        @OptionGroup var options: ComparisonOptions

        @Option(parsing: .unconditional, help: "The maximum number of requests at a time.")
        var concurrency = 1

        @Flag(help: "Send all methods again, and the messages of WebSockets.")
        var allMethods = false

        @OptionGroup var access: AccessOptions

        func validate() throws {
            let allowed = RunPlan.concurrencies
            try require(
                allowed.contains(concurrency),
                "--concurrency takes a number from \(allowed.lowerBound) to \(allowed.upperBound).")
        }

        func run() throws {
            try options.reporting.check()
            let filters = try conditions.filters(selections, environment: from).map { filter in
                var filter = filter
                // A cancelled run has nothing to compare with.
                if filter.outcomes.isEmpty { filter.outcomes = [.passed, .failed, .error] }
                return filter
            }
            let entries = try HistoryCommand.withHistory { history in
                var entries: [HistoryEntry] = []
                for filter in filters { entries += try await history.newestOfEach(history.selected(filter)) }
                return entries
            }
            guard !entries.isEmpty else {
                throw ExitStatus.failure.reporting("no run was found")
            }
            var replay = ReplayPlan(environment: environment, ignored: try options.paths())
            replay.add(entries, allMethods: allMethods)
            if replay.unsafe > 0 {
                let count = Count.of(replay.unsafe, "request")
                StandardError.report("\(count) may change something, not sent; --all-methods sends all")
            }
            guard !replay.jobs.isEmpty || !replay.missing.isEmpty else { throw ExitStatus.failure }
            let (report, interruption) = try send(replay)
            try options.finish(report, interruption)
        }

        private func send(_ replay: ReplayPlan) throws -> (report: ComparisonReport, interruption: ExitStatus?) {
            let history = access.history()
            history?.printProblems()
            try ThreadRoom.check()
            let session = Session(
                overrides: Overrides(variables: try access.variables.values()), secrets: try access.secrets(),
                steps: .headless(try access.gate.gate(), asking: access.gate.asking).recording(in: history))
            let orders = replay.jobs.map(\.job.order)
            try Headless.prepare(orders, session, access.gate.asking)
            Headless.warnOfUnverified(replay.jobs.map(\.job))
            if !access.allowProtected { try Headless.refuseProtected(replay.jobs.map(\.job), session) }
            let (options, concurrency) = (options, concurrency)
            let task = Task {
                let hasReports = !options.reporting.reports.isEmpty
                return try await replay.run(on: session, concurrency, history, outlivesOutput: hasReports) {
                    options.show($0)
                }
            }
            let interrupt = Interrupt { task.cancel() }
            return try ExitStatus.inputOutput.onError {
                let result = Result { try task.wait() }
                history?.finish()
                let status = interrupt.status
                if let status, case .failure = result { throw status }
                return (try result.get(), status)
            }
        }
    }
}

/// The requests of a replay, each with the run that it is compared with.
struct ReplayPlan: Sendable {
    struct Entry: Sendable {
        var job: Job
        var recorded: HistoryEntry
        var ignored: [JSONPath]
    }

    /// The environment to send to; nil for that of each run.
    let environment: String?
    let ignored: [JSONPath]
    private(set) var jobs: [Entry] = []
    private(set) var missing: [ComparisonReport.Missing] = []
    /// The number of requests that are left out because they may change something.
    private(set) var unsafe = 0

    mutating func add(_ entries: [HistoryEntry], allMethods: Bool) {
        var requests = RecordedRequests()
        for entry in entries {
            guard let (request, collection) = requests.find(entry.request) else {
                missing.append(.init(request: entry.request, reason: "is no longer in its file"))
                continue
            }
            let name = environment ?? entry.environment
            if let name, !collection.canChoose(environment: name) {
                missing.append(.init(request: entry.request, reason: "has no environment \(name) in its file"))
                continue
            }
            var order = RunOrder(
                id: jobs.count + 1, request: request, collection: collection, environment: name,
                file: entry.request.file)
            order.sendsMessages = true
            guard allMethods || request.isReplayable else {
                unsafe += 1
                continue
            }
            jobs.append(
                Entry(
                    job: Job(name: entry.request.shortName, order: order), recorded: entry,
                    ignored: ignored + requests.ignoredPaths(of: entry.request)))
        }
    }

    /// Sends the requests, and compares each response as it comes.
    /// - Parameter outlivesOutput: true where reports are to be written though the output is gone.
    func run(
        on session: Session, _ concurrency: Int, _ history: History?, outlivesOutput: Bool,
        show: @escaping @Sendable (RunComparison) -> Void
    ) async throws(HistoryError) -> ComparisonReport {
        let reader = history ?? History.standardPath.map { History(path: $0) }
        var report = ComparisonReport()
        report.missing = missing
        guard let reader else { return report }
        var recorded: [RecordedRun?] = []
        // Read before anything is sent: the runs to come may make the limits remove the oldest.
        for entry in jobs { recorded.append(try await reader.run(entry.recorded.id)) }
        let comparisons = Lock<[(index: Int, comparison: RunComparison)]>([])
        _ = await session.run(jobs.map(\.job.order), RunPlan(concurrency: concurrency)) { [recorded] turn, result in
            let entry = jobs[turn.order]
            guard let old = recorded[turn.order] else { return true }
            let comparison = RunComparison(
                entry.recorded.request, from: .init(old),
                to: .init(result, environment: entry.job.order.environment), ignoring: entry.ignored)
            comparisons.withLock { all in
                show(comparison)
                all.append((turn.order, comparison))
            }
            return outlivesOutput || !ResultOutput.standard.isClosed
        }
        let compared = comparisons.withLock { $0 }.sorted { $0.index < $1.index }
        report.comparisons = compared.map(\.comparison)
        if Task.isCancelled {
            let sent = Set(compared.map(\.index))
            report.unsent = jobs.indices.filter { !sent.contains($0) }.map { jobs[$0].recorded.request }
        }
        let ignored = Dictionary(jobs.map { ($0.recorded.request, $0.ignored) }) { first, _ in first }
        try await report.findVolatile(in: reader) { ignored[$0] ?? [] }
        return report
    }
}

extension HistoryCommand {
    /// `ombi history simulate`: another policy on the runs that were recorded.
    struct Simulate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "Try another policy on the recorded runs of a request.",
            discussion: """
                What is not given stays as recorded. Attempts beyond the recorded ones are those that were recorded \
                next; an attempt that was cut off stays cut off, however long the limit. A budget of retries and a \
                breaker are shared by all runs, at the times at which they were recorded. Nothing is sent.
                """)

        @OptionGroup var selection: HistoryRequestSelection
        @OptionGroup var limits: PolicyOptions
        @Option(parsing: .unconditional, help: "The wait before the second attempt: 250ms.")
        var backoff: String?
        @Option(parsing: .unconditional, help: "The ratio of each wait to the one before it (with --backoff).")
        var factor = 2.0
        @Option(parsing: .unconditional, help: "The retries as a share of the first attempts of a minute: 20%.")
        var retryBudget: String?
        @Option(
            parsing: .unconditional, help: "The failures that open a breaker, and its times: '5 within 30s pause 10s'.")
        var breaker: String?
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func validate() throws {
            try require((1...1000).contains(factor), "--factor takes a number from 1 to 1000.")
            _ = (try firstWait(), try sharedBudget(), try sharedBreaker())
        }

        func run() throws {
            let given = try limits.policy()
            let policy = PolicySimulation.Policy(
                retries: given.retries, firstWait: try firstWait(), factor: factor, timeout: given.timeout,
                sla: given.sla, retryBudget: try sharedBudget(), breaker: try sharedBreaker())
            let filter = try selection.filter()
            let simulation = try HistoryCommand.withHistory { history in
                try await history.simulation(history.selected(filter))
            }
            guard !simulation.runs.isEmpty else {
                throw ExitStatus.failure.reporting("no run was found")
            }
            let (before, after) = (simulation.figures(), simulation.figures(policy))
            output.show(HistoryText.lines(before, after), HistoryJSON.value(before, after))
        }

        private func sharedBudget() throws -> RetryBudget? {
            guard let retryBudget else { return nil }
            guard let budget = RequestPolicy.parsedBudget(retryBudget) else {
                throw ValidationError("--retry-budget \(retryBudget): \(RequestPolicy.shareForm).")
            }
            return budget
        }

        private func sharedBreaker() throws -> CircuitBreaker? {
            guard let breaker else { return nil }
            do throws(FieldError) { return try RequestPolicy.parsedBreaker(breaker) } catch {
                throw ValidationError("--breaker \(breaker): \(error.message)")
            }
        }

        private func firstWait() throws -> Duration? {
            try PolicyOptions.duration(backoff, "--backoff", allowsZero: true)
        }
    }
}

extension HistoryText {
    /// Two columns: as recorded, and as it would have been.
    static func lines(_ before: PolicySimulation.Figures, _ after: PolicySimulation.Figures) -> [String] {
        let time = { (duration: Duration?) in duration.map(TimeText.duration) ?? "–" }
        let load = PolicyText.addedLoad(before, after)
        // A recorded run may have been held, too: its waits do not say why.
        let shared = [["held", "–", "\(after.held)"], ["over budget", "–", "\(after.overBudget)"]]
        let isShared = after.held > 0 || after.overBudget > 0
        let rows = [
            ["", "recorded", "simulated"], ["runs", "\(before.runs)", "\(after.runs)"],
            ["passed", before.success.map(Percent.text) ?? "–", after.success.map(Percent.text) ?? "–"],
            ["p50", time(before.times?.p50), time(after.times?.p50)],
            ["p95", time(before.times?.p95), time(after.times?.p95)],
            [
                "attempts/run", before.attemptsPerRun.map(PolicyText.attempts) ?? "–",
                (after.attemptsPerRun.map(PolicyText.attempts) ?? "–") + (load.map { " (\($0))" } ?? ""),
            ],
        ]
        return (rows + (isShared ? shared : [])).map { row in
            row[0].padded(to: 14) + row[1].padded(to: 12) + row[2]
        }
    }
}
