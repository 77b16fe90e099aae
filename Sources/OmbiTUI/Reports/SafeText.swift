import OmbiTerminal

/// Text from files and the network, made safe for a terminal: one line without control characters.
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

    /// Returns the text with each of its lines made safe.
    static func lines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
    }
}
