import ArgumentParser
import OmbiTerminal
import OmbiWorkspace

/// `ombi list`: the requests, named as `ombi run` takes them.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests, named as `ombi run` takes them.")

    @Argument(help: "Collections, folders in them, or requests: COLLECTION[/FOLDER[/REQUEST]].")
    var selections: [String] = []

    func run() throws {
        let lines = try Selection.jobs(selections, environment: nil).map {
            SafeText.line("\($0.request.method.rawValue.padded(to: 7)) \($0.name)") + "\n"
        }
        StandardOutput.write(Array(lines.joined().utf8))
    }
}
