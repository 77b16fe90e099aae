import ArgumentParser

/// `ombi spec`: collections against an OpenAPI document, for CI.
struct SpecCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "spec", abstract: "Compare collections with an OpenAPI document.",
        subcommands: [SpecDiffCommand.self, SpecCoverageCommand.self])

    /// The document, and the requests that are compared with it.
    struct Input: ParsableArguments {
        @Argument(help: "The OpenAPI document, in JSON or YAML.", completion: .file())
        var document: String

        @Argument(help: "The requests: COLLECTION[/FOLDER[/REQUEST]].", completion: .selections)
        var selections: [String]

        @Option(help: "The output format: text or json.")
        var output = OutputFormat.text

        @OptionGroup var reporting: ReportOption

        func validate() throws { try reporting.check(isOutputTaken: output != .text) }

        func read() throws -> (document: Specification, items: [SpecifiedItem]) {
            let content = try InputFile.content(document)
            let folder = document == "-" ? nil : ImportFolder(of: document)
            let specification = try ImportCommand.reading(document) {
                try Specification(content, path: document, in: folder)
            }
            var items: [SpecifiedItem] = []
            let path = document
            try Selection.forEach(selections) { request, folders, collection, file in
                let place = ItemPath(file: file, path: folders.map(\.name) + [request.name])
                let name = Selection.name(of: request, in: folders, of: collection)
                let known =
                    collection.allEnvironments.map(\.authentication)
                    + [collection.authentication] + folders.map(\.settings.authentication)
                let inherited = known.last { $0 != nil } ?? nil
                items.append(SpecifiedItem(name, place, request, inheriting: inherited, document: path))
            }
            return (specification, items)
        }
    }
}

/// `ombi spec diff`: the differences between requests and the operations that they are about.
struct SpecDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "List the operations that are renamed, gone or new, and changed parameters.",
        discussion: """
            A request is about the operation that it is based on, or the one with its method and its path.
            Exit status: 0 no differences; 1 differences found; 2 a file has an error; 3 a file could not be read.
            """)

    @OptionGroup var input: SpecCommand.Input

    func run() throws {
        try input.reporting.check()
        let (document, items) = try input.read()
        let differences = SpecificationDrift(items, document).differences
        switch input.output {
        case .json:
            StandardOutput.print(json: ["differences": .array(differences.map(\.json))])
        case .text:
            if !input.reporting.replacesOutput {
                for difference in differences { StandardOutput.print(SafeText.line(difference.line)) }
            }
            let requests = Count.of(items.count, "request")
            let operations = Count.of(document.operations.count, "operation")
            StandardError.print("\(requests), \(operations): \(Count.of(differences.count, "difference"))")
        }
        try input.reporting.write(
            Findings(
                command: "ombi spec diff", unit: "case",
                cases: ReportedRun.cases(of: input.document, items, differences)))
        if !differences.isEmpty { throw ExitStatus.failure }
    }
}

/// `ombi spec coverage`: the operations and statuses that recorded runs have seen.
struct SpecCoverageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coverage", abstract: "List the operations and statuses that requests and recorded runs cover.",
        discussion: """
            Exit status: 0 success; 1 fewer operations than --min were run; 2 a file has an error; \
            3 a file or the history could not be read.
            """)

    @OptionGroup var input: SpecCommand.Input

    @Option(
        name: .customLong("min"), parsing: .unconditional,
        help: ArgumentHelp("The minimum share of the operations with a recorded run: 80%.", valueName: "share"))
    var minimum: String?

    func validate() throws {
        if let minimum, Self.share(minimum) == nil {
            throw ValidationError("--min \(minimum): write a share from 0% to 100%, such as 80%.")
        }
    }

    private static func share(_ text: String) -> Double? {
        let digits = text.hasSuffix("%") ? String(text.dropLast()) : text
        guard let percent = Double(digits), (0...100).contains(percent) else { return nil }
        return percent / 100
    }

    func run() throws {
        try input.reporting.check()
        let (document, items) = try input.read()
        let questions = SpecificationCoverage.questions(items, document)
        let runs = try HistoryCommand.withHistory {
            (history: History) async throws -> [SpecificationCoverage.Question: Int] in
            var runs: [SpecificationCoverage.Question: Int] = [:]
            for question in questions {
                var filter = HistoryFilter(item: question.place)
                filter.status = question.status
                runs[question] = try await history.count(history.resolved(filter))
            }
            return runs
        }
        let coverage = SpecificationCoverage(items, document, runs: runs)
        switch input.output {
        case .json: StandardOutput.print(json: coverage.json)
        case .text where input.reporting.replacesOutput: break
        case .text:
            for operation in coverage.operations { StandardOutput.print(SafeText.line(operation.line)) }
            let seen = coverage.responses.count(where: \.isSeen)
            StandardOutput.print(
                "\(coverage.runCount) of \(Count.of(coverage.operations.count, "operation")) run "
                    + "(\(Percent.text(coverage.share))), \(seen) of \(coverage.responses.count) responses seen")
        }
        let check = check(of: coverage)
        try input.reporting.write(
            Findings(
                command: "ombi spec coverage", unit: "operation",
                cases: ReportedRun.cases(of: input.document, coverage), checks: check.map { [$0] } ?? [],
                skipped: "not run"))
        if check?.failure != nil { throw ExitStatus.failure }
    }

    /// The limit of `--min`; nil without one.
    private func check(of coverage: SpecificationCoverage) -> ReportedCheck? {
        guard let minimum, let share = Self.share(minimum) else { return nil }
        let measured = "\(Percent.text(coverage.share)) of the operations are run"
        return ReportedCheck(name: "coverage>=\(minimum)", failure: coverage.share < share ? measured : nil)
    }
}
