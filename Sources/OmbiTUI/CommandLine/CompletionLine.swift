import OmbiWorkspace

/// A command line with a word that is to be completed.
struct CompletionLine {
    let word: String
    /// The words behind the name of the command, without the one to complete.
    let others: [String]

    /// - Parameters:
    ///   - words: all of them, the program first.
    ///   - index: that of the word to complete.
    init(_ words: [String], at index: Int) {
        word = words.indices.contains(index) ? words[index] : ""
        others = words.enumerated().filter { $0.offset > 1 && $0.offset != index }.map(\.element)
    }

    /// Returns the collections in which the word can be a selection.
    func selectable() -> CompletionNames {
        CompletionNames(collections: Self.load([Self.file(of: word) ?? "."]))
    }

    /// Returns the collections that the other words select; those of the current folder where they select none.
    func selected() -> CompletionNames {
        let paths = others.compactMap { Self.file(of: $0) ?? Self.folder($0) }
        return CompletionNames(collections: Self.load(["."] + paths)).selected(by: others)
    }

    /// Files of other tools are named as the collections that they give: `ombi run` sends them, too.
    private static func load(_ paths: [String]) -> [LoadedCollection] {
        CollectionFinder.load(paths).map { $0.importing ?? $0 }
    }

    /// Returns the path of the file that a selection begins with.
    private static func file(of word: String) -> String? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let end = parts.firstIndex { part in Importer.fileEndings.contains { part.hasSuffix($0) } }
        guard let end else { return nil }
        let path = parts[...end].joined(separator: "/")
        return PosixFileSystem().size(path) > 0 ? path : nil
    }

    private static func folder(_ word: String) -> String? {
        word.contains("/") && PosixFileSystem().isFolder(word) ? word : nil
    }
}
