import ArgumentParser

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The command line: one file for each subcommand; the explorer is the default.
struct Ombi: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ombi", abstract: "Explore, edit and replay API requests in the terminal.",
        discussion: """
            Without a subcommand, ombi opens the collections in PATH (default: the current folder).
            Exit status: 0 success; 1 a request failed; 2 invalid command line or file; \
            3 a file could not be read, or the output could not be written; 130 interrupted.
            """,
        version: "0.1.0",
        subcommands: [
            ExploreCommand.self, DemoCommand.self, RunCommand.self, CheckCommand.self, ListCommand.self,
            ImportCommand.self, ExportCommand.self, FilterCommand.self, ViewCommand.self, DiffCommand.self,
            TrustCommand.self, HistoryCommand.self, IncidentCommand.self, DoctorCommand.self,
        ],
        defaultSubcommand: ExploreCommand.self)

    /// Parses the arguments, runs the command, and exits.
    static func run() -> Never {
        do {
            var command = try parseAsRoot()
            try command.run()
            leave(.success)
        } catch let status as ExitStatus {
            leave(status)
        } catch {
            let code = exitCode(for: error)
            if code == .success {
                // Requested output: help, the version, a completion script for a shell.
                StandardOutput.print(fullMessage(for: error))
                leave(.success)
            }
            StandardError.print(SafeText.lines(fullMessage(for: error)))
            leave(code == .validationFailure ? .misuse : .failure)
        }
    }
}

/// Ends the process. Reports output that could not be written, whatever the status.
private func leave(_ status: ExitStatus) -> Never {
    ResultOutput.standard.flush()
    guard let failure = ResultOutput.standard.failure else { exit(status.rawValue) }
    StandardError.print("ombi: cannot write the output: \(failure)")
    exit(status == .interrupted ? status.rawValue : ExitStatus.inputOutput.rawValue)
}
