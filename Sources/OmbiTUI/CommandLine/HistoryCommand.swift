import ArgumentParser

/// `ombi history`: the runs of the explorer and of `ombi run`, for scripts.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Show, sum up, compare, replay, export and delete the runs that were recorded.",
        discussion: """
            Exit status: 0 success; 1 nothing found, a threshold missed, or responses that differ; \
            2 invalid command line or file; 3 the history could not be read.
            """,
        subcommands: [
            List.self, Show.self, Statistics.self, Hosts.self, Objectives.self, Values.self, Audit.self, Simulate.self,
            Compare.self, Replay.self, Export.self, Delete.self,
        ],
        defaultSubcommand: List.self)
}

extension History {
    func printProblems() { onProblem { StandardError.report($0) } }
}

extension HistoryCommand {
    /// Runs something on the user's history; a history that does not exist is empty.
    static func withHistory<Value: Sendable>(
        _ body: @escaping @Sendable (History) async throws -> Value
    ) throws -> Value {
        guard let path = History.standardPath else {
            throw ExitStatus.inputOutput.reporting(
                "there is no home folder that a history could be in; set HOME or XDG_STATE_HOME")
        }
        try ThreadRoom.check()
        let history = History(path: path)
        history.printProblems()
        return try ExitStatus.inputOutput.onError { try Task { try await body(history) }.wait() }
    }

    /// The loads that one of the filters selects, the newest first.
    static func loads(_ filters: [HistoryFilter], in history: History) async throws(HistoryError) -> [HistoryLoad] {
        var loads: [HistoryLoad] = []
        for filter in filters {
            for load in try await history.loads(history.resolved(filter)) where !loads.contains(load) {
                loads.append(load)
            }
        }
        return loads.sorted { ($0.startedAt, $0.id) > ($1.startedAt, $1.id) }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List runs and loads, the newest first.")

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "The maximum number of runs.")
        var limit = 50
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func validate() throws { try require(limit >= 1, "--limit takes a number from 1 on.") }

        func run() throws {
            let (filters, limit) = (try selection.filters(), limit)
            let (entries, marks, found) = try HistoryCommand.withHistory {
                (history: History) async throws -> ([HistoryEntry], [HistoryMark], [HistoryLoad]) in
                let loads = try await HistoryCommand.loads(filters, in: history)
                var entries: [HistoryEntry] = []
                for filter in filters { entries += try await history.entries(history.selected(filter), limit: limit) }
                entries = Array(entries.sorted { $0.id > $1.id }.prefix(limit))
                guard let oldest = entries.last else { return (entries, [], loads) }
                let until = filters.first?.until ?? .distantFuture
                let marks = try await history.marks(since: oldest.startedAt, until: until)
                return (entries, marks, loads)
            }
            // A list that is cut has no older loads either.
            let start: Date = entries.count < limit ? .distantPast : entries.last?.startedAt ?? .distantPast
            let loads = Array(found.filter { $0.startedAt >= start }.prefix(limit))
            output.show(HistoryText.lines(entries, marks, loads), HistoryJSON.value(entries, loads))
            guard entries.isEmpty, loads.isEmpty else { return }
            throw output == .text ? ExitStatus.failure.reporting("no run was found") : .failure
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show a run: its request, its attempts and its response; or a load.")

        @Argument(
            help: "The number of the run or the load, as the list shows it: 1042 or L3 (default: the newest run).")
        var number: RecordedNumber?
        @Option(parsing: .unconditional, help: "Show the response of the attempt with this number.")
        var attempt: Int?
        @Flag(help: "Print the body of the response alone.")
        var body = false
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func run() throws {
            if case .load(let id)? = number { return try show(load: id) }
            let id: Int? = if case .run(let id)? = number { id } else { nil }
            let run = try HistoryCommand.withHistory { history in
                if let id { return try await history.run(id) }
                return try await history.neighbor(of: nil, isOlder: true, in: HistoryFilter())?.run
            }
            guard let run else {
                throw ExitStatus.failure.reporting(
                    id.map { "there is no run \($0); ombi history list shows them" } ?? "no run was recorded so far")
            }
            if let attempt { return try show(attempt: attempt, of: run) }
            if let missing = run.missingBody { StandardError.report(missing) }
            if body { return StandardOutput.write(body: Array(run.result.receivedResponse?.body ?? Data())) }
            output.show(HistoryText.lines(run), run.json)
        }
    }

