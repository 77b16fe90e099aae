import ArgumentParser

extension HistoryCommand {
    /// Two runs, or the newest runs of requests in two environments, side by side.
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Compare recorded responses of two runs or two environments, or the runs around a mark.",
            discussion: """
                JSON is compared by its values, without those that the request ignores. --around compares figures: \
                shares that passed, percentiles, reasons of failures and addresses. Exit status: 0 the same; \
                1 they differ, or there is nothing to compare; with --around 0 unless there is no run; \
                2 invalid command line or file; 3 the history could not be read.
                """)

        @Argument(
            help: "The numbers of two runs; or the requests, with two environments (default: all requests).",
            completion: .selections)
        var selections: [String] = []

        @Option(
            name: .shortAndLong, help: "One of two environments, whose newest runs are compared.",
            completion: .environments)
        var environment: [String] = []

        @Option(help: "Compare the runs before and after the mark with this name (ombi mark): 'deploy 1.4.2'.")
        var around: String?

        @Option(parsing: .unconditional, help: "The time before and after the mark: 30m, 2h, 7d (default: 1h).")
        var span: String?

        @OptionGroup var options: ComparisonOptions

        private var runs: [Int]? {
            let numbers = selections.compactMap { Int($0) }
            return environment.isEmpty && numbers.count == selections.count ? numbers : nil
        }

        func validate() throws {
            if around != nil {
                try require(
                    environment.count <= 1 && selections.count <= 1,
                    "Name one collection, folder or request, and one environment, with --around.")
                try require(
                    options.ignore.isEmpty && options.reporting.reports.isEmpty,
                    "--ignore and --report go without --around.")
                _ = try seconds()
                return
            }
            try require(span == nil, "--span needs --around.")
            if let runs, runs.count == 2 { return }
            try require(
                (runs == nil || runs == []) && environment.count == 2,
                "Name two runs, or requests with --environment A --environment B.")
        }

        /// The length of the times around a mark.
        private func seconds() throws -> Double {
            guard let span else { return 3600 }
            let now = Date()
            guard !span.contains(where: { ":-T".contains($0) }), let start = HistoryTime.parse(span, now: now),
                start < now
            else { throw ValidationError("--span \(span): write 30m, 2h or 7d.") }
            return now.timeIntervalSince(start)
        }

        private func compare(around name: String) throws {
            let selected = try IncidentCommand.filter(selections.first, environment.first)
            let seconds = try seconds()
            let comparison = try HistoryCommand.withHistory { history in
                try await MarkComparison.find(
                    name, span: seconds, history.resolved(selected), now: Date(), in: history)
            }
            guard let comparison else {
                throw ExitStatus.failure.reporting("there is no mark \(name); ombi mark --list shows them")
            }
            options.output.show(comparison.isEmpty ? [] : comparison.lines, HistoryJSON.value(comparison))
            guard !comparison.isEmpty else {
                throw ExitStatus.failure.reporting(
                    "no run was found within \(span ?? "1h") of \(comparison.mark.line); --span 7d looks further")
            }
        }

        func run() throws {
            if let around { return try compare(around: around) }
            try options.reporting.check()
            let ignored = try options.paths()
            let search = Search(ignored: ignored)
            let report: ComparisonReport
            if let runs, let old = runs.first, let new = runs.last {
                report = try HistoryCommand.withHistory { history in
                    try await search.compare(old, new, in: history)
                }
            } else {
                let paths = try selections.isEmpty ? [] : Selection.paths(selections)
                let (old, new) = (environment[0], environment[1])
                report = try HistoryCommand.withHistory { history in
                    try await search.compare(old, new, paths, in: history)
                }
            }
            if report.comparisons.isEmpty, report.missing.isEmpty {
                throw ExitStatus.failure.reporting("no run was found")
            }
            report.comparisons.forEach(options.show)
            try options.finish(report)
        }
    }

    /// Finds the runs that are compared.
    private struct Search: Sendable {
        let ignored: [JSONPath]

        func compare(_ old: Int, _ new: Int, in history: History) async throws -> ComparisonReport {
            func run(_ id: Int) async throws -> RecordedRun {
                if let run = try await history.run(id) { return run }
                throw ExitStatus.failure.reporting("there is no run \(id); ombi history list shows them")
            }
            var (report, requests) = (ComparisonReport(), RecordedRequests())
            add(try await run(old), try await run(new), to: &report, &requests)
            try await findVolatile(&report, &requests, in: history)
            return report
        }

        /// - Parameter paths: the requests, folders and files; none for all.
        func compare(
            _ old: String, _ new: String, _ paths: [ItemPath], in history: History
        ) async throws(HistoryError) -> ComparisonReport {
            let left = try await newest(paths, old, in: history)
            let right = try await newest(paths, new, in: history)
            let partners = Dictionary(right.map { ($0.request, $0) }) { first, _ in first }
            var (report, requests) = (ComparisonReport(), RecordedRequests())
            for entry in left {
                guard let partner = partners[entry.request] else {
                    report.missing.append(.init(request: entry.request, reason: "has no run in \(new)"))
                    continue
                }
                guard let first = try await history.run(entry.id), let second = try await history.run(partner.id)
                else { continue }
                add(first, second, to: &report, &requests)
            }
            let known = Set(left.map(\.request))
            for entry in right where !known.contains(entry.request) {
                report.missing.append(.init(request: entry.request, reason: "has no run in \(old)"))
            }
            try await findVolatile(&report, &requests, in: history)
            return report
        }

        /// The newest run of each request that came to an end by itself.
        private func newest(
            _ paths: [ItemPath], _ environment: String, in history: History
        ) async throws(HistoryError) -> [HistoryEntry] {
            var entries: [HistoryEntry] = []
            for path in paths.isEmpty ? [nil] : paths.map(Optional.some) {
                var filter = HistoryFilter(item: path)
                filter.includesContents = true
                filter.environment = environment
                filter.outcomes = [.passed, .failed, .error]
                entries += try await history.newestOfEach(history.selected(filter))
            }
            return entries
        }

        private func add(
            _ old: RecordedRun, _ new: RecordedRun, to report: inout ComparisonReport,
            _ requests: inout RecordedRequests
        ) {
            report.comparisons.append(
                RunComparison(
                    new.entry.request, from: .init(old), to: .init(new),
                    ignoring: ignored + requests.ignoredPaths(of: new.entry.request)))
        }

        private func findVolatile(
            _ report: inout ComparisonReport, _ requests: inout RecordedRequests, in history: History
        ) async throws(HistoryError) {
            let known = requests
            try await report.findVolatile(in: history) { path in
                var requests = known
                return ignored + requests.ignoredPaths(of: path)
            }
        }
    }
}
