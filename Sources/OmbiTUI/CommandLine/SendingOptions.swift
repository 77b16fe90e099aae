import ArgumentParser
import OmbiCore
import OmbiWorkspace

/// The options of the commands that send requests of people.
struct SendingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Attempts after the first one; overrides the files.")
    var retries: Int?

    @Option(parsing: .unconditional, help: "The limit over all attempts of a request, such as 2s or 500ms.")
    var sla: String?

    @Option(parsing: .unconditional, help: "The limit of one attempt, such as 2s or 500ms.")
    var timeout: String?

    @Flag(help: "Show the requests as they would be sent, and send nothing.")
    var dryRun = false

    @OptionGroup var access: AccessOptions

    func validate() throws {
        guard (retries ?? 0) >= 0, (retries ?? 0) <= 1000 else {
            throw ValidationError("--retries takes a number from 0 to 1000.")
        }
        _ = try overrides()
    }

    func overrides() throws -> Overrides {
        Overrides(variables: try access.variables.values(), policy: try policy())
    }

    func policy() throws -> RequestPolicy {
        RequestPolicy(
            retries: retries, sla: try Self.duration(sla, "--sla"), timeout: try Self.duration(timeout, "--timeout"))
    }

    /// - Parameter gate: one that knows more than the options; nil for theirs.
    func surroundings(_ gate: Gate? = nil) throws -> Headless.Surroundings {
        Headless.Surroundings(
            overrides: try overrides(), secrets: try access.secrets(), gate: try gate ?? access.gate.gate(),
            asking: access.gate.asking, allowsProtected: access.allowProtected, history: access.history())
    }

    /// Shows the requests as they would be sent.
    func show(_ jobs: JobList, gate: Gate? = nil, asJSON: Bool = false) throws {
        try DryRun.show(
            jobs, overrides: try overrides(), secrets: try access.secrets(), gate: try gate ?? access.gate.gate(),
            asking: access.gate.asking, asJSON: asJSON)
    }

    static func duration(_ text: String?, _ option: String) throws -> Duration? {
        guard let text else { return nil }
        guard let duration = DurationText.parse(text), duration > .zero else {
            throw ValidationError("\(option) \(text): \(DurationText.form).")
        }
        return duration
    }
}
