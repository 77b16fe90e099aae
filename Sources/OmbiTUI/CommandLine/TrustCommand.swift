import ArgumentParser

/// `ombi trust`: lets collections send what is this machine's own to the servers that they name, after asking.
struct TrustCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Allow collections to send secrets and files of this machine where they say, after asking.",
        discussion: """
            A grant holds for one source and one destination: scheme, host and port, the proxy in between, and how the \
            server is verified. A file that sends it elsewhere asks again.
            Exit status: 0 allowed; 1 not allowed; 2 invalid command line or file; 3 a file could not be read or written.
            """)

    @Argument(help: "Collection files, or folders that contain some.", completion: .collectionFiles)
    var paths: [String] = []

    @Flag(help: "List the grants.")
    var list = false

    @Flag(help: "Revoke all grants of the files.")
    var revoke = false

    @Option(
        name: .customLong("grant"),
        help: """
            Grant one source to one destination without asking: NAME=URL; *=URL is any source, commands as well. Repeatable.
            """)
    var grants: [String] = []

    func validate() throws {
        if let pipe = paths.first(where: PipedFile.isPipe) {
            throw ValidationError(
                "\(pipe) is a pipe, which no grant can be kept for; use --trust or --grant of the run.")
        }
        if list, revoke || !paths.isEmpty { throw ValidationError("--list goes alone.") }
        if !list, paths.isEmpty { throw ValidationError("Name a collection file, or --list.") }
        _ = try GateOptions.patterns(grants)
    }

    func run() throws {
        guard let store = GrantStore.standard else {
            throw ExitStatus.inputOutput.reporting(
                "there is no home folder to keep grants in; set HOME or XDG_STATE_HOME")
        }
        if list { return show(store) }
        if revoke { return try end(store) }
        try ask(Gate(store: store))
    }

    private func show(_ store: GrantStore) {
        let grants = store.grants
        if grants.isEmpty {
            StandardError.report("no collection has a grant; `ombi trust FILE` gives it after asking")
        }
        var last = ""
        for grant in grants {
            if grant.collection != last { StandardOutput.print(SafeText.line(grant.collection)) }
            last = grant.collection
            StandardOutput.print("    " + SafeText.line(grant.text) + (grant.day.isEmpty ? "" : "  (\(grant.day))"))
        }
    }

    private func end(_ store: GrantStore) throws {
        for path in paths {
            let count = try ExitStatus.inputOutput.onError { try store.revoke(path) }
            StandardError.print(
                SafeText.line(path) + (count > 0 ? ": \(Count.of(count, "grant")) revoked" : " had no grants"))
        }
    }

    private func ask(_ gate: Gate) throws {
        var isRefused = false
        var steps = SessionSteps()
        steps.gate = gate
        let session = Session(steps: steps)
        for file in try Selection.load(paths) {
            guard let collection = file.collection else { continue }
            let flows = session.flows(of: collection, file: file.path)
            if try !grant(flows, gate, file.path) { isRefused = true }
        }
        if isRefused { throw ExitStatus.failure }
    }

    /// Returns false without a yes.
    private func grant(_ flows: [Flow], _ gate: Gate, _ file: String) throws -> Bool {
        let path = SafeText.line(file)
        let patterns = try GateOptions.patterns(grants)
        if !patterns.isEmpty {
            let wanted = patterns.flatMap { $0.flows(among: flows) }
            guard !wanted.isEmpty, !patterns.contains(where: { $0.isIncomplete(among: flows) }) else {
                StandardError.print(
                    "\(path) " + (wanted.isEmpty ? "uses nothing of that name" : "sends it another way")
                        + (flows.isEmpty ? "" : "; write one of:"))
                for flow in flows { StandardError.print("    " + SafeText.line(flow.pattern)) }
                return false
            }
            try ExitStatus.inputOutput.onError {
                try gate.grant(GateQuestion(file: file, flows: wanted), .allowed)
            }
            return true
        }
        guard let question = gate.question(about: flows, of: file) else {
            StandardError.print("\(path) " + (flows.isEmpty ? "needs no trust" : "is trusted already"))
            return true
        }
        StandardOutput.print("What \(path) wants:")
        for line in question.lines { StandardOutput.print("    " + SafeText.line(line)) }
        guard try isYes() else { return false }
        if let question = gate.question(about: flows, of: file) {
            try ExitStatus.inputOutput.onError { try gate.grant(question, .allowed) }
        }
        return true
    }

    private func isYes() throws -> Bool {
        guard let answer = ControllingTerminal.line(prompt: "Allow it? [y/N] ") else {
            throw ExitStatus.misuse.reporting(
                "there is no terminal to ask on; --grant NAME=URL allows one of these without asking, "
                    + "ombi run --trust all of them for one run")
        }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
