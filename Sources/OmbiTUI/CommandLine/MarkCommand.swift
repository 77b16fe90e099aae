import ArgumentParser

/// `ombi mark`: moments with a name in the history.
struct MarkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mark",
        abstract: "Mark a moment in the history, such as a deploy; list and remove marks.",
        discussion: """
            Marks show in the list of the history, in Statistics and in reports of incidents; \
            ombi history compare --around NAME compares the runs before and after one. Exit status: 0; \
            1 there is no such mark; 2 invalid command line; 3 the history could not be read or written.
            """)

    @Argument(help: "The name of the moment: 'deploy 1.4.2'.")
    var name: String?

    @Option(
        parsing: .unconditional,
        help: "The time: 2026-11-23T14:05, 14:05 (today or yesterday), or 2h (ago) (default: now).")
    var at: String?

    @Flag(help: "List the marks, the oldest first.")
    var list = false

    @Option(parsing: .unconditional, help: "Remove the mark with this number.")
    var remove: Int?

    @Option(help: "The output format of --list: text or json.")
    var output = OutputFormat.text

    func validate() throws {
        try require(
            [name != nil, list, remove != nil].count(where: { $0 }) == 1,
            "Name the moment, or write --list or --remove NUMBER.")
        try require(at == nil || name != nil, "--at needs a name.")
        if let name, let problem = HistoryMark.problem(ofName: name) {
            throw ValidationError("\(name): \(problem).")
        }
    }

    func run() throws {
        if let name { return try mark(name) }
        if let remove { return try end(remove) }
        let marks = try HistoryCommand.withHistory { history in try await history.marks() }
        output.show(marks.map { HistoryText.line($0) }, HistoryJSON.value(marks))
        if output == .text, marks.isEmpty { StandardError.report("no moment is marked") }
    }

    /// In seconds. A deploy is also marked shortly before it starts.
    private static let maximumLead = 300.0

    private func mark(_ name: String) throws {
        let now = Date()
        let time: Date? = if let at { HistoryTime.parse(at, now: now, ahead: Self.maximumLead) } else { now }
        guard let date = time else {
            throw ValidationError("--at \(at ?? ""): write 2026-11-23T14:05, 14:05 (today or yesterday) or 2h (ago).")
        }
        guard ConfigurationFile.headless().history.records else {
            throw ExitStatus.inputOutput.reporting("no history is kept, so nothing was marked")
        }
        let mark = try HistoryCommand.withHistory { history in
            try await history.mark(name, at: date)
        }
        StandardError.report("marked: " + HistoryText.line(mark))
    }

    private func end(_ id: HistoryMark.ID) throws {
        let isRemoved = try HistoryCommand.withHistory { history in
            try await history.removeMark(id)
        }
        guard isRemoved else {
            throw ExitStatus.failure.reporting("there is no mark \(id); ombi mark --list shows them")
        }
        StandardError.report("mark \(id) removed")
    }
}
