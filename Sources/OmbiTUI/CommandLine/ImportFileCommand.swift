import ArgumentParser

/// `ombi import FILE…`: collections and environments of other tools, in files and folders.
struct ImportFileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file", abstract: "Turn files and folders of other tools into a collection (the default).",
        usage: """
            ombi import FILE|URL… [--from FORMAT] [--to COLLECTION.json] [--live] [--all]
                                  [--secrets local|keyring|drop]
            """,
        discussion: """
            The format is recognized by the content; of a folder, the files in it are read. Files of environments \
            and globals are joined to the collection that is named with them. Nothing in a file is run or fetched. \
            Without --to, the collection is printed. \
            A further import into the same collection is merged with the edits made since: NAME.import.json next to it \
            keeps what was imported last.
            Exit status: 0 success; 2 a file has an error, or the collection exists; \
            3 a file could not be read or written.
            """)

    @Argument(help: "Files, folders and URLs, or - for standard input.", completion: .file())
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "The format: \(Importer.all.map(\.name).joined(separator: ", ")).", valueName: "format"),
        completion: .list(Importer.all.map(\.name)))
    var from: String?

    @Option(help: ArgumentHelp("The collection to write.", valueName: "collection"), completion: .collectionFiles)
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The place of credentials: local (a file beside the collection), keyring or drop.", valueName: "place"),
        completion: .list(ImportedSecretPlace.allCases.map(\.rawValue)))
    var secrets: String = ImportedSecretPlace.local.rawValue

    @Flag(help: "Base each request on its operation of the OpenAPI document, which is then read each time.")
    var live = false

    @Flag(help: "Take the images, style sheets, scripts and the like of a HAR recording, too.")
    var all = false

    func validate() throws {
        if let from, Importer.named(from) == nil {
            let hint = Spelling.suggestion(for: from, in: Importer.all.map(\.name))
            throw ValidationError("--from \(from): no such format\(hint)")
        }
        let files = PosixFileSystem()
        if let name = paths.first, Importer.named(name) != nil, !files.isFolder(name), files.size(name) == 0 {
            throw ValidationError("\(name) is a format; write --from \(name) and the name of a file")
        }
        if let to, !to.hasSuffix(".json") || to.hasSuffix(".local.json") {
            throw ValidationError("--to \(to): write COLLECTION.json")
        }
        if live, to == nil || paths.count != 1 || paths == ["-"] || RemoteFile.url(paths[0]) != nil {
            throw ValidationError("--live: name one OpenAPI document in a file, and the collection with --to")
        }
        if ImportedSecretPlace(rawValue: secrets) == nil {
            throw ValidationError("--secrets \(secrets): write local, keyring or drop")
        }
    }

    func run() throws {
        let format = from.flatMap(Importer.named)
        var (sources, files): ([String], [Imported]) = ([], [])
        for path in paths {
            let (source, file) = try content(of: path, as: format)
            sources.append(source)
            files.append(file)
        }
        try require(
            files.count(where: { $0.requestCount > 0 }) < 2,
            "several files have requests; import each into a collection of its own")
        let imported = try ImportCommand.reading(sources[0]) { try Imported.joined(files) }
        for (source, file) in zip(sources, files) { ImportCommand.report(file.notes, of: source) }
        ImportCommand.report(imported.notes, of: sources[0])
        let losses = files.reduce(imported.losses.count) { $0 + $1.losses.count }
        guard let to else {
            let text = imported.written(keeping: .drop).text
            return StandardOutput.write(StandardOutput.isTerminal ? RunJSON.escaped(text) : text)
        }
        try write(live ? based(imported, on: sources[0], for: to) : imported, to: to, losses: losses)
    }

    /// Returns the requests of the document with what they have beyond its operations.
    private func based(_ imported: Imported, on path: String, for collection: String) throws -> Imported {
        let content = try InputFile.content(path)
        let document = try ImportCommand.reading(path) {
            try Specification(content, path: path, in: ImportFolder(of: path))
        }
        return imported.based(on: document, at: path, for: collection)
    }

    /// Returns the content of a file or a folder, with its path; of a file at the root of a folder, the whole folder's.
    private func content(of path: String, as format: Importer?) throws -> (source: String, file: Imported) {
        if let url = RemoteFile.url(path) { return try content(of: url, as: format) }
        if path != "-", PosixFileSystem().isFolder(path) {
            let mayBeDocument = format == nil || format?.name == "openapi"
            guard mayBeDocument, let document = Importer.document(inFolder: path) else {
                return try Self.content(ofFolder: path, as: format)
            }
            return try content(of: document, as: format)
        }
        let bytes = try InputFile.content(path)
        if path != "-", format == nil, let folder = Importer.folder(of: path, with: bytes) {
            return try Self.content(ofFolder: folder, as: nil)
        }
        let folder = path == "-" ? nil : ImportFolder(of: path)
        return try ImportCommand.reading(path) {
            (path, try Importer.read(bytes, from: path, in: folder, as: format, takesAll: all))
        }
    }

    private func content(of url: URL, as format: Importer?) throws -> (source: String, file: Imported) {
        try ThreadRoom.check()
        let found = try ExitStatus.inputOutput.onError { try RemoteFile.content(url) }
        return try ImportCommand.reading(found.url) {
            (found.url, try Importer.read(found.bytes, from: found.url, as: format, takesAll: all))
        }
    }

    private static func content(
        ofFolder folder: String, as format: Importer?
    ) throws -> (source: String, file: Imported) {
        try ImportCommand.reading(folder) { (folder, try Importer.read(folder: folder, as: format)) }
    }

    private func write(_ imported: Imported, to path: String, losses: Int) throws {
        let place = ImportedSecretPlace(rawValue: secrets) ?? .local
        let kept = place == .local ? imported.keptSecrets(beside: path) : []
        do throws(FileError) {
            guard try imported.write(to: path, keeping: place) else {
                StandardError.print(line: "\(path) is the same already; nothing was changed")
                return report(kept, beside: path)
            }
        } catch {
            guard error.code == FileError.isThere else { throw ExitStatus.inputOutput.reporting(error.description) }
            let merge = try ExitStatus.inputOutput.onError { try imported.merge(into: path, keeping: place) }
            // No import has made the file.
            guard let merge else {
                throw ExitStatus.misuse.reporting("\(error); write another name, or remove it first")
            }
            if let other = merge.otherSource {
                let reason = "it was imported from \"\(other)\", and this is \"\(imported.collection.name)\""
                throw ExitStatus.misuse.reporting("\(path): \(reason); write another name")
            }
            report(merge, path)
            return report(kept, beside: path)
        }
        let counts = [
            Count.of(imported.requestCount, "request"), Count.of(imported.folderCount, "folder"),
            Count.of(imported.collection.environments.count, "environment"),
        ]
        StandardError.print(line: "imported \(counts.joined(separator: ", ")) to \(path)")
        reportSecrets(of: imported, at: place, path)
        if losses > 0 { StandardError.print("\(Count.of(losses, "warning")) above: that was not imported") }
        reportUnknownVariables(of: imported)
        let word = ShellQuotes.word(path)
        StandardError.print(line: "`ombi \(word)` opens it; `ombi check \(word)` says what is left to fill in")
    }

    private func report(_ merge: ImportMerge, _ path: String) {
        for name in merge.conflicts {
            StandardError.print(line: "\(path): kept as it is, changed here and in the source: \(name)")
        }
        for name in merge.dropped {
            StandardError.print(line: "\(path): kept, though the source has it no longer: \(name)")
        }
        let changes = merge.changes.map { ": \($0)" } ?? ""
        StandardError.print(line: merge.isChanged ? "merged into \(path)\(changes)" : "nothing was changed in \(path)")
    }

    /// Names the credentials of which the source has other values.
    private func report(_ kept: [ImportedSecret], beside path: String) {
        guard !kept.isEmpty else { return }
        let (names, file) = (kept.map(\.description).joined(separator: ", "), PlainSecrets.localFile(of: path) ?? path)
        StandardError.print(line: "\(file): kept as it is, though the source has another value: \(names)")
    }

    private static let maximumNames = 8

    /// Names the variables that the source leaves to its scripts, or to an environment in another file.
    private func reportUnknownVariables(of imported: Imported) {
        // The credentials are named in it, wherever they go.
        let names = CollectionCheck.unknownVariables(in: imported.written(keeping: .drop))
        guard !names.isEmpty else { return }
        let rest = names.count - Self.maximumNames
        let list = names.prefix(Self.maximumNames).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
        StandardError.print(line: "\(Count.of(names.count, "variable")) without a value, to be given one: \(list)")
    }

    private func reportSecrets(of imported: Imported, at place: ImportedSecretPlace, _ path: String) {
        guard !imported.secrets.isEmpty else { return }
        let names = imported.secrets.map(\.description).joined(separator: ", ")
        switch place {
        case .local:
            let file = PlainSecrets.localFile(of: path) ?? path
            StandardError.print(line: "secrets in \(file): \(names)")
        case .drop:
            StandardError.print(line: "secrets that were left out, to set in the process environment: \(names)")
        case .keyring:
            StandardError.print(line: "secrets that were left out: \(names); store each, such as by")
            for secret in imported.secrets {
                let command = secret.keyringCommand(service: imported.collection.name)
                StandardError.print(line: "  " + command)
            }
        }
    }
}

