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
            3 a file could not be read, or the output could not be written; 130 interrupted; 143 terminated.
            """,
        version: Program.version,
        subcommands: [
            ExploreCommand.self, DemoCommand.self, NewCommand.self, SendCommand.self, RunCommand.self,
            LoadCommand.self, CheckCommand.self, ListCommand.self, ImportCommand.self, RecordCommand.self,
            ExportCommand.self, FilterCommand.self, ViewCommand.self, DiffCommand.self, SpecCommand.self,
            GraphQLCommand.self, TrustCommand.self, HistoryCommand.self, MarkCommand.self, IncidentCommand.self,
            TapeCommand.self,
            DoctorCommand.self, CompletionsCommand.self, ManualsCommand.self, HelpCommand.self,
        ],
        defaultSubcommand: ExploreCommand.self)

    /// The text of an error that a command finds while it runs, with the usage of that command.
    static func message(of error: ValidationError, in command: any ParsableCommand.Type) -> String {
        let usage = usageString(for: command)
        let name = usage.split(separator: " ").prefix { $0.first?.isLetter ?? false }.joined(separator: " ")
        return "Error: \(error.message)\nUsage: \(usage)\n  See '\(name) --help' for more information."
    }

    /// Prints requested output: help, the version, or names for a shell, which are those of the files in any locale.
    private static func show(_ text: String) {
        guard CommandLine.arguments.dropFirst().first == "---completion" else { return StandardOutput.show(text) }
        if !text.isEmpty { StandardOutput.print(text) }
    }

    /// Parses the arguments, runs the command, and exits.
    static func run() -> Never {
        do {
            var command = try parseAsRoot()
            do { try command.run() } catch let error as ValidationError {
                StandardError.print(SafeText.lines(message(of: error, in: type(of: command))))
                leave(.misuse)
            }
            leave(.success)
        } catch let status as ExitStatus {
            leave(status)
        } catch {
            let code = exitCode(for: error)
            if code == .success {
                show(fullMessage(for: error))
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
    exit(([.interrupted, .terminated].contains(status) ? status : .inputOutput).rawValue)
}
