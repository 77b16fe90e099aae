#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens the pager of `ombi view` and runs it to its end.
@MainActor
enum Pager {
    static func run(name: String, input: ViewInput) -> Never {
        do throws(TerminalError) {
            let screen = try Screen.open(mouse: true)
            let loop = MainLoop(terminalKeys: TerminalKeys.read)
            let state = PagerState(name: name, size: screen.size)
            let application = Application(display: screen, loop: loop, state: state, input: input)
            application.start(state.start)
            application.run()
            screen.close()
            exit(ExitStatus.success.rawValue)
        } catch {
            StandardError.print("ombi: \(error)")
            exit(ExitStatus.misuse.rawValue)
        }
    }
}