/// A file that is named by its URL, and read once. No file that it refers to is read.
enum RemoteFile {
    /// The reason why a URL cannot be read, as a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var url: URL
        var status = 0
        var bytes: [UInt8] = []
        var problem: TransportError?

        /// Returns true for the last event that is wanted.
        mutating func take(_ event: TransportEvent) -> Bool {
            switch event {
            case .head(let head): (url, status) = (head.url, head.statusCode)
            case .data(let piece):
                bytes += piece
                return bytes.count > RemoteFile.maximumSize
            case .finished: return true
            case .failed(let error, _):
                problem = error
                return true
            case .phase, .sent, .redirected, .body, .received: break
            }
            return false
        }
    }

    /// In bytes; that of an imported file.
    private static let maximumSize = 64 << 20

    /// Nil for the path of a file.
    static func url(_ text: String) -> URL? {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://") ? URL(string: text) : nil
    }

    /// Returns the content, and the URL that it came from after redirects, without the secrets in it.
    static func content(
        _ url: URL, over transport: any Transport = CurlTransport.shared
    ) throws(Failure) -> (bytes: [UInt8], url: String) {
        let name = LogMask.url(url.absoluteString)
        guard url.user() == nil else {
            throw Failure(description: "cannot read \(name): the URL has credentials; pipe what curl reads to -")
        }
        let (state, end) = (Lock(State(url: url)), DispatchSemaphore(value: 0))
        var request = TransportRequest(url: url, headers: ["Accept": "application/json, application/yaml, */*"])
        request.responseDelivery = .pieces
        let task = transport.start(request) { event in
            if state.withLock({ $0.take(event) }) { end.signal() }
        }
        end.wait()
        task.cancel()
        let found = state.withLock { $0 }
        if let problem = found.problem { throw Failure(description: "cannot read \(name): \(problem.description)") }
        guard (200..<300).contains(found.status) else {
            throw Failure(description: "cannot read \(name): \(StatusCode.words(found.status))")
        }
        guard found.bytes.count <= maximumSize else {
            throw Failure(description: "cannot read \(name): it is longer than 64 MiB, the limit of an import")
        }
        return (found.bytes, LogMask.url(found.url.absoluteString))
    }
}
