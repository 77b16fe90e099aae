#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension SecretReader {
    /// Returns the source that a value of a secret comes from.
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

    /// Returns a reader with a text for what has yet to be obtained.
    /// - Parameter isLenient: true to use the text for variables and files that are not there, too.
    func standing(in text: String, isLenient: Bool) -> SecretReader {
        let (environment, file, obtained) = (environment, file, obtained)
        var reader = self
        reader.obtained = { obtained($0) ?? text }
        guard isLenient else { return reader }
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
