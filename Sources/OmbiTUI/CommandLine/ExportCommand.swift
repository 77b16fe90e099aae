import ArgumentParser
import OmbiWorkspace

/// `ombi export`: requests for other tools.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Print requests for other tools.",
        discussion: """
            Variables stay as {{name}} unless --resolved fills them in; in Swift they are properties. Secrets are \
            masked, also then.
            Exit status: 0 success; 2 a request cannot be resolved, or the command line is wrong; \
            3 a file could not be read.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case curl, swift
    }

    @Option(name: .customLong("as"), help: "The format: curl, for bash and zsh, or swift, for OmbiCore.")
    var format: Format

    @Argument(
        help: "Collections, folders in them, or requests: COLLECTION[/FOLDER[/REQUEST]].", completion: .selections)
    var selections: [String] = []

    @Option(
        name: .shortAndLong, help: "The environment; without it, the first one of the collection.",
        completion: .environments)
    var environment: String?

    @Flag(help: "Fill the variables in, as the request would be sent.")
    var resolved = false

    @Flag(help: "Print the secrets as well, with --resolved.")
    var revealSecrets = false

    @OptionGroup var variables: VariableOptions

    @OptionGroup var gate: GateOptions

    func validate() throws {
        if !resolved, !variables.texts.isEmpty { throw ValidationError("--set goes with --resolved") }
        if resolved, format == .swift {
            throw ValidationError("--resolved goes with --as curl: in Swift variables are properties")
        }
        if revealSecrets, !resolved { throw ValidationError("--reveal-secrets goes with --resolved") }
    }

    func run() throws {
        let session = Session(
            overrides: Overrides(variables: try variables.values()), steps: .headless(try gate.gate()))
        var texts: [String] = []
        for job in try Selection.jobs(selections, environment: environment) {
            do throws(ResolveError) {
                if resolved {
                    try Headless.prepare([job.order], session, gate.asking, toleratesRefusals: true)
                    try warnOfCaptured(job, session)
                }
                texts.append(
                    resolved
                        ? try session.curlCommand(for: job.order, revealsSecrets: revealSecrets)
                        : format == .swift ? job.order.swiftCode : job.order.shownCurl)
            } catch {
                StandardError.print("ombi: \(SafeText.line(error.description))")
                throw ExitStatus.misuse
            }
        }
        let text = texts.joined(separator: "\n\n")
        // Commands have escapes for what no terminal shows; made safe once more they would send other bytes.
        StandardOutput.print(format == .curl ? text : SafeText.lines(text))
    }

    /// Warns of variables that have no value until a request is sent.
    private func warnOfCaptured(_ job: Job, _ session: Session) throws(ResolveError) {
        for variable in try session.preview(job.order).request.variables {
            guard case .captured(let request) = variable.source else { continue }
            StandardError.print(
                SafeText.line(
                    "ombi: {{\(variable.name)}} stays in \(job.name): \(request) captures its value when it is sent"))
        }
    }
}
