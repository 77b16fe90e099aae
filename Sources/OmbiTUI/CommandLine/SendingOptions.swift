import ArgumentParser

/// The options that take the place of a part of the policy, in runs and in simulations of them.
struct PolicyOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Attempts after the first one, in place of those of the policy.")
    var retries: Int?

    @Option(parsing: .unconditional, help: "The limit over all attempts of a request, such as 2s or 500ms.")
    var sla: String?

    @Option(parsing: .unconditional, help: "The limit of one attempt, such as 2s or 500ms.")
    var timeout: String?

    func validate() throws {
        try require((0...1000).contains(retries ?? 0), "--retries takes a number from 0 to 1000.")
        _ = try policy()
    }

    func policy() throws -> RequestPolicy {
        RequestPolicy(
            retries: retries, sla: try Self.duration(sla, "--sla"), timeout: try Self.duration(timeout, "--timeout"))
    }

    static func duration(_ text: String?, _ option: String, allowsZero: Bool = false) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = DurationText.parse(text), duration > .zero || allowsZero else {
            throw ValidationError("\(option) \(text): \(DurationText.form).")
        }
        return duration
    }
}

/// The options of the commands that send requests of people.
struct SendingOptions: ParsableArguments {
    @OptionGroup var limits: PolicyOptions

    @Flag(help: "Show the requests as they would be sent, and send nothing.")
    var dryRun = false

    @OptionGroup var access: AccessOptions

    func validate() throws { _ = try overrides() }

    func overrides() throws -> Overrides {
        Overrides(variables: try access.variables.values(), policy: try limits.policy())
    }

    /// - Parameter gate: one that knows more than the options; nil for theirs.
    func surroundings(_ gate: Gate? = nil) throws -> Headless.Surroundings {
        Headless.Surroundings(
            overrides: try overrides(), secrets: try access.secrets(), gate: try gate ?? access.gate.gate(),
            asking: access.gate.asking, allowsProtected: access.allowProtected, history: access.history())
    }

    /// Shows the requests as they would be sent.
    func show(_ jobs: JobList, gate: Gate? = nil, asJSON: Bool = false) throws {
        try DryRun.show(
            jobs, overrides: try overrides(), secrets: try access.secrets(), gate: try gate ?? access.gate.gate(),
            asking: access.gate.asking, asJSON: asJSON)
    }
}

/// The options of all commands that send requests: the values and secrets to fill in, where requests may go, and the
/// history that keeps the runs.
struct AccessOptions: ParsableArguments {
    @OptionGroup var variables: VariableOptions

    @Option(help: "Read environment variables for secrets from a file of NAME=value lines.", completion: .file())
    var envFile: String?

    @Flag(help: "Also send POST, PUT, PATCH and DELETE to protected environments.")
    var allowProtected = false

    @Flag(help: "Do not record these runs.")
    var noRecord = false

    @OptionGroup var gate: GateOptions

    /// Returns the secrets of the system, with those of `--env-file`; reports a file that cannot be read.
    func secrets() throws -> Session.Secrets {
        guard let envFile else { return SecretReader.readingPipes }
        let content = try InputFile.content(envFile)
        do throws(Problem) { return try SecretReader.system(withEnvFile: content, named: envFile) } catch {
            StandardError.print(line: error.description)
            throw ExitStatus.misuse
        }
    }

    /// Opens the history; returns nil if the runs are not recorded.
    func history() -> History? { noRecord ? nil : ConfigurationFile.headless().history.open() }
}

/// The options that let collections use what is this machine's own, for one run.
struct GateOptions: ParsableArguments {
    @Flag(help: "Let the collections send what they name of this machine where their files say now, and print it.")
    var trust = false

    @Option(
        name: .customLong("grant"),
        help: """
            Let one source go to one destination: NAME=URL, such as TOKEN=https://api.example.com; *=URL is any source, \
            commands as well. Repeatable.
            """)
    var grants: [String] = []

    func validate() throws { _ = try Self.patterns(grants) }

    /// Reads the texts of `--grant`.
    static func patterns(_ texts: [String]) throws -> [GrantPattern] {
        try texts.map { text in
            do throws(FieldError) { return try GrantPattern(text) } catch {
                throw ValidationError("--grant \(text): \(error.message).")
            }
        }
    }

    /// The gate of the run.
    func gate() throws -> Gate { Gate(patterns: try Self.patterns(grants)) }

