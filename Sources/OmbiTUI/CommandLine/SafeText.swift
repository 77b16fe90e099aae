/// Text from files and the network for a terminal that is written to directly: one line, nothing that it would obey.
enum SafeText {
    static func line(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for glyph in Glyphs(text) {
            result.append(glyph.scalar)
            result.append(contentsOf: glyph.marks)
        }
        return String(result)
    }
}