    struct Statistics: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats",
            abstract: "Summarize runs: success rates, percentiles, failures, SLA and error budget.")

        @OptionGroup var runs: NewestRuns
        @Option(help: "Fail unless the figures hold: 'p95<500ms', 'first-try>=99%', 'eventual>=99.9%'. Repeatable.")
        var threshold: [String] = []
        @Option(help: "The output format: text, json or prometheus.")
        var output = StatisticsFormat.text

        enum StatisticsFormat: String, ExpressibleByArgument, CaseIterable { case text, json, prometheus }

        func run() throws {
            let thresholds = try Threshold.list(threshold, inHistory: true)
            let filter = try runs.filter()
            let objective = objective(of: filter.item)
            let statistics = try HistoryCommand.withHistory { history in
                var filter = try await history.selected(filter)
                var statistics = try await history.statistics(filter)
                guard let objective else { return statistics }
                filter.environment = objective.environment
                statistics.windows = try await history.windows(filter, within: objective.objective.within)
                return statistics
            }
            switch output {
            case .text: HistoryText.lines(statistics, objective).forEach(StandardOutput.show)
            case .json: StandardOutput.print(json: HistoryJSON.value(statistics, objective))
            case .prometheus: StandardOutput.print(HistoryPrometheus.text(statistics, runs.selection.selections.first))
            }
            let missed = thresholds.compactMap { $0.failure(of: statistics) }
            for reason in missed { StandardError.report(reason) }
            if statistics.runs == 0 { StandardError.report("no run was found") }
            if !missed.isEmpty || statistics.runs == 0 { throw ExitStatus.failure }
        }
    }

    struct Values: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "values",
            abstract: "Show one value of the responses of a request over time, a line for each change.")

        @Argument(help: "The JSONPath of the value, such as '$.items[0].stock'.")
        var path: String
        @OptionGroup var selection: HistoryRequestSelection
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func run() throws {
            _ = try JSONPath(typed: path)
            let (filter, path) = (try selection.filter(), path)
            let values = try HistoryCommand.withHistory { history in
                try await history.values(at: path, history.selected(filter))
            }
            guard output == .json || !values.periods.isEmpty else {
                throw ExitStatus.failure.reporting("no run was found")
            }
            output.show(HistoryText.lines(values), HistoryJSON.value(values))
            if values.periods.isEmpty { throw ExitStatus.failure }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete runs and loads for good.")

        @OptionGroup var selection: HistorySelection
        @Option(
            name: .customLong("id"), parsing: .unconditionalSingleValue,
            help: "The number of a run or of a load: 1042 or L3. Repeatable.")
        var numbers: [RecordedNumber] = []
        @Flag(help: "Delete all runs and loads, where nothing else selects some.")
        var all = false

        func validate() throws {
            try require(numbers.allSatisfy { $0.runID ?? $0.loadID ?? 0 >= 1 }, "--id takes a number from 1 on.")
        }

        func run() throws {
            let (filters, numbers) = (try selection.filters(), numbers)
            try require(
                all || !numbers.isEmpty || filters.contains { $0 != HistoryFilter() },
                "Select runs, or write --all.")
            let (runs, loads) = try HistoryCommand.withHistory { history in
                try await Self.delete(filters, numbers, in: history)
            }
            guard runs + loads > 0 else {
                throw ExitStatus.failure.reporting(nothing(of: filters))
            }
            let parts = [runs == 0 ? nil : Count.of(runs, "run"), loads == 0 ? nil : Count.of(loads, "load")]
            StandardError.report("\(parts.compactMap { $0 }.joined(separator: " and ")) deleted")
        }

        /// The reason why nothing was deleted.
        private func nothing(of filters: [HistoryFilter]) -> String {
            guard !numbers.isEmpty, filters == [HistoryFilter()] else { return "no run was found" }
            let kind = numbers.contains { $0.runID != nil } ? "run" : "load"
            let names = numbers.map(\.name).joined(separator: " or ")
            return "there is no \(kind) \(names); ombi history list shows them"
        }
    }
}

