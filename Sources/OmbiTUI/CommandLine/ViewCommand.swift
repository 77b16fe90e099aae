import ArgumentParser
import OmbiTerminal
import OmbiViewer

/// `ombi view`: the viewer of responses as a pager.
struct ViewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Look at JSON, text or bytes: the response viewer as a pager.",
        discussion: """
            JSON and XML fold, / finds, | filters with JSONPath, ! runs a shell command, which gets the bytes as they \
            came, the rows that are selected, or what a filter selected, a value a line; ? lists the keys. A pipe is \
            shown while it delivers. The name of a file says whether it is CSV, TSV, Markdown, YAML or JSON Lines where \
            its text does not. When the output is no terminal, the input is copied to it as it is.
            Exit status: 0 looked at; 2 there is no terminal to show it on; 3 the file could not be read.
            """)

    @Argument(help: "A file; - is standard input.")
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
