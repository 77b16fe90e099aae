import OmbiPlatform

/// Copies of unsaved edits that survive the end of the program: one file for each collection and process, readable by its
/// owner only. The drafts of a running process are left to it.
package struct Drafts: Sendable {
    private let folder: String
    private let fileSystem: any FileSystem
    private let process: Int32
    private let isRunning: @Sendable (Int32) -> Bool

    /// - Parameters:
    ///   - folder: created with the first draft.
    ///   - process: the ID of the process that writes drafts.
    ///   - isRunning: returns true for the ID of a running process.
    package init(
        folder: String, fileSystem: any FileSystem = PosixFileSystem(), process: Int32 = getpid(),
        isRunning: (@Sendable (Int32) -> Bool)? = nil
    ) {
        self.folder = folder
        self.fileSystem = fileSystem
        self.process = process
        self.isRunning = isRunning ?? ProcessState.isRunning
    }

    /// The user's drafts: in `$XDG_STATE_HOME/ombi/drafts`, or `~/.local/state/ombi/drafts`. Nil without a home folder.
    package static var standard: Drafts? {
        StateFolder.path.map { Drafts(folder: $0 + "/drafts") }
    }

    /// Writes the draft of an edited collection.
    /// - Parameter fingerprint: the content of its file when the edits began, which the draft keeps, too,
    ///   unless it is another tool's.
    package func keep(
        _ collection: Collection, of path: String, since fingerprint: Fingerprint
    ) throws(FileError) {
        let real = try fileSystem.resolve(path)
        let file = ownFile(for: real)
        let text = Array(collection.text.utf8)
        // The file of another tool has its credentials in clear.
        let base = collection.overlay.isForeign ? [] : Self.base(fingerprint)
        let content = Array("\(Self.head(real, fingerprint))\n\(text.count)\n".utf8) + text + base
        try fileSystem.makeFolder(folder)
        try FileReplacement.replace(file, with: content, newFileMode: 0o600, fileSystem)
    }

    /// Returns the draft of a file that was just read; nil if there is none, or if it equals the file. The draft of a file
    /// with an error is kept.
    /// - Parameter onProblem: receives the first error in each draft that cannot be read, which is kept, with its place there.
    package func draft(of loaded: LoadedCollection, onProblem: (Problem) -> Void = { _ in }) -> Draft? {
        guard let current = loaded.collection, let real = try? fileSystem.resolve(loaded.path) else { return nil }
        for draft in leftDrafts(of: real, loaded, onProblem) {
            if draft.collection.text != current.text { return draft }
            fileSystem.remove(draft.file)
        }
        return nil
    }

    /// The drafts that ended processes have left of a file.
    private func leftDrafts(
        of real: String, _ loaded: LoadedCollection, _ onProblem: (Problem) -> Void
    ) -> [Draft] {
        leftFiles(for: real).compactMap { file in
            do throws(Problem) {
                return try draft(in: file, of: real, loaded)
            } catch {
                onProblem(error)
                return nil
            }
        }
    }

    private func draft(in file: String, of real: String, _ loaded: LoadedCollection) throws(Problem) -> Draft? {
        guard let content = try self.content(of: file), content.head.hasSuffix(" " + real) else { return nil }
        let read = CollectionFile.read(content.edited, file: file)
        guard let collection = read.collection else {
            var problem = read.problems.first { $0.severity == .error } ?? Self.foreign(file)
            problem.position?.line += content.headLines
            throw problem
        }
        let isOfThisFile = content.head == Self.head(real, loaded.fingerprint)
        let base = isOfThisFile ? nil : CollectionFile.read(content.base, file: loaded.path).collection
        let fingerprint = base.map { _ in Fingerprint(bytes: content.base) }
        return Draft(
            collection: collection, isOfThisFile: isOfThisFile, base: base, fingerprint: fingerprint, file: file)
    }

    /// Returns nil when another process has removed it.
    private func content(of file: String) throws(Problem) -> Content? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try fileSystem.read(file)
        } catch {
            if error.code == ENOENT { return nil }
            throw Problem(file: file, message: error.reason)
        }
        guard let content = Content(bytes) else { throw Self.foreign(file) }
        return content
    }

    private static func foreign(_ file: String) -> Problem { Problem(file: file, message: "this is no draft of Ombi") }

    /// The parts of a draft: a line that names the file, the length of the edited text, that text, and the content of
    /// the file when the edits began.
    private struct Content {
        let head: String
        /// The lines before the edited text.
        var headLines = 1
        var edited: [UInt8]
        var base: [UInt8] = []

        init?(_ bytes: [UInt8]) {
            let newline = UInt8(ascii: "\n")
            guard let end = bytes.firstIndex(of: newline) else { return nil }
            head = String(decoding: bytes[..<end], as: UTF8.self)
            let rest = bytes[(end + 1)...]
            edited = Array(rest)
            // Earlier drafts have no length, and nothing after the edited text.
            guard let lineEnd = rest.firstIndex(of: newline),
                let length = Int(String(decoding: rest[..<lineEnd], as: UTF8.self))
            else { return }
            headLines = 2
            let text = rest[(lineEnd + 1)...]
            edited = Array(text.prefix(max(0, length)))
            base = Array(text.dropFirst(max(0, length)))
        }
    }

    /// Combines the drafts that ended processes have left of a file into one of this process. If it ends meanwhile,
    /// none of them is lost; no other process takes them as well.
    /// - Parameter onProblem: As for `draft(of:onProblem:)`.
    /// - Returns: The combined draft; nil if there are none, or they cannot be written.
    package func takeOver(
        _ path: String, onProblem: (Problem) -> Void = { _ in }, combine: ([Collection]) -> Collection
    ) -> Collection? {
        guard let real = try? fileSystem.resolve(path) else { return nil }
        // Most starts find none, and make no lock.
        guard !leftFiles(for: real).isEmpty else { return nil }
        return StateLock.exclusively(folder, fileSystem) { () -> Collection? in
            let empty = LoadedCollection(path: path, collection: nil, fingerprint: .absent)
            let drafts = leftDrafts(of: real, empty, onProblem)
            guard !drafts.isEmpty else { return nil }
            let combined = combine(drafts.map(\.collection))
            guard (try? keep(combined, of: path, since: .absent)) != nil else { return nil }
            for draft in drafts { discard(draft) }
            return combined
        }
    }

    /// Deletes a draft that an ended process has left.
    package func discard(_ draft: Draft) { discard(file: draft.file) }

    package func discard(file: String) {
        if file.hasPrefix(folder + "/") { fileSystem.remove(file) }
    }

    /// Deletes this process's draft of a file.
    package func discardOwn(_ path: String) {
        if let real = try? fileSystem.resolve(path) { fileSystem.remove(ownFile(for: real)) }
    }

    private func ownFile(for path: String) -> String { "\(folder)/\(Self.name(for: path)).\(process)" }

    /// Returns the ID of another running process that has unsaved edits of a file.
    package func editor(of path: String) -> Int32? {
        guard let real = try? fileSystem.resolve(path) else { return nil }
        return files(for: real).first { $0.process != process && isRunning($0.process) }?.process
    }

    /// The drafts of processes that have ended.
    private func leftFiles(for path: String) -> [String] {
        files(for: path).filter { !isRunning($0.process) }.map { folder + "/" + $0.name }
    }

    /// The drafts of a file, each with its process, by name.
    private func files(for path: String) -> [(name: String, process: Int32)] {
        let start = Self.name(for: path) + "."
        return ((try? fileSystem.names(in: folder)) ?? []).sorted().compactMap { name in
            guard name.hasPrefix(start), let process = Int32(name.dropFirst(start.count)) else { return nil }
            return (name, process)
        }
    }

    private static func name(for path: String) -> String {
        "\(hash(path.utf8))-\((path.split(separator: "/").last ?? "").prefix(60))"
    }

    private static func head(_ path: String, _ fingerprint: Fingerprint) -> String {
        "ombi draft of \(hash(base(fingerprint))) \(path)"
    }

    /// The content that was edited, of a file that was removed since, too.
    private static func base(_ fingerprint: Fingerprint) -> [UInt8] {
        fingerprint.text.map { $0.array(0..<$0.count) } ?? []
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> String { String(ContentHash.of(bytes), radix: 16) }
}

/// An edited collection that was not saved.
package struct Draft: Sendable, Equatable {
    package var collection: Collection
    /// True while the file still holds the content that was edited.
    package var isOfThisFile: Bool
    /// The collection that was edited, if the file has changed since; nil if unknown.
    package var base: Collection?
    /// The content of the file that held `base`.
    package var fingerprint: Fingerprint?
    package var file = ""
}
