/// Filters of jq that select one value, as JSONPaths.
enum JQFilter {
    /// The path for `jq -r .a.b[0]`; nil for another command, and for a filter that does more.
    static func path(_ command: [ShellWord]) -> String? {
        let words = command.map(\.text)
        guard words.first == "jq" else { return nil }
        let filters = words.dropFirst().filter { !options.contains($0) }
        guard filters.count == 1, let filter = filters.first, filter.hasPrefix("."), filter.count > 1,
            !filter.contains("[]"), !filter.contains("{{"), !filter.contains(where: { " |,(){}*/?:".contains($0) })
        else { return nil }
        return "$" + (filter.hasPrefix(".[") ? String(filter.dropFirst()) : filter).replacing(".[", with: "[")
    }

    /// A name for the value at a path: that of its last member.
    static func name(of path: String) -> String {
        let word = path.split { ".[]\"'$".contains($0) }.map { ForeignText.word(String($0)) }.last { word in
            word.first?.isLetter ?? false
        }
        return word ?? "value"
    }

    private static let options: Set<String> = [
        "-r", "--raw-output", "-e", "--exit-status", "-j", "--join-output", "-c", "--compact-output", "-re", "-er",
        "-cr", "-rc",
    ]
}
