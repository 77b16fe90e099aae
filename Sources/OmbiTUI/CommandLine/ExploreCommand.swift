import ArgumentParser
import OmbiWorkspace

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `ombi [PATH…]`: the terminal front end.
struct ExploreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explore", abstract: "Open collections in the explorer (the default).")

    @Argument(help: "Collection files, or folders that contain some.", completion: .collectionFiles)
    var paths: [String] = []

    @Option(name: .shortAndLong, help: "The environment to send requests in.", completion: .environments)
    var environment: String?

    /// A path that does not exist may be a subcommand with a typo. The explorer creates collection files only.
    func validate() throws {
        guard let word = paths.first(where: { access($0, F_OK) != 0 }) else { return }
        let hint = Spelling.hint(
            for: word, in: Ombi.configuration.subcommands.compactMap { $0.configuration.commandName })
        guard !hint.isEmpty || !word.hasSuffix(".json") else { return }
        throw ValidationError("there is no file or folder \"\(word)\"\(hint)")
    }

    func run() throws {
        MainActor.assumeIsolated {
            Explorer.run(paths: paths.isEmpty ? ["."] : paths, environment: environment)
        }
    }
}
