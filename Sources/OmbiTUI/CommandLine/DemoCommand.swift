import ArgumentParser
import OmbiWorkspace

/// `ombi demo`: the explorer on a built-in API; without a terminal the same requests headless.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Explore a built-in demo API that works offline.",
        discussion:
            "It has a history of its own, with a bad afternoon to look at, and a second collection that asks before it sends anything of this machine. Without a terminal, the requests are sent as by ombi run --tag '!person', and the results printed."
    )

    func run() throws {
        let collection: String
        let server: DemoServerProcess
        do {
            collection = try Installation.demoCollection()
            server = try DemoServerProcess.start()
        } catch {
            StandardError.print("ombi: \(error)")
            throw ExitStatus.inputOutput
        }
        defer { server.stop() }
        let overrides = Overrides(variables: [Variable("port", String(server.port))])
        if StandardOutput.isTerminal, StandardInput.isTerminal {
            let own = DemoCopy.make(of: collection) ?? collection
            let history = DemoHistory.open(collection: own, port: server.port)
            MainActor.assumeIsolated {
                Explorer.run(
                    paths: [own, DemoCopy.asking(beside: own)], overrides: overrides, remembers: false, trusted: [own],
                    history: history
                )
            }
        }
        // Nobody signs in here.
        let jobs = JobList(try Selection.jobs([collection], environment: nil, tags: ["!person"]))
        try Headless.run(
            jobs, report: RunReport(jobs, output: .table),
            Headless.Surroundings(
                overrides: overrides, gate: Gate(builtIn: [collection]), allowsProtected: false))
    }
}
