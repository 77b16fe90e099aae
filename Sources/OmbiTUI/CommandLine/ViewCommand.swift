import ArgumentParser

/// `ombi view`: the viewer of responses as a pager.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "View JSON, text or bytes in the response viewer, as a pager.",
        discussion: """
            Enter folds JSON and XML, / finds, | filters with JSONPath, ! pipes the body, the selected rows or the filtered \
            values to a shell command; ? lists the keys. A pipe is shown while it arrives. CSV, TSV, Markdown, YAML and \
            JSON Lines are recognized by the file name. If the output is not a terminal, the input is copied to it \
            unchanged.
            Exit status: 0 viewed; 2 no terminal; 3 the file could not be read.
            """)

    @Argument(help: "A file; - is standard input.", completion: .file())
    var file = "-"

    func run() throws {
        guard file != "-" || !StandardInput.isTerminal else {
            throw ExitStatus.misuse.reporting("nothing to view: name a file, or pipe something into ombi view")
        }
        let input = try ExitStatus.inputOutput.onError { try ViewInput(file) }
        guard StandardOutput.isTerminal else {
            return try ExitStatus.inputOutput.onError {
                try input.copy {
                    ResultOutput.standard.write($0)
                    return !ResultOutput.standard.isClosed
                }
            }
        }
        let name = file == "-" ? "standard input" : file
        try Pager.takeTerminal()
        MainActor.assumeIsolated { Pager.run(name: SafeText.line(name), input: input) }
    }
}

/// `ombi diff`: two bodies compared, in the pager or as text.
struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare two bodies: JSON by values (1.0 is 1), other text by lines.",
        discussion: """
            White space, escapes and the order of members are ignored in JSON, line ends in text; for other bytes the \
            first difference is printed. On a terminal the comparison opens in the pager of ombi view; ? lists its keys. \
            Invalid JSON is compared by lines.
            Exit status: 0 no differences; 1 differences found; 2 invalid command line; 3 a file could not be read.
            """)

    @Argument(help: "The older file; - is standard input.", completion: .file())
    var old: String

    @Argument(help: "The newer file; - is standard input.", completion: .file())
    var new: String

    @Option(parsing: .unconditional, help: ArgumentHelp("Lines of context around a difference.", valueName: "lines"))
    var context = 3

    func validate() throws {
        try require(context >= 0, "--context takes 0 or more lines, not \(context)")
        try require(old != "-" || new != "-", "only one of the two can be standard input")
    }

    func run() throws {
        let (before, after) = try ExitStatus.inputOutput.onError { (try Self.body(old), try Self.body(new)) }
        guard let comparison = BodyComparison(from: before, to: after, context: context) else { return }
        try Self.show(comparison, name: "\(before.name) -> \(after.name)")
    }

    private static func body(_ path: String) throws -> NamedBody {
        let input = try ViewInput(path)
        return NamedBody(
            name: SafeText.line(path == "-" ? "standard input" : path),
            document: BodyDocument(try input.all(), contentType: nil))
    }

    private static func show(_ comparison: BodyComparison, name: String) throws {
        guard let text = comparison.text else {
            // A pipe gets nothing, as scripts expect.
            if StandardOutput.isTerminal { StandardOutput.show(comparison.summary) }
            return
        }
        guard StandardOutput.isTerminal else {
            if let note = comparison.note { StandardError.report(note) }
            FilterOutput().write(text.raw)
            throw ExitStatus.failure
        }
        try Pager.takeTerminal()
        MainActor.assumeIsolated {
            Pager.run(
                name: "\(name) · \(comparison.summary)", document: text, differences: comparison.positions,
                status: .failure)
        }
    }
}
