import ArgumentParser
import OmbiCore
import OmbiDocument
import OmbiTerminal
import OmbiWorkspace

extension HistoryCommand {
    /// Recorded requests, sent again and compared with what was recorded.
    struct Replay: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "replay",
            abstract: "Send recorded requests again, and compare the responses with the recorded ones.",
            discussion: """
                Of each request that was recorded, the newest run that the options select is the one to compare with. The \
                request is sent as its file has it now, with secrets read anew. GET, HEAD and OPTIONS are sent; \
                --all-methods sends the others, too. Exit status: 0 all the same; 1 some differ, or nothing was found; \
                2 invalid command line or file; 3 the history could not be read.
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

        @Flag(help: "Send POST, PUT, PATCH and DELETE again, too.")
        var allMethods = false

        @OptionGroup var access: AccessOptions

        func validate() throws {
            let allowed = RunPlan.concurrencies
            guard allowed.contains(concurrency) else {
                throw ValidationError(
                    "--concurrency takes a number from \(allowed.lowerBound) to \(allowed.upperBound).")
            }
        }

        func run() throws {
            let filters = try conditions.filters(selections, environment: from).map { filter in
                var filter = filter
                // A cancelled run has nothing to compare with.
                if filter.outcomes.isEmpty { filter.outcomes = [.passed, .failed, .error] }
                return filter
            }
            let entries = try HistoryCommand.withHistory { history throws(HistoryError) in
                var entries: [HistoryEntry] = []
                for filter in filters { entries += try await history.newestOfEach(history.selected(filter)) }
                return entries
            }
            guard !entries.isEmpty else {
                StandardError.print("ombi: no run was found")
                throw ExitStatus.failure
            }
            var replay = ReplayPlan(environment: environment, ignored: try options.paths())
            replay.add(entries, allMethods: allMethods)
            if replay.unsafe > 0 {
                let count = Count.of(replay.unsafe, "request")
                StandardError.print("ombi: \(count) may change something, not sent; --all-methods sends all")
            }
            guard !replay.jobs.isEmpty || !replay.missing.isEmpty else { throw ExitStatus.failure }
            try options.finish(try send(replay))
        }

        private func send(_ replay: ReplayPlan) throws -> ComparisonReport {
            let history = access.history()
            history?.printProblems()
            try ThreadRoom.check()
            let session = Session(
                overrides: Overrides(variables: try access.variables.values()), secrets: try access.secrets(),
                steps: .headless(try access.gate.gate()).recording(in: history))
            let orders = replay.jobs.map(\.job.order)
            try Headless.check { () throws(ResolveError) in try Headless.prepare(orders, session, access.gate.asking) }
            Headless.warnOfUnverified(replay.jobs.map(\.job))
            if !access.allowProtected { try Headless.refuseProtected(replay.jobs.map(\.job), session) }
            let (options, concurrency) = (options, concurrency)
            let task = Task { () async -> Result<ComparisonReport, HistoryError> in
                do throws(HistoryError) {
                    return .success(try await replay.run(on: session, concurrency, history) { options.show($0) })
                } catch { return .failure(error) }
            }
            let interrupt = Interrupt { task.cancel() }
            let result = task.wait()
            history?.finish()
            if let status = interrupt.status { throw status }
            do { return try result.get() } catch {
                StandardError.print("ombi: " + SafeText.line("\(error)"))
                throw ExitStatus.inputOutput
            }
        }
    }
}
