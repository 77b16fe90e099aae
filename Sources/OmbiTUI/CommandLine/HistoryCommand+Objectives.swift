import ArgumentParser

extension HistoryCommand {
    /// `ombi history objectives`: what is left of the error budgets that collections promise.
    struct Objectives: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "objectives",
            abstract: "List the requests with an objective by what burns: error budget left, and burn rates.",
            discussion: """
                A burn rate of 1 uses up the budget in exactly the window of the objective. Requests without runs in \
                that window are left out. Exit status: 0; 1 a budget is spent, or nothing was found; \
                2 invalid command line or file; 3 the history could not be read.
                """)

        @Argument(
            help: "The requests: COLLECTION[/FOLDER[/REQUEST]] (default: all in this folder).", completion: .selections)
        var selections: [String] = []

        @Option(
            name: .shortAndLong, help: "The environment (default: each that has runs).", completion: .environments)
        var environment: String?

        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func run() throws {
            let endpoints = try endpoints()
            guard !endpoints.isEmpty else {
                throw ExitStatus.failure.reporting(
                    "no request has an objective: \"objective\": { \"success\": \"99.5%\" }")
            }
            let statuses = try HistoryCommand.withHistory { history in
                try await ObjectiveStatus.all(endpoints, in: history)
            }
            output.show(statuses.map(\.line), HistoryJSON.value(statuses))
            if statuses.isEmpty { StandardError.report("no run was found") }
            if statuses.isEmpty || statuses.contains(where: \.isSpent) { throw ExitStatus.failure }
        }

        private func endpoints() throws -> [ObjectiveEndpoint] {
            var endpoints: [ObjectiveEndpoint] = []
            let chosen = environment
            try Selection.forEach(selections, environment: chosen) { request, folders, collection, file in
                endpoints += ObjectiveEndpoint.all(of: request, folders, collection, file: file, environment: chosen)
            }
            return endpoints
        }
    }

    /// `ombi history hosts`: the attempts of a selection by the address that they reached.
    struct Hosts: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hosts",
            abstract: "Show the attempts by remote address: failures, percentiles, connections and phases.",
            discussion: """
                The address with the largest share of failures comes first. An attempt whose failure its run expects \
                is none, and a response that its run rejects is one; cancelled attempts do not count.
                """)

        @OptionGroup var runs: NewestRuns
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func run() throws {
            let filter = try runs.filter()
            let statistics = try HistoryCommand.withHistory { history in
                try await history.hosts(history.selected(filter))
            }
            output.show(HistoryText.hosts(statistics), HistoryJSON.hosts(statistics))
            if statistics.addresses.isEmpty {
                throw ExitStatus.failure.reporting("no attempt was found")
            }
        }
    }

    /// `ombi history audit`: what of this machine went where.
    struct Audit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "audit",
            abstract: "Show which secrets and files went where, which responses repeated one, and what would be new.",
            discussion:
                "Exit status: 0 success; 1 nothing was sent; 2 invalid command line; 3 the history could not be read.")

        @OptionGroup var selection: HistorySelection
        @Option(parsing: .unconditional, help: "The maximum number of runs to look at, the newest first.")
        var limit = 10_000
        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        func validate() throws { try require(limit >= 1, "--limit takes a number from 1 on.") }

        func run() throws {
            let (filters, limit) = (try selection.filters(), limit)
            let audit = try HistoryCommand.withHistory { history in
                var audit = SourceAudit()
                for var filter in filters {
                    filter.includesIntrospections = true
                    for entry in try await history.entries(history.selected(filter), limit: limit) {
                        if let run = try await history.run(entry.id) { audit.add(run) }
                    }
                }
                return audit
            }
            let new = new(audit)
            switch output {
            case .json: StandardOutput.print(RunJSON.escaped(Self.json(audit, new).text))
            case .text: for line in Self.text(audit, new) { StandardOutput.show(SafeText.line(line)) }
            }
            if audit.lines.isEmpty {
                throw ExitStatus.failure.reporting("no run has sent anything of this machine")
            }
        }

        /// The flows of the collections, as their files are now, that no run has had.
        private func new(_ audit: SourceAudit) -> [(file: String, flow: Flow)] {
            let session = Session()
            var files: [String] = []
            for line in audit.lines where !files.contains(line.file) { files.append(line.file) }
            return files.flatMap { file -> [(file: String, flow: Flow)] in
                guard let collection = CollectionFile.load(file).specified().collection else { return [] }
                return audit.new(session.flows(of: collection, file: file), of: file).map { (file, $0) }
            }
        }

        private static func text(_ audit: SourceAudit, _ new: [(file: String, flow: Flow)]) -> [String] {
            var lines: [String] = []
            var file = ""
            for line in audit.lines.sorted(by: {
                ($0.file, $0.destination, $0.source) < ($1.file, $1.destination, $1.source)
            }) {
                if line.file != file { lines.append(line.file) }
                file = line.file
                let parts = line.parts.isEmpty ? "" : "  in " + line.parts.joined(separator: ", ")
                lines.append(
                    "    \(line.source) to \(line.destination)\(parts)  \(Count.of(line.runs, "run")), last "
                        + HistoryTime.local(line.last))
            }
            if !audit.echoes.isEmpty { lines += ["", "Responses that repeated a secret"] }
            for echo in audit.echoes {
                lines.append(
                    "    run \(echo.run)  \(echo.request.shortName)  \(echo.places.joined(separator: ", "))")
            }
            if !new.isEmpty { lines += ["", "Would go there for the first time"] }
            return lines + new.map { "    \($0.file): \($0.flow.text)" }
        }

        private static func json(_ audit: SourceAudit, _ new: [(file: String, flow: Flow)]) -> JSONValue {
            let sent = audit.lines.map { line -> JSONValue in
                [
                    "collection": .string(line.file), "source": .string(line.source),
                    "destination": .string(line.destination), "parts": .strings(line.parts),
                    "runs": .number(line.runs), "first": .time(line.first), "last": .time(line.last),
                ]
            }
            let repeated = audit.echoes.map { echo -> JSONValue in
                [
                    "run": .number(echo.run), "request": .string(echo.request.shortName),
                    "places": .strings(echo.places),
                ]
            }
            let new = new.map { entry -> JSONValue in
                [
                    "collection": .string(entry.file), "source": .string(entry.flow.source.text),
                    "destination": .string(entry.flow.destination.text),
                ]
            }
            return ["sent": .array(sent), "repeated": .array(repeated), "new": .array(new)]
        }
    }
}
