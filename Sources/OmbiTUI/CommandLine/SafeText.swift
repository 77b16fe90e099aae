import OmbiTerminal

/// Text from files and the network for a terminal that is written to directly: one line, nothing that it would obey.
enum SafeText {
    static func line(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        for glyph in Glyphs(text) {
            result.append(glyph.scalar)
            result.append(contentsOf: glyph.marks)
        }
        return String(result)
    }

    /// The same for a text of several lines.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }
}
