import OmbiPlatform

/// The outcome of looking for a secret: present, or the reason why it is missing. It never holds the value.
package struct SecretCheck: Sendable, Equatable {
    package var source: Secret.Source
    /// In a few words; nil when the secret is present.
    package var problem: String?

    package init(_ source: Secret.Source, problem: String?) {
        self.source = source
        self.problem = problem
    }
}

/// The sources of secrets. Tests use fixed ones.
package struct SecretReader: Sendable {
    /// A variable of the process environment; nil when it is not set.
    package var environment: @Sendable (String) -> String?
    package var file: @Sendable (String) throws(FileError) -> [UInt8]
    /// The folder of the collection, at which relative paths start.
    var folder = ""
    /// A description of the place for a value in the local file of the collection; nil without one.
    var localFile: String?
    /// The value of a source that a program wrote or a person typed; nil before that.
    var obtained: @Sendable (Secret.Source) -> String? = { _ in nil }
    /// The value that a person typed for a variable that is not set; nil before that.
    var typed: @Sendable (Secret.Source) -> String? = { _ in nil }
    /// The text that replaces missing values; nil for an error.
    var standIn: String?
    /// True if a pipe is read like a file.
    private(set) var readsPipes = false
    /// The text that replaces a pipe without a grant; nil for an error.
    private var pipeText: String?
    /// True for a source that may go to some server.
    var isGranted: @Sendable (Source) -> Bool = { _ in true }

    package init(
        environment: @escaping @Sendable (String) -> String?,
        file: @escaping @Sendable (String) throws(FileError) -> [UInt8]
    ) {
        self.environment = environment
        self.file = file
    }

    /// Reads the environment of this process and files: relative paths start at `folder`, `~/` at the home folder.
    package static func system(folder: String) -> SecretReader {
        var reader = SecretReader(
            environment: variable,
            file: { path throws(FileError) in
                try PosixFileSystem().read(RelativePath.resolve(path, folder: folder))
            })
        reader.folder = folder
        return reader
    }

    /// The same, and reads pipes, for programs that may wait for a writer.
    package static func readingPipes(folder: String) -> SecretReader {
        var reader = system(folder: folder)
        reader.file = { path throws(FileError) in try PipedFile.read(RelativePath.resolve(path, folder: folder)) }
        reader.readsPipes = true
        return reader
    }

    /// Reads a file. A pipe needs a grant: it may keep the reader waiting, and reading empties it.
    func read(_ path: String, as told: @autoclosure () -> Source?) throws(FileError) -> [UInt8] {
        guard readsPipes, let source = told(), withholds(source) else { return try file(path) }
        guard let pipeText else { throw FileError(operation: "read", path: path, code: FileError.isWithheld) }
        return Array(pipeText.utf8)
    }

    /// True for a pipe that has no grant yet.
    func withholds(_ source: Source) -> Bool {
        switch source {
        case .file(let path), .envFile(let path, _): readsPipes && Workspace.isPipe(path) && !isGranted(source)
        default: false
        }
    }

    /// Not through a dictionary of all variables, which takes longer than resolving most requests.
    @Sendable private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Finds out which sources have a value. Relative paths start at a folder.
    package static func check(_ sources: [Secret.Source], in folder: String) -> [SecretCheck] {
        let reader = system(folder: folder)
        return sources.filter { !$0.isObtained }.map { SecretCheck($0, problem: reader.problem(with: $0)) }
    }

    /// Returns the reason why a source has no value, in a few words; nil if it has one. The value itself is dropped.
    package func problem(with source: Secret.Source) -> String? {
        do throws(SecretError) {
            _ = try value(of: Secret("", source))
            return nil
        } catch {
            return error.brief
        }
    }

    /// The value of a secret. A byte order mark and one newline at the end of a file do not belong to it.
    func value(of secret: Secret) throws(SecretError) -> String {
        switch secret.source {
        case .environment(let name):
            let value = environment(name) ?? ""
            guard value.isEmpty else { return value }
            if let typed = typed(secret.source) { return typed }
            var error = SecretError(secret: secret, reason: environment(name) == nil ? .notSet : .empty)
            error.localFile = localFile
            throw error
        case .file(let path): return try content(of: path, secret)
        case .value(let value): return value
        case .envFile(let path, let name): return try value(of: name, in: path, secret)
        case .command, .prompt, .keyring:
            guard let value = obtained(secret.source) else { throw SecretError(secret: secret, reason: .notObtained) }
            return value
        }
    }

    private func value(of name: String, in path: String, _ secret: Secret) throws(SecretError) -> String {
        let bytes = try bytes(of: path, secret)
        do throws(EnvFile.Failure) {
            guard let value = try EnvFile(bytes).value(of: name) else {
                throw EnvFile.Failure(line: 0, column: 0, message: "")
            }
            return value
        } catch {
            let place = "line \(error.line), column \(error.column): \(error.message)"
            throw SecretError(secret: secret, reason: error.line == 0 ? .notSet : .failed("\(path), \(place)"))
        }
    }

    private func bytes(of path: String, _ secret: Secret) throws(SecretError) -> [UInt8] {
        do throws(FileError) { return try read(path, as: source(of: secret)) } catch {
            throw SecretError(secret: secret, reason: .unreadable(error))
        }
    }

    private func content(of path: String, _ secret: Secret) throws(SecretError) -> String {
        var bytes = try bytes(of: path, secret)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = TextFile.text(of: bytes) else {
            throw SecretError(secret: secret, reason: .notText)
        }
        guard !text.isEmpty else { throw SecretError(secret: secret, reason: .empty) }
        return text
    }
}

