import ArgumentParser
import OmbiCore
import OmbiTerminal
import OmbiWorkspace

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

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "The attempts after the first one: 3.")
        var retries: Int?
        @Option(parsing: .unconditional, help: "The wait before the second attempt: 250ms.")
        var backoff: String?
        @Option(parsing: .unconditional, help: "The ratio of each wait to the one before it (with --backoff).")
        var factor = 2.0
        @Option(parsing: .unconditional, help: "The limit of one attempt: 2s.")
        var timeout: String?
        @Option(parsing: .unconditional, help: "The limit of a run: 10s.")
        var sla: String?
        @Option(parsing: .unconditional, help: "The retries as a share of the first attempts of a minute: 20%.")
        var retryBudget: String?
        @Option(
            parsing: .unconditional, help: "The failures that open a breaker, and its times: '5 within 30s pause 10s'.")
        var breaker: String?
        @Option(help: "The output format: text or json.")
        var output = Format.text

        func validate() throws {
            if let retries, !(0...1000).contains(retries) {
                throw ValidationError("--retries takes a number from 0 to 1000.")
            }
            guard (1...1000).contains(factor) else { throw ValidationError("--factor takes a number from 1 to 1000.") }
            _ = (try sharedBudget(), try sharedBreaker())
        }

        func run() throws {
            let policy = PolicySimulation.Policy(
                retries: retries, firstWait: try duration(backoff, "--backoff", allowsZero: true), factor: factor,
                timeout: try duration(timeout, "--timeout"), sla: try duration(sla, "--sla"),
                retryBudget: try sharedBudget(), breaker: try sharedBreaker())
            let filter = try selection.filterOfRequest()
            let simulation = try HistoryCommand.withHistory { history throws(HistoryError) in
                try await history.simulation(history.selected(filter))
            }
            guard !simulation.runs.isEmpty else {
                StandardError.print("ombi: no run was found")
                throw ExitStatus.failure
            }
            let (before, after) = (simulation.figures(), simulation.figures(policy))
            switch output {
            case .json: StandardOutput.print(RunJSON.escaped(HistoryJSON.text(before, after)))
            case .text: for line in HistoryText.lines(before, after) { StandardOutput.show(line) }
            }
        }

        private func sharedBudget() throws -> RetryBudget? {
            guard let retryBudget else { return nil }
            guard let budget = RequestPolicy.parsedBudget(retryBudget) else {
                throw ValidationError("--retry-budget \(retryBudget): write a percentage up to 100 such as 20%.")
            }
            return budget
        }

        private func sharedBreaker() throws -> CircuitBreaker? {
            guard let breaker else { return nil }
            do throws(FieldError) { return try RequestPolicy.parsedBreaker(breaker) } catch {
                throw ValidationError("--breaker \(breaker): \(error.message)")
            }
        }

        private func duration(_ text: String?, _ option: String, allowsZero: Bool = false) throws -> Duration? {
            guard let text else { return nil }
            guard let duration = DurationText.parse(text), duration > .zero || allowsZero && duration == .zero else {
                throw ValidationError("\(option) \(text): write a duration such as 250ms or 2s.")
            }
            return duration
        }
    }
}

extension HistoryText {
    /// Two columns: as recorded, and as it would have been.
    static func lines(_ before: PolicySimulation.Figures, _ after: PolicySimulation.Figures) -> [String] {
        let time = { (duration: Duration?) in duration.map(TimeText.duration) ?? "–" }
        let load = PolicyText.addedLoad(before, after)
        let shared = [
            ["held", "\(before.held)", "\(after.held)"],
            ["over budget", "\(before.overBudget)", "\(after.overBudget)"],
        ]
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
