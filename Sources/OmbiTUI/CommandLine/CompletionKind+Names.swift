import ArgumentParser
import OmbiWorkspace

/// The names that the words of a command can become. They are read from the files, and from nothing else.
extension ArgumentParser.CompletionKind {
    /// Collections, folders and requests; files of other folders where nothing here fits.
    static let selections = completed { line in
        let names = line.selectable().selections(line.word)
        return names.isEmpty && !line.word.isEmpty ? CompletionNames.files(line.word) : names
    }
    static let environments = completed { $0.selected().environments($0.word) }
    static let tags = completed { $0.selected().tags($0.word) }
    static let variables = completed { $0.selected().variables($0.word) }
    static let collectionFiles = file(extensions: ["json"])

    private static func completed(_ names: @escaping @Sendable (CompletionLine) -> [String]) -> Self {
        custom { words, index, _ in
            let shell = CompletionShell.requesting
            // Of an older fish they come without their quotes, but for the empty word, which its script adds.
            let isPlain = shell == .fish && CompletionShell.requestingVersion?.hasPrefix("3.") == true
            let texts = words.map { isPlain && $0 != "''" ? $0 : ShellSyntax.text(of: $0) }
            return names(CompletionLine(texts, at: index)).map { ShellSyntax.candidate($0, for: shell) }
        }
    }
}
