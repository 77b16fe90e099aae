import ArgumentParser

extension HistoryCommand {
    /// Runs with their attempts for other programs, one after the other: however many there are, one is in memory.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export runs with their attempts and responses, the newest first; secrets are masked.")

        enum ExportFormat: String, ExpressibleByArgument, CaseIterable { case jsonl, har }

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "The maximum number of runs (default: all).")
        var limit: Int?
        @Flag(help: "Leave the bodies of the responses out.")
        var noBodies = false
        @Flag(help: "Export the loads of ombi load instead of runs, a line of JSON for each.")
        var loads = false
        @Option(help: "The output format: jsonl, a line of JSON for each run, or har, an HTTP archive (HAR 1.2).")
        var output = ExportFormat.jsonl

        func validate() throws {
            try require(limit ?? 1 >= 1, "--limit takes a number from 1 on.")
            try require(!loads || output == .jsonl, "--loads needs --output jsonl.")
        }

        private func exportLoads(_ filters: [HistoryFilter]) throws {
            let found = try HistoryCommand.withHistory { history in
                try await HistoryCommand.loads(filters, in: history)
            }
            let loads = found.prefix(limit ?? .max)
            for load in loads { StandardOutput.print(RunJSON.escaped(load.json.compact)) }
            guard loads.isEmpty else { return }
            throw ExitStatus.failure.reporting("no load was found")
        }

        func run() throws {
            let filters = try selection.filters()
            if loads { return try exportLoads(filters) }
            let (limit, includesBody, format) = (limit ?? .max, !noBodies, output)
            let count = try HistoryCommand.withHistory { history in
                var writer = ExportWriter(format)
                for filter in filters {
                    var filter = try await history.selected(filter)
                    while writer.count < limit {
                        let page = min(200, limit - writer.count)
                        let entries = try await history.entries(filter, limit: page)
                        for entry in entries where !ResultOutput.standard.isClosed {
                            guard let run = try await history.run(entry.id, includesBody: includesBody) else {
                                continue
                            }
                            writer.write(run)
                        }
                        // A page may lack rows that are damaged, so its count says nothing about an end.
                        guard let last = entries.last, !ResultOutput.standard.isClosed else { break }
                        filter.before = last.id
                    }
                }
                writer.finish()
                return writer.count
            }
            if count == 0 {
                throw ExitStatus.failure.reporting("no run was found")
            }
        }
    }

    private struct ExportWriter {
        let format: Export.ExportFormat
        private(set) var count = 0
        private var entries = 0

        init(_ format: Export.ExportFormat) { self.format = format }

        mutating func write(_ run: RecordedRun) {
            count += 1
            switch format {
            case .jsonl: StandardOutput.print(RunJSON.escaped(run.json.compact))
            case .har:
                for entry in ArchiveJSON.entries(run) {
                    StandardOutput.print((entries == 0 ? ArchiveJSON.start : ",") + RunJSON.escaped(entry))
                    entries += 1
                }
            }
        }

        func finish() {
            guard format == .har else { return }
            StandardOutput.print((entries == 0 ? ArchiveJSON.start : "") + ArchiveJSON.end)
        }
    }
}

/// Runs of the history as JSON; `schema/run.schema.json` describes it.
enum HistoryJSON {
    static func value(_ entries: [HistoryEntry], _ loads: [HistoryLoad] = []) -> JSONValue {
        [
            "runs": .array(entries.map(\.json)), "loads": loads.isEmpty ? nil : JSONValue.array(loads.map(\.json)),
        ]
    }

    static func value(_ statuses: [ObjectiveStatus]) -> JSONValue {
        ["objectives": .array(statuses.map { value($0) })]
    }

    private static func value(_ status: ObjectiveStatus) -> JSONValue {
        [
            "request": .strings(status.request.path), "file": .string(status.request.file),
            "environment": .nullable(status.environment), "objective": .string(status.objective.text),
            "runs": .number(status.window.runs), "met": .number(status.window.met),
            "budgetLeft": .number(status.budgetLeft), "burnRate1h": value(status.burnRates[0]),
            "burnRate6h": value(status.burnRates[1]), "spent": .bool(status.isSpent),
        ]
    }

    private static func value(_ rate: Double?) -> JSONValue { rate.map { JSONValue.number($0) } ?? .null }

    static func value(_ marks: [HistoryMark]) -> JSONValue { ["marks": .array(marks.map { value($0) })] }

    private static func value(_ mark: HistoryMark) -> JSONValue {
        ["id": .number(mark.id), "name": .string(mark.name), "time": .time(mark.date)]
    }

    static func value(_ values: ValueHistory) -> JSONValue {
        let periods = values.periods.map { period -> JSONValue in
            [
                "value": .nullable(period.value), "runs": .number(period.runs), "firstRun": .number(period.firstRun),
                "from": .time(period.first), "to": .time(period.last),
            ]
        }
        return [
            "path": .string(values.path), "runs": .number(values.runs), "isCut": .bool(values.isCut),
            "periods": .array(periods),
        ]
    }

    static func value(_ comparison: MarkComparison) -> JSONValue {
        ["mark": value(comparison.mark), "before": value(comparison.before), "after": value(comparison.after)]
    }

