import ArgumentParser
import OmbiTerminal

/// `ombi help`: the manual page of a command, laid out for the terminal.
///
/// Hidden, since the parser describes a command of that name by itself.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help", abstract: "Show the manual page of a command.", shouldDisplay: false)

    @Argument(help: "The words of the command, such as history list.")
    var words: [String] = []

    func run() throws {
        guard let page = ManualsCommand.pagesOfCommands.first(where: { $0.name == .command(["ombi"] + words) }) else {
            let name = (["ombi"] + words).joined(separator: " ")
            throw ValidationError("There is no command \(name); ombi help lists the commands.")
        }
        let isTerminal = StandardOutput.isTerminal
        let columns = isTerminal ? TerminalOutput.size().columns : 80
        StandardOutput.show(ManualLayout.text(page, columns: columns, isBold: isTerminal))
    }
}
