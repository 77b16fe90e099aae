#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import OmbiWorkspace

/// Opens the terminal front end and runs it to its end.
@MainActor
enum Explorer {
    static func run(paths: [String], environment: String? = nil, overrides: Overrides = Overrides()) -> Never {
        do throws(TerminalError) {
            let screen = try Screen.open(mouse: true)
            let loop = MainLoop(terminalKeys: TerminalKeys.read())
            let application = Application(
                display: screen, loop: loop, paths: paths, environment: environment, overrides: overrides)
            application.run()
            screen.close()
            exit(ExitStatus.success.rawValue)
        } catch {
            StandardError.print("ombi: \(error)")
            exit(ExitStatus.misuse.rawValue)
        }
    }
}
