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
            StandardError.print("ombi: nothing to view: name a file, or pipe something into ombi view")
            throw ExitStatus.misuse
        }
        do {
            let input = try ViewInput(file)
            guard StandardOutput.isTerminal else {
                return try input.copy {
                    ResultOutput.standard.write($0)
                    return !ResultOutput.standard.isClosed
                }
            }
            let name = file == "-" ? "standard input" : file
            try Pager.takeTerminal()
            MainActor.assumeIsolated { Pager.run(name: SafeText.line(name), input: input) }
        } catch let error as FilterInputError {
            StandardError.print("ombi: \(SafeText.line(error.description))")
            throw ExitStatus.inputOutput
        }
    }
}
