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
        var text = ""
        try Selection.forEach(selections) { name, request, _, _, _ in
            text += SafeText.line("\(request.method.rawValue.padded(to: 7)) \(name)") + "\n"
        }
        StandardOutput.write(Array(text.utf8))
    }
}