    static func value(_ statistics: HistoryStatistics, _ objective: ObjectiveEndpoint? = nil) -> JSONValue {
        let share = objective?.objective.share ?? HistoryStatistics.objective
        let windows = statistics.windows.map { window -> JSONValue in
            [
                "name": .string(window.name), "runs": .number(window.runs), "withinSLA": .number(window.met),
                "budgetLeft": value(window.budgetLeft(objective: share)),
            ]
        }
        return [
            "objective": objective.map { JSONValue.string($0.objective.text) },
            "runs": .number(statistics.runs), "cancelled": .number(statistics.cancelled),
            "passed": .number(statistics.passed), "passedAtOnce": .number(statistics.passedAtOnce),
            "runTimes": value(statistics.ofRuns), "attemptTimes": value(statistics.ofAttempts),
            "phases": .array(statistics.phases.map(value)), "windows": .array(windows),
            "addresses": .array(statistics.addresses.map(value)), "failures": counts(statistics.failures),
            "retries": counts(statistics.retries), "from": .time(statistics.first), "to": .time(statistics.last),
            "rounded": .bool(statistics.isRounded),
        ]
    }

    /// The addresses of a selection alone.
    static func hosts(_ statistics: HistoryStatistics) -> JSONValue {
        ["addresses": .array(statistics.addresses.map(value)), "rounded": .bool(statistics.isRounded)]
    }

    private static func value(_ phase: HistoryStatistics.PhaseTimes) -> JSONValue {
        [
            "name": .string(phase.phase.rawValue), "attempts": .number(phase.attempts), "times": value(phase.times),
        ]
    }

    private static func value(_ address: HistoryAddress) -> JSONValue {
        [
            "address": .nullable(address.address), "attempts": .number(address.attempts),
            "failed": .number(address.failed), "failures": counts(address.failures), "times": value(address.times),
            "new": value(address.new), "reused": value(address.reused),
            "phases": .array(address.phases.map(value)),
        ]
    }

    private static func value(_ connections: HistoryAddress.Connections) -> JSONValue {
        ["attempts": .number(connections.attempts), "times": value(connections.times)]
    }

    /// A simulation: the figures as recorded, and as they would have been.
    static func value(_ recorded: PolicySimulation.Figures, _ simulated: PolicySimulation.Figures) -> JSONValue {
        ["recorded": value(recorded), "simulated": value(simulated)]
    }

    private static func value(_ figures: PolicySimulation.Figures) -> JSONValue {
        [
            "runs": .number(figures.runs), "passed": .number(figures.passed), "attempts": .number(figures.attempts),
            "runTimes": value(figures.times), "held": figures.held > 0 ? JSONValue.number(figures.held) : nil,
            "overBudget": figures.overBudget > 0 ? JSONValue.number(figures.overBudget) : nil,
        ]
    }

    private static func counts(_ counts: [HistoryStatistics.Count]) -> JSONValue {
        .array(counts.map { count -> JSONValue in ["name": .string(count.name), "count": .number(count.count)] })
    }

    private static func value(_ times: HistoryStatistics.Percentiles?) -> JSONValue {
        guard let times else { return .null }
        return [
            "p50Ms": .milliseconds(times.p50), "p90Ms": .milliseconds(times.p90), "p95Ms": .milliseconds(times.p95),
            "p99Ms": .milliseconds(times.p99), "maxMs": .milliseconds(times.maximum),
        ]
    }
}

/// The figures for a Prometheus text collector.
enum HistoryPrometheus {
    /// - Parameter start: the name and the labels before the quantile.
    private static func quantiles(_ start: String, _ times: HistoryStatistics.Percentiles) -> [String] {
        let quantiles = [
            ("0.5", times.p50), ("0.9", times.p90), ("0.95", times.p95), ("0.99", times.p99), ("1", times.maximum),
        ]
        return quantiles.map { "\(start),quantile=\"\($0)\"} \($1.milliseconds / 1000)" }
    }

    static func text(_ statistics: HistoryStatistics, _ selection: String?) -> String {
        let label = (selection ?? "all").reduce(into: "") { text, character in
            switch character {
            case "\\", "\"": text += "\\" + String(character)
            case "\n": text += "\\n"
            default: text.append(character)
            }
        }
        var lines = [
            "# HELP ombi_runs Runs in the history by outcome.", "# TYPE ombi_runs gauge",
            "ombi_runs{selection=\"\(label)\",outcome=\"passed\"} \(statistics.passed)",
            "ombi_runs{selection=\"\(label)\",outcome=\"failed\"} \(statistics.runs - statistics.passed)",
            "ombi_runs{selection=\"\(label)\",outcome=\"cancelled\"} \(statistics.cancelled)",
        ]
        if let times = statistics.ofRuns {
            lines += ["# HELP ombi_run_duration_seconds Time of a run.", "# TYPE ombi_run_duration_seconds gauge"]
            lines += quantiles("ombi_run_duration_seconds{selection=\"\(label)\"", times)
        }
        if !statistics.phases.isEmpty {
            lines += [
                "# HELP ombi_phase_duration_seconds Time of a phase of an attempt.",
                "# TYPE ombi_phase_duration_seconds gauge",
            ]
            lines += statistics.phases.flatMap { phase in
                quantiles(
                    "ombi_phase_duration_seconds{selection=\"\(label)\",phase=\"\(phase.phase.rawValue)\"", phase.times)
            }
        }
        return SafeText.lines(lines.joined(separator: "\n"))
    }
}