    /// Answers for what has no grant; nil where nothing more is allowed.
    var asking: Session.Asking? {
        guard trust else { return nil }
        return { _, question in
            for line in question.lines {
                StandardError.report("\(question.name) \(line)")
            }
            return .allowedNow
        }
    }
}

/// The option `--set` of the commands that fill variables in.
struct VariableOptions: ParsableArguments {
    @Option(name: .customLong("set"), help: "Set a variable: NAME=VALUE. Repeatable.", completion: .variables)
    var texts: [String] = []

    func values() throws -> [Variable] {
        try texts.map { text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw ValidationError("--set \(text): write NAME=VALUE.")
            }
            return Variable(String(text[..<equals]), String(text[text.index(after: equals)...]))
        }
    }

    /// Warns of a name that the collections of the requests have nowhere, where it is nearly one of theirs.
    func warn(about jobs: [Job]) throws {
        let names = try values().map(\.name)
        guard !names.isEmpty else { return }
        var (known, files): (Set<String>, Set<String>) = ([], [])
        for order in jobs.map(\.order) {
            known.formUnion((order.request.variables + (order.folders ?? []).flatMap(\.settings.variables)).map(\.name))
            guard files.insert(order.file).inserted else { continue }
            let uses = VariableUses(order.collection)
            known.formUnion(uses.requests.keys)
            known.formUnion(uses.undefined.values.joined())
            let environment = order.environment.flatMap(order.collection.environment(named:))
            known.formUnion(Resolver.names(in: order.collection, environment: environment))
        }
        for name in names where !known.contains(name) {
            let hint = Spelling.hint(for: name, in: known.filter { !$0.hasPrefix("$") }.sorted())
            if !hint.isEmpty { StandardError.report("--set \(name) changes nothing" + hint) }
        }
    }
}

/// The options of `ombi run` that compare responses with files of the repository.
struct SnapshotOptions: ParsableArguments {
    @Option(
        name: .customLong("snapshot"),
        help:
            "Compare each response with its file in this folder, and write files that are missing; where CI is set, a missing one fails.",
        completion: .directory)
    var folder: String?

    @Option(
        name: .customLong("snapshot-header"),
        help: "Keep this header in the snapshots, too, next to Content-Type. Repeatable.")
    var headers: [String] = []

    @Flag(help: "Accept the responses that pass as the new snapshots.")
    var updateSnapshots = false

    func validate() throws {
        try require(
            folder != nil || !updateSnapshots && headers.isEmpty,
            "--update-snapshots and --snapshot-header are for a --snapshot; add its folder.")
        try require(folder?.isEmpty != true, "--snapshot takes a folder.")
        for header in headers {
            do throws(FieldError) { try Field.checkHeaderName(header) } catch {
                throw ValidationError("--snapshot-header \(header): \(error.message).")
            }
        }
    }

    /// Nil where responses are not compared.
    func run(_ jobs: JobList) throws -> SnapshotRun? {
        guard let folder else { return nil }
        let collections = Dictionary(jobs.selected.map { ($0.order.file, $0.order.collection) }) { first, _ in first }
        do throws(SnapshotRun.Failure) {
            return try SnapshotRun(folder, mode: mode, headers: headers, of: collections)
        } catch {
            let status: ExitStatus = if case .file = error { .inputOutput } else { .misuse }
            throw status.reporting(error.description)
        }
    }

    private var mode: SnapshotRun.Mode {
        if updateSnapshots { return .update }
        let isCI = !["", "0", "false"].contains(Screen.environment("CI") ?? "")
        return isCI ? .check : .write
    }
}

extension SnapshotRun {
    /// The maximum number of files that are named.
    private static let maximumNamed = 10

    /// Prints what came of the snapshots. Returns false where a file could not be read or written.
    func printSummary() -> Bool {
        let summary = summary()
        Self.name(summary.written, "wrote the snapshot")
        Self.name(summary.updated, "updated the snapshot")
        Self.name(summary.obsolete, "no request has this snapshot any more, so remove it:")
        let counts = [
            (summary.same, "the same"), (summary.differing, "differing"), (summary.missing, "missing"),
            (summary.written.count, "written"), (summary.updated.count, "updated"),
            (summary.obsolete.count, "obsolete"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        StandardError.print("snapshots: " + (counts.isEmpty ? "none" : counts.joined(separator: ", ")))
        return !summary.hasError
    }

    private static func name(_ files: [String], _ words: String) {
        for file in files.prefix(maximumNamed) { StandardError.print(line: "\(words) \(file)") }
        if files.count > maximumNamed { StandardError.print("… and \(files.count - maximumNamed) more") }
    }
}
