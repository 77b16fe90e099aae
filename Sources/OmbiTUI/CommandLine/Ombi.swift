import ArgumentParser
import OmbiPlatform

/// The command line: one file for each subcommand; the explorer is the default.
struct Ombi: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ombi", abstract: "Explore, edit and replay API requests in the terminal.",
        discussion: """
            Without a subcommand, ombi opens the collections in PATH (default: the current folder).
            Exit status: 0 success; 1 a request failed; 2 invalid command line or file; \
            3 a file could not be read, or the output could not be written; \
            129 hung up; 130 interrupted; 143 terminated.
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

    static var commands: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

    /// The text of an error that a command finds while it runs, with the usage of that command.
    static func message(of error: ValidationError, in command: any ParsableCommand.Type) -> String {
        "Error: \(error.message)\nUsage: \(usageString(for: command))\n"
            + "  See '\(words(of: command)) --help' for more information."
    }

    /// `ombi history list`
    private static func words(of command: any ParsableCommand.Type) -> String {
        usageString(for: command).split(separator: " ").prefix { $0.first?.isLetter ?? false }.joined(separator: " ")
    }

    /// The text of an error that the parser finds.
    static func message(of error: any Error) -> String {
        UnknownOption.suggesting(fullMessage(for: error, columns: columns(in: Screen.environment))) {
            CommandDescription(dump: _dumpHelp())
        }
    }

    /// The columns of help. With fewer than 40, the parser breaks lines after each word, or leaves the texts out.
    static func columns(in environment: (String) -> String?) -> Int {
        max(environment("COLUMNS").flatMap { Int($0) } ?? TerminalOutput.size().columns, 40)
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
            do { try command.run() } catch {
                let invalid = error as? ValidationError
                if let invalid { OwedReports.hear(invalid.message) }
                OwedReports.write(words(of: type(of: command)))
                guard let invalid else { throw error }
                StandardError.print(SafeText.lines(message(of: invalid, in: type(of: command))))
                leave(.misuse)
            }
            leave(.success)
        } catch let status as ExitStatus {
            leave(status)
        } catch {
            let code = exitCode(for: error)
            if code == .success {
                show(fullMessage(for: error, columns: columns(in: Screen.environment)))
                leave(.success)
            }
            StandardError.print(SafeText.lines(message(of: error)))
            leave(code == .validationFailure ? .misuse : .failure)
        }
    }
}

/// Ends the process. Reports output that could not be written, whatever the status.
private func leave(_ status: ExitStatus) -> Never {
    ResultOutput.standard.flush()
    guard let failure = ResultOutput.standard.failure else { exit(status.rawValue) }
    StandardError.report("cannot write the output: \(failure)")
    exit((status.interruption == nil ? ExitStatus.inputOutput : status).rawValue)
}

/// The exit statuses of `ombi`. Those of one kind of failure are for `--exit-class` alone: scripts rely on 1 for any
/// failed request, and exit codes keep their meaning.
enum ExitStatus: Int32, Error {
    case success = 0
    /// A request failed, or an expectation or the SLA was not met.
    case failure = 1
    /// Invalid command line or file; nothing was sent.
    case misuse = 2
    /// A file could not be read or written.
    case inputOutput = 3
    /// Every failed request missed an expectation.
    case expectation = 4
    /// Every failed request exceeded its SLA.
    case sla = 5
    /// No failed request got a response: no connection, a timeout, or one that broke off.
    case connection = 6
    /// TLS failed for every failed request.
    case tls = 7
    /// A request to a protected environment was refused; nothing was sent.
    case protected = 8
    /// Only limits of the whole run were missed, or requests needed a retry that `--strict-retries` does not allow.
    case limit = 9
    /// Ended by SIGHUP, as the terminal was closed.
    case hungUp = 129
    /// Ended by SIGINT, such as Ctrl+C.
    case interrupted = 130
    /// Ended by SIGTERM.
    case terminated = 143

    /// The exit status of a run by the kinds of its failures, of which there is at least one; `failure` for several.
    /// Cancelled requests do not count next to others: a run that ends at a failure cancels those in flight.
    init(_ classes: Set<FailureClass>, missesLimit: Bool) {
        let causes = classes.filter { $0 != .cancelled }
        var statuses = Set((causes.isEmpty ? classes : causes).map(Self.status))
        if missesLimit { statuses.insert(.limit) }
        self = statuses.count == 1 ? statuses.first ?? .failure : .failure
    }

    private static func status(of failure: FailureClass) -> ExitStatus {
        switch failure {
        case .expectation: .expectation
        case .retries: .limit
        case .sla: .sla
        case .connection: .connection
        case .tls: .tls
        case .cancelled, .other: .failure
        }
    }

    /// The exit status of a program on the screen: that of a shell where a signal ended it, 128 and its number.
    static func number(after signal: Signal?, else status: ExitStatus) -> Int32 {
        signal.map { 128 + $0.number } ?? status.rawValue
    }
}

extension ExitStatus {
    /// Prints a message.
    /// - Returns: the status, to be thrown.
    func reporting(_ message: String) -> ExitStatus {
        StandardError.report(message)
        return self
    }

    /// Returns the value of an operation. Prints its error, and throws the status in its place.
    func onError<Value>(_ operation: () throws -> Value) throws -> Value {
        do {
            return try operation()
        } catch let status as ExitStatus {
            throw status
        } catch {
            throw reporting("\(error)")
        }
    }
}

/// Throws the error of a command line that does not meet a condition.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw ValidationError(message()) }
}

extension TerminalError {
    private static let without = "`ombi run` works without a terminal."

    /// The reason, and what to do instead.
    var words: String {
        switch self {
        case .inputIsNotATerminal:
            "Standard input is not a terminal, so there are no keys to read. Start ombi without `<` or a pipe before "
                + "it; " + Self.without
        case .outputIsNotATerminal:
            "Standard output is not a terminal, so there is nothing to draw on. Start ombi without `>` or a pipe after "
                + "it; " + Self.without
        case .noName:
            "TERM is not set, so the type of this terminal is unknown. Set it, for example "
                + "`TERM=xterm-256color ombi`; " + Self.without
        case .unknown(let name):
            "This system has no description of the terminal \"\(name)\" (TERM). Install it (Debian: package "
                + "ncurses-term) or use a similar one, for example `TERM=xterm-256color ombi`; " + Self.without
        case .cannotMoveCursor(let name):
            "The terminal \"\(name)\" (TERM) cannot move its cursor, so panes are impossible. If it can, set the right "
                + "name, for example `TERM=xterm-256color ombi`; " + Self.without
        case .system(let step, let code):
            "Could not \(step) (system error \(code)). " + Self.without
        }
    }
}

/// The error about an option that a command does not have. The parser suggests any option of about the same length, such
/// as `--tag` for `--env`.
enum UnknownOption {
    private static let start = "Error: Unknown option '"

    /// Returns a message of the parser with the option that was probably meant: one that begins like the unknown one, or
    /// a typo of it. Any other message stays as it is.
    /// - Parameter root: returns the description of all commands.
    static func suggesting(_ message: String, in root: () -> CommandDescription?) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, first.hasPrefix(start + "--"),
            let command = root()?.command(words(in: lines)[...])
        else { return message }
        let end = first.firstRange(of: "'. Did you mean '")?.lowerBound ?? first.lastIndex(of: "'") ?? first.endIndex
        let option = String(first[..<end].dropFirst(start.count))
        let names = command.arguments.flatMap(\.names).filter { $0.hasPrefix("--") }
        let suggestion = Spelling.nearest(to: option, in: names).map { ". Did you mean '\($0)'?" } ?? ""
        lines[0] = "\(start)\(option)'\(suggestion)"
        return lines.joined(separator: "\n")
    }

    /// The words of the command that a message names in its last line: `  See 'ombi run --help' for more information.`
    private static func words(in lines: [String]) -> [String] {
        let start = "  See '"
        guard let line = lines.last(where: { $0.hasPrefix(start) }) else { return [] }
        return line.dropFirst(start.count).split(separator: " ").prefix { !$0.hasPrefix("--") }.map(String.init)
    }
}

extension CommandDescription {
    /// Returns the command with these words, the first of which is the name of this one; nil for none.
    fileprivate func command(_ words: ArraySlice<String>) -> CommandDescription? {
        guard words.first == name else { return nil }
        let rest = words.dropFirst()
        return rest.isEmpty ? self : subcommands.lazy.compactMap { $0.command(rest) }.first
    }
}

/// The room for the threads that a run needs. Dispatch waits for a thread that the system does not create, without end and
/// without a message.
enum ThreadRoom {
    private static let threads = 6
    /// The bytes next to their stacks: libcurl with the libraries that it needs, and what requests take.
    private static let memory = 64 << 20

    /// Ends with a message where there is too little room.
    static func check() throws {
        guard !isEnough else { return }
        throw ExitStatus.failure.reporting(
            "the system gives too little memory, or too few threads, to send requests; "
                + "raise its limits (ulimit -v, ulimit -u)")
    }

    /// True if as many threads can be created at the same time.
    private static var isEnough: Bool {
        let flags = MAP_PRIVATE | MAP_NORESERVE | MAP_ANON
        guard let block = mmap(nil, memory, PROT_NONE, flags, -1, 0), block != MAP_FAILED else { return false }
        defer { munmap(block, memory) }
        let end = DispatchSemaphore(value: 0)
        var count = 0
        while count < threads, DetachedThread.run({ end.wait() }) { count += 1 }
        for _ in 0..<count { end.signal() }
        return count == threads
    }
}

extension Task where Failure == any Error {
    /// Blocks the thread until the task ends. Returns its value, or throws its error.
    func wait() throws -> Success { try Task<Result<Success, any Error>, Never> { await self.result }.wait().get() }
}

extension Task where Failure == Never {
    /// Blocks the thread until the task ends, and returns its value.
    func wait() -> Success {
        let value = Lock<Success?>(nil)
        let isThere = DispatchSemaphore(value: 0)
        Task<Void, Never> {
            let result = await self.value
            value.withLock { $0 = result }
            isThere.signal()
        }
        while true {
            isThere.wait()
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
