/// The error about an option that a command does not have. The parser suggests any option of about the same length, such
/// as `--tag` for `--env`.
enum UnknownOption {
    private static let start = "Error: Unknown option '"

    /// Returns a message of the parser with the option that was probably meant: one that begins like the unknown one, or
    /// a typo of it. Any other message stays as it is.
    /// - Parameter root: returns the description of all commands.
    static func suggesting(_ message: String, in root: () -> CommandDescription?) -> String {
        var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, first.hasPrefix(start + "--"),
            let command = root()?.command(words(in: lines)[...])
        else { return message }
        let end = first.firstRange(of: "'. Did you mean '")?.lowerBound ?? first.lastIndex(of: "'") ?? first.endIndex
        let option = String(first[..<end].dropFirst(start.count))
        let names = command.arguments.flatMap(\.names).filter { $0.hasPrefix("--") }
        let suggestion = Spelling.nearest(to: option, in: names).map { ". Did you mean '\($0)'?" } ?? ""
        lines[0] = "\(start)\(option)'\(suggestion)"
        return lines.joined(separator: "\n")
    }

    /// The words of the command that a message names in its last line: `  See 'ombi run --help' for more information.`
    private static func words(in lines: [String]) -> [String] {
        let start = "  See '"
        guard let line = lines.last(where: { $0.hasPrefix(start) }) else { return [] }
        return line.dropFirst(start.count).split(separator: " ").prefix { !$0.hasPrefix("--") }.map(String.init)
    }
}

extension CommandDescription {
    /// Returns the command with these words, the first of which is the name of this one; nil for none.
    fileprivate func command(_ words: ArraySlice<String>) -> CommandDescription? {
        guard words.first == name else { return nil }
        let rest = words.dropFirst()
        return rest.isEmpty ? self : subcommands.lazy.compactMap { $0.command(rest) }.first
    }
}
