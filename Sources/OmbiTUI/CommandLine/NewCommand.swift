import ArgumentParser

/// `ombi new`: the file of a new collection, as the explorer begins one.
struct NewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a collection in the current folder.",
        discussion: "Exit status: 0 success; 2 the file exists, or the command line is wrong; 3 it was not written.")

    @Argument(
        help: "The name of the collection, FOLDER/NAME, or its file NAME.json (default: the name of the folder).")
    var name: String?

    @Option(help: "The host of its first environment, such as https://api.example.com.")
    var host: String?

    func validate() throws {
        try require(name != "", "the name is empty")
        guard let host, let problem = Workbench.problem(ofHost: host) else { return }
        throw ValidationError("--host \(host): \(problem)")
    }

    func run() throws {
        let (name, path) = try place()
        guard FileStamp(path) == nil else {
            let word = ShellQuotes.word(path)
            throw ExitStatus.misuse.reporting("\(path) exists; `ombi \(word)` opens it, or write another name")
        }
        _ = try ExitStatus.inputOutput.onError {
            try NewCollection.create(Workbench.newCollection(name, host: host ?? ""), at: path)
        }
        StandardOutput.print(SafeText.line(path))
        let request = ShellQuotes.word(path + "/NAME")
        StandardError.print(
            line: "`ombi \(ShellQuotes.word(path))` opens it; `ombi send URL --save \(request)` adds a request")
    }

    private func place() throws -> (name: String, path: String) {
        if let name, name.hasSuffix(".json"), name != ".json", !name.hasSuffix("/.json") {
            let file = name.split(separator: "/").last.map(String.init) ?? name
            return (String(file.dropLast(".json".count)), name)
        }
        if let name, let slash = name.lastIndex(of: "/") {
            let (folder, last) = (NewCollection.folder(of: name), String(name[slash...].dropFirst()))
            try require(!last.isEmpty, "\(name) is a folder; write \(name)NAME")
            try require(
                PosixFileSystem().isFolder(folder),
                "there is no folder \(folder); create it, or write a name without a slash")
            return (last, CollectionFinder.path(of: NewCollection.fileName(for: last) + ".json", in: folder))
        }
        let current = FileManager.default.currentDirectoryPath.split(separator: "/").last.map(String.init)
        let name = name ?? current ?? "collection"
        let folder = NewCollection.folder(opened: ["."], files: CollectionFinder.load(["."]).map(\.path))
        return (name, CollectionFinder.path(of: NewCollection.fileName(for: name) + ".json", in: folder))
    }
}

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
