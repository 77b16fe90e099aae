import ArgumentParser

/// `ombi list`: the requests, named as `ombi run` takes them.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the requests, named as `ombi run` takes them.")

    @Argument(
        help: "Collections, folders in them, or requests: COLLECTION[/FOLDER[/REQUEST]].", completion: .selections)
    var selections: [String] = []

    @Option(
        name: .customLong("tag"),
        help: "List only the requests with one of these tags; '!slow' leaves out those with it. Repeatable.",
        completion: .tags)
    var tags: [String] = []

    func run() throws {
        let filter = try Selection.filter(tags)
        var (text, known) = ("", Set<String>())
        try Selection.forEach(selections) { request, folders, collection, _ in
            let tags = collection.tags(of: request, in: folders)
            known.formUnion(tags)
            guard filter.accepts(tags) else { return }
            let name = Selection.name(of: request, in: folders, of: collection)
            let end = (tags.isEmpty ? "" : " " + Tag.text(tags)) + (request.isDisabled ? " (disabled)" : "")
            text += SafeText.line("\(request.method.rawValue.padded(to: 7)) \(name)\(end)") + "\n"
        }
        guard !text.isEmpty || filter.isEmpty else { throw Selection.nothing(known) }
        StandardOutput.write(text)
    }
}
