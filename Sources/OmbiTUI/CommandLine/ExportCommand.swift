import ArgumentParser

/// `ombi export`: requests for other tools.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print requests for other tools.",
        discussion: """
            Variables stay as {{name}} unless --resolved fills them in; in Swift they are properties, in Python, \
            JavaScript, HTTPie, k6 and Locust variables of the process, in OpenAPI parameters. Secrets stay variables, \
            also then; curl has them masked. The scripts of k6 and Locust take their size from OMBI_USERS, \
            OMBI_DURATION and OMBI_RATE; ombi load runs them. \
            What the other tool cannot express is a comment, and a line on standard error.
            Exit status: 0 success; 2 a request cannot be resolved, or the command line is wrong; \
            3 a file could not be read.
            """)

    /// An exporter by its name.
    struct Format: ExpressibleByArgument {
        let exporter: Exporter

        init?(argument: String) {
            guard let exporter = Exporter.named(argument) else { return nil }
            self.exporter = exporter
        }

        static var defaultCompletionKind: ArgumentParser.CompletionKind { .list(Exporter.all.map(\.name)) }
    }

    // An error shows the text of the help, and not the values of a type.
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format: \(Exporter.all.map(\.name).joined(separator: ", ")).", valueName: "format"))
    var format: Format

    @Argument(
        help: "Collections, folders in them, or requests: COLLECTION[/FOLDER[/REQUEST]].", completion: .selections)
    var selections: [String] = []

    @Option(
        name: .shortAndLong, help: "The environment; without it, the first one of the collection.",
        completion: .environments)
    var environment: String?

    @Flag(help: "Fill the variables in, as the request would be sent.")
    var resolved = false

    @Flag(help: "Print the secrets as well, with --resolved.")
    var revealSecrets = false

    @Flag(help: "Show the response of the last run that passed, with --as markdown; its body is not masked.")
    var examples = false

    @OptionGroup var variables: VariableOptions

    @OptionGroup var gate: GateOptions

    func validate() throws {
        if !resolved, !variables.texts.isEmpty { throw ValidationError("--set goes with --resolved") }
        if resolved, !format.exporter.fillsIn {
            throw ValidationError(
                "--resolved does not go with --as \(format.exporter.name): its variables stay variables")
        }
        if examples, format.exporter.name != "markdown" { throw ValidationError("--examples goes with --as markdown") }
        if revealSecrets, format.exporter.isLoad {
            throw ValidationError("--reveal-secrets does not go with --as \(format.exporter.name)")
        }
        if revealSecrets, !resolved { throw ValidationError("--reveal-secrets goes with --resolved") }
    }

    func run() throws {
        let session = Session(
            overrides: Overrides(variables: try variables.values()), steps: .headless(try gate.gate()))
        let jobs = try Selection.jobs(selections, environment: environment)
        let exporter = format.exporter
        let examples = try self.examples ? Self.responses(to: jobs.map(\.order)) : [:]
        let exported = try ExitStatus.misuse.onError { try self.exported(jobs, exporter, session, examples) }
        for loss in exported.losses { StandardError.report(loss) }
        // These have escapes for what no terminal shows; made safe once more they would send other bytes.
        StandardOutput.print(exporter.isEscaped ? exported.text : SafeText.code(exported.text))
    }

    private func exported(
        _ jobs: [Job], _ exporter: Exporter, _ session: Session, _ examples: [RunOrder.ID: TransportResponse]
    ) throws -> ExportedText {
        let orders = jobs.map(\.order)
        guard resolved else {
            return Session.exported(
                orders, as: exporter, examples: examples, allEnvironments: environment == nil)
        }
        for job in jobs {
            try Headless.prepare([job.order], session, gate.asking, toleratesRefusals: true)
            if !exporter.isLoad { try warnOfCaptured(job, session) }
        }
        return try session.filledExport(
            of: orders, as: exporter, revealsSecrets: revealSecrets, examples: examples)
    }

    /// The responses of the newest runs that passed, by the numbers of their orders.
    private static func responses(to orders: [RunOrder]) throws -> [RunOrder.ID: TransportResponse] {
        try HistoryCommand.withHistory { history in
            var responses: [RunOrder.ID: TransportResponse] = [:]
            for order in orders {
                var filter = history.resolved(HistoryFilter(item: order.itemPath))
                (filter.environment, filter.outcomes) = (order.environment, [.passed])
                guard let entry = try await history.entries(filter, limit: 1).first else { continue }
                responses[order.id] = try await history.run(entry.id)?.result.receivedResponse
            }
            return responses
        }
    }

    /// Warns of variables that have no value until a request is sent.
    private func warnOfCaptured(_ job: Job, _ session: Session) throws(ResolveError) {
        for variable in try session.preview(job.order).request.variables {
            guard case .captured(let request) = variable.source else { continue }
            StandardError.report(
                "{{\(variable.name)}} stays in \(job.name): \(request) captures its value when it is sent")
        }
    }
}
