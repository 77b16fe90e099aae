import ArgumentParser

/// `ombi check`: every problem in collection files and settings, with its position.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Validate collection files: every problem with file, line and column.",
        discussion: "Exit status: 0 no errors; 2 errors, or invalid command line; 3 a file cannot be read or written.")

    @Argument(
        help: "Collection files, or folders that contain some, - for standard input; the file of settings, or a theme.",
        completion: .collectionFiles)
    var paths: [String] = []

    @Flag(
        help: """
            Rewrite valid files in the canonical layout, for short diffs in teams that edit by hand; on a terminal, offer to \
            move secrets out of them.
            """)
    var fix = false

    @OptionGroup var reporting: ReportOption

    func validate() throws {
        guard fix, let pipe = paths.first(where: PipedFile.isPipe) else { return }
        throw ValidationError("--fix cannot write to \(pipe), which is a pipe; name a file.")
    }

    func run() throws {
        try reporting.check()
        let (collections, cases, areSettingsBroken) = checkSettings()
        if collections.isEmpty, !paths.isEmpty {
            try report(cases)
        } else {
            try check(collections.isEmpty ? ["."] : collections, behind: cases)
        }
        if areSettingsBroken { throw ExitStatus.misuse }
    }

    private func report(_ cases: [ReportedRun]) throws {
        try reporting.write(Findings(command: "ombi check", unit: "case", cases: cases))
    }

    /// - Parameter cases: those of files that are no collections.
    private func check(_ paths: [String], behind cases: [ReportedRun]) throws {
        // A local file is checked with the collection that it belongs to.
        let paths = paths.map(CollectionFinder.owner)
        if paths.contains(where: PipedFile.isStandardInput) { StandardInput.announce() }
        let loaded = CollectionFinder.loadOnce(paths).map { $0.specified() }
        // Errors that show on the screen where they are, and only a run stumbles over.
        let further = loaded.map { file -> [Problem] in
            // Also of a file that is right beside one that is not.
            let own = CollectionCheck.problems(
                in: file.fingerprint.bytes ?? [], file: file.path, beside: file.collection,
                isWhole: file.collection != nil)
            guard file.collection != nil else { return own }
            return own + file.problemsOfOperations + file.problemsOfQueries() + file.problemsBeside
                + file.problemsWithLocalHosts
                + (file.plainSecrets?.problems ?? [])
        }
        let named = loaded.map(\.problemsWithNamedFiles)
        for (own, more) in zip(named, further) { show(own + more) }
        if fix { try rewrite(try PlainSecretsOffer.make(to: loaded) ? CollectionFinder.load(paths) : loaded) }
        let broken = loaded.indices.filter { index in
            loaded[index].collection == nil || (named[index] + further[index]).contains { $0.severity == .error }
        }
        let requests = loaded.reduce(0) { $0 + ($1.collection?.requestCount ?? 0) }
        guard !loaded.isEmpty else {
            throw ExitStatus.misuse.reporting("no collection files found; name one, or a folder that contains some")
        }
        try report(
            cases + loaded.indices.flatMap { ReportedRun.cases(of: loaded[$0].path, named[$0] + further[$0]) })
        if loaded.allSatisfy(\.isUnreadable) { throw ExitStatus.inputOutput }
        StandardError.print(
            "\(Count.of(loaded.count, "file")), \(Count.of(requests, "request")), \(broken.count) broken")
        if loaded.contains(where: \.isUnreadable) { throw ExitStatus.inputOutput }
        if !broken.isEmpty { throw ExitStatus.misuse }
    }

    private func checkSettings() -> (others: [String], cases: [ReportedRun], hasErrors: Bool) {
        var (others, cases, hasErrors): ([String], [ReportedRun], Bool) = ([], [], false)
        for path in paths {
            guard !PipedFile.isPipe(path), let problems = ConfigurationFile.check(path, environment: Screen.environment)
            else {
                others.append(path)
                continue
            }
            show(problems)
            cases += ReportedRun.cases(of: path, problems)
            hasErrors = hasErrors || problems.contains { $0.severity == .error }
        }
        return (others, cases, hasErrors)
    }

    /// A program that reads the list gets all of it.
    private func show(_ problems: [Problem]) {
        guard !reporting.replacesOutput else { return }
        let lines =
            StandardOutput.isTerminal
            ? ProblemLines(problems, remedy: "a pipe or a file gets all").lines : problems.map(ProblemLines.line)
        for line in lines { StandardOutput.print(line) }
    }

    private func rewrite(_ loaded: [LoadedCollection]) throws {
        for file in loaded {
            guard let collection = file.collection, Fingerprint(bytes: Array(collection.text.utf8)) != file.fingerprint
            else { continue }
            _ = try ExitStatus.inputOutput.onError {
                try CollectionFile.save(collection, to: file.path, expecting: file.fingerprint, layout: .canonical)
            }
            StandardError.print("rewrote \(SafeText.line(file.path))")
        }
    }
}

extension LoadedCollection {
    /// True when the file could not be read at all, as opposed to having errors.
    var isUnreadable: Bool { collection == nil && fingerprint == .absent }
}

/// Offers to move the secrets that stand in collections into the local files beside them.
enum PlainSecretsOffer {
    /// Asks about each secret. Returns false where nothing was moved: without a terminal nothing is.
    static func make(to loaded: [LoadedCollection]) throws -> Bool {
        var isMoved = false
        for file in loaded {
            guard let secrets = file.plainSecrets, !secrets.found.isEmpty else { continue }
            guard file.collection?.defaultEnvironment != nil else {
                StandardError.print("\(SafeText.line(file.path)) has no environment, which a secret needs")
                continue
            }
            var chosen: [PlainSecret] = []
            for secret in secrets.found {
                let question =
                    "\(file.path):\(secret.position.line): move \(secret.kind) into the local file, and write "
                    + "{{\(secret.name)}}? [y/N] "
                guard let answer = ControllingTerminal.line(prompt: SafeText.line(question)) else { return isMoved }
                if ["y", "yes"].contains(answer.lowercased()) { chosen.append(secret) }
            }
            guard !chosen.isEmpty else { continue }
            try ExitStatus.inputOutput.onError { try secrets.move(chosen, expecting: file.fingerprint) }
            isMoved = true
            MovedSecrets.grant(chosen, in: file.path)
            StandardError.print("moved \(Count.of(chosen.count, "secret")) out of \(SafeText.line(file.path))")
        }
        return isMoved
    }
}

/// The problems of one file as lines for people: one mistake of a program that writes files comes ten thousand times.
struct ProblemLines {
    static let maximumLines = 20

    let lines: [String]
    private let problems: [Problem]

    /// Errors come first where not all problems are shown.
    /// - Parameter remedy: the clause that says how to see all of them.
    init(_ problems: [Problem], remedy: String = "`ombi check` prints all") {
        self.problems = problems
        guard let file = problems.first?.file, problems.count > Self.maximumLines else {
            lines = problems.map(Self.line)
            return
        }
        let ordered = problems.filter { $0.severity == .error } + problems.filter { $0.severity != .error }
        let rest = Count.of(problems.count - Self.maximumLines, "more problem")
        lines = ordered.prefix(Self.maximumLines).map(Self.line) + [SafeText.line("\(file): \(rest); \(remedy)")]
    }

    static func line(_ problem: Problem) -> String { SafeText.line(problem.description) }

    func report() {
        for line in lines { StandardError.print(line) }
        OwedReports.hear(problems)
    }
}
