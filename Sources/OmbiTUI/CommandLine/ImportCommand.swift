import ArgumentParser

/// `ombi import`: requests of other tools.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Turn the requests of other tools into a collection.",
        subcommands: [ImportFileCommand.self, ImportCurlCommand.self], defaultSubcommand: ImportFileCommand.self)

    /// Prints notes with the places that they are about.
    static func report(_ notes: [ImportNote], of source: String) {
        for note in notes {
            let kind = note.kind == .loss ? "warning" : "note"
            let place = "\(note.file ?? source):\(note.position.line):\(note.position.column)"
            StandardError.print(line: "\(place): \(kind): \(note)")
        }
    }

    /// Returns what is read of a source. Prints an error with its place, and throws the exit status.
    static func reading<Value>(_ source: String, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch let error as ImportError {
            let place = "\(error.file ?? source):\(error.position.line):\(error.position.column)"
            StandardError.print(SafeText.lines("\(place): error: \(error.message)\n\(error.excerpt)"))
            throw ExitStatus.misuse
        }
    }
}

/// `ombi import curl`: command lines of curl.
struct ImportCurlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "curl", abstract: "Turn curl commands into requests, and say what could not be kept.",
        usage: """
            ombi import curl [--to COLLECTION.json[/FOLDER]] [FILE | -]
            ombi import curl [--to COLLECTION.json[/FOLDER]] [curl] OPTION… URL…
            """,
        discussion: """
            Reads commands as browsers and API clients copy them, for bash, zsh, cmd.exe and PowerShell. Without --to, \
            the collection is printed. Files that -d @FILE and the like name are read.
            Exit status: 0 success; 2 a command or the collection has an error; 3 a file could not be read or written.
            """)

    @Option(
        help: ArgumentHelp(
            "Add the requests to this collection, which is created if need be.", valueName: "collection"),
        completion: .collectionFiles)
    var to: String?

    @Argument(
        parsing: .captureForPassthrough, help: "A file of commands, - for standard input, or one command.",
        completion: .file())
    var words: [String] = []

    mutating func run() throws {
        if words == ["--help"] || words == ["-h"] { throw CleanExit.helpRequest(self) }
        try takeTarget()
        let (source, commands) = try input()
        var unreadable: [FileError] = []
        let files = { (path: String) -> [UInt8]? in
            do throws(FileError) { return try Self.content(path) } catch {
                unreadable.append(error)
                return nil
            }
        }
        let imported = try ImportCommand.reading(source) { () throws -> ImportedRequests in
            switch commands {
            case .script(let text):
                try CurlImport.read(text) { CurlImport.mayRead($0) ? files($0) : nil }.withOwnVariables
            case .typed(let text): try CurlImport.read(text, files: files).withOwnVariables
            case .words(let words): try CurlImport.read(words: words, files: files)
            }
        }
        guard unreadable.isEmpty else {
            for error in unreadable { StandardError.report(error.description) }
            throw ExitStatus.inputOutput
        }
        ImportCommand.report(imported.notes, of: source)
        guard let target = try to.map(ImportTarget.init) else {
            var collection = Collection(name: "imported")
            collection.put(imported.requests.map(CollectionItem.request), .root)
            // Escaped, JSON says the same.
            return StandardOutput.write(
                StandardOutput.isTerminal ? RunJSON.escaped(collection.text) : collection.text)
        }
        try target.add(imported.requests)
    }

    /// Takes `--to` from the words: curl has no such option, so it may stand behind the others.
    private mutating func takeTarget() throws {
        guard let index = words.firstIndex(of: "--to") else { return }
        try require(index + 1 < words.count, "--to needs a collection")
        to = words[index + 1]
        words.removeSubrange(index...index + 1)
    }

    private enum Commands {
        /// Those of a file or a pipe, for a shell which is yet to be recognized. Somebody else may have written them.
        case script(String)
        case typed(String)
        /// A command whose quotes a shell has taken away.
        case words([String])
    }

    /// Returns a name for messages, and the commands.
    private func input() throws -> (source: String, commands: Commands) {
        guard let first = words.first, words != ["-"] else {
            try require(
                words == ["-"] || !StandardInput.isTerminal,
                "name a file of curl commands, - for standard input, or the command itself")
            return ("-", .script(try Self.text(of: "-")))
        }
        if words.count == 1, CurlImport.recognizes(first) { return ("curl", .typed(first)) }
        if words.count == 1, !first.hasPrefix("http"), !first.hasPrefix("-") {
            return (first, .script(try Self.text(of: first)))
        }
        let hasName = ["curl", "curl.exe"].contains(first)
        return ("curl", .words(hasName ? words : ["curl"] + words))
    }

    private static func text(of path: String) throws -> String {
        let content = try InputFile.content(path)
        return try ImportCommand.reading(path) { try CurlImport.text(content) }
    }

    /// The content of a file that an option names; nil for a large one, and for the standard input.
    private static func content(_ path: String) throws(FileError) -> [UInt8]? {
        let files = PosixFileSystem()
        guard path != "-", files.size(path) <= maximumFile else { return nil }
        return try files.read(path)
    }

    /// In bytes.
    private static let maximumFile = 10 << 20
}

