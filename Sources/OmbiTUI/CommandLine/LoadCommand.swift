import ArgumentParser

/// `ombi load`: requests as a script of a load engine, and the engine that runs it.
struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Load-test requests with k6 or Locust.",
        discussion: """
            Writes the requests as a script and runs the engine, which has to be installed. Values that others capture are \
            obtained first, rows of data are taken by turns, and expectations and the SLA are checked. Secrets are \
            variables of the engine's process, never in the script. What the engine cannot do is a line on standard error. \
            The result is a row of the history.
            Exit status: 0 success; 1 a request failed or a limit was missed; 2 invalid command line or file; \
            3 the engine, a worker or a file could not be used; \
            129 hung up; 130 interrupted; 143 terminated.
            """)

    enum Engine: String, ExpressibleByArgument, CaseIterable {
        case k6, locust

        var engine: LoadEngine {
            switch self {
            case .k6: .k6
            case .locust: .locust
            }
        }
    }

    @Argument(
        help: "The requests: COLLECTION[/FOLDER[/REQUEST]], by file or name of the collection (default: all).",
        completion: .selections)
    var selections: [String] = []

    @Option(help: "The engine: k6 or locust.")
    var engine: Engine

    @Option(parsing: .unconditional, help: "The number of users, who send the requests one after the other.")
    var users: Int

    @Option(parsing: .unconditional, help: "The length of the load, such as 30s or 5m.")
    var duration: String

    @Option(parsing: .unconditional, help: "The requests begun in a second by all users together: 50/s or 0.5.")
    var rate: String?

    @Option(
        name: .shortAndLong, help: "The environment (default: the first of the collection).", completion: .environments)
    var environment: String?

    @Option(
        name: .customLong("tag"),
        help: "Send only the requests with one of these tags; '!slow' leaves out those with it. Repeatable.",
        completion: .tags)
    var tags: [String] = []

    @Option(help: "Take the rows of a file by turns, with their values as variables.", completion: .file())
    var data: String?

    @Option(help: "Fail unless the statistics hold: 'p95<500ms', 'max<2s', 'eventual>=99%'. Repeatable.")
    var threshold: [String] = []

    @Option(parsing: .unconditional, help: "Locust: the number of worker processes on this machine.")
    var workers: Int?

    @Option(parsing: .unconditional, help: "Locust: join the master on this host, which has the results.")
    var master: String?

    @Option(name: .customLong("to"), help: "Keep the script in this file.", completion: .file())
    var target: String?

    @Flag(help: "Write the script, and run nothing.")
    var dryRun = false

    @Option(help: "The output format: text or json.")
    var output = OutputFormat.text

    @OptionGroup var access: AccessOptions

    func validate() throws {
        let allowed = LoadPlan.users
        try require(
            allowed.contains(users), "--users takes a number from \(allowed.lowerBound) to \(allowed.upperBound).")
        try require((1...1000).contains(workers ?? 1), "--workers takes a number from 1 to 1000.")
        try require(
            engine == .locust || workers == nil && master == nil,
            "k6 has no workers; leave out --workers and --master, or use --engine locust.")
        try require(workers == nil || master == nil, "--workers and --master exclude each other.")
        try require(
            master.map({ !$0.isEmpty && !$0.hasPrefix("-") }) ?? true,
            "--master takes the name or the address of a host.")
        try require(master == nil || threshold.isEmpty, "The master has the results; leave out --threshold.")
        _ = try (plan(), thresholds())
    }

    private func plan() throws -> LoadPlan {
        guard let length = try PolicyOptions.duration(duration, "--duration") else {
            throw ValidationError("--duration takes a time, such as 5m.")
        }
        var plan = LoadPlan(users: users, duration: length, rate: try LoadOptions.rate(rate))
        for case .percentile(let percent) in try thresholds().map(\.measure) where !plan.percentiles.contains(percent) {
            plan.percentiles.append(percent)
        }
        return plan
    }

    private func thresholds() throws -> [Threshold] { try Threshold.list(threshold) }

    func run() throws {
        let rows = try data.map(Selection.rows)
        let selected = try Selection.jobs(selections, environment: environment, tags: tags)
        try access.variables.warn(about: selected)
        let jobs = JobList(selected, rows: rows)
        try require(
            !jobs.isEmpty,
            selected.isEmpty ? "No request is selected." : "The file of --data has no rows; nothing would be sent.")
        let surroundings = Headless.Surroundings(
            overrides: Overrides(variables: try access.variables.values()), secrets: try access.secrets(),
            gate: try access.gate.gate(), asking: access.gate.asking, allowsProtected: access.allowProtected)
        let session = try Headless.session(jobs, surroundings)
        let plan = try plan()
        let script = try ExitStatus.misuse.onError {
            try session.loadScript(selected.map(\.order), row: rows?.first, plan, for: engine.engine)
        }
        for loss in script.losses { StandardError.report(loss) }
        if dryRun, target == nil { return StandardOutput.print(script.text) }
        let files = selected.map(\.order.file)
        let conditions = LoadResult.Conditions(
            startedAt: Date(), environment: selected.first?.order.environment, plan: plan,
            files: files.indices.filter { files.firstIndex(of: files[$0]) == $0 }.map { files[$0] })
        try send(script, rows, conditions, isRecorded: selected.allSatisfy(\.order.isRecorded))
    }
}

