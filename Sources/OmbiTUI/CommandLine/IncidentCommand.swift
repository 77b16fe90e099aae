import ArgumentParser

/// `ombi incident`: what was recorded in a time, in one file to hand over.
struct IncidentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "incident",
        abstract:
            "Write a report on the runs in a time range: attempts, waits, causes, curl commands, and statistics before and during it.",
        discussion: """
            Secrets are masked. Exit status: 0; 1 nothing was recorded in that time; 2 invalid command line or file; \
            3 the history could not be read, or the report not be written.
            """)

    @Argument(help: "The time: 14:05..14:20 (today), 2026-11-22T14:05..14:20, or 2h for the last two hours.")
    var range: String?

    @Argument(
        help: "One collection, folder or request: COLLECTION[/FOLDER[/REQUEST]] (default: all).",
        completion: .selections)
    var selection: String?

    @Option(
        parsing: .unconditional,
        help: "The start, instead of a range: 2026-11-23T14:05, 14:05 (today or yesterday), or 2h (ago).")
    var since: String?

    @Option(parsing: .unconditional, help: "The end, with --since (default: now).")
    var until: String?

    @Option(help: "The length up to now, instead of a range: 30m, 2h.")
    var last: String?

    @Option(name: .shortAndLong, help: "The environment.", completion: .environments)
    var environment: String?

    @Flag(help: "The form of the report: Markdown, the default; one file of HTML; or an HTTP archive (HAR 1.2).")
    var format = IncidentFormat.markdown

    @Option(help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"), completion: .file())
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Write a file with the requests and all attempts instead, which ombi FILE opens and ombi tape serves.",
            valueName: "file"),
        completion: .file())
    var bundle: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    func validate() throws {
        try require(
            bundle == nil || out == nil && format == .markdown,
            "--bundle writes a file of its own; leave --out and the form of the report out.")
    }

    /// The range and the selection: with an option for the time the only argument is the selection.
    private func parts() throws -> (range: String, selection: String?) {
        guard since != nil || last != nil else {
            try require(until == nil, "--until needs --since.")
            guard let range else { throw ValidationError("Name the time: \(IncidentRange.form).") }
            return (range, selection)
        }
        try require(selection == nil, "Name the time once: as a range, with --since, or with --last.")
        try require(
            (since == nil || last == nil) && (last == nil || until == nil), "--last goes without --since and --until.")
        return (since.map { "\($0)..\(until ?? "")" } ?? "\(last ?? "")..", range)
    }

    func run() throws {
        let (text, selection) = try parts()
        let range: IncidentRange
        do throws(IncidentRange.Failure) { range = try IncidentRange(text, now: Date()) } catch {
            throw ValidationError("\(text): \(error.reason).")
        }
        let filter = try Self.filter(selection, environment)
        if let bundle { return try write(range, filter, to: bundle) }
        let (selected, name) = (filter, selection)
        let incident = try HistoryCommand.withHistory { history in
            try await Incident.find(range, history.resolved(selected), selection: name, in: history)
        }
        guard !incident.runs.isEmpty else { throw Self.nothing() }
        guard let out else { return StandardOutput.write(format.text(incident)) }
        try write(format.text(incident), to: out)
    }

    private static func nothing() -> ExitStatus { .failure.reporting("nothing was recorded in that time") }

    /// The runs of one item with all below it, or of everything.
    static func filter(_ selection: String?, _ environment: String?) throws -> HistoryFilter {
        var filter = HistoryFilter()
        if let selection {
            let paths = try Selection.paths([selection])
            try require(paths.count == 1, "Name one collection, folder or request.")
            filter.item = paths[0]
            filter.includesContents = true
        }
        filter.environment = environment
        return filter
    }

    private func write(_ range: IncidentRange, _ filter: HistoryFilter, to path: String) throws {
        let bundle = try HistoryCommand.withHistory { history in
            try await Incident.bundle(range, history.resolved(filter), in: history)
        }
        guard let bundle else { throw Self.nothing() }
        try write(bundle.text, to: path)
        StandardError.report("\(Count.of(bundle.runs, "run")) in \(path)")
    }

    private func write(_ text: String, to path: String) throws {
        do throws(FileError) { try OutputFile.write(text, to: path, overwriting: force) } catch {
            let advice = error.code == FileError.isThere ? "; --force replaces it" : ""
            throw ExitStatus.inputOutput.reporting(error.description + advice)
        }
    }
}

extension IncidentFormat: EnumerableFlag {
    static func name(for value: IncidentFormat) -> NameSpecification {
        value == .markdown ? [.long, .customLong("md")] : .long
    }
}
