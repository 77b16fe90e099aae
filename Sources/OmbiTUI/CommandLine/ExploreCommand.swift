import ArgumentParser
import OmbiPlatform

/// `ombi [PATH…]`: the terminal front end.
struct ExploreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore", abstract: "Open collections in the explorer (the default).")

    @Argument(
        help: "Collection files, or folders that contain some; or one incident bundle.", completion: .collectionFiles)
    var paths: [String] = []

    @Option(name: .shortAndLong, help: "The environment to send requests in.", completion: .environments)
    var environment: String?

    /// A path that does not exist may be a subcommand with a typo. The explorer creates collection files only.
    func validate() throws {
        if let pipe = paths.first(where: PipedFile.isPipe) {
            throw ValidationError("\(pipe) is a pipe, which nothing can be saved to; ombi list, check and run read it.")
        }
        guard let word = paths.first(where: { access($0, F_OK) != 0 }) else { return }
        let file = word + ".json"
        let isName = access(file, F_OK) == 0
        let hint = isName ? "; did you mean \"\(file)\"?" : Spelling.hint(for: word, in: Ombi.commands)
        guard !hint.isEmpty || !word.hasSuffix(".json") else { return }
        throw ValidationError("there is no file or folder \"\(word)\"\(hint.isEmpty ? Self.remedy(word) : hint)")
    }

    /// The words on a name that no file and no command nearly has.
    private static func remedy(_ word: String) -> String {
        if Ombi.commands.contains(word) { return "; a command comes first: ombi \(word)" }
        return word.contains("/") || word.contains(".") ? "" : "; ombi help lists the commands"
    }

    func run() throws {
        MainActor.assumeIsolated {
            Explorer.run(paths: paths.isEmpty ? ["."] : paths, environment: environment)
        }
    }
}

/// Opens the terminal front end and runs it to its end.
@MainActor
enum Explorer {
    /// The paths of a command line that has only paths, `.` when it is empty; nil for any other.
    static func plainPaths(_ arguments: [String]) -> [String]? {
        let paths = Array(arguments.dropFirst())
        guard !paths.isEmpty else { return ["."] }
        let arePaths = paths.allSatisfy {
            ($0.contains("/") || $0.hasSuffix(".json")) && access($0, F_OK) == 0 && !PipedFile.isPipe($0)
        }
        return arePaths ? paths : nil
    }

    /// The folder that is opened, or the one that Ombi was started in; with `~` for the home folder.
    private static func folder(of paths: [String]) -> String {
        var path = FileManager.default.currentDirectoryPath
        if let first = paths.first, first != ".", let real = realpath(first, nil) {
            path = String(cString: real)
            free(real)
        }
        guard let home = Screen.environment("HOME"), !home.isEmpty, home != "/" else { return path }
        return path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    /// - Parameters:
    ///   - remembers: false where each start is the first.
    ///   - trusted: collections that are part of the program.
    ///   - own: a history in place of the user's.
    static func run(
        paths: [String], environment: String? = nil, overrides: Overrides = Overrides(), remembers: Bool = true,
        trusted: [String] = [], history own: History? = nil
    ) -> Never {
        guard (try? ThreadRoom.check()) != nil else { exit(ExitStatus.failure.rawValue) }
        let bundle = own == nil ? Self.bundle(in: paths) : nil
        let remembers = remembers && bundle == nil
        do throws(TerminalError) {
            let configuration = ConfigurationFile.load(environment: Screen.environment)
            let screen = try configuration.openScreen()
            let loop = MainLoop(terminalKeys: TerminalKeys.read)
            let keymap = configuration.keymap(over: .standard)
            let questions = Questions()
            let history = own ?? bundle?.history ?? configuration.history.open()
            var steps = SessionSteps.asking(questions, gate: Gate(builtIn: trusted)).recording(in: history)
            let tokens = remembers ? TokenStore.standard(configuration.tokens) : nil
            steps.tokens = { tokens }
            var state = AppState(size: screen.size, keymap: keymap, overrides: overrides)
            state.startFolder = folder(of: paths)
            state.showsSparklines = configuration.history.showsSparklines
            let application = Application(
                display: screen, loop: loop, state: state,
                session: Session(overrides: overrides, steps: steps),
                questions: questions, history: history, clipboard: configuration.clipboard,
                watchCommand: configuration.watch.command, commandsPage: { ManualsCommand.pageOfExplorer() })
            application.open(
                paths, environment: environment, memory: remembers ? MemoryFile.standard(for: paths) : nil)
            configuration.notice.map(application.show)
            let ending = application.run()
            screen.close()
            application.finishRuns()
            // Now there is a terminal again to say on what is lost.
            history?.printProblems()
            history?.finish()
            bundle?.remove()
            exit(ExitStatus.number(after: ending, else: .success))
        } catch {
            bundle?.remove()
            StandardError.report(error.words)
            exit(ExitStatus.misuse.rawValue)
        }
    }

    /// Opens the bundle that is the only path, before there is a screen; ends the program where it cannot be read.
    private static func bundle(in paths: [String]) -> OpenedBundle? {
        do throws(OpenedBundle.Failure) { return try OpenedBundle.find(in: paths) } catch {
            StandardError.report(error.description)
            exit(ExitStatus.misuse.rawValue)
        }
    }
}
