import ArgumentParser
import OmbiCore
import OmbiWorkspace

/// The options of the commands that send requests of people.
struct SendingOptions: ParsableArguments {
    @OptionGroup var variables: VariableOptions

    @Option(help: "Read environment variables for secrets from a file of NAME=value lines.", completion: .file())
    var envFile: String?

    @Option(parsing: .unconditional, help: "Attempts after the first one; overrides the files.")
    var retries: Int?

    @Option(parsing: .unconditional, help: "The limit over all attempts of a request, such as 2s or 500ms.")
    var sla: String?

    @Option(parsing: .unconditional, help: "The limit of one attempt, such as 2s or 500ms.")
    var timeout: String?

    @Flag(help: "Show the requests as they would be sent, and send nothing.")
    var dryRun = false

    @Flag(help: "Also send POST, PUT, PATCH and DELETE to protected environments.")
    var allowProtected = false

    @Flag(help: "Do not record these runs.")
    var noRecord = false

    @OptionGroup var gate: GateOptions

    func validate() throws {
        guard (retries ?? 0) >= 0, (retries ?? 0) <= 1000 else {
            throw ValidationError("--retries takes a number from 0 to 1000.")
        }
        _ = try overrides()
    }

    func overrides() throws -> Overrides {
        Overrides(variables: try variables.values(), policy: try policy())
    }

    func policy() throws -> RequestPolicy {
        RequestPolicy(
            retries: retries, sla: try Self.duration(sla, "--sla"), timeout: try Self.duration(timeout, "--timeout"))
    }

    /// - Parameter gate: one that knows more than the options; nil for theirs.
    func surroundings(_ gate: Gate? = nil) throws -> Headless.Surroundings {
        Headless.Surroundings(
            overrides: try overrides(), secrets: try secrets(), gate: try gate ?? self.gate.gate(),
            asking: self.gate.asking, allowsProtected: allowProtected,
            history: noRecord ? nil : ConfigurationFile.headless().history.open())
    }

    /// Shows the requests as they would be sent.
    func show(_ jobs: JobList, gate: Gate? = nil, asJSON: Bool = false) throws {
        try DryRun.show(
            jobs, overrides: try overrides(), secrets: try secrets(), gate: try gate ?? self.gate.gate(),
            asking: self.gate.asking, asJSON: asJSON)
    }

    func secrets() throws -> Session.Secrets { try envFile.map(EnvFileOption.secrets) ?? SecretReader.system }

    static func duration(_ text: String?, _ option: String) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = DurationText.parse(text), duration > .zero else {
            throw ValidationError("\(option) \(text): \(DurationText.form).")
        }
        return duration
    }
}