extension LoadCommand {
    private func send(
        _ script: LoadScript, _ rows: DataRows?, _ conditions: LoadResult.Conditions, isRecorded: Bool
    ) throws {
        if let target {
            try Self.write(script.text + "\n", to: target, mode: nil)
            if let rows { try Self.write(Self.json(rows), to: target + ".rows.json", mode: 0o600) }
        }
        guard !dryRun else { return }
        let name = engine.rawValue
        guard let program = LoadProcess.find(name) else {
            throw ExitStatus.inputOutput.reporting(
                "\(name) is not installed: PATH has no such program; --dry-run --to FILE writes the script")
        }
        let base = Screen.environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let folder = try ExitStatus.inputOutput.onError { try LoadProcess.makeFolder(in: base) }
        defer { LoadProcess.remove(folder) }
        let path = folder + (engine == .k6 ? "/load.js" : "/load.py")
        try Self.write(script.text, to: path, mode: 0o600)
        var environment = script.environment.merging(conditions.plan.variables(for: engine.engine)) { $1 }
        environment[LoadScript.resultVariable] = folder + "/result.json"
        if let rows {
            environment[LoadScript.rowsVariable] = folder + "/rows.json"
            try Self.write(Self.json(rows), to: folder + "/rows.json", mode: 0o600)
        }
        let arguments = [program] + self.arguments(script: path, conditions.plan)
        let (status, interruption) = try ExitStatus.inputOutput.onError {
            try LoadProcess.run(arguments, in: folder, environment: environment) { line in
                StandardError.print("\(name): " + SafeText.line(script.masked(line)))
            }
        }
        let bytes = try? PosixFileSystem().read(folder + "/result.json")
        let result = bytes.flatMap { LoadResult(String(decoding: $0, as: UTF8.self), names: script.requests) }
        try finish(result, status: status, interruption, conditions, isRecorded: isRecorded)
    }

    /// Prints the result, and throws the exit status of a load that did not succeed.
    private func finish(
        _ result: LoadResult?, status: Int32, _ interruption: ExitStatus?, _ conditions: LoadResult.Conditions,
        isRecorded: Bool
    ) throws {
        guard let result else {
            if let interruption { throw interruption }
            if master != nil, status == 0 { return }
            throw ExitStatus.inputOutput.reporting(
                "\(engine.rawValue) ended with status \(status), without results; see its lines above")
        }
        let results = try thresholds().map { ($0, $0.failure(of: result.total)) }
        output.show([result.table], result.json(engine.engine, results, conditions))
        if isRecorded, result.total.count > 0 { record(result, results, conditions) }
        let failures = results.compactMap(\.1)
        for failure in failures + (result.lossWords.map { [$0] } ?? []) { StandardError.report(failure) }
        if let interruption { throw interruption }
        if result.total.count == 0 { StandardError.report("nothing was sent") }
        guard result.total.count > 0, result.total.failed == 0, failures.isEmpty else { throw ExitStatus.failure }
        if result.lostWorkers > 0 { throw ExitStatus.inputOutput }
    }

    /// Adds the result to the history. Without it the load has ended all the same.
    private func record(
        _ result: LoadResult, _ thresholds: [(Threshold, String?)], _ conditions: LoadResult.Conditions
    ) {
        guard let history = access.history() else { return }
        history.printProblems()
        var recorded = conditions
        recorded.files = conditions.files.map { history.resolved(ItemPath(file: $0)).file }
        let json = result.json(engine.engine, thresholds, recorded)
        do { _ = try Task { try await history.add(json, at: conditions.startedAt) }.wait() } catch {
            StandardError.report("the load is not in the history: \(error)")
        }
    }

    /// The arguments of the engine. None of them is a text of the collection.
    private func arguments(script: String, _ plan: LoadPlan) -> [String] {
        switch engine {
        case .k6: return ["run", "--no-color", script]
        case .locust:
            if let master { return ["-f", script, "--worker", "--master-host", master] }
            let users = "\(plan.users)"
            return [
                "-f", script, "--headless", "--only-summary", "-u", users, "-r", users, "-t", plan.length(for: .locust),
                "--stop-timeout", "10", "--enable-rebalancing",
            ] + (workers.map { ["--processes", "\($0)"] } ?? [])
        }
    }

    private static func write(_ text: String, to path: String, mode: UInt32?) throws {
        try ExitStatus.inputOutput.onError {
            try OutputFile.write(text, to: path, overwriting: true, mode: mode)
        }
    }

    private static func json(_ rows: DataRows) -> String {
        JSONValue.array(
            rows.map { row in .object(row.variables.map { JSONValue.Member($0.name, .string($0.value)) }) }
        ).compact
    }
}

/// Reads the texts of the options for a load.
enum LoadOptions {
    /// The requests of a load that may be in flight, where the command line does not say.
    static let maximumInFlight = 100

    /// Reads `50`, `50/s` or `0.5`; nil for no option.
    static func rate(_ text: String?) throws -> Double? {
        guard let text else { return nil }
        guard let rate = RateStage.rate(text), RunPlan.rates.contains(rate) else {
            let limits = RunPlan.rates
            throw ValidationError("--rate takes a number from \(limits.lowerBound) to \(Int(limits.upperBound)).")
        }
        return rate
    }

    /// Reads `10s:50/s,1m:200/s`; empty for no option.
    /// - Parameter rate: the one at the beginning; nil for 0.
    static func stages(_ text: String?, from rate: Double?) throws -> [RateStage] {
        guard let text else { return [] }
        guard let stages = RateStage.list(text) else {
            throw ValidationError(
                "--stages \(text): write durations and rates, such as 10s:50/s,1m:200/s, at most "
                    + "\(RateStage.maximumCount).")
        }
        try require(
            ArrivalSchedule(stages, from: rate ?? 0).time(of: 0) != nil,
            "--stages \(text): nothing would be sent; name a time with a rate above 0.")
        return stages
    }
}
