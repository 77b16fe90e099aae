import ArgumentParser

/// `ombi tape`: recorded responses, served again.
struct TapeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tape",
        abstract: "Serve recorded responses with their delays and broken connections, to try a service's retries.",
        discussion: """
            Each request gets its recorded responses in order, attempts that failed among them; the last one \
            repeats. A request is recognized by method, path and query, and by its body where those are the same. One \
            that was not recorded gets 501 with the nearest that was. The first line of output is the URL. \
            Exit status: 0 ended by Ctrl+C or SIGTERM; 1 nothing was recorded; 2 invalid command line or bundle; \
            3 the history could not be read, or the port not be opened.
            """)

    @Argument(
        help: "The time: 14:05..14:20 (today), 2026-11-22T14:05..14:20, or 2h; or the file of an incident bundle.",
        completion: .file())
    var source: String

    @Argument(
        help: "One collection, folder or request: COLLECTION[/FOLDER[/REQUEST]]; of a bundle, [FOLDER/]REQUEST.",
        completion: .selections)
    var selection: String?

    @Option(name: .shortAndLong, help: "The environment.", completion: .environments)
    var environment: String?

    @Option(parsing: .unconditional, help: "The port (default: any that is free).")
    var port = 0

    @Option(help: "The IPv4 address to listen on; 0.0.0.0 lets other machines in.")
    var host = "127.0.0.1"

    @Option(help: "The speed: 10x is ten times as fast, 0 waits for nothing.")
    var speed = "1x"

    func validate() throws {
        try require((0...65_535).contains(port), "--port takes a number from 0 to 65535.")
        try require(TapeSocket.isAddress(host), "--host \(host): write an IPv4 address, such as 127.0.0.1.")
        try require(TapeSpeed(speed) != nil, "--speed \(speed): write 10x, 0.5x or 0.")
    }

    func run() throws {
        let tape = try namesFile ? ofBundle() : ofHistory()
        guard tape.takeCount > 0 else {
            throw ExitStatus.failure.reporting("there is no recorded response to serve")
        }
        let server = try ExitStatus.inputOutput.onError { try TapeServer(host: host, port: port) }
        let interrupt = Interrupt { server.stop() }
        StandardOutput.print(server.url)
        if tape.runCount >= Tape.maximumRuns {
            StandardError.report(
                "these are the newest \(Tape.maximumRuns) runs; a shorter time or a request has others")
        }
        StandardError.report(
            "\(Count.of(tape.requestCount, "request")), \(Count.of(tape.takeCount, "response")); Ctrl+C ends it"
                + (TapeSocket.isLoopback(host) ? "" : "; other machines can read them"))
        server.run(tape, TapeSpeed(speed) ?? .recorded) { event in
            StandardOutput.print(SafeText.line(Self.line(event)))
        }
        withExtendedLifetime(interrupt) {}
    }

    /// `GET /orders/7  503 Service Unavailable, 2 of 5, in 1.2 s`
    private static func line(_ event: TapeConnection.Event) -> String {
        let target = event.target.count > maximumTarget ? event.target.prefix(maximumTarget) + "…" : event.target[...]
        return "\(event.method) \(target)  \(event.result)"
    }

    /// In characters.
    private static let maximumTarget = 200

    // MARK: Runs

    /// True for a bundle, and for a path of none: what is wrong with that is not its time.
    private var namesFile: Bool {
        OpenedBundle.isBundle(source) || source.hasSuffix(".json") || source.contains("/")
    }

    private func ofBundle() throws -> Tape {
        let bundle = try ExitStatus.misuse.onError { try OpenedBundle(source) }
        defer { bundle.remove() }
        var filter = HistoryFilter()
        filter.environment = environment
        if let selection {
            filter.item = ItemPath(file: source, path: selection.split(separator: "/").map(String.init))
            filter.includesContents = true
        }
        try ThreadRoom.check()
        let (history, selected) = (bundle.history, bundle.history.resolved(filter))
        return try ExitStatus.inputOutput.onError { try Task { try await Tape.read(selected, of: history) }.wait() }
    }

    private func ofHistory() throws -> Tape {
        let range: IncidentRange
        do throws(IncidentRange.Failure) { range = try IncidentRange(source, now: Date()) } catch {
            throw ValidationError("\(source): \(error.reason), or name an incident bundle.")
        }
        let selected = try IncidentCommand.filter(selection, environment).limited(to: range)
        return try HistoryCommand.withHistory { history in
            try await Tape.read(history.resolved(selected), of: history)
        }
    }
}

