import ArgumentParser
import OmbiPlatform

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
            let hint = Spelling.hint(for: words.first ?? "", in: Ombi.commands)
            throw ValidationError(
                "There is no command \(name)" + (hint.isEmpty ? "; ombi help lists the commands." : hint))
        }
        let isTerminal = StandardOutput.isTerminal
        let columns = isTerminal ? TerminalOutput.size().columns : 80
        StandardOutput.show(ManualLayout.text(page, columns: columns, isBold: isTerminal))
    }
}

/// `ombi manuals`: the manual pages, for the script that installs Ombi.
struct ManualsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manuals", abstract: "Write the manual pages.",
        discussion: "Exit status: 0 success; 3 a file could not be read or written.", shouldDisplay: false)

    @Argument(help: "The folder that gets man1, man5 and man7, such as /usr/local/share/man.")
    var folder: String

    /// The pages of `ombi` and its subcommands, from the only description of the whole command line that the parser
    /// gives: `ombi --experimental-dump-help` prints the same.
    static var pagesOfCommands: [ManualPage] {
        CommandDescription(dump: Ombi._dumpHelp()).map { CommandManual.pages($0) } ?? []
    }

    static func pageOfExplorer() -> String { CommandsPage.text(pagesOfCommands) }

    func run() throws {
        try ExitStatus.inputOutput.onError {
            let pages = try Self.pagesOfCommands + [pageOfCollections(), KeysManual.page(.standard)]
            for page in pages { try write(page) }
        }
    }

    private func pageOfCollections() throws -> ManualPage {
        let schema = try InputFile.content(try Installation.collectionSchema())
        return try CollectionManual.page(schema: String(decoding: schema, as: UTF8.self))
    }

    private func write(_ page: ManualPage) throws {
        // A folder that cannot be made is reported by the file that is saved in it.
        for path in [folder, "\(folder)/man\(page.name.section)"] { mkdir(path, 0o777) }
        try FileReplacement.save(page.source, to: "\(folder)/\(page.path)")
    }
}

/// Opens the pager of `ombi view` and `ombi diff`, and runs it to its end.
enum Pager {
    @MainActor
    static func run(name: String, input: ViewInput) -> Never {
        run(input: input, status: .success) { PagerState(name: name, size: $0, keymap: $1) }
    }

    /// Shows a complete document.
    /// - Parameter differences: the offset of each difference in a comparison.
    @MainActor
    static func run(name: String, document: BodyDocument, differences: [Int], status: ExitStatus) -> Never {
        run(input: nil, status: status) {
            PagerState(name: name, size: $0, document: document, differences: differences, keymap: $1)
        }
    }

    @MainActor
    private static func run(
        input: ViewInput?, status: ExitStatus, _ makeState: (Size, Keymap) -> PagerState
    ) -> Never {
        do throws(TerminalError) {
            let configuration = ConfigurationFile.load(environment: Screen.environment)
            let screen = try configuration.openScreen()
            let loop = MainLoop(terminalKeys: TerminalKeys.read)
            let state = makeState(screen.size, configuration.keymap(over: .pager))
            let application = Application(
                display: screen, loop: loop, state: state, input: input, clipboard: configuration.clipboard,
                commandsPage: { ManualsCommand.pageOfExplorer() })
            application.start(state.start)
            configuration.notice.map(application.show)
            let ending = application.run()
            screen.close()
            exit(ExitStatus.number(after: ending, else: status))
        } catch {
            StandardError.report(error.words)
            exit(ExitStatus.misuse.rawValue)
        }
    }

    /// Opens the terminal as standard input when that is not one.
    static func takeTerminal() throws(ExitStatus) {
        if StandardInput.isTerminal { return }
        let terminal = open("/dev/tty", O_RDWR)
        defer { if terminal >= 0 { close(terminal) } }
        guard terminal >= 0, dup2(terminal, 0) == 0 else {
            throw ExitStatus.misuse.reporting("there is no terminal to read keys from")
        }
    }
}