/// A collection file, which may not exist yet, and a folder in it.
struct ImportTarget {
    let path: String
    private let folder: [String]

    /// Splits `COLLECTION.json/FOLDER`.
    init(_ text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let end = parts.lastIndex(where: { $0.hasSuffix(".json") }) else {
            throw ValidationError("--to \(text): write COLLECTION.json or COLLECTION.json/FOLDER")
        }
        path = parts[...end].joined(separator: "/")
        folder = parts[(end + 1)...].filter { !$0.isEmpty }
    }

    func add(_ requests: [SavedRequest]) throws {
        var (collection, fingerprint) = try open()
        let before = collection
        let requests = requests.map { request in
            let request = request.relocated(from: ".", to: path)
            return collection.environments.lazy.compactMap { request.relative(to: $0) }.first ?? request
        }
        try insert(requests, into: &collection)
        _ = try ExitStatus.inputOutput.onError {
            try CollectionFile.save(collection, to: path, expecting: fingerprint)
        }
        let secrets = CollectionFile.load(path).plainSecrets
        for problem in secrets?.problems(since: before) ?? [] {
            StandardError.print(line: problem.description)
        }
        let place = ([path] + folder).joined(separator: "/")
        let renamed = requests.compactMap { request in
            collection.item(request.id).flatMap { $0.name == request.name ? nil : "\(request.name) as \($0.name)" }
        }
        let names = renamed.isEmpty ? "" : ", " + renamed.joined(separator: ", ")
        StandardError.print(line: "added \(Count.of(requests.count, "request")) to \(place)\(names)")
    }

    private func open() throws -> (Collection, Fingerprint) {
        guard FileManager.default.fileExists(atPath: path) else {
            let file = path.split(separator: "/").last.map(String.init) ?? path
            return (Collection(name: String(file.dropLast(".json".count))), .absent)
        }
        let loaded = CollectionFile.load(path)
        ProblemLines(loaded.problems).report()
        guard let collection = loaded.collection else {
            throw loaded.isUnreadable ? ExitStatus.inputOutput : ExitStatus.misuse
        }
        return (collection, loaded.fingerprint)
    }

    /// Creates the folders that are missing. A request whose name is taken gets a number.
    private func insert(_ requests: [SavedRequest], into collection: inout Collection) throws {
        var (place, siblings) = (Collection.Place.root, collection.items)
        for name in folder {
            let named = siblings.filter { $0.name == name }
            let known = named.lazy.compactMap { if case .folder(let folder) = $0 { folder } else { nil } }.first
            guard known != nil || named.isEmpty else {
                throw ExitStatus.misuse.reporting("\(name) is a request, not a folder")
            }
            let folder = known ?? Folder(name: name)
            if known == nil { collection.insert(.folder(folder), place) }
            (place, siblings) = (.into(folder.id), folder.items)
        }
        collection.put(requests.map(CollectionItem.request), place)
    }
}