extension FolderListing {
    /// Reads the folder that a path in a collection names, which may take its time.
    package init(of path: String, in folder: String) {
        self.init(reading: path, at: RelativePath.resolve(path, folder: folder))
    }
}

extension SecretReader {
    /// Returns the readers of a process whose environment also has the variables of a `.env` file. Those that are set already
    /// win. Throws for an error in it, with its position.
    package static func system(
        withEnvFile content: [UInt8], named path: String
    ) throws(Problem) -> @Sendable (_ folder: String) -> SecretReader {
        let file: EnvFile
        do throws(EnvFile.Failure) { file = try EnvFile(content) } catch {
            throw Problem(
                file: path, position: TextPosition(line: error.line, column: error.column), message: error.message)
        }
        return { folder in
            var reader = readingPipes(folder: folder)
            let process = reader.environment
            reader.environment = { process($0) ?? file.value(of: $0) }
            return reader
        }
    }
}

extension SecretReader {
    func source(of secret: Secret) -> Source {
        switch secret.source {
        case .environment(let name): .environment(name)
        case .file(let path): .file(place(path))
        case .envFile(let path, let name): .envFile(place(path), name: name)
        case .value: .local(secret.name, isSecret: true)
        case .prompt: .typed(secret.name)
        case .keyring(let service, let account): .keyring(service: service, account: account)
        case .command(let words, _): .command(words, content: CommandContent.digest(of: words, folder: folder))
        }
    }

    /// Returns a reader with a text for values that are not obtained yet.
    /// - Parameter isLenient: True to use the text for missing variables and files, too.
    func standing(in text: String, isLenient: Bool) -> SecretReader {
        let (environment, file, obtained) = (environment, file, obtained)
        var reader = self
        reader.obtained = { obtained($0) ?? text }
        reader.pipeText = text
        guard isLenient else { return reader }
        reader.standIn = text
        reader.environment = { name in environment(name).flatMap { $0.isEmpty ? nil : $0 } ?? text }
        reader.file = { path in (try? file(path)).flatMap { $0.isEmpty ? nil : $0 } ?? Array(text.utf8) }
        return reader
    }

    private func place(_ path: String) -> String {
        let place = RelativePath.resolve(path, folder: folder)
        return Workspace.real(place) ?? place
    }
}

/// The programs and scripts of the workspace that a command runs: a change of their content is another command.
enum CommandContent {
    /// Returns nil for a command of which no word is a file of the workspace.
    static func digest(of words: [String], folder: String) -> String? {
        var files: [String] = []
        for (index, word) in words.enumerated() {
            if index == 0 {
                files +=
                    word.contains("/")
                    ? [RelativePath.resolve(word, folder: folder)] : programInPath(word).map { [$0] } ?? []
                continue
            }
            // `--config=./file` names one, too. Arguments start where Ombi was started.
            let value = word.hasPrefix("-") ? word.split(separator: "=", maxSplits: 1).dropFirst().first : word[...]
            if let value { files += [String(value), RelativePath.resolve(String(value), folder: folder)] }
        }
        let roots = [folder, "."].compactMap { Workspace.root(of: $0) ?? Workspace.real($0.isEmpty ? "." : $0) }
        var digests: [String] = []
        for real in files.compactMap(Workspace.real) where roots.contains(where: { real.hasPrefix($0 + "/") }) {
            if let digest = WorkspaceContent.digest(of: real), !digests.contains(digest) { digests.append(digest) }
        }
        return digests.isEmpty ? nil : digests.joined(separator: " ")
    }

    private static func programInPath(_ name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":", omittingEmptySubsequences: false).lazy
            .map { ($0.isEmpty ? "." : String($0)) + "/" + name }
            .first { access($0, X_OK) == 0 }
    }
}
