import ArgumentParser

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
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes a number from 0 to 65535.") }
        guard TapeSocket.isAddress(host), TapeSocket.isLoopback(host) else {
            throw ValidationError("--host \(host): write a loopback address, such as 127.0.0.1.")
        }
        guard to.hasSuffix(".json"), !to.hasSuffix(".local.json") else {
            throw ValidationError("--to \(to): write COLLECTION.json.")
        }
        guard ProxyTarget(target) != nil else {
            throw ValidationError(
                "--target \(target): write a URL such as http://localhost:8080, without user, query and fragment.")
        }
    }

    func run() throws {
        try ThreadRoom.check()
        guard let proxied = ProxyTarget(target) else { throw ValidationError("--target \(target): write a URL.") }
        let recorder: TrafficRecorder
        do throws(TrafficRecorder.Failure) {
            recorder = try TrafficRecorder(path: to, origin: proxied.origin)
        } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.misuse
        }
        let server: RecordServer
        do throws(RecordServer.Failure) { server = try RecordServer(host: host, port: port) } catch {
            StandardError.print("ombi: " + SafeText.line(error.description))
            throw ExitStatus.inputOutput
        }
        let own = ["127.0.0.1", "localhost", host].map { "http://\($0):\(server.port)" }
        guard !own.contains(proxied.origin) else {
            throw ValidationError("--target \(target): this is the proxy itself.")
        }
        try record(recorder, proxied, server)
    }

    private func record(_ recorder: TrafficRecorder, _ proxied: ProxyTarget, _ server: RecordServer) throws {
        let history = noRecord ? nil : ConfigurationFile.headless().history.open()
        history?.printProblems()
        let log = TrafficLog(recorder, history: history) { line in
            StandardOutput.print(line)
        } onProblem: { problem in
            StandardError.print("ombi: " + SafeText.line(problem))
        }
        let interrupt = Interrupt { server.stop() }
        StandardOutput.print(server.url)
        StandardError.print(
            "ombi: " + SafeText.line("passes requests on to \(proxied.origin)\(proxied.path); Ctrl+C ends it"))
        server.run(proxied) { event in log.add(event) }
        let added = log.finish()
        withExtendedLifetime(interrupt) {}
        guard let added else { throw ExitStatus.inputOutput }
        StandardError.print("ombi: " + SafeText.line("\(Count.of(added, "new request")) in \(to)"))
    }
}
