import OmbiTerminal
import OmbiViewer

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens the pager of `ombi view` and `ombi diff`, and runs it to its end.
enum Pager {
    /// Shows an input as it arrives.
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
            StandardError.print("ombi: \(error.words)")
            exit(ExitStatus.misuse.rawValue)
        }
    }

    /// Opens the terminal as standard input when that is not one.
    static func takeTerminal() throws(ExitStatus) {
        if StandardInput.isTerminal { return }
        let terminal = open("/dev/tty", O_RDWR)
        defer { if terminal >= 0 { close(terminal) } }
        guard terminal >= 0, dup2(terminal, 0) == 0 else {
            StandardError.print("ombi: there is no terminal to read keys from")
            throw ExitStatus.misuse
        }
    }
}
