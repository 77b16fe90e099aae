import OmbiPlatform

/// A file as the explorer opens it: with the edits that an ended program has left, and followed by the history.
enum OpenedFile {
    /// Reads the collections at paths. The file or the folder of another tool is opened if it is named itself, a file
    /// also if it is the root of a folder that is. Requests of a larger collection are opened with all of it.
    static func read(_ paths: [String]) -> [LoadedCollection] {
        let paths = paths.map { Importer.part(at: $0)?.root ?? $0 }
        let files = CollectionFinder.load(paths)
        let folders = LoadedCollection.foreignFolders(paths, besides: files).map(\.readInPlace)
        let opened = files.map { loaded in
            let isNamed = paths.contains(loaded.path) || CollectionFinder.foreignFolder(of: loaded.path) != nil
            return withDraft((isNamed ? loaded.readInPlace : loaded).specified())
        }
        return opened + folders.filter { $0.collection != nil || !$0.problems.isEmpty }.map { withDraft($0) }
    }

    /// Reads a file that is open, or was.
    static func load(_ path: String) -> LoadedCollection {
        withDraft(CollectionFile.load(path).readInPlace.specified())
    }

    private static func withDraft(_ loaded: LoadedCollection) -> LoadedCollection {
        var loaded = loaded
        guard let drafts = Drafts.standard else { return loaded }
        var problem: Problem?
        loaded.draft = drafts.draft(of: loaded) { problem = $0 }
        loaded.draftProblem = problem
        loaded.editor = drafts.editor(of: loaded.path)
        return loaded
    }

    /// Lets requests that were renamed elsewhere keep their history.
    /// - Parameter recognises: false where the screen knows the renames.
    static func follow(_ loaded: LoadedCollection, in history: History?, recognises: Bool = false) {
        guard let history, let collection = loaded.collection else { return }
        history.follow(file: loaded.path, CollectionOutline(collection), recognises: recognises, waits: true)
    }
}

/// An incident bundle that is opened by itself: its runs are in a history of their own, in a private folder. Nothing
/// that this machine keeps is looked at: neither its history, nor its memory, nor its tokens.
struct OpenedBundle: Sendable {
    /// The reason why a bundle cannot be opened.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let history: History
    private let folder: String

    /// A bundle is often older than what a history keeps.
    private static let limits = HistoryLimits(
        maximumAge: .seconds(200 * 366 * 86_400), maximumRuns: Int.max / 2, maximumSize: Int.max / 2,
        maximumBody: 1 << 30)

    /// Opens the bundle that is the only path of a command line.
    /// - Returns: nil for anything else.
    static func find(in paths: [String]) throws(Failure) -> OpenedBundle? {
        guard paths.count == 1, isBundle(paths[0]) else { return nil }
        return try OpenedBundle(paths[0])
    }

    /// Returns true for a regular file that begins as a bundle does.
    static func isBundle(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var start = [UInt8](repeating: 0, count: BundleFormat.maximumStart)
        let count = read(file, &start, start.count)
        return count > 0 && BundleFormat.begins(start.prefix(count))
    }

    init(_ path: String) throws(Failure) {
        let bundle = try Self.content(of: path)
        do throws(ExternalEditor.Failure) { folder = try ExternalEditor.makePrivateFolder() } catch {
            throw Failure(description: error.description)
        }
        let excerpt = bundle.excerpt
        // An incident is of another day: up to now its windows would be empty.
        let history = History(path: folder + "/history.sqlite", limits: Self.limits, end: excerpt.newest)
        self.history = history
        let error = Task { () async -> HistoryError? in
            do throws(HistoryError) {
                try await history.add(excerpt, file: path)
                return nil
            } catch { return error }
        }.wait()
        guard let error else { return }
        remove()
        throw Failure(description: error.description)
    }

    private static func content(of path: String) throws(Failure) -> IncidentBundle {
        guard PosixFileSystem().size(path) <= BundleFormat.maximumSize else {
            throw Failure(description: "\(path): a bundle has at most 64 MiB")
        }
        let content: [UInt8]
        do throws(FileError) { content = try PosixFileSystem().read(path) } catch {
            throw Failure(description: error.description)
        }
        do throws(ImportError) { return try IncidentBundle(reading: content, path: path) } catch {
            throw Failure(description: "\(path): \(error.description)")
        }
    }

    /// Removes the runs, with what was sent since.
    func remove() { ExternalEditor.removeFolder(folder) }
}

extension ExampleFile {
    /// Reads the body, and says what came of it.
    func reading() -> Event {
        do throws(TemplateFileError) {
            return .exampleRead(self, Data(try example.content(beside: collection)))
        } catch {
            return .notice(Notice(.failure, "The example \(example.name) cannot be shown: \(error)"))
        }
    }
}

extension BatchPlan {
    /// Reads the file of data. Returns the plan with its rows, or the reason why there are none.
    func readingData() -> Event {
        let path = BodyFile.expanded(dataPath ?? "")
        do {
            var plan = self
            plan.data = BatchData(try DataFile.rows(of: try PosixFileSystem().read(path), file: path))
            return .dataRead(plan)
        } catch {
            return .dataUnread(self, "\(error)")
        }
    }
}