extension Tape {
    fileprivate static let maximumRuns = 1000
    /// The bytes of all bodies that are kept in memory.
    private static let maximumBodies = 64 << 20

    /// Reads the newest runs of a selection, with the contents of all attempts.
    fileprivate static func read(_ filter: HistoryFilter, of history: History) async throws(HistoryError) -> Tape {
        let entries = try await history.entries(filter, limit: maximumRuns)
        var tape = Tape()
        var room = maximumBodies
        for entry in entries.reversed() {
            guard let run = try await history.run(entry.id, includesBody: room > 0) else { continue }
            room -= run.result.receivedResponse?.body?.count ?? 0
            room -= (run.result.report?.attempts ?? []).reduce(0) { $0 + ($1.received?.body?.count ?? 0) }
            tape.add(run)
        }
        return tape
    }
}

/// `ombi record`: a collection made of what an application sends.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Pass requests on to a server, and record them in a collection and in the history.",
        discussion: """
            An application that uses the URL that is the first line of output reaches the server as before. Requests \
            that differ in numbers, UUIDs and other identifiers of their paths are one request with path parameters; \
            what the collection has already stays as it is. Credentials go into the local file next to it, and are \
            masked in the history. Host and Accept-Encoding are those of the proxy; Location and the domains of \
            cookies still name the server.
            Exit status: 0 ended by Ctrl+C or SIGTERM; 2 invalid command line or collection; \
            3 the port could not be opened, or the collection not be written.
            """)

    @Option(
        help: ArgumentHelp("The collection to write, or to add to.", valueName: "collection"),
        completion: .collectionFiles)
    var to: String

    @Option(help: ArgumentHelp("The server: http://localhost:8080, https://api.example.com/v2.", valueName: "url"))
    var target: String

    @Option(parsing: .unconditional, help: "The port (default: any that is free).")
    var port = 0

    @Option(help: "The loopback address to listen on.")
    var host = "127.0.0.1"

    @Flag(help: "Keep no exchange in the history.")
    var noRecord = false

    func validate() throws {
        try require((0...65_535).contains(port), "--port takes a number from 0 to 65535.")
        try require(
            TapeSocket.isAddress(host) && TapeSocket.isLoopback(host),
            "--host \(host): write a loopback address, such as 127.0.0.1.")
        try require(to.hasSuffix(".json") && !to.hasSuffix(".local.json"), "--to \(to): write COLLECTION.json.")
        try require(
            ProxyTarget(target) != nil,
            "--target \(target): write a URL such as http://localhost:8080, without user, query and fragment.")
    }

    func run() throws {
        try ThreadRoom.check()
        guard let proxied = ProxyTarget(target) else { throw ValidationError("--target \(target): write a URL.") }
        let recorder = try ExitStatus.misuse.onError { try TrafficRecorder(path: to, origin: proxied.origin) }
        let server = try ExitStatus.inputOutput.onError { try RecordServer(host: host, port: port) }
        let own = ["127.0.0.1", "localhost", host].map { "http://\($0):\(server.port)" }
        try require(!own.contains(proxied.origin), "--target \(target): this is the proxy itself.")
        try record(recorder, proxied, server)
    }

    private func record(_ recorder: TrafficRecorder, _ proxied: ProxyTarget, _ server: RecordServer) throws {
        let history = noRecord ? nil : ConfigurationFile.headless().history.open()
        history?.printProblems()
        let log = TrafficLog(recorder, history: history) { line in
            StandardOutput.print(line)
        } onProblem: { problem in
            StandardError.report(problem)
        }
        let interrupt = Interrupt { server.stop() }
        StandardOutput.print(server.url)
        StandardError.report("passes requests on to \(proxied.origin)\(proxied.path); Ctrl+C ends it")
        server.run(proxied) { event in log.add(event) }
        let added = log.finish()
        withExtendedLifetime(interrupt) {}
        guard let added else { throw ExitStatus.inputOutput }
        StandardError.report("\(Count.of(added, "new request")) in \(to)")
    }
}
