import ArgumentParser

/// `ombi [PATH…]`: the terminal front end.
struct ExploreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore", abstract: "Open collections in the explorer (the default).")

    @Argument(help: "Collection files, or folders that contain some.")
    var paths: [String] = []

    @Option(name: .shortAndLong, help: "The environment to send requests in.")
    var environment: String?

    func run() throws {
        MainActor.assumeIsolated {
            Explorer.run(paths: paths.isEmpty ? ["."] : paths, environment: environment)
        }
    }
}
