import ArgumentParser
import OmbiWorkspace

/// The options of all commands that send requests: the values and secrets to fill in, where requests may go, and the
/// history that keeps the runs.
struct AccessOptions: ParsableArguments {
    @OptionGroup var variables: VariableOptions

    @Option(help: "Read environment variables for secrets from a file of NAME=value lines.", completion: .file())
    var envFile: String?

    @Flag(help: "Also send POST, PUT, PATCH and DELETE to protected environments.")
    var allowProtected = false

    @Flag(help: "Do not record these runs.")
    var noRecord = false

    @OptionGroup var gate: GateOptions

    /// Returns the secrets of the system, with those of `--env-file`; reports a file that cannot be read.
    func secrets() throws -> Session.Secrets {
        guard let envFile else { return SecretReader.system }
        let content = try InputFile.content(envFile)
        do throws(Problem) { return try SecretReader.system(withEnvFile: content, named: envFile) } catch {
            StandardError.print(SafeText.line(error.description))
            throw ExitStatus.misuse
        }
    }

    /// Opens the history; returns nil if the runs are not recorded.
    func history() -> History? { noRecord ? nil : ConfigurationFile.headless().history.open() }
}