/// The number of a run or of a load, as the list shows it.
enum RecordedNumber: ExpressibleByArgument, Equatable {
    case run(Int)
    case load(Int)

    /// Reads `1042` and `L3`.
    init?(argument: String) {
        guard argument.first == "L" || argument.first == "l" else {
            guard let number = Int(argument) else { return nil }
            self = .run(number)
            return
        }
        guard let number = Int(argument.dropFirst()) else { return nil }
        self = .load(number)
    }

    /// The number of a run; nil for a load.
    var runID: Int? { if case .run(let id) = self { id } else { nil } }

    /// The number of a load; nil for a run.
    var loadID: Int? { if case .load(let id) = self { id } else { nil } }

    /// `1042` or `L3`.
    var name: String {
        switch self {
        case .run(let id): "\(id)"
        case .load(let id): "L\(id)"
        }
    }
}

extension HistoryCommand.Delete {
    /// - Parameters:
    ///   - filters: the selection without numbers.
    ///   - numbers: what is to go of it; all of it without any.
    static func delete(
        _ filters: [HistoryFilter], _ numbers: [RecordedNumber], in history: History
    ) async throws(HistoryError) -> (runs: Int, loads: Int) {
        let (ids, loadIDs) = (numbers.compactMap(\.runID), numbers.compactMap(\.loadID))
        var (runs, loads) = (0, 0)
        if numbers.isEmpty || !loadIDs.isEmpty {
            let found = try await HistoryCommand.loads(filters, in: history).map(\.id)
            loads = try await history.delete(loads: found.filter { numbers.isEmpty || loadIDs.contains($0) })
        }
        guard numbers.isEmpty || !ids.isEmpty else { return (runs, loads) }
        for var filter in filters {
            // Without a number a filter selects all.
            filter.ids = ids
            runs += try await history.delete(history.selected(filter))
        }
        return (runs, loads)
    }
}

extension HistoryCommand.Statistics {
    /// The objective of what is selected; nil for the standard one.
    private func objective(of item: ItemPath?) -> ObjectiveEndpoint? {
        // The problems of the file were printed when it was selected.
        guard let item, let collection = CollectionFinder.load([item.file]).first?.specified().collection else {
            return nil
        }
        return ObjectiveEndpoint.shared(
            at: item.path, of: collection, file: item.file, environment: runs.selection.environment)
    }
}

extension HistoryCommand.Show {
    func show(load id: Int) throws {
        try require(attempt == nil && !body, "A load has no attempts and no body; leave out --attempt and --body.")
        let load = try HistoryCommand.withHistory { history in try await history.load(id) }
        guard let load else {
            throw ExitStatus.failure.reporting("there is no load L\(id); ombi history list shows them")
        }
        output.show(HistoryText.lines(load), load.json)
    }

    func show(attempt number: Int, of run: RecordedRun) throws {
        guard let attempt = run.attempt(number) else {
            let count = Count.of(run.result.report?.attempts.count ?? 0, "attempt")
            throw ExitStatus.failure.reporting("run \(run.entry.id) has no attempt \(number), but \(count)")
        }
        if let bytes = attempt.omittedBody {
            StandardError.report("the body of attempt \(number) is not kept (\(bytes) bytes)")
        }
        if body { return StandardOutput.write(body: Array(attempt.received?.body ?? Data())) }
        output.show(HistoryText.lines(attempt), run.result.jsonWithResponses(of: attempt))
    }
}

extension RecordedRun {
    /// An attempt with its response, which is that of the run for the last one; nil for a number that no attempt has.
    fileprivate func attempt(_ number: Int) -> AttemptReport? {
        let attempts = result.report?.attempts ?? []
        guard let index = attempts.lastIndex(where: { $0.number == number }) else { return nil }
        var attempt = attempts[index]
        if !attempts.isFollowed(index) {
            (attempt.received, attempt.isPartial) = (result.receivedResponse, result.response == nil)
            attempt.omittedBody = missingBody == nil ? nil : entry.size
        }
        return attempt
    }
}
