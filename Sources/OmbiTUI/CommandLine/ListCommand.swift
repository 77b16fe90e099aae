import ArgumentParser
import OmbiWorkspace

/// `ombi list`: the requests, in the form that `ombi run` takes.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests, named as `ombi run` takes them.")

    @Argument(help: "Collections, folders in them, or requests: COLLECTION[/FOLDER[/REQUEST]].")
    var selections: [String] = []

    func run() throws {
        for job in try Selection.jobs(selections, environment: nil) {
            StandardOutput.print(
                SafeText.line("\(job.request.method.rawValue.padded(to: 7)) \(job.name)"))
        }
    }
}
